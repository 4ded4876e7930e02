// @module-tag counted

import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allProblemCodes } from '../../src/core/model/codes/problem-codes.ts';
import { runInProcess } from '../support/run/run-in-process.ts';
import { sample } from '../support/run/scope.ts';
import { type BadCase, badKinds } from '../support/trees/bad-corpus.ts';
import {
  BadWorkspaces,
  commandLine,
  problemsIn,
  reportOf,
  statesWithoutLock,
} from '../support/trees/bad-workspaces.ts';

/*
 * The corpus of bad input. Each file of bad/ is a list of kinds: a code, a place, and at most four
 * cases. A case lays files over the sound workspace bad/base (test/support/trees/overlay.ts says how) and
 * lists every problem that must come of it. Lines and columns are those of the file as it stands then.
 */
const kinds = badKinds();
const cases = kinds.flatMap(({ code, place, cases }) =>
  cases.map((one): [string, BadCase] => [`${code}, ${place}: ${one.name}`, one]),
);
const workspaces = new BadWorkspaces();

beforeAll(() => workspaces.open());
afterAll(() => workspaces.close());

describe('bad input', () => {
  test.each(sample(cases, 6))('%s', async (_, one) => {
    const root = workspaces.of(one);
    const before = statesWithoutLock(root);

    const finished = await runInProcess(commandLine(one), root);

    const report = reportOf(one, finished);
    expect(problemsIn(report)).toEqual(one.problems);
    expect(finished.status).toBe(1);
    expect(report).not.toContain(root);
    expect(statesWithoutLock(root)).toEqual(before);
    rmSync(root, { recursive: true });
  });
});

describe('the corpus', () => {
  test('has at least 150 cases of at least 60 kinds, and at most four of a kind', () => {
    expect(cases.length).toBeGreaterThanOrEqual(150);
    expect(kinds.length).toBeGreaterThanOrEqual(60);
    expect(kinds.filter((kind) => kind.cases.length > 4)).toEqual([]);
  });

  test('names each kind and each case once', () => {
    const kindNames = kinds.map(({ code, place }) => `${code}, ${place}`);
    const caseNames = cases.map(([name]) => name);
    expect(new Set(kindNames).size).toBe(kindNames.length);
    expect(new Set(caseNames).size).toBe(caseNames.length);
  });

  test('raises in every case the code of its kind', () => {
    const others = kinds.flatMap(({ code, cases }) =>
      cases
        .filter(({ problems }) => !problems.some((problem) => problem.startsWith(`${code} `)))
        .map(({ name }) => `${code}: ${name}`),
    );
    expect(others).toEqual([]);
  });

  test('raises every code that there is', () => {
    // Every field that this version knows does something: nothing is left that is NOT_YET. The DNS says
    // PROOF_GONE, which test/cli/prove has. No file makes a tree that git does not make: test/cli/check/hostile-trees.
    const others = ['NOT_YET', 'PROOF_GONE', 'TREE_MALFORMED', 'TREE_TOO_LARGE'];
    const codes = Object.keys(allProblemCodes()).filter((code) => !others.includes(code));
    expect([...new Set(kinds.map(({ code }) => code))].sort()).toEqual(codes.sort());
  });
});

describe('the workspace that the cases build on', () => {
  test('is sound', async () => {
    const { status, out } = await runInProcess(['check'], workspaces.of({ files: {} }));
    expect(out).toMatch(/^no address changes; 5 held; all files up to date\n$/);
    expect(status).toBe(0);
  });

  test('is sound with metadata for editors, of which no manifest shows anything', async () => {
    const metadata = `metadata:
  name: any.name
  labels: { team: web }
  annotations: { example.com/note: for us }
`;
    const named = (file: string, before: string) => ({
      [file]: { change: [[before, `${metadata}${before}`] as const] },
    });
    const files = {
      ...named('leases/pools.yaml', 'pools:\n'),
      ...named('leases/alpha/web.yaml', 'spec:\n'),
      'leases/policy.yaml': `apiVersion: leasehold.dev/v1\nkind: Policy\n${metadata}`,
    };
    const { status, out } = await runInProcess(['check'], workspaces.of({ files }));
    expect(out).toMatch(/all files up to date/);
    expect(status).toBe(0);
  });

  test('is sound with the line ends of Windows', async () => {
    const change = (file: string) => ({ [file]: { lineEnds: 'crlf' as const } });
    const files = {
      ...change('leases/pools.yaml'),
      ...change('leases/alpha/web.yaml'),
      ...change('leases/beta/game.yaml'),
      ...change('leases/beta/game.sdl.yaml'),
    };
    const { status, out } = await runInProcess(['check'], workspaces.of({ files }));
    expect(out).toMatch(/all files up to date/);
    expect(status).toBe(0);
  });
});
