import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { stringify } from 'yaml';
import type { Diagnosis } from '../../src/features/cluster/diagnosis-answer.ts';
import type { Verification } from '../../src/features/cluster/verification-answer.ts';
import {
  type AddressWatch,
  addressesOf,
  haveAddresses,
  keyOf,
  watchAddresses,
} from '../support/cluster/address-watch.ts';
import { applyInOrder, removed, removeOwn, removeWhole } from '../support/cluster/by-hand.ts';
import { ownObjects } from '../support/cluster/convergence.ts';
import { declared, reservation, service } from '../support/cluster/declared.ts';
import { type Kube, type KubeObject, Refused } from '../support/cluster/kube.ts';
import { runPrinted } from '../support/cluster/kubectl.ts';
import { emptyRepository, type LeaseRepository } from '../support/cluster/lease-repository.ts';
import { ciliumHere, type LBIPAM, startLBIPAM } from '../support/cluster/machines/cilium.ts';
import { type ControlPlane, startControlPlane } from '../support/cluster/machines/control-plane.ts';
import type { Keeper } from '../support/cluster/machines/keeper.ts';
import { temporaryKeeper } from '../support/cluster/machines/machine.ts';
import { nameOf } from '../support/cluster/manifests.ts';
import { inWaves, type Planned, plannedIn } from '../support/cluster/planned.ts';
import { until } from '../support/cluster/wait.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { repeats } from '../support/run/scope.ts';
import { seeded } from '../support/run/seeded.ts';

const poolFile = {
  apiVersion: 'leasehold.dev/v1',
  kind: 'Pools',
  emit: { providerLeasedIP: false },
  defaultZone: 'inet',
  pools: [
    {
      name: 'public',
      zone: 'inet',
      addresses: ['203.0.113.0/28', '2001:db8::/124'],
      reserved: ['203.0.113.0'],
      strategy: 'lowest',
      advertise: { bgp: { communities: ['65000:100', 'no-export'] } },
    },
    {
      name: 'edge',
      zone: 'edge',
      addresses: ['198.51.100.0/29'],
      strategy: 'lowest',
      advertise: { l2: { interfaces: ['eth0'] } },
    },
  ],
};

const dual = { 'ipam.vitistack.io/ip-family': 'dual' };
const shared = { 'ipam.vitistack.io/allow-local-shared-ip': 'k' };
const onPort = (port: number) => ({ spec: { ports: [{ port }] } });

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

describe.skipIf(inject('clusterIsMissing'))("Cilium's LB-IPAM", () => {
  describe.each(ciliumHere)('Cilium %s', (version) => {
    let keeper: Keeper;
    let plane: ControlPlane;
    let kube: Kube;
    let lbipam: LBIPAM;
    let watch: AddressWatch;

    beforeAll(async () => {
      keeper = temporaryKeeper();
      plane = await startControlPlane(keeper, join(keeper.folder, 'plane'));
      kube = plane.kube;
      lbipam = await startLBIPAM(keeper, plane, version);
      watch = await watchAddresses(kube);
    });
    afterAll(async () => {
      watch?.close();
      await keeper?.close();
    });
    afterEach(() => removeOwn(kube, 'and namespaces'));

    /** A repository with a few Services of each kind, and its pool file. */
    async function firstCommit(): Promise<LeaseRepository> {
      const folder = mkdtempSync(join(keeper.folder, 'repository-'));
      const repository = emptyRepository({ cli: program.cli, folder });
      await repository.change(
        {
          'leases/pools.yaml': stringify({ ...poolFile, cilium: { version } }),
          'leases/shop/web.yaml': declared('shop', 'web', { annotations: dual }),
          'leases/shop/api.yaml': declared('shop', 'api'),
          'leases/shop/a.yaml': declared('shop', 'a', { annotations: shared }),
          'leases/shop/b.yaml': declared('shop', 'b', { annotations: shared, ...onPort(81) }),
          'leases/edge/door.yaml': declared('edge', 'door', {
            annotations: { 'leasehold.dev/pool': 'edge' },
          }),
          'leases/edge/chart.yaml': reservation('edge', 'chart'),
        },
        '2026-11-20',
      );
      return repository;
    }

    /** Waits until each planned Service has the planned addresses. */
    const converged = ({ addresses }: Planned) =>
      haveAddresses(kube, watch, addresses, [lbipam.program()]);

    /** No pool has a conflict: LB-IPAM would take the addresses of one of them away at its next start. */
    async function noConflict(): Promise<void> {
      const pools = await kube.list('cilium.io/v2', 'CiliumLoadBalancerIPPool');
      const conflicts = pools.flatMap(({ status }) =>
        (status?.conditions ?? []).filter(
          (one: KubeObject) =>
            String(one.type) === 'cilium.io/PoolConflict' && one.status === 'True',
        ),
      );
      expect(conflicts).toEqual([]);
    }

    /**
     * Applies a commit and removes what is not in it, in a random order, and ends and starts LB-IPAM at a
     * random point of that.
     */
    async function applyAnyhow(planned: Planned, seed: number): Promise<void> {
      const random = seeded(seed);
      const wanted = new Set(planned.objects.map(nameOf));
      const gone = (await ownObjects(kube)).filter((object) => !wanted.has(nameOf(object)));
      const steps = random.shuffled([
        ...planned.objects.filter(({ kind }) => kind !== 'Namespace').map((object) => ({ object })),
        ...gone.map((object) => ({ object, isGone: true })),
        { restart: true as const },
      ]);
      await applyInOrder(
        kube,
        planned.objects.filter(({ kind }) => kind === 'Namespace'),
      );
      for (const step of steps) {
        if ('restart' in step) {
          await lbipam.kill();
          await lbipam.start();
        } else if ('isGone' in step) await removed(kube, step.object);
        else await applyInOrder(kube, [step.object]);
      }
    }

    test('gives each Service its address, and a chart the one of its values', async () => {
      const repository = await firstCommit();
      const planned = plannedIn(repository.root);
      expect(new Set(planned.addresses.values()).size).toBe(4);
      await applyInOrder(kube, inWaves(planned));
      await converged(planned);
      await noConflict();
      const { out } = await repository.leasehold('list', 'edge/chart', '-o', 'values');
      expect(out).toContain('leasehold.dev/pool: public');
    });

    /** What verify says of the cluster, by holder, and its findings. */
    async function verified(repository: LeaseRepository) {
      const asked = ['verify', '--kubeconfig', plane.kubeconfig, '-o', 'json'];
      const { out } = await repository.leasehold(...asked);
      const { claims, findings }: Verification = JSON.parse(out);
      return { claims: new Map(claims.map((one) => [one.holder, one])), findings };
    }

    test('verify and doctor say what LB-IPAM says, and what verify advises heals', async () => {
      const repository = await firstCommit();
      const planned = plannedIn(repository.root);
      await applyInOrder(kube, inWaves(planned));
      await converged(planned);
      const chart = 'default/service/edge/chart';
      const first = await verified(repository);
      expect(first.findings).toEqual([]);
      // No agent and no pod runs: the addresses are there, and nothing answers.
      const faults = [...first.claims.values()].filter(({ state }) => state !== 'no endpoints');
      expect(faults.map(({ holder, state }) => [holder, state])).toEqual([[chart, 'not applied']]);

      const [pin = ''] = first.claims.get(chart)?.addresses ?? [];
      await kube.apply(service('edge', 'chart', { annotations: { 'lbipam.cilium.io/ips': pin } }));
      const waits = async () => {
        const [detail] = (await verified(repository)).claims.get(chart)?.details ?? [];
        return detail?.message.startsWith('Cilium: ') ? detail : undefined;
      };
      const waiting = await until(waits, { what: 'what LB-IPAM says of the chart' });
      expect(waiting).toMatchObject({
        state: 'pending',
        message: expect.stringMatching(/^Cilium: pool_selector_mismatch/),
      });
      const [, label = ''] = /`(kubectl [^`]* label [^`]*)`/.exec(waiting.hint ?? '') ?? [];
      await runPrinted({ kube, kubeconfig: plane.kubeconfig }, label);
      const isHealed = async () =>
        (await verified(repository)).claims.get(chart)?.state === 'no endpoints' || undefined;
      await until(isHealed, { what: 'the address of the chart' });

      const theirs = {
        apiVersion: 'cilium.io/v2',
        kind: 'CiliumLoadBalancerIPPool',
        metadata: { name: 'theirs' },
        spec: { blocks: [{ cidr: '203.0.113.8/29' }] },
      };
      await kube.apply(theirs);
      const { findings } = await verified(repository);
      expect(findings).toEqual([
        expect.objectContaining({
          object: 'CiliumLoadBalancerIPPool theirs',
          message: expect.stringContaining('Cilium uses one of two overlapping pools'),
          hint: expect.stringMatching(/^no Service has an address from it: delete this pool/),
        }),
      ]);
      const doctor = ['doctor', '--kubeconfig', plane.kubeconfig, '-o', 'json'];
      const diagnosis: Diagnosis = JSON.parse((await repository.leasehold(...doctor)).out);
      // Neither an operator's Deployment nor a ConfigMap is there: LB-IPAM runs as a program.
      expect(diagnosis.findings.map(({ level, code }) => `${level} ${code}`)).toEqual([
        'ok KUBERNETES_VERSION',
        'ok CILIUM_KINDS',
        'problem CILIUM_OPERATOR',
        'unknown CILIUM_SETTINGS',
        'ok CILIUM_NODES',
        'problem CILIUM_POOLS',
        'caution CILIUM_POOLS',
        'ok AKASH_PROVIDER',
        'ok AKASH_OPERATOR',
      ]);
      await removeWhole(kube, theirs);
      expect((await verified(repository)).findings).toEqual([]);
    });

    test('a live cluster is taken over without a change of an address', async () => {
      const byHand = { manager: 'kubectl' };
      const live = {
        apiVersion: 'cilium.io/v2',
        kind: 'CiliumLoadBalancerIPPool',
        metadata: { name: 'public' },
        spec: { blocks: [{ cidr: '203.0.113.0/28' }, { cidr: '2001:db8::/124' }] },
      };
      const bgp = { addresses: ['LoadBalancerIP'] };
      const selector = { matchExpressions: [{ key: 'no', operator: 'DoesNotExist' }] };
      const advertisement = {
        apiVersion: 'cilium.io/v2',
        kind: 'CiliumBGPAdvertisement',
        metadata: { name: 'theirs' },
        spec: { advertisements: [{ advertisementType: 'Service', service: bgp, selector }] },
      };
      const sharing = { annotations: { 'lbipam.cilium.io/sharing-key': 'k' } };
      const both = { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' };
      const services = [
        service('adopted', 'unpinned'),
        service('adopted', 'dual', { spec: both }),
        service('adopted', 'older', { annotations: { 'io.cilium/lb-ipam-ips': '203.0.113.7' } }),
        service('adopted', 'field', { spec: { loadBalancerIP: '203.0.113.9' } }),
        service('adopted', 'one', sharing),
        service('adopted', 'two', { ...sharing, spec: { ports: [{ port: 81 }] } }),
      ];
      const adopted = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'adopted' } };
      for (const one of [adopted, live, advertisement, ...services]) await kube.apply(one, byHand);
      const given = async () => {
        const found = (await kube.list('v1', 'Service')).filter(
          ({ metadata }) => metadata.namespace === 'adopted',
        );
        const all = found.map((one) => [keyOf(one), addressesOf(one)] as const);
        return all.length === 6 && all.every(([, address]) => address !== 'none') ? all : undefined;
      };
      const before = new Map(await until(given, { what: 'addresses from the open pool' }));
      await watch.settled();
      watch.mark();

      const folder = mkdtempSync(join(keeper.folder, 'adoption-'));
      const repository = emptyRepository({ cli: program.cli, folder });
      const command = ['import', 'cluster', '--kubeconfig', plane.kubeconfig];
      const refused = await repository.leasehold(...command);
      expect([refused.status, refused.out]).toEqual([1, expect.stringContaining('FENCE_LIVE')]);
      const [, label = ''] = /`(kubectl [^`]* label [^`]*)`/.exec(refused.out) ?? [];
      await runPrinted({ kube, kubeconfig: plane.kubeconfig }, label);
      await repository.run('2026-11-20', ...command, '--cilium', version);
      const planned = plannedIn(repository.root);
      // A commit by hand and a restart: what holds its address has to hold it after both.
      await applyAnyhow(planned, 1);
      await converged(planned);
      await lbipam.kill();
      await lbipam.start();
      await converged(planned);
      const { claims, findings } = await verified(repository);
      expect(findings).toEqual([]);
      const held = [...claims.values()].flatMap(({ addresses }) => addresses);
      expect(new Set(held)).toEqual(new Set([...before.values()].flatMap((one) => one.split(','))));
      for (const [key, address] of before)
        expect([key, watch.since(key)]).toEqual([key, [address]]);
      for (const one of [...services, advertisement]) await removeWhole(kube, one);
    });

    test('gives strangers none of its addresses', async () => {
      const repository = await firstCommit();
      const planned = plannedIn(repository.root);
      await applyInOrder(kube, inWaves(planned));
      const [leased] = [...planned.addresses.values()];
      const pin = String(leased).split(',')[0] ?? '';
      const strange = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'strange' } };
      await kube.apply(strange);
      // A new policy is not at work at once.
      const probe = service('strange', 'probe', { annotations: { 'lbipam.cilium.io/ips': pin } });
      const isAtWork = async () => {
        try {
          await kube.apply(probe);
          await removeWhole(kube, probe);
          return undefined;
        } catch (error) {
          if (error instanceof Refused) return true;
          throw error;
        }
      };
      await until(isAtWork, { what: 'the admission policy' });
      const labelled = service('strange', 'labelled');
      const refused = [
        {
          ...labelled,
          metadata: { ...labelled.metadata, labels: { 'leasehold.dev/pool': 'public' } },
        },
        service('strange', 'older', { annotations: { 'io.cilium/lb-ipam-ips': pin } }),
        service('strange', 'field', { spec: { loadBalancerIP: pin } }),
        service('strange', 'typo', { annotations: { 'lbipam.cilium.io/ips': `${pin}x` } }),
      ];
      for (const object of refused) await expect(kube.apply(object)).rejects.toThrow(Refused);
      // Neither of these has the label of a pool.
      const waiting = [
        service('strange', 'unpinned'),
        service('shop', 'neighbour', { annotations: { 'lbipam.cilium.io/ips': pin } }),
      ];
      for (const object of waiting) await kube.apply(object);
      await lbipam.kill();
      await lbipam.start();
      await converged(planned);
      const said = async (object: KubeObject) =>
        (await kube.get(object))?.status?.conditions?.map((one: KubeObject) => one.reason)[0];
      for (const object of waiting) {
        const answer = () => said(object);
        await until(answer, { what: `what LB-IPAM says of ${nameOf(object)}` });
        const live = await kube.get(object);
        expect(live && addressesOf(live)).toBe('none');
      }
      expect([await said(waiting[0] as KubeObject), await said(waiting[1] as KubeObject)]).toEqual([
        'no_pool',
        'pool_selector_mismatch',
      ]);
      for (const object of waiting) await removeWhole(kube, object);
    });

    /**
     * Each Service had its address all the time, or only that of before, none and that of after. Returns how many
     * addresses came or changed.
     */
    function changedIn(before: Planned['addresses'], planned: Planned, place: string): number {
      const changed = [...planned.addresses].filter(
        ([key, address]) => before.get(key) !== address,
      );
      for (const [key, address] of planned.addresses) {
        const was = before.get(key);
        // What was removed at the end of an earlier life is gone at first.
        const seen = watch.since(key).filter((one) => one !== 'gone');
        const allowed = was === address ? [address] : [was ?? 'none', 'none', address];
        const others = seen.filter((one) => !allowed.includes(one));
        expect([place, key, others, seen.at(-1)]).toEqual([place, key, [], address]);
      }
      return changed.length;
    }

    /** What each commit changes. */
    const commits: readonly ((repository: LeaseRepository) => Promise<unknown>)[] = [
      (repository) =>
        repository.change(
          {
            'leases/shop/new.yaml': declared('shop', 'new'),
            'leases/shop/c.yaml': declared('shop', 'c', { annotations: shared, ...onPort(82) }),
          },
          '2026-11-21',
        ),
      (repository) => repository.run('2026-11-22', 'move', 'shop/api'),
      (repository) =>
        repository.change(
          {
            'leases/shop/new.yaml': undefined,
            'leases/shop/b.yaml': undefined,
            'leases/pools.yaml': stringify({
              ...poolFile,
              cilium: { version },
              pools: poolFile.pools.map((pool) => ({
                ...pool,
                reserved:
                  pool.name === 'public' ? ['203.0.113.0', '203.0.113.9'] : ['198.51.100.7'],
                addresses: [
                  ...pool.addresses,
                  pool.name === 'public' ? '192.0.2.0/29' : '192.0.2.8/29',
                ],
              })),
            }),
          },
          '2026-11-23',
        ),
      // What was released is free again.
      (repository) =>
        repository.change({ 'leases/shop/next.yaml': declared('shop', 'next') }, '2026-11-27'),
    ];

    test('in any order, and over a restart, no Service has another address than that of a commit', async () => {
      const repository = await firstCommit();
      const lives = [plannedIn(repository.root)];
      for (const commit of commits) {
        await commit(repository);
        lives.push(plannedIn(repository.root));
      }
      let moved = 0;
      for (let seed = 1; seed <= repeats(3, 40); seed += 1) {
        await applyInOrder(kube, inWaves(lives[0] as Planned));
        await converged(lives[0] as Planned);
        for (const [index, planned] of lives.entries()) {
          const before = (lives[index - 1] ?? planned).addresses;
          watch.mark();
          const place = `seed ${seed}, commit ${index}`;
          await applyAnyhow(planned, seed * 100 + index)
            .then(() => converged(planned))
            .catch((error: Error) => {
              throw new Error(`${place}: ${error.message}`);
            });
          moved += changedIn(before, planned, place);
          await noConflict();
        }
        await removeOwn(kube, 'but namespaces');
      }
      expect(moved).toBeGreaterThan(0);
    });
  });
});
