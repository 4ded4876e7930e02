import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, type ApiObjectProps, Chart, JsonPatch, Testing, Yaml } from 'cdk8s';
import { Service } from 'cdk8s-plus-28';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LeasedAddress, LeasedService } from '../../../src/cdk8s/index.ts';
import { reservedLabel } from '../../../src/core/manifests/manifest.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { putFile, tempTree } from '../../support/trees/temp-tree.ts';

const pools = `apiVersion: leasehold.dev/v1
kind: Pools
metallb: { version: 0.14.9 }
emit: { providerLeasedIP: false }
defaultCluster: other
clusters:
  - { name: other, metallb: { version: 0.14.9, loadBalancerClass: example.com/other } }
  - { name: main }
pools:
  - { name: default, zone: inet, addresses: [203.0.113.0/28, '2001:db8::/120'] }
`;

const reservation = (name: string, more = '') => `apiVersion: leasehold.dev/v1
kind: Reservation
spec: { cluster: main, namespace: shop, service: ${name}, ports: [{ port: 80 }]${more} }
`;

let repository: string;

beforeAll(async () => {
  repository = mkdtempSync(join(tmpdir(), 'leasehold-cdk8s-'));
  const sharing = ', sharingKey: both';
  const files = {
    'leases/pools.yaml': pools,
    'leases/web.yaml': reservation('web'),
    'leases/dual.yaml': reservation('dual', ', ipFamily: dual'),
    'leases/first.yaml': reservation('first', sharing),
    'leases/second.yaml': reservation('second', sharing).replace('80', '81'),
    'leases/node.yaml': `apiVersion: v1
kind: Service
metadata: { name: node, namespace: shop, annotations: { leasehold.dev/cluster: main } }
spec: { type: NodePort, selector: { app: web }, ports: [{ port: 80, nodePort: 30080 }] }
`,
  };
  for (const [path, text] of Object.entries(files)) putFile(repository, path, text);
  const { status, out } = await runInProcess(['synth'], repository);
  expect(status, out).toBe(0);
});
afterAll(() => rmSync(repository, { recursive: true, force: true }));

/** What an author adds to a sound Service. */
interface Addition {
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
}

function leased(chart: Chart, { name = 'web', ...more }: Addition): LeasedService {
  return new LeasedService(chart, 'leased', {
    ...{ repository, cluster: 'main', namespace: 'shop', name, selector: { app: 'web' } },
    ...more,
  });
}

function newChart(): Chart {
  return new Chart(Testing.app(), 'shop', { namespace: 'shop' });
}

/** The Service of a construct that adds nothing. */
function sound(name: string): Required<Pick<Addition, 'spec'>> & {
  readonly metadata: { labels: Record<string, string>; annotations: Record<string, string> };
} {
  const chart = newChart();
  leased(chart, { name });
  const [service] = Testing.synth(chart);
  delete service.metadata.labels[Object.keys(reservedLabel)[0] ?? ''];
  return service;
}

/** The problems of the repository in which the Service is declared instead, by its LeasedAddress. */
function declared({ name = 'web', labels, annotations, spec }: Addition): string {
  const service = sound(name);
  const cluster = { 'leasehold.dev/cluster': 'main' };
  // The sharing key of the Reservation in place of the value that MetalLB gets.
  const sharing = name === 'first' ? { 'metallb.io/allow-shared-ip': 'both' } : {};
  Object.assign(service.metadata.annotations, cluster, sharing, annotations);
  Object.assign(service.metadata.labels, labels);
  Object.assign(service.spec, spec);
  const copy = tempTree();
  cpSync(repository, copy, { recursive: true });
  putFile(copy, `leases/${name}.yaml`, Yaml.stringify(service));
  return errorOf(() => {
    new LeasedAddress(newChart(), 'a', { repository: copy, namespace: 'shop', name });
  });
}

/** The same Service of another construct, on the addresses of its Reservation. */
function pinned(chart: Chart, { name = 'web', labels, annotations, spec }: Addition): void {
  const properties = {
    ...{ apiVersion: 'v1', kind: 'Service' },
    metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }], ...spec },
  } as ApiObjectProps;
  const props = { repository, cluster: 'main', namespace: 'shop', name };
  new LeasedAddress(chart, 'address', props).pin(new ApiObject(chart, 'pinned', properties));
}

/** The message of what is thrown; empty when nothing is. */
function errorOf(act: () => void): string {
  try {
    act();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

/** The first code of a message that is not about the repository as a whole. */
function codeIn(message: string): string {
  return message.match(/\b(?!REPOSITORY_REFUSED)[A-Z]+_[A-Z_]+\b/)?.[0] ?? '';
}

const metallb = (key: string, value: string) => ({ annotations: { [`metallb.io/${key}`]: value } });
const older = (key: string, value: string) => ({
  annotations: { [`metallb.universe.tf/${key}`]: value },
});
const annotated = (key: string, value: string) => ({ annotations: { [key]: value } });
const spec = (fields: Readonly<Record<string, unknown>>) => ({ spec: fields });

const refused: readonly (readonly [
  of: string,
  addition: Addition,
  code: string,
  ofPin?: string,
])[] = [
  [
    'the pin of MetalLB',
    metallb('loadBalancerIPs', '192.0.2.1'),
    'ANNOTATION_CONFLICT',
    'SERVICE_MISMATCH',
  ],
  ['its older pin', older('loadBalancerIPs', '192.0.2.1'), 'ANNOTATION_CONFLICT'],
  [
    'another pin of two',
    { name: 'dual', ...spec({ loadBalancerIP: '192.0.2.1' }) },
    'ANNOTATION_CONFLICT',
  ],
  [
    'a pin of vitistack',
    annotated('ipam.vitistack.io/addresses', '192.0.2.1'),
    'ANNOTATION_CONFLICT',
  ],
  ['an unknown pool', metallb('address-pool', 'nope'), 'POOL_UNKNOWN'],
  ['an unknown pool by its older key', older('address-pool', 'nope'), 'POOL_UNKNOWN'],
  ['another sharing key', older('allow-shared-ip', 'mine'), 'ANNOTATION_CONFLICT'],
  ['a misspelled key', metallb('loadbalancerips', '192.0.2.1'), 'ANNOTATION_UNKNOWN'],
  ['a key of MetalLB', metallb('ip-allocated-from-pool', 'a'), 'METADATA_REFUSED'],
  [
    'a deprecated key',
    annotated('service.beta.kubernetes.io/load-balancer-source-ranges', '10.0.0.0/8'),
    'METADATA_REFUSED',
  ],
  ['a label of leasehold', { labels: { 'leasehold.dev/reserved-by': 'me' } }, 'METADATA_REFUSED'],
  ['another family', annotated('ipam.vitistack.io/ip-family', 'ipv6'), 'ANNOTATION_CONFLICT'],
  ['another family in its spec', spec({ ipFamilies: ['IPv6'] }), 'FIELD_VALUE'],
  [
    'a policy that leaves the families open',
    spec({ ipFamilyPolicy: 'PreferDualStack' }),
    'FIELD_VALUE',
  ],
  ['externalIPs', spec({ externalIPs: ['203.0.113.9'] }), 'SERVICE_FIELD_REFUSED'],
  ['another class', spec({ loadBalancerClass: 'example.com/other' }), 'SERVICE_FIELD_REFUSED'],
  ['type ExternalName', spec({ type: 'ExternalName' }), 'SERVICE_FIELD_REFUSED'],
  ['no cluster IP', spec({ clusterIP: 'None' }), 'SERVICE_FIELD_REFUSED'],
  [
    'Local on a shared address',
    { name: 'first', ...spec({ externalTrafficPolicy: 'Local' }) },
    'SHARING_CONFLICT',
  ],
  ['a health check without Local', spec({ healthCheckNodePort: 30001 }), 'SERVICE_INVALID'],
  [
    'a timeout without affinity',
    spec({ sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } }),
    'SERVICE_INVALID',
  ],
  ['an address as a range', spec({ loadBalancerSourceRanges: ['10.0.0.1'] }), 'ADDRESS_INVALID'],
  ['an unknown field', spec({ loadBalancerIp: '192.0.2.1' }), 'FIELD_UNKNOWN'],
];

describe.each(refused.map(([of, addition, code, ofPin = code]) => ({ of, addition, code, ofPin })))(
  'a Service with $of is refused',
  ({ addition, code, ofPin }) => {
    test('as a declaration, so that no LeasedAddress reads its repository', () => {
      const message = declared(addition);
      expect([message, codeIn(message)]).toEqual([
        expect.stringMatching(/^REPOSITORY_REFUSED/),
        code,
      ]);
    });

    test('by LeasedService, which leaves no object', () => {
      const chart = newChart();
      expect(codeIn(errorOf(() => leased(chart, addition)))).toBe(code);
      expect(Testing.synth(chart)).toEqual([]);
    });

    test('by pin', () => {
      const chart = newChart();
      pinned(chart, addition);
      expect(codeIn(errorOf(() => Testing.synth(chart)))).toBe(ofPin);
    });
  },
);

describe.each<readonly [of: string, addition: Addition]>([
  ['another type', spec({ type: 'NodePort' })],
  ['the sharing key of another', metallb('allow-shared-ip', 'mine')],
  ['no sharing', metallb('allow-shared-ip', '')],
  ['a pool', metallb('address-pool', 'default')],
  ['a pool of leasehold', annotated('leasehold.dev/pool', 'default')],
  ['a cluster', annotated('leasehold.dev/cluster', 'main')],
  ['a DNS name', annotated('leasehold.dev/dns', 'web.example.com')],
  ['two families', spec({ ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6'] })],
])('what only a declaration may have is SERVICE_MISMATCH: %s', (_, addition) => {
  test('for LeasedService and pin', () => {
    expect(codeIn(errorOf(() => leased(newChart(), addition)))).toBe('SERVICE_MISMATCH');
    const chart = newChart();
    pinned(chart, addition);
    expect(codeIn(errorOf(() => Testing.synth(chart)))).toBe('SERVICE_MISMATCH');
  });
});

describe('a sound Service', () => {
  test('is one that can be declared', () => {
    // What it lacks is the address of the key that it shares by.
    expect(declared({})).toMatch(/^ADDRESS_MISSING/);
    expect(declared({ name: 'dual' })).toMatch(/^ADDRESS_MISSING/);
  });

  test.each<readonly [string, Addition]>([
    [
      'keys of its own tools',
      {
        labels: { 'app.kubernetes.io/managed-by': 'Helm' },
        annotations: { 'argocd.argoproj.io/sync-wave': '2', 'helm.sh/hook': 'a', text: `$\{A}` },
      },
    ],
    ['the same class', spec({ type: 'LoadBalancer' })],
    ['the same sharing key', metallb('allow-shared-ip', 'leasehold-shop')],
    ['other fields', spec({ sessionAffinity: 'ClientIP', externalTrafficPolicy: 'Local' })],
    ['empty fields', spec({ externalIPs: [], clusterIP: '', externalName: '' })],
    ['another first family', { name: 'dual', ...spec({ ipFamilies: ['IPv6', 'IPv4'] }) }],
  ])('may have %s', (_, addition) => {
    const charts = [newChart(), newChart()] as const;
    leased(charts[0], addition);
    pinned(charts[1], addition);
    for (const chart of charts) {
      const [service] = Testing.synth(chart);
      expect(service.metadata.annotations).toMatchObject(addition.annotations ?? {});
      expect(service.spec).toMatchObject({ type: 'LoadBalancer', ...addition.spec });
    }
  });

  test('is checked again with what the app does to it later', () => {
    for (const change of [
      (service: ApiObject) => service.metadata.addAnnotation('metallb.io/address-pool', 'nope'),
      (service: ApiObject) =>
        service.addJsonPatch(JsonPatch.add('/spec/externalIPs', ['192.0.2.1'])),
    ]) {
      const chart = newChart();
      change(leased(chart, {}));
      expect(codeIn(errorOf(() => Testing.synth(chart)))).toMatch(
        /^(?:POOL_UNKNOWN|SERVICE_FIELD)/,
      );
    }
  });

  test('of cdk8s-plus may get its ports later, and no node port that is taken', () => {
    for (const [nodePort, code] of [
      [30500, ''],
      [30080, 'NODE_PORT_TAKEN'],
    ] as const) {
      const chart = newChart();
      const service = new Service(chart, 'web', { metadata: { name: 'web' } });
      const props = { repository, cluster: 'main', namespace: 'shop', name: 'web' };
      new LeasedAddress(chart, 'address', props).pin(service);
      service.bind(80, { nodePort });
      service.selectLabel('app', 'web');
      expect(codeIn(errorOf(() => Testing.synth(chart)))).toBe(code);
    }
  });
});
