// A first synth of leases that are all alike, beside what people would use instead for the same declarations, in turn.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { measure } from '../measure.mjs';
import { writeWorkspace } from '../workspace.mjs';
import { baseDay, cli, floorProgram, floors, Rows } from './rounds.mjs';

/** More leases than this overflow the stack of cdk8s. */
const mostOfCdk8s = 20_000;
const plainProgram = join(import.meta.dirname, '../plain-cdk8s.mjs');
const plainAbout = 'Plain cdk8s counts addresses up, checks nothing, and writes one file.';
export const names = {
  ours: 'first synth',
  cdk8s: 'plain cdk8s',
};

export async function measureAlike(folder, { leases, rounds, peers }) {
  const rows = new Rows();
  const [source, root, out] = ['source', 'root', 'out'].map((name) => join(folder, name));
  const remove = (...paths) => {
    for (const path of paths) rmSync(path, { recursive: true, force: true });
  };
  const fitting = peers.filter(({ most }) => leases <= most);
  writeWorkspace(source, leases);
  for (let round = 0; round < rounds; round += 1) {
    cpSync(source, root, { recursive: true });
    const first = measure([cli, 'synth', '--today', baseDay, '-C', root]);
    rows.take(floors.write, undefined, measure([floorProgram, root, out]));
    rows.take(names.ours, floors.write, first);
    remove(out);
    expectObjects(names.ours, join(root, 'dist'), leases);
    if (leases <= mostOfCdk8s) {
      rows.take(names.cdk8s, floors.write, measure([plainProgram, root, out]));
      expectObjects(names.cdk8s, out, leases);
    }
    for (const peer of fitting.filter(({ rounds: most = rounds }) => round < most)) {
      const work = join(folder, 'work');
      remove(out, work);
      mkdirSync(out);
      peer.prepare({ root, work });
      rows.take(
        peer.row,
        floors.write,
        await peer.run({ folder: peer.folder, root, out: join(out, 'made'), work }),
      );
      expectObjects(peer.name, out, leases);
      remove(work);
    }
    remove(root, out);
  }
  remove(source);
  const notes = [plainAbout, ...fitting.map(({ about }) => about)];
  return { kind: 'alike', leases, rounds, rows: rows.spreads(), notes };
}

/** Equal work is four objects of each lease. */
function expectObjects(name, folder, leases) {
  let found = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    found += text.match(/^kind: "?(?!ConfigMap)/gm)?.length ?? 0;
  }
  if (found !== 4 * leases) throw new Error(`${name} made ${found} objects of ${leases} leases`);
}
