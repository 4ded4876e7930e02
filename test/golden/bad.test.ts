import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problemCodes } from '../../src/model/problem-codes.ts';
import { type BadCase, badFolder, badKinds } from '../support/bad-corpus.ts';
import { fileStates } from '../support/file-states.ts';
import { gitEnvironment } from '../support/git-environment.ts';
import { lay } from '../support/overlay.ts';
import { runInProcess } from '../support/run-in-process.ts';

/*
 * The corpus of bad input. Each file of bad/ is a list of kinds: a code, a place, and at most four
 * cases. A case lays files over the sound workspace bad/base (test/support/overlay.ts says how) and
 * lists every problem that must come of it. Lines and columns are those of the file as it stands then.
 */
const today = '2026-03-03';
const kinds = badKinds();
const cases = kinds.flatMap(({ code, place, cases }) =>
  cases.map((one): [string, BadCase] => [`${code}, ${place}: ${one.name}`, one]),
);
const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-bad-'));
  folders.push(folder);
  return folder;
}

/** The sound workspace with its manifests. */
let sound: string;

beforeAll(async () => {
  sound = newFolder();
  cpSync(join(badFolder, 'base'), sound, { recursive: true });
  const { status } = await runInProcess(['synth', '--today', today], sound);
  if (status !== 0) throw new Error('the workspace that the cases build on is not sound');
  rmSync(join(sound, '.leasehold'), { recursive: true });
});

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function workspaceOf(one: Pick<BadCase, 'files' | 'git'>): string {
  const root = newFolder();
  cpSync(sound, root, { recursive: true });
  if (one.git) {
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
    ]) {
      execFileSync('git', args, { cwd: root, env: gitEnvironment });
    }
  }
  lay(root, one.files);
  return root;
}

function commandLine({ run = ['synth'], today: day = today }: BadCase): readonly string[] {
  return run[0] === 'check' ? run : [...run, '--today', day];
}

/** Every line of the report that is no more than what a problem's own line says, in its one form. */
function problemsIn(report: string): readonly string[] {
  const lines = report.split('\n');
  const count = lines.splice(-2);
  const problems = lines.flatMap((line) => {
    if (/^ {2}(?:also \S.*:[1-9]\d*:[1-9]\d*|hint: \S.*[^.])$/.test(line)) return [];
    const [, place, code] = /^(\S.*:[1-9]\d*:[1-9]\d*) ([A-Z][A-Z_]+) \S.*[^.]$/.exec(line) ?? [];
    return place ? [`${code} ${place}`] : [`no line of a report: ${line}`];
  });
  const total = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  expect(count).toEqual([`${total}; leasehold explain CODE says more`, '']);
  return problems;
}

/** All but leasehold's own folder, which git is told to ignore and which holds no journal. */
function withoutLock(states: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const own = /^\.leasehold(?:$|\/\.gitignore$|\/lock(?:$|\/))/;
  return Object.fromEntries(Object.entries(states).filter(([path]) => !own.test(path)));
}

describe('bad input', () => {
  test.each(cases)('%s', async (_, one) => {
    const root = workspaceOf(one);
    const before = fileStates(root);

    const { status, out, err } = await runInProcess(commandLine(one), root);

    expect(problemsIn(err)).toEqual(one.problems);
    expect(status).toBe(1);
    expect(out).toBe('');
    expect(err).not.toContain(root);
    expect(withoutLock(fileStates(root))).toEqual(before);
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
    expect([...new Set(kinds.map(({ code }) => code))].sort()).toEqual(
      Object.keys(problemCodes).sort(),
    );
  });
});

describe('the workspace that the cases build on', () => {
  test('is sound', async () => {
    const { status, err } = await runInProcess(['check'], workspaceOf({ files: {} }));
    expect(err).toMatch(/^no address changes; 5 held; all files up to date\n$/);
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
    const { status, err } = await runInProcess(['check'], workspaceOf({ files }));
    expect(err).toMatch(/all files up to date/);
    expect(status).toBe(0);
  });
});
