import { beforeAll, expect, test } from 'vitest';
import { addressesOf } from '../support/cluster/address-watch.ts';
import { removeWhole } from '../support/cluster/by-hand.ts';
import { expectWritten } from '../support/cluster/convergence.ts';
import {
  chartService,
  declared,
  leaseOf,
  reservation,
  service,
} from '../support/cluster/declared.ts';
import type { KubeObject } from '../support/cluster/kube.ts';
import { runPrinted } from '../support/cluster/kubectl.ts';
import type { Edit } from '../support/cluster/lease-repository.ts';
import { objectsIn } from '../support/cluster/manifests.ts';
import { describeStories } from '../support/cluster/stories.ts';
import type { Place } from '../support/cluster/story.ts';
import { areJudged, askFor, strangers } from '../support/cluster/strangers.ts';
import { until } from '../support/cluster/wait.ts';
import { printedIn } from '../support/docs/printed-commands.ts';
import { inScope } from '../support/run/scope.ts';

/** Each MetalLB, each way to apply, each layout. */
const places: readonly Place[] = [
  { metallb: '0.14.9', engine: 'Flux', layout: 'lease' },
  { metallb: '0.16.1', engine: 'Argo CD', layout: 'pool' },
  { metallb: '0.13.9', engine: 'by hand', layout: 'lease' },
];
const placesInScope = inScope(places, (place) => place.engine === 'by hand');

const [day, later] = ['2026-11-20', '2026-12-01'];

describeStories('The life of a declared Service', placesInScope, (story, place) => {
  beforeAll(async () => {
    await story.change([{}, day]);
  });

  const kube = () => story.machine.plane.kube;
  const plannedFor = (key: string): string => story.planned.addresses.get(key) ?? 'not planned';

  const live = (name: string) => kube().get(service('shop', name));

  // Flux applies a Service before its pool: for that moment it has no address. See docs/gitops.md.
  const shown = (key: string): readonly string[] =>
    story.since(key).filter((address) => place.engine !== 'Flux' || address !== 'none');

  test('one with no annotation comes out as its author wrote it, with an address', async () => {
    const spec = {
      ports: [
        { name: 'web', port: 80, targetPort: 'http' },
        { name: 'quic', port: 443, protocol: 'UDP', targetPort: 8443 },
      ],
      externalTrafficPolicy: 'Local',
      sessionAffinity: 'ClientIP',
    };
    await story.change([{ 'leases/shop/web.yaml': declared('shop', 'web', { spec }) }, day]);
    await expectWritten(kube(), story.planned);
    expect(await kube().get(service('shop', 'web'))).toMatchObject({ spec });
  });

  test('one with all seven annotations of vitistack gets the address that it asks for', async () => {
    const annotations = {
      'ipam.vitistack.io/addresses': '203.0.113.40/32',
      'ipam.vitistack.io/allow-local-shared-ip': 'front',
      'ipam.vitistack.io/deny-external-cleanup': 'true',
      'ipam.vitistack.io/ip-family': 'ipv4',
      'ipam.vitistack.io/retention-period-days': '7',
      'ipam.vitistack.io/secret': 'api',
      'ipam.vitistack.io/zone': 'edge',
    };
    await story.repository.leasehold('key', 'new', 'shop/api');
    await story.change([{ 'leases/shop/api.yaml': declared('shop', 'api', { annotations }) }, day]);
    expect(plannedFor('shop/api')).toBe('203.0.113.40');
    expect(await kube().get(service('shop', 'api'))).toMatchObject({
      metadata: { annotations },
    });
    for (const object of story.planned.objects) await kube().apply(object, { dryRun: true });
  });

  test('another one joins a shared address, and leaves it', async () => {
    const annotations = {
      'ipam.vitistack.io/allow-local-shared-ip': 'front',
      'ipam.vitistack.io/secret': 'api',
    };
    const spec = { ports: [{ port: 443 }] };
    const path = 'leases/shop/admin.yaml';
    await story.change([{ [path]: declared('shop', 'admin', { annotations, spec }) }, day]);
    expect(plannedFor('shop/admin')).toBe('203.0.113.40');
    await story.change([{ [path]: undefined }, day]);
    expect(await kube().get(service('shop', 'admin'))).toBeUndefined();
  });

  test('one without a namespace stands in default, which keeps our label when it has gone', async () => {
    const path = 'leases/plain.yaml';
    await story.change([{ [path]: declared(undefined, 'plain') }, day]);
    expect(plannedFor('default/plain')).toMatch(/^\d/);
    await story.change([{ [path]: undefined }, day]);
    expect(await kube().get(service('default', 'plain'))).toBeUndefined();
    const left = await kube().get({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'default' },
    });
    expect(left?.metadata.labels).toMatchObject({ 'leasehold.dev/leases': 'true' });
    expect(left?.metadata.deletionTimestamp).toBeUndefined();
  });

  test('one turns ClusterIP, and is a LoadBalancer again with the address that was kept for it', async () => {
    const path = 'leases/shop/blog.yaml';
    const annotations = { 'ipam.vitistack.io/retention-period-days': '30' };
    const open = declared('shop', 'blog', { annotations });
    await story.change([{ [path]: open }, day]);
    const address = plannedFor('shop/blog');
    const closed = declared('shop', 'blog', { annotations, spec: { type: 'ClusterIP' } });
    await story.change([{ [path]: closed }, day]);
    expect(plannedFor('shop/blog')).toBe('none');
    await story.change([{ [path]: open }, later]);
    expect(plannedFor('shop/blog')).toBe(address);
  });

  test('one that a chart renders gets the address of its Reservation, and a stranger who was first does not', async () => {
    const edit = { 'leases/ingress/traefik.yaml': reservation('ingress', 'traefik') };
    const commit = await story.repository.change(edit, later);
    await story.engine.synced(commit);
    expect(await story.verified(1)).toMatch(/^not applied .* Service ingress\/traefik /m);
    const { out } = await story.repository.leasehold('list', '-o', 'values', 'ingress/traefik');
    const [values] = objectsIn(out);
    const rendered = chartService('ingress', 'traefik', values as KubeObject);
    const stranger = chartService('strangers', 'thief', values as KubeObject);
    await kube().apply(strangers);
    await askFor(kube(), place.layout, stranger);
    const isJudged = async () => ((await areJudged(kube(), [stranger])) ? true : undefined);
    await until(isJudged, { what: "MetalLB's answer to a stranger" });
    const [address = ''] =
      values?.service.annotations[`${prefixOf(place)}/loadBalancerIPs`].split(',') ?? [];
    story.others.set('ingress/traefik', address);
    await kube().apply(rendered, { manager: 'helm' });
    await story.settle();
    const found = await kube().get(stranger);
    expect(found ? addressesOf(found) : 'none').toBe('none');
    if (found) await removeWhole(kube(), stranger);
  });

  test('one and a lease get a second family, and give it up again', async () => {
    const mail = (ipFamily: string): string =>
      declared('shop', 'mail', {
        annotations: {
          'ipam.vitistack.io/zone': 'edge',
          'ipam.vitistack.io/ip-family': ipFamily,
        },
      });
    const change = (ipFamily: string): Promise<void> => {
      const endpoint = { name: 'six', service: 'six', port: 80, zone: 'edge', ipFamily };
      const edit = {
        'leases/shop/mail.yaml': mail(ipFamily),
        'leases/ember/18500009.yaml': leaseOf(ember, '18500009', endpoint),
      };
      return story.change([edit, later]);
    };
    const both = (): string[] => {
      const keys = [...story.planned.addresses.keys()];
      return keys.filter((key) => /^shop\/mail$|\/six-ip-80-tcp$/.test(key));
    };
    await change('ipv4');
    const single = both().map(plannedFor);
    await change('dual');
    const pairs = both().map(plannedFor);
    expect(pairs).toEqual(
      single.map((address) => expect.stringMatching(`^2001:db8:30::[^,]+,${address}$`)),
    );
    expect(both().map(shown)).toEqual(pairs.map((pair, index) => [single[index], pair]));
    await change('ipv4');
    expect(both().map(plannedFor)).toEqual(single);
    expect(both().map(shown)).toEqual(pairs.map((pair, index) => [pair, single[index]]));
  });

  test('a live one takes a sharing key and keeps its address, and another joins it in the same commit', async () => {
    const keyed = (name: string, port: number): string =>
      declared('shop', name, {
        annotations: { 'ipam.vitistack.io/allow-local-shared-ip': 'pair' },
        spec: { ports: [{ port }] },
      });
    await story.change([{ 'leases/shop/live.yaml': declared('shop', 'live') }, later]);
    const address = plannedFor('shop/live');
    const both = {
      'leases/shop/live.yaml': keyed('live', 80),
      'leases/shop/join.yaml': keyed('join', 81),
    };
    await story.change([both, later]);
    expect(['shop/live', 'shop/join'].map(plannedFor)).toEqual([address, address]);
  });

  const pinned = (name: string, address: string): Edit => {
    const annotations = { 'ipam.vitistack.io/addresses': address };
    return { [`leases/shop/${name}.yaml`]: declared('shop', name, { annotations }) };
  };

  test('one moves with all that share its address, and whoever asks later gets the old one', async () => {
    const old = plannedFor('shop/live');
    await story.follow(() => story.repository.run(later, 'move', 'shop/live'));
    const address = plannedFor('shop/live');
    expect(address).not.toBe(old);
    for (const key of ['shop/live', 'shop/join']) {
      expect([key, ...shown(key)]).toEqual([key, old, address]);
    }
    expect(await story.repository.refused(pinned('late', old), later)).toMatch(/ PIN_[A-Z]+ /);
    await story.change([pinned('late', old), '2026-12-03']);
  });

  test('one of the two addresses of a lease moves', async () => {
    const [key = '', pair = ''] =
      [...story.planned.addresses].find(([, now]) => now.includes(pairOf)) ?? [];
    await story.follow(() =>
      story.repository.run('2026-12-03', 'move', pairOf, '--family', 'ipv6'),
    );
    const [six, four] = plannedFor(key).split(',');
    expect([four, six]).toEqual([pair.split(',')[1], expect.stringMatching(/^2001:db8:30::/)]);
    expect(six).not.toBe(pairOf);
    // With a pool of its own, which changes first, both are gone for a moment.
    const seen = story.since(key).filter((now) => place.layout === 'pool' || now !== 'none');
    expect(seen).toEqual([pair, plannedFor(key)]);
  });

  test('one moves and another comes to its old address, both seen at once: it has it when its Service is touched', async () => {
    const { engine, repository } = story;
    const old = plannedFor('shop/late');
    await story.change([{ 'leases/shop/late.yaml': declared('shop', 'late') }, '2026-12-03']);
    if (place.engine === 'Argo CD') {
      const line = printedIn('argocd', 'kubectl -n argocd patch application leases-default');
      await runPrinted({ kube: kube() }, line);
    } else await engine.suspend();
    await repository.run('2026-12-03', 'move', 'shop/late');
    const commit = await repository.change(pinned('again', old), '2026-12-05');
    await engine.resume();
    // MetalLB tells nobody who waits that an address was left for another one.
    const line = printedIn('gitops', 'kubectl annotate --overwrite service');
    const touching = line.replace('NAMESPACE', 'shop').replace('NAME', 'again');
    const touched = async (): Promise<true | undefined> => {
      const [left, waiting] = [await live('late'), await live('again')];
      if (!left || !waiting || addressesOf(left) !== plannedFor('shop/late')) return undefined;
      await runPrinted({ kube: kube() }, touching.replace('"$(date)"', 'now'));
      return true;
    };
    await Promise.all([engine.synced(commit), until(touched, { what: 'a Service that moved' })]);
    await story.settle();
    expect(addressesOf((await live('again')) as KubeObject)).toBe(old);
  });
});

/** The IPv6 address of the example's dual-stack lease. */
const pairOf = '2001:db8:30::e0';

const ember = 'akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye';

function prefixOf({ metallb }: Pick<Place, 'metallb'>): string {
  return metallb === '0.13.9' ? 'metallb.universe.tf' : 'metallb.io';
}
