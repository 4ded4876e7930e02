// A first synth on a disk, beside writing the same files plainly: seconds by the clock, and the calls that wait for the disk.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { measure } from '../measure.mjs';
import { writeMixed } from '../mixed.mjs';
import { baseDay, cli, floorProgram, floors, Rows } from './rounds.mjs';

const calls = 'fsync,fdatasync,sync,syncfs,sync_file_range';

export function measureDisk(folder, leases, rounds) {
  const rows = new Rows();
  const [root, out] = [join(folder, 'root'), join(folder, 'out')];
  const args = [cli, 'synth', '--today', baseDay, '-C', root];
  const fresh = () => {
    for (const path of [root, out]) rmSync(path, { recursive: true, force: true });
    writeMixed(root, leases);
    // What others wrote before does not count.
    execFileSync('sync');
  };
  fresh();
  const syncs = syncsOf(args, join(folder, 'calls'));
  const counted = syncs === undefined ? {} : { syncs };
  for (let round = 0; round < rounds; round += 1) {
    fresh();
    const first = measure(args);
    execFileSync('sync');
    const plain = measure([floorProgram, root, out]);
    rows.take(floors.write, undefined, syncs === undefined ? plain : { ...plain, syncs: 0 });
    rows.take('first synth', floors.write, { ...first, ...counted });
  }
  return { kind: 'disk', leases, rounds, rows: rows.spreads() };
}

/** How many calls of a program wait for the disk, in a run of its own that strace slows; undefined without strace. */
function syncsOf(args, file) {
  try {
    execFileSync('strace', ['-f', '-e', `trace=${calls}`, '-o', file, process.execPath, ...args], {
      stdio: 'ignore',
    });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    console.log('without a count of syncs: there is no strace');
    return undefined;
  }
  const begun = new RegExp(`\\b(?:${calls.replaceAll(',', '|')})\\(`);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => begun.test(line)).length;
}
