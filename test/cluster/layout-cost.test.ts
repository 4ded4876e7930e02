import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { addressesOf, keyOf } from '../support/cluster/address-watch.ts';
import { leaseOf } from '../support/cluster/declared.ts';
import { type Kube, type KubeObject, Refused } from '../support/cluster/kube.ts';
import {
  emptyRepository,
  type Layout,
  type LeaseRepository,
} from '../support/cluster/lease-repository.ts';
import {
  type Machine,
  startMachine,
  temporaryKeeper,
} from '../support/cluster/machines/machine.ts';
import type { MetallbVersion } from '../support/cluster/machines/metallb.ts';
import { nameOf } from '../support/cluster/manifests.ts';
import { inWaves, plannedIn } from '../support/cluster/planned.ts';
import { akashDefinitions } from '../support/cluster/story.ts';
import { until } from '../support/cluster/wait.ts';
import { providerPoolsText } from '../support/declarations/pools-text.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { scope } from '../support/run/scope.ts';

/*
 * What each layout costs MetalLB. In a full run it shows that both work with some leases; `npm run bench:layouts` measures
 * docs/manifests.md#layouts, or with LAYOUT_LEASES=100,1000 and LAYOUT_METALLB=0.14.9,0.16.1 something else.
 */

const { LAYOUT_LEASES, LAYOUT_METALLB = '0.16.1', LAYOUT_REPORT } = process.env;
const isAsked = scope === 'full' || LAYOUT_LEASES !== undefined;
const sizes = (LAYOUT_LEASES ?? '20').split(',').map(Number);
const versions = LAYOUT_METALLB.split(',') as MetallbVersion[];
const places = versions.flatMap((version) =>
  sizes.flatMap((leases) =>
    (['lease', 'pool'] as const).map((layout) => ({ version, leases, layout })),
  ),
);

/** How many objects are sent at once: more than the API server has cores only queue. */
const senders = 4;
const owner = 'akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye';
const day = '2026-11-20';

/** What something cost: seconds, and calls of MetalLB's webhooks. */
interface Cost {
  readonly applied: number;
  readonly converged: number;
  readonly controller: number;
  readonly speaker: number;
  readonly webhook: number;
  readonly calls: number;
}

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

describe.skipIf(inject('clusterIsMissing') || !isAsked)('The cost of a layout', () => {
  describe.each(places)('MetalLB $version, $leases leases, layout $layout', (place) => {
    const { version, leases, layout } = place;
    let machine: Machine;
    let repository: LeaseRepository;

    beforeAll(async () => {
      machine = await startMachine(temporaryKeeper(), version);
      for (const definition of akashDefinitions()) await machine.plane.kube.apply(definition);
      const folder = mkdtempSync(join(machine.folder, 'repository-'));
      repository = emptyRepository({ cli: program.cli, folder });
    });
    afterAll(() => machine?.keeper.close());

    test('every Service gets its address, and that of one lease more', {
      timeout: 7_200_000,
    }, async () => {
      const numbers = Array.from({ length: leases }, (_, index) => index + 1);
      const first = {
        'leases/pools.yaml': pools(version, layout),
        ...Object.fromEntries(numbers.map(lease)),
      };
      await repository.change(first, day);
      const all = await costOf(machine, repository, new Set());
      const before = new Set(plannedIn(repository.root).objects.map(nameOf));
      await repository.change(Object.fromEntries([lease(leases + 1)]), day);
      const one = await costOf(machine, repository, before);
      const [controller, speaker] = machine.metallb.programs.map((one) => one.usage().memory);
      const row = { ...place, all, one, controller, speaker };
      console.log(JSON.stringify(row));
      if (LAYOUT_REPORT) writeFileSync(LAYOUT_REPORT, `${JSON.stringify(row)}\n`, { flag: 'a' });
    });
  });
});

/** Applies what is committed and not known yet, waits until MetalLB has nothing more to do, and tells the cost. */
async function costOf(
  { plane: { kube }, metallb }: Machine,
  repository: LeaseRepository,
  known: ReadonlySet<string>,
): Promise<Cost> {
  const planned = plannedIn(repository.root);
  const objects = inWaves(planned).filter((object) => !known.has(nameOf(object)));
  const cpu = () => metallb.programs.map((one) => one.usage().cpu);
  const [before, webhooks] = [cpu(), await webhookTime(kube)];
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  for (const wave of wavesOf(objects)) await applyWave(kube, wave);
  const applied = seconds();
  const isConverged = async (): Promise<true> => {
    const live = await kube.list('v1', 'Service');
    const found = new Map(live.map((service) => [keyOf(service), addressesOf(service)]));
    const wrong = [...planned.addresses].filter(([key, address]) => found.get(key) !== address);
    expect(wrong.slice(0, 3)).toEqual([]);
    return true;
  };
  await until(isConverged, {
    what: 'the planned addresses',
    within: 3_600_000,
    every: 200,
    programs: metallb.programs,
  });
  const converged = seconds();
  let last = cpu();
  let quiet = 0;
  const isQuiet = (): true | undefined => {
    const now = cpu();
    quiet = now.every((one, index) => one - (last[index] ?? 0) < 0.05) ? quiet + 1 : 0;
    last = now;
    return quiet >= 3 ? true : undefined;
  };
  await until(isQuiet, { what: 'a MetalLB at rest', within: 3_600_000, every: 1_000 });
  const [controller = 0, speaker = 0] = last.map((one, index) => one - (before[index] ?? 0));
  const after = await webhookTime(kube);
  const calls = after.calls - webhooks.calls;
  return { applied, converged, controller, speaker, webhook: after.sum - webhooks.sum, calls };
}

/** The objects by kind, in their order. */
function wavesOf(objects: readonly KubeObject[]): readonly (readonly KubeObject[])[] {
  return [...new Set(objects.map(({ kind }) => kind))].map((kind) =>
    objects.filter((object) => object.kind === kind),
  );
}

async function applyWave(kube: Kube, objects: readonly KubeObject[]): Promise<void> {
  const queue = [...objects];
  const send = async (): Promise<void> => {
    for (let object = queue.shift(); object; object = queue.shift()) await accepted(kube, object);
  };
  await Promise.all(Array.from({ length: senders }, send));
}

/** Applies an object, again when a busy webhook was too late: engines try again too. */
async function accepted(kube: Kube, object: KubeObject): Promise<void> {
  for (;;) {
    try {
      await kube.apply(object);
      return;
    } catch (error) {
      if (!(error instanceof Refused && /failed calling webhook/.test(error.message))) throw error;
    }
  }
}

/** The seconds that the API server has waited for MetalLB's webhooks, and its calls of them. */
async function webhookTime(kube: Kube): Promise<{ readonly sum: number; readonly calls: number }> {
  const text: string = await kube.send('GET', '/metrics');
  const total = (part: string): number => {
    const line = new RegExp(
      `^apiserver_admission_webhook_admission_duration_seconds_${part}\\{.*metallb\\.io".*\\} (\\S+)$`,
      'gm',
    );
    return [...text.matchAll(line)].reduce((sum, [, value]) => sum + Number(value), 0);
  };
  return { sum: total('sum'), calls: total('count') };
}

function pools(version: MetallbVersion, layout: Layout): string {
  return providerPoolsText(`metallb: { version: ${version}, layout: ${layout} }
defaultZone: lan
pools: [{ name: lan, zone: lan, addresses: [10.64.0.0/16] }]
quotas: { default: 100000 }
`);
}

function lease(number: number): readonly [path: string, text: string] {
  const endpoint = { name: `site${number}`, service: 'web', port: 3000, externalPort: 80 };
  const dseq = String(18_000_000 + number);
  return [`leases/ember/${dseq}.yaml`, leaseOf(owner, dseq, endpoint)];
}
