import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { planeNames } from '../../src/core/model/planes.ts';
import type { KubeObject } from '../support/cluster/kube.ts';
import { ciliumHere } from '../support/cluster/machines/cilium.ts';
import { metallbVersions } from '../support/cluster/machines/metallb.ts';
import { programFolder } from '../support/cluster/programs/programs.ts';
import {
  layoutHistories,
  layoutWays,
  type SimulatedHistory,
  type SimulatedPlane,
  simulatedHistories,
  strangersNamespace,
  strangersPool,
} from '../support/cluster/simulated-histories.ts';
import { repeats } from '../support/run/scope.ts';

/*
 * No cluster: a data plane's own controller runs in a program with an API of ours, which brings events late, again and in
 * another order: test/cluster/programs/simulated. Of MetalLB these are its reconcilers, allocator and handlers, of Cilium all
 * of LB-IPAM. An order is what one commit becomes with one seed.
 *
 * Go's order of maps is another one in each run, so a seed does not always repeat what it did.
 *
 * Since 0.14 MetalLB counts a Service that is deleted while its controller starts, until the next start: another Service on
 * that address and port waits. guards.test.ts shows it on a cluster. Here it comes once in some 200,000 orders; the
 * controller is then started again, which must heal it.
 *
 * LB-IPAM takes a Service for served when it changed another one beside it and that write failed: the Service waits for its
 * next change, or the next start, which `verify` advises. Without failed writes nothing waited in 6,000 orders.
 */

const planes: readonly SimulatedPlane[] = [
  ...metallbVersions.map((version) => ({ kind: 'metallb', version }) as const),
  ...ciliumHere.map((version) => ({ kind: 'cilium', version }) as const),
];

/** Every history is played with each of these seeds. */
const seeds = 10;
const tables = { metallb: repeats(60, 1_000), cilium: repeats(200, 1_000) } as const;

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

describe.skipIf(inject('clusterIsMissing'))('A simulated controller', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'simulated-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function play({ kind, version }: SimulatedPlane, all: readonly SimulatedHistory[]): Report {
    const file = join(folder, 'histories.json');
    writeFileSync(file, JSON.stringify(all));
    const [history, seed] = again ?? [];
    const chosen = history && seed ? [seed, seed, history] : ['1', `${seeds}`];
    const program = join(programFolder(`${kind}-${version}`), 'simulated');
    const options = { encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
    const [report = ''] = execFileSync(program, [file, ...chosen], options).split('\n');
    return JSON.parse(report);
  }

  describe.each(planes.map((plane) => [titleOf(plane), plane] as const))('%s', (_, plane) => {
    let histories: readonly SimulatedHistory[];
    beforeAll(async () => {
      histories = await simulatedHistories(plane, tables[plane.kind]);
    });

    test('no order of events gives a Service an address that the table does not give it', () => {
      const { Violation, Orders, Counts } = play(plane, histories);
      console.log(`${titleOf(plane)}, seeds 1 to ${seeds}: ${JSON.stringify(Counts)}`);
      expect(Violation && toldOf(plane, Violation)).toBeUndefined();
      if (again) return;
      const orders = tables[plane.kind] * seeds;
      expect(Orders).toBe(orders);
      const { Given = 0, Failed = 0, Restarts = 0, Rebuilt = 0, Healed = 0 } = Counts;
      expect(Healed).toBeLessThanOrEqual(plane.kind === 'metallb' ? 1 : Failed);
      const reached = [Given, Failed * 5, Restarts * 20, Rebuilt * 20];
      expect(Math.min(...reached)).toBeGreaterThan(orders / 2);
      // An address leaves a Service only in the commit that moves or releases it.
      if (plane.kind === 'cilium') expect(Counts.Interrupted).toBe(0);
    });

    test.each(Object.entries(sabotages[plane.kind]))(
      'such an address is found when %s',
      (_title, sabotage) => {
        const sabotaged = histories.map((stages) =>
          stages.map((stage) => ({
            ...stage,
            objects: stage.objects.map((object) => (isOurs(object) ? sabotage(object) : object)),
          })),
        );
        expect(play(plane, sabotaged).Violation).toBeDefined();
      },
    );

    test.runIf(plane.kind === 'metallb')(
      'a change of the layout takes no address from a Service, whatever the order and with restarts',
      async () => {
        const way = layoutWays.steps;
        const changed = await layoutHistories(plane.version, way, tables.metallb / way.length);
        const { Violation, Counts } = play(plane, changed);
        console.log(`${titleOf(plane)}, change of the layout: ${JSON.stringify(Counts)}`);
        expect(Violation && toldOf(plane, Violation)).toBeUndefined();
        expect(Counts.Interrupted).toBe(0);
        expect(Counts.Healed).toBeLessThanOrEqual(1);
        expect(Counts.Restarts).toBeGreaterThan(changed.length);
      },
    );

    // MetalLB 0.13 keeps its pools as long as a Service has an address of theirs.
    test.runIf(plane.kind === 'metallb' && plane.version !== '0.13.9')(
      'without the step in between it does',
      async () => {
        const changed = await layoutHistories(plane.version, layoutWays.direct, tables.metallb / 5);
        expect(play(plane, changed).Counts.Interrupted).toBeGreaterThan(0);
      },
    );
  });
});

function titleOf({ kind, version }: SimulatedPlane): string {
  return `${planeNames[kind]} ${version}`;
}

/** What was violated, in which order of events, and the command that plays it again. */
function toldOf(plane: SimulatedPlane, { History, Seed, What, Order }: Violation): string {
  const command = `SIMULATED='${History} ${Seed}' TEST_SCOPE=${process.env.TEST_SCOPE ?? 'quick'} npx vitest run --config test/vitest.config.ts --project cluster test/cluster/simulated.test.ts -t '${titleOf(plane)} no order'`;
  return `${titleOf(plane)}, history ${History}, seed ${Seed}:\n${What.join('\n')}\n\n${Order.join('\n')}\n\n${command}\n`;
}

function isOurs({ kind, metadata }: KubeObject): boolean {
  if (kind === 'Service') return metadata.namespace !== strangersNamespace;
  return kind !== 'Namespace' && metadata.name !== strangersPool;
}

type Sabotage = (object: KubeObject) => KubeObject;

const sabotages: Readonly<Record<SimulatedPlane['kind'], Readonly<Record<string, Sabotage>>>> = {
  metallb: {
    'no Service asks for its address': (object) =>
      without(object, 'loadBalancerIP', /\/loadBalancerIPs$/),
    'pools serve any Service that asks': (object) => without(object, 'serviceAllocation'),
    'pools serve any Service': (object) =>
      without(without(object, 'serviceAllocation'), 'autoAssign'),
    'no Service has a sharing key': (object) => without(object, '', /\/allow-shared-ip$/),
  },
  cilium: {
    'no Service asks for its address': (object) => without(object, '', /^lbipam\.cilium\.io\/ips$/),
    'pools serve any Service': (object) => without(object, 'serviceSelector'),
    'no Service has a sharing key': (object) => without(object, '', /\/sharing-key$/),
    'Services share in their own namespace only': (object) =>
      without(object, '', /\/sharing-cross-namespace$/),
  },
};

/** Without a field of the spec, and without annotations. */
function without(object: KubeObject, field: string, annotation?: RegExp): KubeObject {
  const { [field]: _, ...spec } = object.spec;
  const { annotations = {} } = object.metadata;
  const left = Object.entries(annotations).filter(([key]) => !annotation?.test(key));
  const metadata = { ...object.metadata, annotations: Object.fromEntries(left) };
  return { ...object, metadata, spec };
}
