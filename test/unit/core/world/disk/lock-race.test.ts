// @module-tag slow

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { openForReading, openForWriting } from '../../../../../src/core/world/disk/disk-tree.ts';
import { compiled } from '../../../../support/run/compiled-modules.ts';
import { content, filesOf, putFile, tempTree } from '../../../../support/trees/temp-tree.ts';

/**
 * Takes the lock many times. While it has it, adds one to a counter, in steps that lose counts when
 * two do it at once. Told so, it kills itself in its last turn instead of releasing.
 */
const racer = `
import { readFileSync, writeFileSync, rmSync } from 'node:fs';
const { acquireLock } = await import(process.argv[1]);
const [root, turns, end] = process.argv.slice(2);
for (let turn = 0; turn < Number(turns); turn++) {
  const lock = await acquireLock(root);
  writeFileSync(root + '/alone', '', { flag: 'wx' });
  const count = Number(readFileSync(root + '/count', 'utf8'));
  await new Promise((resolve) => setImmediate(resolve));
  writeFileSync(root + '/count', String(count + 1));
  rmSync(root + '/alone');
  if (end === 'kill' && turn === Number(turns) - 1) process.kill(process.pid, 'SIGKILL');
  lock.release();
}
`;

/** Commits, and is killed in the middle of carrying it out. */
const killedWriter = `
const { commitChanges } = await import(process.argv[1]);
const { diskOperations } = await import(process.argv[1].replace('journal.js', 'file-operations.js'));
const { acquireLock } = await import(process.argv[1].replace('journal.js', 'lock.js'));
const [root] = process.argv.slice(2);
await acquireLock(root);
const rename = (from, to) => {
  if (to.endsWith('b.yaml')) process.kill(process.pid, 'SIGKILL');
  diskOperations.rename(from, to);
};
const writes = new Map(['a', 'b', 'c'].map((name) => ['dist/' + name + '.yaml', 'new']));
await commitChanges(root, { writes, removes: ['dist/d.yaml'] }, { ...diskOperations, rename });
`;

async function run(script: string, ...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += String(chunk);
  });
  const [status, signal] = await once(child, 'close');
  return complaint || String(signal ?? status);
}

let modules: string;
beforeAll(() => {
  const { url, remove } = compiled('src/core/world/disk/disk-tree.ts');
  modules = url;
  return remove;
});

it('lets only one process in, also when holders are killed and many take over', async () => {
  const lock = modules.replace('disk-tree.js', 'lock.js');
  const root = tempTree({ count: '0' });
  for (let round = 0; round < 3; round++) {
    const ends = ['kill', 'kill', 'kill', 'release', 'release', 'release'];
    const results = await Promise.all(ends.map((end) => run(racer, lock, root, '5', end)));
    expect(results).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL', '0', '0', '0']);
  }
  expect(readFileSync(join(root, 'count'), 'utf8')).toBe(String(3 * 6 * 5));
});

it('finishes the transaction of a killed writer at once', async () => {
  const journal = modules.replace('disk-tree.js', 'journal.js');
  const root = tempTree({ 'dist/a.yaml': 'old', 'dist/b.yaml': 'old', 'dist/d.yaml': 'old' });
  putFile(root, 'leases/pools.yaml', 'pools');
  expect(await run(killedWriter, journal, root)).toBe('SIGKILL');
  const expected = { 'dist/a.yaml': 'new', 'dist/b.yaml': 'new', 'dist/c.yaml': 'new' };
  expect(content(root)).toMatchObject({ 'dist/a.yaml': 'new', 'dist/b.yaml': 'old' });
  const seen = openForReading(root).list('dist');
  expect(seen.map((entry) => entry.path)).toEqual(Object.keys(expected));
  (await openForWriting(root)).close();
  expect(filesOf(content(root))).toEqual({ ...expected, 'leases/pools.yaml': 'pools' });
});
