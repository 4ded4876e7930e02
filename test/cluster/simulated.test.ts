import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { KubeObject } from '../support/cluster/kube.ts';
import { type MetallbVersion, metallbVersions } from '../support/cluster/machines/metallb.ts';
import { programFolder } from '../support/cluster/programs/programs.ts';
import {
  layoutHistories,
  layoutWays,
  type SimulatedHistory,
  simulatedHistories,
  strangersNamespace,
} from '../support/cluster/simulated-histories.ts';
import { repeats } from '../support/run/scope.ts';

/*
 * No cluster: MetalLB's own reconcilers, allocator and handlers run in a program with an API of ours, which brings events late,
 * again and in another order: test/cluster/programs/metallb-simulated. An order is what one commit becomes with one seed.
 *
 * Go's order of maps is another one in each run, so a seed does not always repeat what it did.
 *
 * Since 0.14 MetalLB counts a Service that is deleted while its controller starts, until the next start: another Service on
 * that address and port waits. guards.test.ts shows it on a cluster. Here it comes once in some 200,000 orders; the
 * controller is then started again, which must heal it.
 */

const tables = repeats(60, 1_000);
/** Every history is played with each of these seeds. */
const seeds = 10;
const orders = tables * seeds;

/** `HISTORY SEED`, as a violation prints it: only this one is played. */
const again = process.env.SIMULATED?.split(' ');

interface Report {
  /** How many orders were played, up to a violation. */
  readonly Orders: number;
  readonly Counts: Readonly<Record<string, number>>;
  readonly Violation?: Violation;
}

interface Violation {
  readonly History: number;
  readonly Seed: number;
  readonly What: readonly string[];
  readonly Order: readonly string[];
}

describe.skipIf(inject('clusterIsMissing'))("MetalLB's controller, simulated", () => {
  let folder: string;
  const histories = new Map<MetallbVersion, readonly SimulatedHistory[]>();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'simulated-'));
    for (const version of metallbVersions) {
      histories.set(version, await simulatedHistories(version, tables));
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function historiesOf(version: MetallbVersion): readonly SimulatedHistory[] {
    return histories.get(version) ?? [];
  }

  function play(version: MetallbVersion, all: readonly SimulatedHistory[]): Report {
    const file = join(folder, 'histories.json');
    writeFileSync(file, JSON.stringify(all));
    const [history, seed] = again ?? [];
    const chosen = history && seed ? [seed, seed, history] : ['1', `${seeds}`];
    const program = join(programFolder(`metallb-${version}`), 'simulated');
    const options = { encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
    return JSON.parse(execFileSync(program, [file, ...chosen], options));
  }

  describe.each(metallbVersions)('MetalLB %s', (version) => {
    test('no order of events gives a Service an address that the table does not give it', () => {
      const report = play(version, historiesOf(version));
      console.log(`MetalLB ${version}, seeds 1 to ${seeds}: ${JSON.stringify(report.Counts)}`);
      expect(report.Violation && toldOf(version, report.Violation)).toBeUndefined();
      if (again) return;
      expect(report.Orders).toBe(orders);
      const { Given = 0, Failed = 0, Restarts = 0, Rebuilt = 0, Healed = 0 } = report.Counts;
      expect(Healed).toBeLessThanOrEqual(1);
      const reached = [Given, Failed * 5, Restarts * 20, Rebuilt * 20];
      expect(Math.min(...reached)).toBeGreaterThan(orders / 2);
    });

    test('a change of the layout takes no address from a Service, whatever the order and with restarts', async () => {
      const way = layoutWays.steps;
      const changed = await layoutHistories(version, way, tables / way.length);
      const { Violation, Counts } = play(version, changed);
      console.log(`MetalLB ${version}, change of the layout: ${JSON.stringify(Counts)}`);
      expect(Violation && toldOf(version, Violation)).toBeUndefined();
      expect(Counts.Interrupted).toBe(0);
      expect(Counts.Healed).toBeLessThanOrEqual(1);
      expect(Counts.Restarts).toBeGreaterThan(changed.length);
    });

    // MetalLB 0.13 keeps its pools as long as a Service has an address of theirs.
    test.skipIf(version === '0.13.9')('without the step in between it does', async () => {
      const changed = await layoutHistories(version, layoutWays.direct, tables / 5);
      expect(play(version, changed).Counts.Interrupted).toBeGreaterThan(0);
    });

    test.each(Object.entries(sabotages))('such an address is found when %s', (_, sabotage) => {
      const sabotaged = historiesOf(version).map((stages) =>
        stages.map((stage) => ({
          ...stage,
          objects: stage.objects.map((object) => (isOurs(object) ? sabotage(object) : object)),
        })),
      );
      expect(play(version, sabotaged).Violation).toBeDefined();
    });
  });
});

/** What was violated, in which order of events, and the command that plays it again. */
function toldOf(version: MetallbVersion, { History, Seed, What, Order }: Violation): string {
  const command = `SIMULATED='${History} ${Seed}' TEST_SCOPE=${process.env.TEST_SCOPE ?? 'quick'} npx vitest run --config test/vitest.config.ts --project cluster test/cluster/simulated.test.ts -t '${version} no order'`;
  return `MetalLB ${version}, history ${History}, seed ${Seed}:\n${What.join('\n')}\n\n${Order.join('\n')}\n\n${command}\n`;
}

function isOurs({ kind, metadata }: KubeObject): boolean {
  return (
    (kind === 'Service' && metadata.namespace !== strangersNamespace) ||
    (kind === 'IPAddressPool' && metadata.name !== 'dynamic')
  );
}

const sabotages: Readonly<Record<string, (object: KubeObject) => KubeObject>> = {
  'no Service asks for its address': (object) =>
    without(object, 'loadBalancerIP', /\/loadBalancerIPs$/),
  'pools serve any Service that asks': (object) => without(object, 'serviceAllocation'),
  'pools serve any Service': (object) =>
    without(without(object, 'serviceAllocation'), 'autoAssign'),
  'no Service has a sharing key': (object) => without(object, '', /\/allow-shared-ip$/),
};

/** Without a field of the spec, and without annotations. */
function without(object: KubeObject, field: string, annotation?: RegExp): KubeObject {
  const { [field]: _, ...spec } = object.spec;
  const { annotations = {} } = object.metadata;
  const left = Object.entries(annotations).filter(([key]) => !annotation?.test(key));
  const metadata = { ...object.metadata, annotations: Object.fromEntries(left) };
  return { ...object, metadata, spec };
}
