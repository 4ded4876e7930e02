import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { runProcess } from '../support/run/run-process.ts';
import { repeats } from '../support/run/scope.ts';
import { type BadCase, badKinds } from '../support/trees/bad-corpus.ts';
import {
  BadWorkspaces,
  commandLine,
  problemsIn,
  reportOf,
  statesWithoutLock,
} from '../support/trees/bad-workspaces.ts';

/** The first case of every thirtieth kind, in a full run of every twelfth: what the corpus says must hold for the real process too. */
const sample = badKinds()
  .filter((_, index) => index % repeats(30, 12) === 0)
  .flatMap(({ code, cases }): [string, BadCase][] => {
    const [first] = cases;
    return first ? [[`${code}: ${first.name}`, first]] : [];
  });
const workspaces = new BadWorkspaces();
let program: BuiltProgram;

beforeAll(async () => {
  program = buildProgram();
  await workspaces.open();
});
afterAll(() => {
  program.remove();
  workspaces.close();
});

describe('bad input to the real process', () => {
  test('is of at least ten kinds', () => {
    expect(sample.length).toBeGreaterThanOrEqual(10);
  });

  test.each(sample)('%s', async (_, one) => {
    const root = workspaces.of(one);
    const before = statesWithoutLock(root);
    const args = [program.cli, ...commandLine(one)];
    const finished = await runProcess(process.execPath, args, { cwd: root });
    const report = reportOf(one, finished);
    expect(problemsIn(report)).toEqual(one.problems);
    expect(finished.status).toBe(1);
    expect(report).not.toContain(root);
    expect(statesWithoutLock(root)).toEqual(before);
  });
});
