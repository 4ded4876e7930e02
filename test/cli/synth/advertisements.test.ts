import { describe, expect, test } from 'vitest';
import { alice, provider } from '../../support/declarations/pools-and-claims.ts';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';

const pools = poolsText(`provider: ${provider}
metallb: { version: 0.16.1, layout: lease }
advertisements:
  - { name: backup, bgp: { communities: ['65000:200'], localPref: 50 } }
  - { name: rack2, l2: { interfaces: [bond1] } }
pools:
  - { name: edge, zone: z, addresses: [203.0.113.0/28], advertise: { bgp: { communities: ['65000:100'], peers: [tor1] } } }
  - { name: lan, zone: z, addresses: [198.51.100.0/28], advertise: { l2: {} } }
`);
const file = 'leases/shop/web.yaml';

/** A Service with an annotation, by default without. */
function service(annotations = '', name = 'web'): string {
  return `apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: shop, annotations: { ${annotations} } }
spec: { type: LoadBalancer, selector: { app: web }, ports: [{ port: 80 }] }
`;
}

const backup = 'leasehold.dev/advertisement: backup';

/** A clone whose Service is announced as its pool is, on the branch `change`. */
async function announced(): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': pools,
    [file]: service('leasehold.dev/pool: edge'),
  });
  checkout.repository.git('checkout', '-q', '-B', 'change');
  return checkout;
}

/** The spec of the advertisement in the manifests of a Service. */
function specOf({ read }: LeaseCheckout, name = 'web'): string {
  const documents = read(`dist/default/shop/${name}.yaml`).split('---\n');
  const own = documents.find((text) => /^kind: (?:BGP|L2)Advertisement$/m.test(text)) ?? '';
  return own.slice(own.indexOf('spec:')).replace(/ip-[\d.]+/, 'ip-…');
}

describe('a Service with an advertisement', () => {
  test('keeps its address, and is announced with its fields in place of those of the pool', async () => {
    const checkout = await announced();
    const before = checkout.repository.git('ls-files', 'leases/allocations');
    checkout.put(file, service(`leasehold.dev/pool: edge, ${backup}`));

    await checkout.synth('2026-01-05');

    expect(checkout.repository.git('ls-files', 'leases/allocations')).toBe(before);
    expect(specOf(checkout)).toBe(`spec:
  aggregationLength: 32
  aggregationLengthV6: 128
  communities:
    - "65000:200"
  ipAddressPools:
    - ip-…
  localPref: 50
  peers:
    - tor1
`);
    const { status } = await checkout.run('check', '--base', 'main', '--today', '2026-01-05');
    expect(status).toBe(0);
  });

  test('gets its address from a pool of its zone that is announced the same way', async () => {
    const checkout = await announced();
    checkout.put('leases/shop/one.yaml', service('leasehold.dev/advertisement: rack2', 'one'));
    checkout.put('leases/shop/two.yaml', service('', 'two'));

    await checkout.synth('2026-01-05');

    const list = await checkout.run('list', '-o', 'csv');
    expect(list.out).toMatch(/shop\/one,default,lan,z,198\./);
    expect(list.out).toMatch(/shop\/two,default,edge,z,203\./);
    expect(specOf(checkout, 'one')).toContain('interfaces:\n    - bond1\n');
  });

  test('never moves: one for the other way is refused', async () => {
    const checkout = await announced();
    checkout.put(file, service('leasehold.dev/advertisement: rack2'));

    const { status, out } = await checkout.run('synth', '--today', '2026-01-05');

    expect([status, out]).toEqual([
      1,
      expect.stringMatching(
        /ADDRESS_STRANDED .* but advertisement rack2 is by L2, and pool edge is announced by BGP\n/,
      ),
    ]);
  });

  test('shares its address only with Services that have the same or none', async () => {
    const checkout = await announced();
    const key = 'ipam.vitistack.io/allow-local-shared-ip: k';
    const port = (text: string, number: number) => text.replace('port: 80', `port: ${number}`);
    checkout.put('leases/shop/a.yaml', service(`${key}, ${backup}`, 'a'));
    checkout.put('leases/shop/b.yaml', port(service(key, 'b'), 81));
    await checkout.synth('2026-01-05');
    expect(checkout.repository.git('grep', '-h', 'localPref', '--', 'dist')).toBe(
      '  localPref: 50\n',
    );
    const other = `${key}, leasehold.dev/advertisement: rack2`;
    checkout.put('leases/shop/c.yaml', port(service(other, 'c'), 82));

    const { out } = await checkout.run('synth', '--today', '2026-01-06');

    expect(out).toMatch(
      /HOLDER_CONFLICT .* c 82\/TCP has advertisement rack2 and a 80\/TCP has advertisement backup\n/,
    );
    expect(out).toContain('hint: use the same advertisement in all of them');
  });

  test('is refused with another layout, where all addresses of a pool have one', async () => {
    const checkout = await announced();
    checkout.put(file, service(`leasehold.dev/pool: edge, ${backup}`));
    checkout.edit('leases/pools.yaml', 'layout: lease', 'layout: pool');

    const { out } = await checkout.run('synth', '--today', '2026-01-05');

    expect(out).toContain(
      `${file}:3:111 ADVERTISEMENT_REFUSED cluster default has layout: pool, in which all addresses of a pool have one advertisement\n`,
    );
  });
});

describe('an endpoint with an advertisement', () => {
  test('is announced by it', async () => {
    const checkout = await announced();
    checkout.put(
      'leases/alice.yaml',
      `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: ${alice}, dseq: 7, gseq: 1, oseq: 1 }
  endpoints: [{ name: myip, service: web, port: 80, advertisement: backup }]
`,
    );

    await checkout.synth('2026-01-05');

    expect(checkout.repository.git('grep', '-c', '65000:200', '--', 'dist')).toMatch(/:1\n$/);
  });
});

describe('a policy', () => {
  test('limits the advertisements of a tenant, for changed claims by the policy of the base too', async () => {
    const checkout = await announced();
    const tenant = (advertisements: string) => `apiVersion: leasehold.dev/v1
kind: Policy
tenants: [{ name: shop, folders: [leases/shop], namespaces: [shop], advertisements: [${advertisements}] }]
`;
    checkout.put('leases/policy.yaml', tenant(''));
    await checkout.synth('2026-01-05');
    checkout.repository.git('branch', '-f', 'main');
    checkout.put(file, service(`leasehold.dev/pool: edge, ${backup}`));
    const refused =
      'tenant shop may choose no advertisement, but web 80/TCP has advertisement backup';
    expect((await checkout.run('synth', '--today', '2026-01-06')).out).toContain(
      `POLICY_REFUSED ${refused}`,
    );
    checkout.put('leases/policy.yaml', tenant('backup'));
    await checkout.synth('2026-01-06');

    const { out } = await checkout.run('check', '--base', 'main', '--today', '2026-01-06');

    expect(out).toContain(`POLICY_REFUSED by the policy of the base, ${refused}`);
    checkout.put('leases/policy.yaml', tenant('bakup'));
    expect((await checkout.run('synth', '--today', '2026-01-06')).out).toContain(
      "leases/policy.yaml:3:86 ADVERTISEMENT_UNKNOWN the advertisement 'bakup' is not declared in leases/pools.yaml",
    );
  });
});
