import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { managedBy } from '../../src/core/manifests/manifest.ts';
import type { Verification } from '../../src/features/cluster/verification-answer.ts';
import { checkingCommand, sparingCommand } from '../../src/lib/kubernetes/metallb-webhooks.ts';
import { applyOnly } from '../support/cluster/by-hand.ts';
import { expectConverged } from '../support/cluster/convergence.ts';
import { declared } from '../support/cluster/declared.ts';
import type { KubeObject } from '../support/cluster/kube.ts';
import { patchWebhooks } from '../support/cluster/layout-change.ts';
import { emptyRepository, type LeaseRepository } from '../support/cluster/lease-repository.ts';
import type { Keeper } from '../support/cluster/machines/keeper.ts';
import { temporaryKeeper } from '../support/cluster/machines/machine.ts';
import { metallbVersions } from '../support/cluster/machines/metallb.ts';
import { metallbNamespace } from '../support/cluster/machines/metallb-pods.ts';
import { plannedIn } from '../support/cluster/planned.ts';
import { akashDefinitions } from '../support/cluster/story.ts';
import { until } from '../support/cluster/wait.ts';
import { type Bird, birdPeer, startBird } from '../support/cluster/wire/bird.ts';
import { addPods, setReady } from '../support/cluster/wire/pods.ts';
import type { WireNode } from '../support/cluster/wire/wire.ts';
import { macsOf } from '../support/cluster/wire/wire-client.ts';
import {
  birdIsMissing,
  isLacking,
  wireIsMissing,
} from '../support/cluster/wire/wire-requirements.ts';
import {
  nodeNamed,
  startWiredCluster,
  type WiredCluster,
} from '../support/cluster/wire/wired-cluster.ts';
import { poolsText } from '../support/declarations/pools-text.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { inScope, repeats } from '../support/run/scope.ts';
import { seeded } from '../support/run/seeded.ts';

const exclusion = 'node.kubernetes.io/exclude-from-external-load-balancers';
const isSkipped = inject('clusterIsMissing') !== '' || isLacking('the wire suite', wireIsMissing());
const seed = Number(process.env.WIRE_SEED ?? 1);
/** How many states a run sees. */
const states = Number(process.env.WIRE_STATES ?? repeats(6, 200));

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

const metallbApi = 'metallb.io/v1beta1';
const day = '2026-11-20';
/** The API server refuses each BGPPeer of earlier ones: their schema has a maximum that their format cannot hold. */
const hasBird = (version: string): boolean => version === '0.16.1' && birdIsMissing() === undefined;
const names = ['one', 'two', 'three', 'four', 'five'];

const declarationsFor = (version: string): Readonly<Record<string, string>> => ({
  'leases/pools.yaml': poolsText(`metallb: { version: ${version}, layout: pool }
defaultZone: lan
pools:
  - { name: lan, zone: lan, addresses: [192.168.77.128/28, 'fd77::80/124'] }
${hasBird(version) ? '  - { name: routed, zone: routed, addresses: [192.168.78.0/28], advertise: { bgp: {} } }\n' : ''}`),
  ...(hasBird(version) && {
    'leases/web/routed.yaml': declared('web', 'routed', {
      annotations: { 'ipam.vitistack.io/zone': 'routed' },
    }),
  }),
  'leases/web/both.yaml': declared('web', 'both', {
    annotations: { 'ipam.vitistack.io/ip-family': 'dual' },
  }),
  ...Object.fromEntries(names.map((name) => [`leases/web/${name}.yaml`, declared('web', name)])),
});

/** A pool for which MetalLB refuses its whole configuration, once its webhook does not look at pools. */
const overlapping: KubeObject = {
  apiVersion: metallbApi,
  kind: 'IPAddressPool',
  metadata: { name: 'overlapping', namespace: metallbNamespace, labels: managedBy },
  spec: { addresses: ['192.168.77.136/30'], autoAssign: false },
};

// 0.14.9 has no ConfigurationState, and leaves statuses behind. 0.13.9 has no statuses.
const places = inScope(metallbVersions, (version) => version === '0.14.9');

describe.skipIf(isSkipped)('What verify says and what the wire says', () => {
  describe.each(places)('MetalLB %s', (version) => {
    let keeper: Keeper;
    let cluster: WiredCluster;
    let repository: LeaseRepository;
    /** What keeps a node from announcing now. */
    const isRunning = new Map<WireNode['name'], boolean>();
    const isExcluded = new Map<WireNode['name'], boolean>();
    const isCordoned = new Map<WireNode['name'], boolean>();
    let isRefused = false;
    let isNarrowed = false;
    let isReady = true;
    let isEdited = false;
    let bird: Bird | undefined;
    const stepsOfLayout = ['lease', 'lease', 'pool', 'pool'];

    beforeAll(async () => {
      keeper = temporaryKeeper();
      cluster = await startWiredCluster(keeper, version);
      const { kube } = cluster.plane;
      for (const object of akashDefinitions()) await kube.apply(object);
      const folder = mkdtempSync(join(cluster.folder, 'repository-'));
      repository = emptyRepository({ cli: program.cli, folder });
      await repository.change(declarationsFor(version), day);
      const planned = plannedIn(repository.root);
      await applyOnly(kube, planned);
      await addPods(
        kube,
        planned.objects.filter(({ kind }) => kind === 'Service'),
      );
      await expectConverged(kube, cluster, planned);
      if (hasBird(version)) {
        bird = await startBird(keeper);
        await kube.apply(birdPeer);
      }
      await patchWebhooks(kube, sparingCommand());
      for (const { name } of cluster.wire.nodes) isRunning.set(name, true);
    });
    afterAll(async () => {
      if (cluster) await patchWebhooks(cluster.plane.kube, checkingCommand());
      await cluster?.close();
      await keeper?.close();
    });

    async function toggleSpeaker(name: WireNode['name']): Promise<string> {
      const wasRunning = isRunning.get(name) === true;
      isRunning.set(name, !wasRunning);
      await (wasRunning ? cluster.killSpeaker(name) : cluster.startSpeaker(name));
      return `${wasRunning ? 'kill' : 'start'} the speaker of ${name}`;
    }

    async function restartSpeaker(name: WireNode['name']): Promise<string> {
      await cluster.killSpeaker(name);
      await cluster.startSpeaker(name);
      isRunning.set(name, true);
      return `restart the speaker of ${name}`;
    }

    async function toggleExclusion(name: WireNode['name']): Promise<string> {
      const was = isExcluded.get(name) === true;
      isExcluded.set(name, !was);
      const labels = { [exclusion]: was ? null : '' };
      await cluster.plane.kube.merge(nodeNamed(name), { metadata: { labels } });
      return `${was ? 'include' : 'exclude'} ${name}`;
    }

    async function toggleCordon(name: WireNode['name']): Promise<string> {
      const was = isCordoned.get(name) === true;
      isCordoned.set(name, !was);
      await cluster.plane.kube.merge(nodeNamed(name), {
        spec: { unschedulable: was ? null : true },
      });
      return `${was ? 'uncordon' : 'cordon'} ${name}`;
    }

    /** Edits each live advertisement so that only one node may announce, and takes the edit back. */
    async function toggleSelectors(name: WireNode['name']): Promise<string> {
      const { kube } = cluster.plane;
      isNarrowed = !isNarrowed;
      const matchLabels = { 'kubernetes.io/hostname': name };
      const nodeSelectors = isNarrowed ? [{ matchLabels }] : null;
      for (const found of await kube.list(metallbApi, 'L2Advertisement')) {
        const advertisement = { ...found, apiVersion: metallbApi, kind: 'L2Advertisement' };
        await kube.merge(advertisement, { spec: { nodeSelectors } });
      }
      return isNarrowed ? `let only ${name} announce` : 'let each node announce';
    }

    async function togglePod(): Promise<string> {
      isReady = !isReady;
      await setReady(cluster.plane.kube, planned('two'), isReady);
      return `the pod of two is ${isReady ? '' : 'not '}ready`;
    }

    /** Edits the address for which a live Service asks, and takes the edit back. */
    async function toggleEdit(): Promise<string> {
      isEdited = !isEdited;
      const service = planned('three');
      const { annotations = {} } = service.metadata;
      const edited = Object.entries(annotations).map(([key, value]) => [
        key,
        isEdited && key.endsWith('/loadBalancerIPs') ? '192.168.77.142' : value,
      ]);
      const metadata = { annotations: Object.fromEntries(edited) };
      await cluster.plane.kube.merge(service, { metadata });
      return isEdited ? 'edit the address of three' : 'take back the edit of three';
    }

    /** Goes on with the change of the layout, from `pool` over `both` to `lease` and back. */
    async function stepLayout(): Promise<string> {
      const target = stepsOfLayout.shift()!;
      stepsOfLayout.push(target);
      await repository.run(day, 'migrate-layout', target);
      await applyOnly(cluster.plane.kube, plannedIn(repository.root));
      // That has taken back the edit, and has removed the pool that overlaps.
      isEdited = false;
      isRefused = false;
      return `migrate-layout ${target}`;
    }

    function planned(name: string): KubeObject {
      const { objects } = plannedIn(repository.root);
      return objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === name)!;
    }

    /** Ends and starts the BGP peer of the nodes. */
    async function toggleBird(): Promise<string> {
      const was = bird;
      bird = was ? undefined : await startBird(keeper);
      await was?.program.stop('SIGKILL');
      return was ? 'kill the BGP peer' : 'start the BGP peer';
    }

    async function toggleRefusal(): Promise<string> {
      const { kube } = cluster.plane;
      isRefused = !isRefused;
      if (!isRefused) {
        await kube.remove(overlapping);
        return 'remove the overlapping pool';
      }
      // The API server reads the configuration of a webhook a moment later.
      await until(() => kube.apply(overlapping), { what: 'a pool that overlaps' });
      return 'apply a pool that overlaps';
    }

    /** The state of each address by verify, and whether a node answers for it. */
    async function seen(): Promise<readonly string[]> {
      const args = ['--kubeconfig', cluster.plane.kubeconfig, '-o', 'json'];
      const { out } = await repository.leasehold('verify', ...args);
      const { claims }: Verification = JSON.parse(out);
      const isRouted = (address: string): boolean => address.startsWith('192.168.78.');
      const all = claims.flatMap(({ addresses }) => addresses);
      const answers = await macsOf(all.filter((address) => !isRouted(address)));
      const prefixes = new Set(bird?.routes().map(({ prefix }) => prefix));
      const isSilentAt = (address: string): boolean =>
        isRouted(address) ? !prefixes.has(`${address}/32`) : answers.get(address) === 'silent';
      return claims.map(({ object, state, details, addresses }) => {
        const isDark = details.some((detail) => detail.state === 'not announced');
        const isSilent = addresses.some(isSilentAt);
        return `${object}: ${isDark ? 'not announced' : state}, ${isSilent ? 'silent' : 'answered'}`;
      });
    }

    /** What MetalLB says of whom it announces, one line for each object. */
    async function statuses(): Promise<string> {
      if (version === '0.13.9') return '';
      const found = await cluster.plane.kube.list(metallbApi, 'ServiceL2Status');
      return found
        .map(({ metadata, status }) =>
          JSON.stringify([metadata.name, metadata.creationTimestamp, metadata.labels, status]),
        )
        .join('\n');
    }

    /** Waits until the cluster has come to rest: verify and the wire say the same twice, and agree. */
    async function agreed(step: string): Promise<readonly string[]> {
      let before = '';
      const isSo = async (): Promise<readonly string[]> => {
        const now = await seen();
        const isSame = before === now.join();
        before = now.join();
        const wrong = now.filter((one) => !agreeing.test(one) && !(isStale() && early.test(one)));
        if (wrong.length > 0) {
          throw new Error(`they do not agree: ${wrong.join('; ')}\n${await statuses()}`);
        }
        if (!isSame) throw new Error(`they have changed: ${now.join('; ')}`);
        return now;
      };
      return until(isSo, { what: step, within: 60_000, programs: cluster.programs });
    }

    /**
     * `ok` is never said of silence, and `not announced` never of an answer. Before 0.15, and by BGP without frr-k8s,
     * verify does not know of each Service whether it is announced.
     */
    const agreeing =
      /: (?:ok, answered|(?:not announced|no endpoints), silent|(?:unknown|changed by hand|wrong address|pending|not applied), \w+)$/;

    /** While MetalLB refuses its objects, an edit of an advertisement has no effect yet, but verify reads it. */
    const early = /: not announced, answered$/;
    const isStale = () => isRefused || stepsOfLayout[0] !== stepsOfLayout[1];

    test('agree in random states of speakers, nodes, pools, Services and layouts', {
      timeout: 60_000 + states * 90_000,
    }, async () => {
      const random = seeded(seed);
      const counts = new Map<string, number>();
      await agreed('begin');
      for (let index = 0; index < states; index += 1) {
        const { name } = cluster.wire.nodes[random.below(cluster.wire.nodes.length)]!;
        const steps = [
          toggleSpeaker,
          restartSpeaker,
          restartSpeaker,
          toggleExclusion,
          toggleCordon,
          toggleRefusal,
          toggleSelectors,
          togglePod,
          toggleEdit,
          stepLayout,
          ...(hasBird(version) ? [toggleBird] : []),
        ];
        const step = await steps[random.below(steps.length)]!(name);
        for (const one of await agreed(`step ${index + 1}: ${step}`)) {
          const [, said = ''] = one.split(': ');
          counts.set(said, (counts.get(said) ?? 0) + 1);
        }
      }
      console.log(`MetalLB ${version}, ${states} states, seed ${seed}`, Object.fromEntries(counts));
    });
  });
});
