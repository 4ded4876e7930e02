import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { type ServiceTextWords, serviceText } from '../../support/declarations/service-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

const pools = poolsText(`metallb: { version: 0.14.8 }
emit: { providerLeasedIP: false }
pools:
  - { name: public, zone: inet, addresses: [203.0.113.0/28, '2001:db8:1::/124'], strategy: lowest }
`);
const traefik = `apiVersion: leasehold.dev/v1
kind: Reservation
spec:
  namespace: ingress
  service: traefik
  ports: [{ port: 443 }]
`;
const web = 'dist/default/shop/web.yaml';

/** A repository in which Service `shop/web` and a chart's `ingress/traefik` have an address. */
async function shop(words: ServiceTextWords = {}): Promise<LeaseCheckout> {
  return remadeCheckout({
    'leases/pools.yaml': pools,
    'leases/web.yaml': serviceText('web', words),
    'leases/traefik.yaml': traefik,
  });
}

/** What synth says once the Service is declared so. */
async function changedTo(checkout: LeaseCheckout, words: ServiceTextWords) {
  checkout.put('leases/web.yaml', serviceText('web', words));
  return checkout.run('synth', '--today', '2026-01-10');
}

describe('a Service that is live', () => {
  it('turns ClusterIP in place, and its address is released', async () => {
    const ipam = { 'ip-family': 'ipv6' };
    const checkout = await shop({ ipam });
    expect(checkout.read(web)).toMatch(/loadBalancerIP: "?2001:db8:1::/);

    const { status, out } = await changedTo(checkout, { type: 'ClusterIP', ipam });

    expect([status, out]).toEqual([
      0,
      expect.stringContaining('released  public  default/service/shop/web'),
    ]);
    expect(checkout.read(web)).not.toMatch(/loadBalancerIP|allow-shared-ip|IPAddressPool/);
    expect(parse(checkout.read(web)).spec).toMatchObject({
      type: 'ClusterIP',
      ipFamilies: ['IPv6'],
      ports: [{ port: 80 }],
    });
  });

  it('turns ClusterIP and back, and keeps its first family on the way', async () => {
    const checkout = await shop();
    expect((await changedTo(checkout, { type: 'ClusterIP' })).status).toBe(0);
    const other = await changedTo(checkout, { ipam: { 'ip-family': 'ipv6' } });
    expect([other.status, other.out]).toEqual([1, expect.stringContaining('FAMILY_CHANGED')]);
    expect((await changedTo(checkout, {})).status).toBe(0);
  });

  it('names IPv6 as long as it has it', async () => {
    const checkout = await shop({ ipam: { 'ip-family': 'ipv6' } });
    const { status, out } = await changedTo(checkout, { type: 'ClusterIP' });
    expect([status, out]).toEqual([1, expect.stringContaining('ipFamilies: [IPv6]')]);
    const named = { type: 'ClusterIP', spec: { ipFamilies: ['IPv6'] } };
    expect((await changedTo(checkout, named)).status).toBe(0);
    const other = await changedTo(checkout, { ipam: { 'ip-family': 'ipv4' } });
    expect([other.status, other.out]).toEqual([1, expect.stringContaining('FAMILY_CHANGED')]);
  });

  it('keeps its file and its Service when it gets a sharing key of its own', async () => {
    const checkout = await shop();
    const { status, out } = await changedTo(checkout, { ipam: { 'allow-local-shared-ip': 'k' } });

    expect([status, out]).toEqual([0, expect.stringContaining('default/shared/shop/k')]);
    expect((await checkout.run('check')).status).toBe(0);
  });

  it.each<[string, ServiceTextWords, ServiceTextWords]>([
    ['IPv6', {}, { ipam: { 'ip-family': 'ipv6' } }],
    [
      'IPv6 first',
      { spec: { ipFamilies: ['IPv4', 'IPv6'] } },
      { spec: { ipFamilies: ['IPv6', 'IPv4'] } },
    ],
  ])('does not change its first family to %s', async (_, before, after) => {
    const checkout = await shop(before);
    const { status, out } = await changedTo(checkout, after);

    expect(status).toBe(1);
    expect(out).toContain(
      `${web}:1:1 FAMILY_CHANGED the live Service shop/web would change from IPv4 to IPv6`,
    );
  });

  it('gets a second family, and gives it back', async () => {
    const checkout = await shop();
    expect((await changedTo(checkout, { ipam: { 'ip-family': 'dual' } })).status).toBe(0);
    expect(checkout.read(web)).toMatch(/metallb\.universe\.tf\/loadBalancerIPs: "?203\.0\.113\./);
    checkout.commit('2026-01-10');
    expect((await changedTo(checkout, {})).status).toBe(0);
    expect(checkout.read(web)).toContain('loadBalancerIP: 203.0.113.');
  });

  it('never goes to another address because its record is lost', async () => {
    const checkout = await shop();
    const who = await checkout.run('who', 'shop/web', '-o', 'json');
    const held = JSON.parse(who.out).items[0].address;
    checkout.put(recordOf(held), '');
    checkout.repository.git('add', '-A');
    checkout.put('leases/other.yaml', serviceText('other', { ipam: { addresses: held } }));
    const { status, out } = await checkout.run('synth', '--today', '2026-01-10');

    expect([status, out]).toEqual([
      1,
      expect.stringContaining(`PIN_TAKEN ${held} is held by default/service/shop/web`),
    ]);
  });
});

describe('list -o values', () => {
  it('prints chart values for the MetalLB of its cluster', async () => {
    const { run } = await shop();
    const { status, out, err } = await run('list', '-o', 'values');

    expect([status, err]).toEqual([0, '']);
    expect(parse(out)).toEqual({
      service: {
        type: 'LoadBalancer',
        annotations: {
          'metallb.universe.tf/allow-shared-ip': 'leasehold-ingress',
          'metallb.universe.tf/loadBalancerIPs': expect.stringMatching(/^203\.0\.113\.\d+$/),
        },
        labels: { 'leasehold.dev/reserved': 'true' },
        ipFamilyPolicy: 'SingleStack',
        ipFamilies: ['IPv4'],
      },
    });
  });

  it.each(['ingress/traefik', 'default/service/ingress/traefik'])(
    'prints one: %s',
    async (what) => {
      const checkout = await shop();
      checkout.put('leases/other.yaml', traefik.replace('traefik', 'other'));
      await checkout.synth('2026-01-10');

      const all = await checkout.run('list', '-o', 'values');
      expect(all.out.split('---\n')).toHaveLength(2);
      const one = await checkout.run('list', what, '-o', 'values');
      expect(one.out).toMatch(/^# Service ingress\/traefik in cluster default, /);
      expect(one.out.split('---\n')).toHaveLength(1);
    },
  );

  it('fails for a name that no Reservation has, also when a Service has it', async () => {
    const { run } = await shop();
    for (const what of ['nobody', 'shop/web', 'traefik']) {
      expect(await run('list', what, '-o', 'values')).toEqual({
        status: 1,
        out: '',
        err: `no Reservation has the name or the holder ${what}\n`,
      });
    }
  });

  it('reports a Reservation without an address', async () => {
    const checkout = await shop();
    checkout.put('leases/other.yaml', traefik.replace('traefik', 'other'));

    const one = await checkout.run('list', 'ingress/other', '-o', 'values');
    expect([one.status, one.out]).toEqual([1, '']);
    expect(one.err).toBe(
      'the Reservation ingress/other has no address yet; run `leasehold synth`\n',
    );
    expect((await checkout.run('list', '-o', 'values')).status).toBe(0);
  });

  it('accepts a name with values only', async () => {
    const { run } = await shop();
    const { status, err } = await run('list', 'shop/web');
    expect([status, err]).toEqual([64, expect.stringContaining('only with -o values')]);
  });
});

describe('questions about declared Services', () => {
  it('list and who show them by their ports and files', async () => {
    const { run } = await shop();
    expect((await run('list')).out).toMatch(/ 80\/TCP +default\/service\/shop\/web\n/);
    expect((await run('who', 'shop/web')).out).toMatch(
      /\n {2}web {2}80\/TCP {2}shop {2}leases\/web\.yaml:4\n$/,
    );
    expect((await run('list', '-o', 'csv')).out).toMatch(
      /,,shop,web,80,80,TCP,leases\/web\.yaml:4,,L2\n/,
    );
  });

  it('a plan names them as a sentence does', async () => {
    const checkout = await shop();
    checkout.repository.git('checkout', '-q', '-b', 'change');
    checkout.put('leases/web.yaml', '');
    await checkout.synth('2026-01-10');

    const { out } = await checkout.run('plan', '--base', 'main');
    expect(out).toContain('LEASE_CUT shop/web loses 203.0.113.');
  });
});
