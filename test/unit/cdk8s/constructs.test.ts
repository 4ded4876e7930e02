import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { Service } from 'cdk8s-plus-28';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LeasedAddress, LeasedService, LeaseholdError } from '../../../src/cdk8s/index.ts';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { providerPoolsText } from '../../support/declarations/pools-text.ts';
import { serviceText } from '../../support/declarations/service-text.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { putFile, tempTree } from '../../support/trees/temp-tree.ts';

const pools = providerPoolsText(`metallb: { version: 0.16.1, loadBalancerClass: metallb.io/metallb }
clusters: [{ name: east }, { name: west }]
defaultCluster: east
defaultZone: inet
pools:
  - name: default
    zone: inet
    addresses: [203.0.113.0/28, '2001:db8::/120']
    strategy: lowest
    advertise: { bgp: {} }
anycast:
  - name: dns
    members:
      - { cluster: east, namespace: shop, service: dns }
      - { cluster: west, namespace: shop, service: dns }
`);

function reservation(service: string, ports: string, more = ''): string {
  return `apiVersion: leasehold.dev/v1
kind: Reservation
spec: { namespace: shop, service: ${service}, ports: [${ports}]${more} }
`;
}

let repository: string;
let chart: Chart;

beforeAll(async () => {
  repository = mkdtempSync(join(tmpdir(), 'leasehold-cdk8s-'));
  const files = {
    'leases/pools.yaml': pools,
    'leases/a-web.yaml': reservation('web', '{ port: 80 }'),
    'leases/b-mail.yaml': reservation(
      'mail',
      '{ port: 25 }, { port: 53, protocol: UDP }',
      ', ipFamily: dual',
    ),
    'leases/c-first.yaml': reservation('first', '{ port: 1 }', ', sharingKey: both'),
    'leases/c-second.yaml': reservation('second', '{ port: 2 }', ', sharingKey: both'),
    'leases/d-east.yaml': reservation('dns', '{ port: 53 }'),
    'leases/d-west.yaml': reservation('dns', '{ port: 53 }', ', cluster: west'),
    'leases/e-whole.yaml': serviceText('whole'),
    'leases/f-lease.yaml': leaseText('ann', 1000, [{ name: 'front', service: 'web', port: 80 }]),
  };
  for (const [path, text] of Object.entries(files)) putFile(repository, path, text);
  const { status, out } = await runInProcess(['synth'], repository);
  expect(status, out).toBe(0);
});
afterAll(() => rmSync(repository, { recursive: true, force: true }));

beforeEach(() => {
  chart = new Chart(Testing.app(), 'shop', { namespace: 'shop' });
});

/** A copy of the repository with one more file. */
function repositoryWith(path: string, text: string): string {
  const copy = tempTree();
  cpSync(repository, copy, { recursive: true });
  putFile(copy, path, text);
  return copy;
}

type ServiceProps = ConstructorParameters<typeof LeasedService>[2];

function leased(name: string, more: Partial<ServiceProps> = {}): LeasedService {
  const props = { repository, namespace: 'shop', name, selector: { app: name }, ...more };
  return new LeasedService(chart, name, props);
}

function addressOf(name: string, cluster?: string): LeasedAddress {
  const props = { repository, namespace: 'shop', name, ...(cluster ? { cluster } : {}) };
  return new LeasedAddress(chart, `${name}-address`, props);
}

/** A Service of cdk8s-plus in the namespace of the chart. */
function plusService(name: string, port: number): Service {
  const service = new Service(chart, `${name}-service`, { metadata: { name }, ports: [{ port }] });
  service.selectLabel('app', name);
  return service;
}

/** Expects a LeaseholdError with this code, and returns its message. */
function expectError(code: string, act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(LeaseholdError);
    expect(error).toMatchObject({ code, hint: expect.any(String) });
    return (error as LeaseholdError).message;
  }
  throw new Error(`expected ${code}`);
}

test('an app that would write into dist/ of the repository is refused', () => {
  const app = new App({ outdir: join(repository, 'dist') });
  const props = { repository, namespace: 'shop', name: 'web' };
  const act = () => new LeasedAddress(new Chart(app, 'shop'), 'a', props);
  expect(expectError('FILE_UNEXPECTED', act)).toContain('/dist/ has what `leasehold synth` writes');
});

describe('LeasedAddress', () => {
  test('has the addresses of a dual-stack Reservation, IPv4 first', () => {
    const { addresses, ipv4, ipv6, holder, cluster } = addressOf('mail');
    expect(addresses).toEqual([ipv4, ipv6]);
    expect([ipv4, ipv6, holder, cluster]).toEqual([
      expect.stringMatching(/^203\.0\.113\.\d+$/),
      expect.stringMatching(/^2001:db8::/),
      'east/service/shop/mail',
      'east',
    ]);
  });

  test('has the public addresses, which differ behind a NAT', () => {
    const { addresses, publicAddresses } = addressOf('mail');
    expect(publicAddresses).toEqual(addresses);
    const nat = 'nat: [{ inside: 203.0.113.0/28, outside: 198.51.100.0/28 }]';
    const text = pools.replace('    strategy', `    ${nat}\n    strategy`);
    const props = { repository: repositoryWith('leases/pools.yaml', text), namespace: 'shop' };
    const behind = new LeasedAddress(chart, 'behind', { ...props, name: 'mail' });
    const outside = behind.ipv4.replace('203.0.113.', '198.51.100.');
    expect(behind.addresses).toEqual(addresses);
    expect(behind.publicAddresses).toEqual([outside, behind.ipv6]);
    expect([behind.publicIpv4, behind.publicIpv6]).toEqual(behind.publicAddresses);
    const web = new LeasedAddress(chart, 'web', { ...props, name: 'web' });
    expectError('FAMILY_MISSING', () => web.publicIpv6);
  });

  test('refuses the IPv6 address of an IPv4 Reservation, so that no text has "undefined"', () => {
    const address = addressOf('web');
    expect(address.addresses).toEqual([address.ipv4]);
    const message = expectError('FAMILY_MISSING', () => `ip6:${address.ipv6}`);
    expect(message).toContain('east/service/shop/web has no IPv6 address, only 203.0.113.');
  });

  test('has the address of a Service that leasehold writes', () => {
    expect(addressOf('whole').ipv4).toMatch(/^203\.0\.113\.\d+$/);
  });

  test('has the address of an Akash lease by its holder', async () => {
    const holder = `east/akash/${accountOf('ann')}-ip-front`;
    const { ipv4 } = new LeasedAddress(chart, 'lease', { repository, holder });
    const { out } = await runInProcess(['list', '-o', 'csv'], repository);
    expect(out.split('\n').filter((line) => line.includes(holder))).toEqual([
      expect.stringContaining(`${ipv4}`),
    ]);
  });

  test('is one address in each cluster of an anycast group', () => {
    const [east, west] = [
      addressOf('dns', 'east'),
      new LeasedAddress(chart, 'west', {
        repository,
        namespace: 'shop',
        name: 'dns',
        cluster: 'west',
      }),
    ];
    expect([east.ipv4, east.cluster]).toEqual([west.ipv4, 'east']);
    expect(west.cluster).toBe('west');
  });

  test('needs the cluster of a declaration that several clusters have', () => {
    expectError('CLUSTER_AMBIGUOUS', () => addressOf('dns'));
  });

  test('refuses a name that is not declared, in any cluster or in the named one', () => {
    const absent = expectError('DECLARATION_UNKNOWN', () => addressOf('absent'));
    expect(absent).toContain('shop/absent is not declared; `leasehold list` prints what is');
    const typo = expectError('DECLARATION_UNKNOWN', () => addressOf('wbe'));
    expect(typo).toContain('shop/wbe is not declared; did you mean shop/web?');
    const west = expectError('DECLARATION_UNKNOWN', () => addressOf('web', 'west'));
    expect(west).toContain('is not declared in cluster west; it is declared in cluster east');
  });

  test('refuses a declaration that has no address yet', () => {
    const copy = repositoryWith('leases/new.yaml', reservation('new', '{ port: 80 }'));
    const props = { repository: copy, namespace: 'shop', name: 'new' };
    expectError('ADDRESS_MISSING', () => new LeasedAddress(chart, 'new', props));
  });

  test('refuses a repository with problems, and names the first of them', () => {
    const bad = 'apiVersion: leasehold.dev/v1\nkind: Lease\nspec: 1\n';
    const copy = repositoryWith('leases/bad.yaml', bad);
    const props = { repository: copy, namespace: 'shop', name: 'web' };
    const message = expectError('REPOSITORY_REFUSED', () => new LeasedAddress(chart, 'a', props));
    expect(message).toContain('leases/bad.yaml:3:7 FIELD_TYPE');
  });

  test('ignores a file of a kind that it does not know, such as one of a feature', () => {
    const other = 'apiVersion: leasehold.dev/v1\nkind: Other\n';
    const copy = repositoryWith('leases/other.yaml', other);
    const props = { repository: copy, namespace: 'shop', name: 'web' };
    expect(new LeasedAddress(chart, 'a', props).ipv4).toMatch(/^203\.0\.113\./);
  });

  test('refuses an address that the declaration no longer allows', () => {
    const reserved = "reserved: ['203.0.113.0/29']\n    strategy: lowest";
    const text = pools.replace('strategy: lowest', reserved);
    const copy = repositoryWith('leases/pools.yaml', text);
    const props = { repository: copy, namespace: 'shop', name: 'web' };
    const message = expectError('REPOSITORY_REFUSED', () => new LeasedAddress(chart, 'a', props));
    expect(message).toContain('ADDRESS_STRANDED');
  });

  test('refuses a folder that does not exist or has no leases/, and names it', () => {
    const absent = `${repository}/absent`;
    for (const [folder, reason] of [
      [absent, `${absent}: the repository cannot be opened: there is no such folder`],
      [`${repository}/leases`, `${repository}/leases has no files in leases/`],
    ] as const) {
      const props = { repository: folder, namespace: 'shop', name: 'web' };
      const act = () => new LeasedAddress(new Chart(Testing.app(), 'shop'), 'a', props);
      const message = expectError('REPOSITORY_REFUSED', act);
      expect(message).toContain(`${reason}; set repository to the folder that has leases/`);
    }
  });

  test('reads the repository once for each app', () => {
    const props = { repository: tempTree(), namespace: 'shop', name: 'web' };
    cpSync(repository, props.repository, { recursive: true });
    const { ipv4 } = new LeasedAddress(chart, 'first', props);
    putFile(props.repository, 'leases/bad.yaml', 'not: known\n');
    expect(new LeasedAddress(chart, 'second', props).ipv4).toBe(ipv4);
    const other = new Chart(Testing.app(), 'shop');
    expectError('REPOSITORY_REFUSED', () => new LeasedAddress(other, 'third', props));
  });
});

describe('LeasedService', () => {
  test('is pinned like the Services that leasehold writes, on all ports of its Reservation', () => {
    const { address } = leased('web', { labels: { a: 'b' }, annotations: { c: 'd' } });
    expect(Testing.synth(chart)).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: {
          name: 'web',
          namespace: 'shop',
          labels: { a: 'b', 'leasehold.dev/reserved': 'true' },
          annotations: { c: 'd', 'metallb.io/allow-shared-ip': 'leasehold-shop' },
        },
        spec: {
          type: 'LoadBalancer',
          externalTrafficPolicy: 'Cluster',
          selector: { app: 'web' },
          ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
          loadBalancerIP: address.ipv4,
          loadBalancerClass: 'metallb.io/metallb',
          ipFamilyPolicy: 'SingleStack',
          ipFamilies: ['IPv4'],
        },
      },
    ]);
  });

  test('is pinned to two addresses by the annotation, and names its ports', () => {
    const { address } = leased('mail');
    const [{ metadata, spec }] = Testing.synth(chart);
    expect(metadata.annotations['metallb.io/loadBalancerIPs']).toBe(address.addresses.join(','));
    expect(spec).toMatchObject({
      ipFamilyPolicy: 'RequireDualStack',
      ports: [{ name: '25-tcp' }, { name: '53-udp', protocol: 'UDP' }],
    });
    expect(spec).not.toHaveProperty('loadBalancerIP');
  });

  test('keeps other fields of its spec, and refuses those that are properties', () => {
    const { address } = leased('web', { spec: { sessionAffinity: 'ClientIP' } });
    const [{ spec }] = Testing.synth(chart);
    expect(spec).toMatchObject({ sessionAffinity: 'ClientIP', loadBalancerIP: address.ipv4 });
    expectError('SERVICE_MISMATCH', () => leased('mail', { spec: { selector: { app: 'web' } } }));
  });

  test('may be Local only when it is alone on its address', () => {
    leased('web', { externalTrafficPolicy: 'Local' });
    expectError('SHARING_CONFLICT', () => leased('first', { externalTrafficPolicy: 'Local' }));
  });

  test('refuses a port that the Reservation does not have', () => {
    expectError('PORT_UNDECLARED', () => leased('web', { ports: [{ port: 81 }] }));
    expectError('PORT_UNDECLARED', () => leased('web', { ports: [{ port: 80, protocol: 'UDP' }] }));
  });

  test('refuses a Service that leasehold writes', () => {
    expectError('SERVICE_WRITTEN', () => leased('whole'));
  });
});

describe('pin', () => {
  test('puts a Service of cdk8s-plus on the addresses of its Reservation', () => {
    const address = addressOf('mail');
    address.pin(plusService('mail', 25));
    const [{ metadata, spec }] = Testing.synth(chart);
    expect(metadata).toMatchObject({
      labels: { 'leasehold.dev/reserved': 'true' },
      annotations: {
        'metallb.io/allow-shared-ip': 'leasehold-shop',
        'metallb.io/loadBalancerIPs': address.addresses.join(','),
      },
    });
    expect(spec).toMatchObject({
      type: 'LoadBalancer',
      loadBalancerClass: 'metallb.io/metallb',
      ipFamilyPolicy: 'RequireDualStack',
      ipFamilies: ['IPv4', 'IPv6'],
      ports: [{ port: 25 }],
      selector: { app: 'mail' },
    });
  });

  test('gives a Service of a chart without a namespace the one of the Reservation', () => {
    chart = new Chart(Testing.app(), 'bare');
    addressOf('web').pin(plusService('web', 80));
    const [{ metadata }] = Testing.synth(chart);
    expect(metadata).toMatchObject({ name: 'web', namespace: 'shop' });
  });

  test('refuses a Service in another namespace than the Reservation', () => {
    const metadata = { name: 'web', namespace: 'other' };
    const service = new ApiObject(chart, 'other', { apiVersion: 'v1', kind: 'Service', metadata });
    expectError('SERVICE_MISMATCH', () => addressOf('web').pin(service));
  });

  test('refuses a Service with another name than the Reservation', () => {
    expectError('SERVICE_MISMATCH', () => addressOf('web').pin(plusService('other', 80)));
  });

  test('refuses an object of another API that is a Service too', () => {
    const apiVersion = 'serving.knative.dev/v1';
    const object = { apiVersion, kind: 'Service', metadata: { name: 'web' } };
    const service = new ApiObject(chart, 'knative', object);
    const message = expectError('SERVICE_MISMATCH', () => addressOf('web').pin(service));
    expect(message).toContain('Service (serving.knative.dev/v1) shop/web');
  });

  test('fails the synthesis of an app whose Service has a port that is not reserved', () => {
    const app = new App({ outdir: tempTree() });
    chart = new Chart(app, 'shop', { namespace: 'shop' });
    addressOf('web').pin(plusService('web', 81));
    expect(() => app.synth()).toThrow(
      /PORT_UNDECLARED the Reservation in leases\/a-web\.yaml has no port 81\/TCP/,
    );
  });
});
