import { expect, test } from 'vitest';
import { checkingCommand, sparingCommand } from '../../src/lib/kubernetes/metallb-webhooks.ts';
import { leaseOf } from '../support/cluster/declared.ts';
import type { KubeObject } from '../support/cluster/kube.ts';
import { expectPools, expectRefused, patchWebhooks } from '../support/cluster/layout-change.ts';
import { metallbNamespace } from '../support/cluster/machines/metallb-pods.ts';
import { describeStories } from '../support/cluster/stories.ts';
import type { Place } from '../support/cluster/story.ts';
import { until } from '../support/cluster/wait.ts';
import { inScope } from '../support/run/scope.ts';

/** Each MetalLB and each engine. Argo CD prunes the advertisements before the pools: it is the hardest. */
const places: readonly Place[] = [
  { metallb: '0.16.1', engine: 'Argo CD', layout: 'lease' },
  { metallb: '0.14.9', engine: 'Flux', layout: 'lease' },
  { metallb: '0.14.9', engine: 'Flux', layout: 'lease', shards: 16 },
  { metallb: '0.16.1', engine: 'by hand', layout: 'lease' },
  { metallb: '0.14.9', engine: 'by hand', layout: 'lease' },
  { metallb: '0.13.9', engine: 'by hand', layout: 'lease' },
];
const placesInScope = inScope(
  places,
  ({ engine, metallb }) => engine === 'by hand' && metallb === '0.16.1',
);

const day = '2026-11-20';
const ember = 'akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye';
const late = { name: 'late', service: 'web', port: 3000, externalPort: 80 };

describeStories('A change of the layout', placesInScope, (story) => {
  const kube = () => story.machine.plane.kube;
  const step = (target: string) =>
    story.follow(() => story.repository.run(day, 'migrate-layout', target));

  /** The names of the live pools. */
  async function pools(): Promise<readonly string[]> {
    const live = await kube().list('metallb.io/v1beta1', 'IPAddressPool');
    return live.map(({ metadata }) => metadata.name).sort();
  }

  /** MetalLB's controller has its addresses from pools whose names match. */
  const expectFrom = (pool: RegExp) =>
    expectPools(kube(), [...story.planned.addresses.keys()], pool, story.machine.metallb.programs);

  test('MetalLB refuses the step in between while its webhooks check it, and nothing is lost', async () => {
    await story.change([{}, day]);
    const before = story.planned.addresses;
    const declared = [...(await pools())];
    expect(declared.every((name) => name.startsWith('ip-'))).toBe(true);
    await expectRefused(kube(), overlapping);
    await patchWebhooks(kube(), sparingCommand());
    await expectRefused(kube(), foreign);
    expect(story.planned.addresses).toEqual(before);
  });

  test('with the pools of both, MetalLB keeps what it has, and no address changes', async () => {
    const before = await pools();
    await step('pool');
    expect(await pools()).toEqual(expect.arrayContaining([...before]));
    expect((await pools()).length).toBeGreaterThan(before.length);
    const isRejected = (): true => {
      expect(story.machine.metallb.controllerLog()).toMatch(
        /"controller":"PoolReconciler".*overlaps with already defined CIDR/,
      );
      return true;
    };
    await until(isRejected, { what: "MetalLB's rejection" });
    await expectFrom(/^ip-/);
  });

  test('the last step changes no address, and new leases come from the declared pools', async () => {
    await step('pool');
    expect((await pools()).filter((name) => name.startsWith('ip-'))).toEqual([]);
    await expectFrom(/^(?!ip-)./);
    await patchWebhooks(kube(), checkingCommand());
    await expectRefused(kube(), overlapping);
    await story.change([{ 'leases/ember/18500001.yaml': leaseOf(ember, '18500001', late) }, day]);
  });

  test('and back', async () => {
    await patchWebhooks(kube(), sparingCommand());
    await step('lease');
    await step('lease');
    await expectFrom(/^ip-/);
    expect((await pools()).filter((name) => !name.startsWith('ip-'))).toEqual([]);
    await patchWebhooks(kube(), checkingCommand());
  });
});

/** A pool that overlaps those of the shipped example, as leasehold would write it. */
const overlapping: KubeObject = {
  apiVersion: 'metallb.io/v1beta1',
  kind: 'IPAddressPool',
  metadata: {
    name: 'overlapping',
    namespace: metallbNamespace,
    labels: { 'app.kubernetes.io/managed-by': 'leasehold' },
  },
  spec: { addresses: ['0.0.0.0/1', '128.0.0.0/1'], autoAssign: false },
};

/** The same of somebody else. */
const foreign: KubeObject = {
  ...overlapping,
  metadata: { name: 'foreign', namespace: metallbNamespace },
};
