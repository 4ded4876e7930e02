import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addressesOf, keyOf } from '../support/cluster/address-watch.ts';
import { liveIds } from '../support/cluster/convergence.ts';
import { leaseOf } from '../support/cluster/declared.ts';
import { type Registry, startRegistry } from '../support/cluster/engines/registry.ts';
import {
  appliedBy,
  committed,
  hashedPaths,
  held,
  objectOf,
  resumeShard,
  sixteen,
} from '../support/cluster/engines/shards.ts';
import type { KubeObject } from '../support/cluster/kube.ts';
import { runPrinted } from '../support/cluster/kubectl.ts';
import type { Edit } from '../support/cluster/lease-repository.ts';
import { metallbNamespace } from '../support/cluster/machines/metallb-pods.ts';
import { nameOf } from '../support/cluster/manifests.ts';
import { describeStories } from '../support/cluster/stories.ts';
import { type Place, printedBy } from '../support/cluster/story.ts';
import { until } from '../support/cluster/wait.ts';
import { printedIn } from '../support/docs/printed-commands.ts';
import { cosignKey } from '../support/run/cosign.ts';
import { inScope } from '../support/run/scope.ts';

/** Both engines, with the layout in which a lease has most objects. */
const places: readonly Place[] = [
  { metallb: '0.16.1', engine: 'Flux', layout: 'lease', shards: 16 },
  { metallb: '0.14.9', engine: 'Argo CD', layout: 'lease', shards: 16 },
];
const placesInScope = inScope(places, (place) => place.engine === 'Flux');

const [ember, stranger] = [
  'akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye',
  'akash1qnnhhgzxj24f2kld5yhy4v4h4s9r295ak5gjw4',
];
/** By the hash in the names of their files, the first is in the shard a and the second, alone, in b. */
const [inA, inB] = ['leases/ember/18500003.yaml', 'leases/ember/18500004.yaml'];
const [firstDay, released, leasedAgain] = ['2026-11-20', '2026-11-21', '2026-12-21'];

describeStories('Delivery in shards', placesInScope, (story, place) => {
  let registry: Registry;

  const kube = () => story.machine.plane.kube;
  const site = (dseq: string, index: number, owner = ember): string =>
    leaseOf(owner, dseq, {
      name: `site${index}`,
      service: 'web',
      port: 3000,
      externalPort: 80,
    });

  /** The engine says of each shard that it has what is committed for it, and nothing else. */
  async function expectHeld(): Promise<void> {
    const wanted = committed(story);
    const isHeld = async (): Promise<true> => {
      expect(await held(kube(), place.engine)).toEqual(wanted);
      return true;
    };
    await until(isHeld, { what: 'each shard with its own objects', within: 120_000 });
  }

  /** The shards that have an object whose name holds a text. */
  const shardsOf = (text: string): readonly string[] =>
    sixteen.filter((shard) =>
      committed(story)
        .get(shard)
        ?.some((name) => name.includes(text)),
    );

  test('each shard has an object of the engine of its own, and one without leases is green too', async () => {
    await story.change([{}, firstDay]);
    await expectHeld();
    const empty = [...committed(story)].filter(([, names]) => names.length === 1);
    expect(empty.map(([shard, [name]]) => [shard, name])).toContainEqual([
      'b',
      `ConfigMap ${metallbNamespace}/leasehold-b`,
    ]);
  });

  test('leases come into their shards, with a namespace in another one, and nothing else is touched', async () => {
    const before = await liveIds(kube());
    await story.change([{ [inA]: site('18500003', 3), [inB]: site('18500004', 4) }, firstDay]);
    await expectHeld();
    expect([shardsOf('ip-site3'), shardsOf('ip-site4')]).toEqual([['a'], ['b']]);
    expect(shardsOf(`Namespace ${serviceIn('b').metadata.namespace}`)).not.toContain('b');
    expect(Object.fromEntries(await liveIds(kube()))).toMatchObject(Object.fromEntries(before));
  });

  test('manifests go from the paths of an earlier version to those of today, and nothing is touched', async () => {
    const before = await liveIds(kube());
    const earlier = await story.repository.pushUnchecked(hashedPaths(story));
    await story.engine.synced(earlier);
    await expectHeld();
    await story.change([{}, firstDay]);
    await expectHeld();
    expect([...(await liveIds(kube()))].sort()).toEqual([...before].sort());
  });

  test('the last lease of a shard is released, and nothing of another shard is pruned', async () => {
    const before = await liveIds(kube());
    const gone = committed(story).get('b') ?? [];
    await story.change([{ [inB]: undefined }, firstDay]);
    await expectHeld();
    expect(committed(story).get('b')).toEqual([`ConfigMap ${metallbNamespace}/leasehold-b`]);
    const left = [...before].filter(([name]) => name.startsWith('Config') || !gone.includes(name));
    expect([...(await liveIds(kube()))].sort()).toEqual(left.sort());
  });

  test('an address goes to a holder of another shard, whose object is faster: its pool stays', async () => {
    const [pool] = (committed(story).get('a') ?? []).filter((name) => name.includes('Pool'));
    const address = pool?.split('/ip-')[1];
    const endpoint = { name: 'late', service: 'web', port: 80, externalPort: 80, address };
    const before = await liveIds(kube());
    await story.engine.suspend();
    await story.repository.change({ [inA]: undefined }, released);
    const edit = { 'leases/fern/18600001.yaml': leaseOf(stranger, '18600001', endpoint) };
    const commit = await story.repository.change(edit, leasedAgain);
    const [shard = 'a'] = shardsOf(pool ?? '');
    expect(shard).not.toBe('a');
    for (const other of sixteen.filter((one) => one !== 'a')) {
      await resumeShard(kube(), place.engine, other);
    }
    const isTaken = async (): Promise<true | undefined> => {
      await story.engine.complaint();
      const found = await kube().get(poolAt(address));
      return found && appliedBy(found) === shard ? true : undefined;
    };
    await until(isTaken, { what: `${pool} in the hands of the shard ${shard}`, every: 1_000 });
    await story.engine.resume();
    await story.engine.synced(commit);
    await story.settle();
    await expectHeld();
    expect((await liveIds(kube())).get(pool ?? '')).toBe(before.get(pool ?? ''));
  });

  test('a shard is green only once each address is there, and the right one', async () => {
    const { engine, repository, url } = story;
    const arena = () => serviceIn('8');
    const old = await addressOf(arena());
    await grantStatus(false);
    await repository.change({ [inB]: site('18500004', 4) }, leasedAgain);
    const commit = await repository.run(leasedAgain, 'move', old);
    if (place.engine === 'Flux') {
      // Why there is --wait-for-addresses.
      await engine.synced(commit);
      await engine.turn(await printedBy(repository, 'flux', '--repo', url, wait), url);
      await expectWaiting('b');
    } else {
      // Why there is argocd-cm: by itself, Argo CD waits for any address.
      await expectWaiting('b');
      const isGreen = async (): Promise<true> => {
        const { sync, health } = (await kube().get(objectOf(place.engine, '8')))?.status ?? {};
        const pin = (await kube().get(arena()))?.spec.loadBalancerIP;
        const found = [sync?.revision, sync?.status, health?.status, pin];
        expect(found).toEqual([commit, 'Synced', 'Healthy', pinOf(arena())]);
        return true;
      };
      await until(isGreen, { what: 'a shard that is green with an old address' });
      expect(await addressOf(arena())).toBe(old);
      const { out } = await repository.leasehold('gitops', 'argocd-cm');
      const file = join(repository.root, '..', 'argocd-cm.yaml');
      writeFileSync(file, out);
      const line = printedIn('argocd', 'kubectl patch configmap argocd-cm');
      await runPrinted({ kube: kube() }, line.replace('argocd-cm.yaml', file));
    }
    await expectWaiting('8');
    expect([await addressOf(serviceIn('b')), await addressOf(arena())]).toEqual(['none', old]);
    await grantStatus(true);
    await engine.synced(commit);
    await story.settle();
    expect(await addressOf(arena())).toBe(pinOf(arena()));
  });

  if (place.engine === 'Flux') {
    test('a .sourceignore that hides manifests is refused, and Flux goes by the printed source', async () => {
      const { engine, repository } = story;
      const hiding = { '.sourceignore': '/dist/default/\n' };
      expect(await repository.refused(hiding, leasedAgain)).toContain('MANIFEST_HIDDEN');
      const before = await liveIds(kube());
      await engine.synced(await repository.pushUnchecked(hiding));
      await expectHeld();
      expect(await liveIds(kube())).toEqual(before);
      await engine.synced(await repository.pushUnchecked({ '.sourceignore': undefined }));
    });

    test('a registry takes the place of git: nothing is touched, and what comes later comes from there', async () => {
      const { engine, repository, machine } = story;
      registry = await startRegistry(machine.keeper);
      await kube().apply(registry.secret('registry', 'flux-system'));
      const before = await liveIds(kube());
      await story.follow(async () => {
        const digest = await pushed({});
        const words = ['flux', '--oci', registry.url, '--secret', 'registry'];
        const objects = await printedBy(repository, ...words);
        await engine.turn(objects, registry.url);
        return digest;
      });
      expect(await liveIds(kube())).toEqual(before);
      await expectHeld();
      await story.follow(() => pushed({ [inA]: site('18500003', 3), [inB]: undefined }));
      await expectHeld();
    });

    test('an artifact that no key of the Secret has signed is refused', async () => {
      const { engine, repository } = story;
      const words = ['--secret', 'registry', '--cosign-secret', 'cosign'];
      const objects = await printedBy(repository, 'flux', '--oci', registry.url, ...words);
      await kube().apply({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'cosign', namespace: 'flux-system' },
        stringData: { 'cosign.pub': cosignKey.publicText },
      });
      const before = await liveIds(kube());
      const digest = await pushed({ [inA]: undefined });
      await engine.turn(objects, registry.url);
      await expectRefused();
      const another = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      await registry.sign(digest, another.privateKey);
      await expectRefused();
      expect(await liveIds(kube())).toEqual(before);
      await story.follow(async () => {
        await registry.sign(digest, cosignKey.open());
        return digest;
      });
      await expectHeld();
    });
  }

  /** Commits a change and pushes its manifests to the registry; gives the digest of the artifact. */
  async function pushed(edit: Edit): Promise<string> {
    const { repository, url } = story;
    const commit = await repository.change(edit, leasedAgain);
    return registry.push(join(repository.root, 'dist'), url, `main@sha1:${commit}`);
  }

  /** The source-controller looks at the registry, and refuses the artifact there. */
  async function expectRefused(): Promise<void> {
    const source: KubeObject = {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'OCIRepository',
      metadata: { name: 'leases', namespace: 'flux-system' },
    };
    const asked = randomUUID();
    const annotations = { 'reconcile.fluxcd.io/requestedAt': asked };
    await kube().merge(source, { metadata: { annotations } });
    const isRefused = async (): Promise<true> => {
      const { lastHandledReconcileAt, conditions = [] } = (await kube().get(source))?.status ?? {};
      expect(lastHandledReconcileAt).toBe(asked);
      const isOf = ({ type }: { type: string }) => type === 'SourceVerified';
      const { status, message } = conditions.find(isOf) ?? {};
      const refusal = "failed to verify the signature using provider 'cosign'";
      expect([status, message]).toEqual(['False', expect.stringContaining(refusal)]);
      return true;
    };
    await until(isRefused, { what: 'an artifact that is refused', within: 60_000, every: 500 });
  }

  /** The first Service that is planned in a shard. */
  function serviceIn(shard: string): KubeObject {
    const names = committed(story).get(shard);
    const found = story.planned.objects.find(
      (object) => object.kind === 'Service' && names?.includes(nameOf(object)),
    );
    if (!found) throw new Error(`no Service in the shard ${shard}`);
    return found;
  }

  async function addressOf(service: KubeObject): Promise<string> {
    const found = await kube().get(service);
    return found ? addressesOf(found) : 'no Service';
  }

  /** Whether MetalLB may write addresses into Services; its webhooks answer all the same. */
  async function grantStatus(isGranted: boolean): Promise<void> {
    const role = await kube().get(theRole);
    const others = role?.rules.filter(
      (rule: Rule) => !rule.resources?.includes(status.resources[0]),
    );
    await kube().merge(theRole, { rules: isGranted ? [...others, status] : others });
    if (!isGranted) return;
    // It would try again by itself, with waits that double.
    await story.machine.metallb.stopController('SIGKILL');
    await story.machine.metallb.startController();
  }

  /** The engine has applied what a shard has, and says of it that it is not done: Flux names the Service. */
  async function expectWaiting(shard: string): Promise<void> {
    const service = serviceIn(shard);
    const isWaiting = async (): Promise<true> => {
      await story.engine.complaint();
      expect((await kube().get(service))?.spec.loadBalancerIP).toBe(pinOf(service));
      const said = (await kube().get(objectOf(place.engine, shard)))?.status;
      if (place.engine === 'Argo CD') {
        expect([said?.sync?.status, said?.health?.status]).toEqual(['Synced', 'Progressing']);
        return true;
      }
      const ready = said?.conditions.find(({ type }: { type: string }) => type === 'Ready');
      expect([ready?.status, ready?.reason]).toEqual(['False', 'HealthCheckFailed']);
      expect(ready?.message).toContain(`Service/${keyOf(service)} status: 'InProgress'`);
      return true;
    };
    const what = `a shard ${shard} that waits for ${pinOf(service)}`;
    await until(isWaiting, { what, within: 90_000, every: 500 });
  }
});

const wait = '--wait-for-addresses';

/** The one address that a Service is pinned to. */
const pinOf = ({ spec }: KubeObject): string => spec.loadBalancerIP;

/** A rule of a role. */
interface Rule {
  readonly resources?: readonly string[];
}

const status = { apiGroups: [''], resources: ['services/status'], verbs: ['update'] } as const;

/** What MetalLB's controller may do in the whole cluster. */
const theRole: KubeObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'metallb-system:controller' },
};

/** The IPAddressPool of one address. */
function poolAt(address = ''): KubeObject {
  return {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name: `ip-${address}`, namespace: metallbNamespace },
  };
}
