import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Blow,
  type CommandLine,
  type Moment,
  runCommand,
} from '../support/branches/killed-run.ts';
import {
  makeTwoStates,
  type State,
  type TwoStates,
  today,
} from '../support/repositories/two-states.ts';
import { addCdk8s, type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { checkHere, listHere, pruneHere, synthHere } from '../support/run/direct-commands.ts';
import { repeats } from '../support/run/scope.ts';
import { type Seeded, seeded } from '../support/run/seeded.ts';
import { filesBelow, turnInto, unlike } from '../support/trees/tree-bytes.ts';

/** What the disk shows once all processes are gone. */
type Found = 'old' | 'staged' | 'committed' | 'new';

/** One repository that is struck again and again, and what was found after each blow. */
interface Lane {
  readonly root: string;
  readonly random: Seeded;
  readonly command: CommandLine;
  life: {
    readonly lifeMs: number;
    readonly stagedMs: number;
    readonly committedMs: number;
  };
  readonly found: Record<Found, number>;
  /** Blows that struck a run while it finished what an earlier one had committed, or cleared up. */
  again: number;
  from: State;
  into: State;
}

const struckShare = { kill: 0.35, prune: 0.3 };
let program: BuiltProgram;
let original: string;
let states: TwoStates;

beforeAll(async () => {
  program = buildProgram();
  original = mkdtempSync(join(tmpdir(), 'leasehold-kills-'));
  states = await makeTwoStates(original);
  addCdk8s(original, program.build);
  return () => {
    program.remove();
    rmSync(original, { recursive: true, force: true });
  };
});

describe.concurrent('a run that is killed at any moment', () => {
  it.for([
    ['leasehold synth', 1, repeats(6, 200), ['SIGKILL']],
    ['leasehold synth', 2, repeats(3, 200), ['SIGKILL']],
    ['cdk8s synth', 3, repeats(3, 100), ['SIGKILL']],
    ['leasehold synth', 4, repeats(2, 20), ['SIGTERM', 'SIGINT']],
    ['cdk8s synth', 5, repeats(2, 10), ['SIGTERM', 'SIGINT']],
  ] as const)(
    '%s leaves no mixed tree, and the next command gives the right one (seed %i, %i blows of %j)',
    // A busy machine makes each blow slow: half an hour was not enough beside three other suites.
    { timeout: 3_600_000 },
    async ([entry, seed, blows, signals], { onTestFinished }) => {
      const root = mkdtempSync(join(tmpdir(), 'leasehold-killed-'));
      onTestFinished(() => rmSync(root, { recursive: true, force: true }));
      const lane = startLane(root, entry, seed);
      let struck = 0;
      let runs = 0;
      while (struck < blows) {
        if (runs % 20 === 0) await measure(lane);
        const signal = signals[runs % signals.length] ?? 'SIGKILL';
        if (await strike(lane, entry, signal)) struck += 1;
        runs += 1;
        // Two measurements at least: the first may be of a machine that does other work.
        if (runs > 40 + 3 * blows) throw new Error(`only ${struck} of ${runs} runs were struck`);
      }
      const tally = JSON.stringify({ ...lane.found, again: lane.again, runs });
      console.log(`${entry}, seed ${seed}, found after ${blows} blows: ${tally}`);
      if (blows < 100) return;
      expect(lane.found.old).toBeGreaterThan(blows * 0.15);
      expect(lane.found.staged).toBeGreaterThan(blows * 0.05);
      expect(lane.found.committed).toBeGreaterThan(blows * 0.1);
      expect(lane.found.new).toBeGreaterThan(blows * 0.05);
      expect(lane.again).toBeGreaterThan(blows * 0.05);
    },
  );
});

/** A repository in state A, where no run has been measured yet. */
function startLane(root: string, entry: string, seed: number): Lane {
  cpSync(original, root, { recursive: true, verbatimSymlinks: true });
  const command: CommandLine =
    entry === 'cdk8s synth'
      ? {
          program: program.cdk8s,
          args: ['synth', '--check-upgrade=false'],
          cwd: root,
          env: { LEASEHOLD_TODAY: today },
        }
      : { program: program.cli, args: ['synth', '--today', today], cwd: root };
  const found = { old: 0, staged: 0, committed: 0, new: 0 };
  const life = { lifeMs: 0, stagedMs: 0, committedMs: 0 };
  const random = seeded(seed);
  return { root, random, command, life, found, again: 0, from: states.b, into: states.a };
}

/** Lets a run live, to know how long one takes: the machine may be busier than before, or less. */
async function measure(lane: Lane): Promise<void> {
  const { root, into } = lane;
  expect(await synthHere(root, today)).toEqual([]);
  expectOutputs(root, into);
  turnBack(lane);
  const { status, lifeMs, stagedMs, committedMs } = await runCommand(lane.command);
  expect(status).toBe(0);
  expectOutputs(root, lane.into);
  // On a machine that is too busy to look in time, the writing may have gone unseen.
  lane.life =
    committedMs >= stagedMs ? { lifeMs, stagedMs, committedMs } : { ...lane.life, lifeMs };
}

/** Runs the command, strikes it and looks; false when it had ended by itself. */
async function strike(lane: Lane, entry: string, signal: Blow['signal']): Promise<boolean> {
  const before = lookAt(lane);
  if (before === 'new') turnBack(lane);
  const isClean = before === 'new' || before === 'old';
  const at = entry === 'cdk8s synth' && lane.random.chance(0.3) ? 'app' : 'group';
  const moment = momentOf(lane, isClean);
  const ended = await runCommand(lane.command, { moment, blow: { signal, at } });
  if (ended.signal === null && ended.status === 0) {
    expectOutputs(lane.root, lane.into);
    return false;
  }
  if (ended.signal === null) expect(ended.stderr).toContain('non-zero exit code');
  else expect(ended.signal).toBe(signal);
  const found = lookAt(lane);
  lane.found[found] += 1;
  if (!isClean) lane.again += 1;
  await expectFrozenView(lane, found);
  await goOn(lane, found);
  return true;
}

/** The other state's declarations: from now on the tree on the disk is the old one. */
function turnBack(lane: Lane): void {
  [lane.from, lane.into] = [lane.into, lane.from];
  turnInto(lane.root, lane.from.declarations, lane.into.declarations);
}

/** Over the whole life of the run, and as often over its writing, which is short. */
function momentOf({ random, life }: Lane, isClean: boolean): Moment {
  const place = random.fraction();
  const writing = life.lifeMs - life.committedMs;
  if (!isClean || random.chance(0.4)) return { after: 'start', delayMs: place * life.lifeMs };
  if (random.chance(0.3)) {
    return { after: 'staging', delayMs: place * (life.committedMs - life.stagedMs) };
  }
  if (random.chance(0.6)) return { after: 'commit', delayMs: place * writing };
  return { after: 'end', delayMs: place * 10 };
}

/** Without `commit.json` the tree must be wholly old or wholly new, byte for byte. */
function lookAt({ root, from, into }: Lane): Found {
  if (existsSync(join(root, '.leasehold/txn/commit.json'))) return 'committed';
  const files = filesBelow(root);
  if (unlike(files, into.outputs).length === 0) return 'new';
  expect(unlike(files, from.outputs)).toEqual([]);
  return existsSync(join(root, '.leasehold/txn')) ? 'staged' : 'old';
}

/** A frozen command sees all of the old tree or all of the new one, and touches nothing. */
async function expectFrozenView(lane: Lane, found: Found): Promise<void> {
  const { root, from, into, random } = lane;
  const outputs = found === 'committed' || found === 'new' ? into : from;
  const expected = states.views[into.name][outputs.name];
  const everything = ['dist', 'leases', '.leasehold'];
  const before = filesBelow(root, everything);
  expect((await listHere(root)) === expected.list).toBe(true);
  if (random.chance(0.15)) expect((await checkHere(root)).length).toBe(expected.stale);
  if (random.chance(0.04)) {
    const check = { program: program.cli, args: ['check'], cwd: root };
    // What is recorded and not written yet is told: git would commit the old text.
    const isRed =
      expected.stale > 0 ||
      (found === 'committed' && unlike(filesBelow(root), into.outputs).length > 0);
    expect(await runCommand(check)).toMatchObject({ status: isRed ? 1 : 0 });
  }
  expect(unlike(before, filesBelow(root, everything))).toEqual([]);
}

/** The next command: another run that is struck, a prune, which keeps the tree, or a whole run. */
async function goOn(lane: Lane, found: Found): Promise<void> {
  const { root, random, from, into } = lane;
  if (found !== 'new' && random.chance(struckShare.kill)) return;
  const outputs = found === 'committed' || found === 'new' ? into : from;
  if (random.chance(struckShare.prune)) {
    if (random.chance(0.1))
      await expectFine(lane, {
        program: program.cli,
        args: ['prune', '--today', today],
        cwd: root,
      });
    else expect(await pruneHere(root, today)).toEqual([]);
    expectOutputs(root, outputs);
    return;
  }
  if (random.chance(0.1)) await expectFine(lane, lane.command);
  else expect(await synthHere(root, today)).toEqual([]);
  expectOutputs(root, into);
}

async function expectFine({ root }: Lane, command: CommandLine): Promise<void> {
  expect(await runCommand(command)).toMatchObject({ status: 0 });
  expect(existsSync(join(root, '.leasehold/txn'))).toBe(false);
}

function expectOutputs(root: string, { outputs }: State): void {
  expect(unlike(filesBelow(root), outputs)).toEqual([]);
  expect(existsSync(join(root, '.leasehold/txn'))).toBe(false);
}
