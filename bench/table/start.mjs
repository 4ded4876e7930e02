// What a command costs that has little to do: in a repository of ten declarations.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { measure } from '../measure.mjs';
import { writeMixed } from '../mixed.mjs';
import { baseDay, cli, Rows } from './rounds.mjs';

const empty = 'node -e 0';
const leases = 10;
/** Runs of one round: the kernel counts hundredths of a second. */
const times = 10;
const commands = [
  ['--version'],
  ['explain', 'POOL_EXHAUSTED'],
  ['complete', '--', 'li'],
  ['list'],
  ['who', '10.0.0.2'],
  ['check'],
];

/** `node` is the path of another version of Node. */
export function measureStart(folder, rounds, node) {
  const rows = new Rows();
  const root = join(folder, 'start');
  writeMixed(root, leases);
  measure([cli, 'synth', '--today', baseDay, '-C', root]);
  for (let round = 0; round < rounds; round += 1) {
    rows.take(empty, undefined, measure(['-e', '0'], { times, node }));
    for (const args of commands) {
      rows.take(args.join(' '), empty, measure([cli, ...args], { cwd: root, times, node }));
    }
  }
  rmSync(root, { recursive: true });
  return { kind: 'start', leases, rounds, rows: rows.spreads() };
}
