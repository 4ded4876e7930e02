import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runInProcess } from '../support/run/run-in-process.ts';
import { filesBelow, outputFolders, turnInto } from '../support/trees/tree-bytes.ts';

/*
 * Whole workspaces. Each folder of cases/ has `about.md`, what it is for; `today`, the day of the run;
 * `in/`, what is committed; and `out/`, what synth makes of it: the allocation files, dist/, what it
 * prints, and the list. UPDATE_GOLDEN=1 writes `out/` anew and removes what is left over there.
 */
const folder = resolve(import.meta.dirname, 'cases');
const cases = readdirSync(folder).sort();
const update = process.env.UPDATE_GOLDEN === '1';

function workspace(name: string): string {
  const root = mkdtempSync(join(tmpdir(), 'leasehold-golden-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(join(folder, name, 'in'), root, { recursive: true });
  return root;
}

async function synth(name: string, root: string): Promise<string> {
  const today = readFileSync(join(folder, name, 'today'), 'utf8').trim();
  const { status, out, err } = await runInProcess(['synth', '--today', today], root);
  expect([status, err], out).toEqual([0, '']);
  return out;
}

/** All of `out/`: path to text. */
function expectedOf(name: string): ReadonlyMap<string, string> {
  return filesBelow(join(folder, name), ['out']);
}

async function madeOf(name: string): Promise<ReadonlyMap<string, string>> {
  const root = workspace(name);
  const summary = await synth(name, root);
  const list = await runInProcess(['list'], root);
  const made = new Map([
    ['out/synth.txt', summary],
    ['out/list.txt', list.out],
  ]);
  for (const [path, text] of filesBelow(root)) made.set(`out/${path}`, text);
  return made;
}

describe('UPDATE_GOLDEN', () => {
  test('is not for CI', () => {
    expect(update && process.env.CI).toBeFalsy();
  });
});

describe('golden workspaces', () => {
  test.each(cases)('%s', async (name) => {
    const made = await madeOf(name);
    if (update && !process.env.CI) turnInto(join(folder, name), expectedOf(name), made);
    const expected = expectedOf(name);
    expect([...made.keys()].sort()).toEqual([...expected.keys()].sort());
    for (const [path, text] of made) expect(text, path).toBe(expected.get(path));
  });

  test.each(cases)('%s is a fixpoint, and dist comes again from nothing', async (name) => {
    const root = workspace(name);
    await synth(name, root);
    const once = filesBelow(root);
    expect(await synth(name, root)).toMatch(/^no address changes; .* all files up to date\n$/);
    expect((await runInProcess(['check'], root)).status).toBe(0);
    rmSync(join(root, 'dist'), { recursive: true });
    await synth(name, root);
    expect(filesBelow(root, outputFolders)).toEqual(once);
  });

  test.each(cases)('%s says what it is for', (name) => {
    expect(readFileSync(join(folder, name, 'about.md'), 'utf8')).toMatch(/^[A-Z`][\s\S]{40,}\.\n$/);
  });
});

describe('the shipped example', () => {
  test('is up to date', async () => {
    const root = mkdtempSync(join(tmpdir(), 'leasehold-golden-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    for (const part of ['leases', 'dist']) cpSync(part, join(root, part), { recursive: true });
    const { status, out } = await runInProcess(['check'], root);
    expect([status, out]).toEqual([0, expect.stringContaining('all files up to date')]);
  });
});
