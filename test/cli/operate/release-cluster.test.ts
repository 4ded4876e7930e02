import { describe, expect, it } from 'vitest';
import { releaseSchema } from '../../../src/features/move/operation-answer.ts';
import { hostnameText, leaseHostText } from '../../support/declarations/hostname-text.ts';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { providerPoolsText } from '../../support/declarations/pools-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';
import { content } from '../../support/trees/temp-tree.ts';

const pools = providerPoolsText(`clusters: [{ name: east }, { name: west, id: 2f7c-west }]
defaultCluster: east
pools: [{ name: public, zone: inet, addresses: [203.0.113.0/27], retentionDays: 2 }]
`);
const web = { name: 'shop', service: 'web', port: 80 };
const kept = { ...web, name: 'kept', retentionDays: 30 };
const sdl = `version: '2.0'
endpoints: { arena: { kind: ip } }
services:
  game: { image: game, expose: [{ port: 27015, proto: udp, to: [{ global: true, ip: arena }] }] }
profiles:
  compute: { game: { resources: { cpu: { units: 1 }, memory: { size: 1Gi }, storage: [{ size: 1Gi }] } } }
  placement: { here: { pricing: { game: { denom: uakt, amount: 1 } } } }
deployment: { game: { here: { profile: game, count: 1 } } }
`;

const inCluster = (cluster: string, text: string): string =>
  text.replace('spec:\n', `spec:\n  cluster: ${cluster}\n`);

const withSdl = (dseq: number): string =>
  leaseText('gina', dseq, []).replace('  endpoints:\n', '  sdl: game.sdl.yaml\n');

const files = {
  'leases/pools.yaml': pools,
  'leases/east/alice.yaml': leaseText('alice', 1, [web]),
  'leases/east/bob.yaml': inCluster('east', leaseText('bob', 1, [kept])),
  'leases/west/alice.yaml': inCluster('west', leaseText('alice', 1, [web])),
};

function setUp(more: Readonly<Record<string, string>> = {}): Promise<LeaseCheckout> {
  return remadeCheckout({ ...files, ...more });
}

const release = (checkout: LeaseCheckout, cluster: string, ...argv: readonly string[]) =>
  checkout.run('release', '--cluster', cluster, '--today', '2026-01-05', ...argv);

describe('leasehold release --cluster', () => {
  it('ends the leases of one cluster, those that take the default too, and no others', async () => {
    const checkout = await setUp();
    const { status, out, err } = await release(checkout, 'east');
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^cut: web 80\/TCP of akash1\S+ \(leases\/east\/alice\.yaml:/m);
    expect(out).toMatch(/^removed leases\/east\/alice\.yaml\nremoved leases\/east\/bob\.yaml\n/m);
    expect(out).toMatch(/^2 released; 1 held; /m);
    expect((await checkout.run('check')).status).toBe(0);
    expect(checkout.repository.git('status', '--porcelain', 'leases/east')).toBe(
      'D  leases/east/alice.yaml\nD  leases/east/bob.yaml\n',
    );
    const left = Object.keys(content(checkout.root));
    expect(left).not.toContain('leases/east');
    expect(left).toContain('dist/east/leasehold.yaml');
    expect(left).toContain('leases/west/alice.yaml');
  });

  it('ends the hostnames of a lease with the lease', async () => {
    const text = leaseHostText('7', 'shop.example.com').replace(/, provider: \S+/, '');
    const checkout = await remadeCheckout({
      'leases/pools.yaml': pools.replace(
        '2f7c-west',
        '2f7c-west, routes: { kind: Ingress, className: nginx }',
      ),
      'leases/west/lease.yaml': text.replace('spec:', 'spec:\n  cluster: west'),
    });

    const { status, out, err } = await release(checkout, 'west');

    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(
      /^shop\.example\.com of west\/akash\/akash1\w+ is free for others from 2026/m,
    );
    expect((await checkout.run('check')).status).toBe(0);
  });

  it('ends the hostnames of the cluster too, after which it may be removed', async () => {
    const routes = 'routes: { kind: Ingress, className: nginx }';
    const hostname = hostnameText('shop.example.com').replace('{ ', '{ cluster: west, ');
    const checkout = await remadeCheckout({
      'leases/pools.yaml': pools.replace('2f7c-west', `2f7c-west, ${routes}`),
      'leases/east/alice.yaml': files['leases/east/alice.yaml'],
      'leases/west/name.yaml': hostname,
    });
    const remove = () =>
      checkout.edit('leases/pools.yaml', `, { name: west, id: 2f7c-west, ${routes} }`, '');
    remove();
    checkout.put('leases/west/name.yaml', '');
    checkout.repository.git('add', '-A');
    const refused = await checkout.run('synth', '--today', '2026-01-05');
    expect(refused.out).toContain(
      "CLUSTER_HOLDS the cluster 'west' is no longer declared, but 1 hostname is held in it",
    );
    checkout.repository.git('reset', '-q', '--hard');

    const { status, out, err } = await release(checkout, 'west');

    expect([status, err]).toEqual([0, '']);
    expect(out).toContain('removed leases/west/name.yaml\n');
    expect(out).toContain('- shop.example.com  released  -  west/namespace/shop\n');
    expect(out).toMatch(
      /^shop\.example\.com of west\/namespace\/shop is free for others from 2026-02-04$/m,
    );
    checkout.commit('2026-01-05');
    remove();
    await checkout.synth('2026-01-06');
  });

  it('answers with the released hostnames after the addresses', async () => {
    const routes = 'routes: { kind: Ingress, className: nginx }';
    const inWest = (name: string) => hostnameText(name).replace('{ ', '{ cluster: west, ');
    const checkout = await setUp({
      'leases/pools.yaml': pools.replace('2f7c-west', `2f7c-west, ${routes}`),
      'leases/west/shop.yaml': inWest('shop.example.com'),
      'leases/west/blog.yaml': inWest('*.blog.example.com'),
    });
    const { out } = await release(checkout, 'west', '-o', 'json');
    const { released } = releaseSchema.parse(JSON.parse(out));
    const of = { holder: 'west/namespace/shop', freeFrom: '2026-02-04' };
    expect(released).toEqual([
      expect.objectContaining({ address: expect.any(String), freeFrom: '2026-01-07' }),
      { hostname: '*.blog.example.com', ...of },
      { hostname: 'shop.example.com', ...of },
    ]);
  });

  it('keeps the retention after a release', async () => {
    const checkout = await setUp();
    const { out } = await release(checkout, 'east');
    expect(out).toMatch(/ of east\/akash\/\S+-ip-shop is free for others from 2026-01-07$/m);
    expect(out).toMatch(/ of east\/akash\/\S+-ip-kept is free for others from 2026-02-04$/m);
  });

  it('takes an id, answers in JSON, and has nothing to do the second time', async () => {
    const checkout = await setUp();
    const first = await release(checkout, '2f7c-west', '-o', 'json');
    const answer = releaseSchema.parse(JSON.parse(first.out));
    expect(answer).toMatchObject({
      removed: ['leases/west/alice.yaml'],
      skipped: [],
      released: [{ freeFrom: '2026-01-07' }],
    });
    const before = content(checkout.root);
    const again = await release(checkout, 'west');
    expect([again.status, again.err]).toEqual([0, '']);
    expect(again.out).toMatch(/^nothing to release\n/m);
    expect(content(checkout.root)).toEqual(before);
  });

  it('takes an SDL with the last lease that reads it', async () => {
    const both = await setUp({
      'leases/games/one.yaml': inCluster('west', withSdl(7)),
      'leases/games/two.yaml': inCluster('west', withSdl(8)),
      'leases/games/game.sdl.yaml': sdl,
    }).catch((failure: unknown) => String(failure));
    expect(both).toContain('PORT_TAKEN');
    const checkout = await setUp({
      'leases/games/one.yaml': inCluster('west', withSdl(7)),
      'leases/games/two.yaml': withSdl(8),
      'leases/games/game.sdl.yaml': sdl,
    });
    await release(checkout, 'west');
    expect(Object.keys(content(checkout.root))).toContain('leases/games/game.sdl.yaml');
    // Both runs count together until they are committed.
    const { out } = await release(checkout, 'east');
    expect(out).toContain('MASS_RELEASE');
    const count = /--allow-release (\d+)/.exec(out)?.[1] ?? '';
    await release(checkout, 'east', '--allow-release', count);
    expect(Object.keys(content(checkout.root))).not.toContain('leases/games/game.sdl.yaml');
    expect((await checkout.run('check')).status).toBe(0);
  });

  it('skips what denies it, and keeps the address that it shares', { tags: 'slow' }, async () => {
    const service = (name: string, deny: boolean): string => `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: web
  annotations:
    leasehold.dev/cluster: west
    ipam.vitistack.io/allow-local-shared-ip: one
    ipam.vitistack.io/deny-external-cleanup: '${deny}'
spec:
  type: LoadBalancer
  selector: { app: ${name} }
  ports: [{ name: main, port: ${name.length} }]
`;
    const reservation = (name: string, deny: boolean): string => `apiVersion: leasehold.dev/v1
kind: Reservation
spec:
  cluster: west
  namespace: charts
  service: ${name}
  ports: [{ port: 443 }]
  denyExternalCleanup: ${deny}
`;
    const checkout = await setUp({
      'leases/web/stays.yaml': service('stays', true),
      'leases/web/ends.yaml': service('ends', false),
      'leases/charts/stays.yaml': reservation('stays', true),
      'leases/charts/ends.yaml': reservation('ends', false),
    });
    const { status, out } = await release(checkout, 'west');
    expect(status).toBe(0);
    expect(out.split('\n').filter((line) => /^(?:removed|skipped) /.test(line))).toEqual([
      'removed leases/charts/ends.yaml',
      'removed leases/web/ends.yaml',
      'removed leases/west/alice.yaml',
      'skipped service/charts/stays (leases/charts/stays.yaml): deny-external-cleanup is true',
      'skipped service/web/stays (leases/web/stays.yaml): deny-external-cleanup is true',
    ]);
    const held = (await checkout.run('list')).out;
    expect(held).toMatch(/held .* west\/shared\/web\/one$/m);
    expect(held).toMatch(/held .* west\/service\/charts\/stays$/m);
    expect(held).toMatch(/released, free from 2026-01-07 .* west\/service\/charts\/ends$/m);
    expect((await checkout.run('check')).status).toBe(0);
    const again = await release(checkout, 'west', '-o', 'json');
    expect([again.status, JSON.parse(again.out).skipped.length]).toEqual([0, 2]);
  });

  it('leaves the other clusters of an anycast group alone', async () => {
    const service = (cluster: string): string => `apiVersion: v1
kind: Service
metadata: { name: dns, namespace: net, annotations: { leasehold.dev/cluster: ${cluster} } }
spec: { type: LoadBalancer, selector: { app: dns }, ports: [{ name: dns, port: 53, protocol: UDP }] }
`;
    const members = ['east', 'west'].map(
      (cluster) => `{ cluster: ${cluster}, namespace: net, service: dns }`,
    );
    const checkout = await remadeCheckout({
      'leases/pools.yaml': `${pools.replace('retentionDays: 2', 'advertise: { bgp: {} }')}anycast: [{ name: dns, members: [${members}] }]\n`,
      'leases/net/east.yaml': service('east'),
      'leases/net/west.yaml': service('west'),
    });
    const { status, out } = await release(checkout, 'west');
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(
        /^no address changes; 1 held; 0 files written, 3 removed\n(?:.*\n)*removed leases\/net\/west\.yaml\n$/,
      ),
    ]);
    expect((await checkout.run('who', 'anycast/dns')).out).toContain('east/net');
    await release(checkout, 'east');
    expect((await checkout.run('list')).out).toMatch(
      /released, free from 2026-01-06 .* anycast\/dns\n$/,
    );
  });

  it('stops before it ends many leases, and writes nothing until it is told how many', {
    tags: 'slow',
  }, async () => {
    const many = ['carl', 'dora', 'ed'].map((name) => [
      `leases/east/${name}.yaml`,
      leaseText(name, 1, [web]),
    ]);
    const checkout = await setUp(Object.fromEntries(many));
    const before = content(checkout.root);
    const { status, out, err } = await release(checkout, 'east');
    expect([status, err]).toEqual([1, '']);
    expect(out).toContain('MASS_RELEASE 5 of 6 held addresses would be released');
    expect(out).toContain('leasehold release --cluster east --today 2026-01-05 --allow-release 5');
    expect(content(checkout.root)).toEqual(before);
    expect((await release(checkout, 'east', '--allow-release', '5')).status).toBe(0);
  });

  it('takes either names or a cluster', async () => {
    const checkout = await setUp();
    for (const words of [[], ['shop', '--cluster', 'west']]) {
      const { status, err } = await checkout.run('release', ...words);
      expect([status, err]).toEqual([64, expect.stringContaining('takes names, or --cluster')]);
    }
  });

  it('does nothing to a tree that has a problem, or for a cluster that is not declared', async () => {
    const checkout = await setUp({});
    checkout.put('leases/west/broken.yaml', 'kind: Lease\n');
    const before = content(checkout.root);
    expect((await release(checkout, 'east')).status).toBe(1);
    expect(content(checkout.root)).toEqual(before);
    checkout.put('leases/west/broken.yaml', '');
    const unknown = await release(checkout, 'north');
    expect(unknown.status).toBe(64);
    expect(unknown.err).toContain('declares no cluster north; the clusters are east, west');
  });
});
