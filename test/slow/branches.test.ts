import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { baseDeclarations } from '../support/branches/branch-kinds.ts';
import {
  type Branches,
  branchDay,
  type Merged,
  makeBranches,
  merge,
  type Pair,
  pairsOf,
  type Relation,
  relationOf,
} from '../support/branches/branches.ts';
import { blended, conflicts, refused } from '../support/branches/merge-results.ts';
import { buildProgram } from '../support/run/built-program.ts';
import { runProcess } from '../support/run/run-process.ts';
import { turnInto } from '../support/trees/tree-bytes.ts';

/** What two branches have to do with each other, and how their merge ended. */
interface Result {
  readonly names: string;
  readonly relation: Relation;
  readonly merged: Merged;
}

/** Git before 2.50 has renames looked for by its default strategy even when told not to. */
const noRenames = ['-s', 'recursive', '-X', 'no-renames'];

let made: Branches;
const resultsOf = new Map<string, Promise<readonly Result[]>>();

beforeAll(async () => {
  const root = mkdtempSync(join(tmpdir(), 'leasehold-branches-'));
  made = await makeBranches(root);
  return () => rmSync(root, { recursive: true, force: true });
});

describe.each([
  ['without a look for renames', noRenames, []],
  ['as git does it by default', [], blended],
] as const)('all pairs of branches, merged %s', (_, options, blends) => {
  it('conflict when both give one address to different holders', async () => {
    const collisions = (await results(options)).filter(({ relation }) => relation === 'address');
    expect(collisions.map(({ names }) => names)).toEqual(conflicts.address);
    expect(collisions.filter(({ merged }) => merged !== 'conflict')).toEqual([]);
  });

  it('conflict in no other pairs than those that edit one thing', async () => {
    const all = await results(options);
    for (const [relation, expected] of Object.entries(conflicts)) {
      const found = all.filter(
        (result) => result.relation === relation && result.merged === 'conflict',
      );
      const without = expected.filter((names) => !(blends as readonly string[]).includes(names));
      expect(found.map(({ names }) => names)).toEqual(without);
    }
  });

  it('merge into a tree that check accepts when they touch different holders, addresses and pools', async () => {
    const apart = (await results(options)).filter(({ relation }) => relation === 'nothing');
    expect(apart.length).toBeGreaterThan(230);
    const sound = { codes: [], refused: [], announcedTwice: [], blended: [] };
    expect(apart.filter(({ merged }) => !isLike(merged, sound))).toEqual([]);
  });

  it('merge into a tree that check refuses when one changes the pool that the other one took from', async () => {
    const found = clean(await results(options)).filter(({ merged }) => merged.codes.length > 0);
    expect(
      Object.fromEntries(found.map(({ names, merged }) => [names, merged.codes.join()])),
    ).toEqual(refused);
  });

  it('never announce one address for two holders', async () => {
    const merged = clean(await results(options));
    expect(merged.length).toBeGreaterThan(300);
    expect(merged.filter((result) => result.merged.announcedTwice.length > 0)).toEqual([]);
  });

  it('are refused by check --base where a claim was blended, and nowhere else', async () => {
    const found = clean(await results(options)).filter(({ merged }) => merged.refused.length > 0);
    expect(found.map(({ names, merged }) => [names, merged.refused])).toEqual(
      blends.map((names) => [names, ['MERGE_BLENDED']]),
    );
  });

  it('blend the claims of two tenants only where git looks for renames', async () => {
    const found = clean(await results(options)).filter(({ merged }) => merged.blended.length > 0);
    expect(found.map(({ names }) => names)).toEqual(blends);
  });
});

describe('the program itself', () => {
  it('makes the branches and judges the merges as these tests do', async () => {
    const program = buildProgram();
    const { root, git } = made.repository;
    const run = (...args: readonly string[]) =>
      runProcess(process.execPath, [program.cli, ...args], { cwd: root });
    try {
      for (const { kind, side, commit } of made.branches.filter((_, index) => index % 17 === 2)) {
        git('checkout', '-q', '--detach', '-f', 'base');
        const { base } = baseDeclarations();
        turnInto(root, base, kind.edit(base, side));
        git('add', '-A');
        expect(await run('synth', '--today', branchDay)).toMatchObject({ status: 0 });
        git('add', '-A');
        expect(git('diff', '--cached', '--stat', commit)).toBe('');
      }
      expect(await mergedAndChecked('add a lease + take the lowest address')).toMatchObject({
        status: 0,
      });
      const stranded = await mergedAndChecked('take the lowest address + shrink a pool');
      expect(stranded).toMatchObject({ status: 1 });
      expect(stranded.out).toContain('ADDRESS_STRANDED');
    } finally {
      program.remove();
    }

    async function mergedAndChecked(names: string) {
      const pair = pairsOf(made).find((candidate) => namesOf(candidate) === names);
      if (pair === undefined) throw new Error(`there is no pair ${names}`);
      git('reset', '-q', '--hard');
      await merge(made, pair, noRenames);
      return run('check');
    }
  });
});

/** All pairs merged with these options; once, and whoever asks first waits. */
function results(options: readonly string[]): Promise<readonly Result[]> {
  const known = resultsOf.get(options.join(' '));
  const found = known ?? mergeAll(options);
  resultsOf.set(options.join(' '), found);
  return found;
}

async function mergeAll(options: readonly string[]): Promise<readonly Result[]> {
  const merged: Result[] = [];
  for (const pair of pairsOf(made)) {
    const result = { names: namesOf(pair), relation: relationOf(pair) };
    merged.push({ ...result, merged: await merge(made, pair, options) });
  }
  return merged;
}

function namesOf({ left, right }: Pair): string {
  return `${left.kind.name} + ${right.kind.name}`;
}

type Clean = Result & { readonly merged: Exclude<Merged, 'conflict'> };

function clean(all: readonly Result[]): readonly Clean[] {
  return all.filter((result): result is Clean => result.merged !== 'conflict');
}

function isLike(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
