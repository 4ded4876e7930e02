// What was measured in several rounds, and where.
import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { spreadOf } from '../measure.mjs';

export const cli = join(import.meta.dirname, '../../build/src/cli/main.js');
export const floorProgram = join(import.meta.dirname, '../floor.mjs');
export const floors = { read: 'read all files', write: 'read all, write the committed ones' };
/** The days of what is recorded first, and of a change. */
export const [baseDay, changeDay] = ['2026-01-02', '2026-01-03'];

const isMemory = (folder) => statfsSync(folder).type === 0x01021994;

/** A new folder in memory where there is one, because a disk is slower and differs more from run to run; TMPDIR goes first. */
export function folderInMemory() {
  const shared = '/dev/shm';
  const free = () => statfsSync(shared).bavail * statfsSync(shared).bsize;
  const isBetter = !process.env.TMPDIR && existsSync(shared) && isMemory(shared) && free() > 4e9;
  const folder = mkdtempSync(join(isBetter ? shared : tmpdir(), 'leasehold-bench-'));
  return { folder, place: isMemory(folder) ? 'tmpfs' : 'a disk' };
}

/** A new folder on a disk; undefined when neither the temporary folder nor the home is on one. */
export function folderOnDisk() {
  const place = [tmpdir(), homedir()].find((folder) => !isMemory(folder));
  return place && mkdtempSync(join(place, 'leasehold-bench-'));
}

/** Fewer rounds of what takes long. */
export function roundsFor(leases, asked) {
  if (asked !== undefined) return asked;
  if (leases <= 1000) return 5;
  return leases <= 20_000 ? 3 : 1;
}

/** Figures by row. Each row names the one that it is compared with, or is compared with itself. */
export class Rows {
  #rows = new Map();

  take(name, over, figures) {
    const row = this.#rows.get(name) ?? { over, results: [] };
    this.#rows.set(name, row);
    row.results.push(figures);
  }

  /** Medians with the least and the most, of every figure that the rows have. */
  spreads() {
    return [...this.#rows].map(([name, { over, results }]) => {
      const keys = ['cpu', 'wall', 'megabytes', 'syncs'].filter((key) => key in results[0]);
      const spread = (key) => rounded(spreadOf(results.map((figures) => figures[key])));
      return { name, over, ...Object.fromEntries(keys.map((key) => [key, spread(key)])) };
    });
  }
}

const rounded = (spread) =>
  Object.fromEntries(Object.entries(spread).map(([key, value]) => [key, Number(value.toFixed(4))]));

/** `5000` as 5,000. */
export const counted = (number) => String(number).replace(/(?<=\d)(?=(?:\d{3})+$)/g, ',');
