// What every command of a day costs, beside the floor (bench/floor.mjs) and what people would use instead: whole processes, in turn, in
// one run. Writes bench/results.json, and from it the tables of docs/speed.md and their chart.
//
// Usage: node bench/table.mjs [--keep | --against FILE] [--mixed SIZES] [--alike SIZES] [--disk SIZES] [--no-start] [--other-node FILE] [--rounds N] [--no-build]
//   --keep            writes nothing
//   --against FILE    writes nothing, and prints how the figures differ from those of a file such as bench/results.json
//   --mixed SIZES     numbers of declarations with commas between, or `none`; so --alike beside other tools, and --disk
//   --no-start        without the small commands
//   --other-node FILE the small commands and 10,000 mixed declarations with another version of Node, too
//   --rounds N        of every size; else 5 up to 1,000, 3 up to 20,000, 1 above
//   --no-build        only with the other tools that are built already
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { availablePeers } from './peers/peers.mjs';
import { measureAlike } from './table/alike.mjs';
import { chartOf } from './table/chart.mjs';
import { comparison } from './table/compare.mjs';
import { measureDisk } from './table/disk.mjs';
import { markdownOf } from './table/markdown.mjs';
import { measureMixed } from './table/mixed.mjs';
import { folderInMemory, folderOnDisk, roundsFor } from './table/rounds.mjs';
import { measureStart } from './table/start.mjs';

const here = import.meta.dirname;
const { values: options } = parseArgs({
  allowNegative: true,
  options: {
    keep: { type: 'boolean', default: false },
    against: { type: 'string' },
    mixed: { type: 'string' },
    alike: { type: 'string' },
    disk: { type: 'string' },
    start: { type: 'boolean', default: true },
    'other-node': { type: 'string' },
    rounds: { type: 'string' },
    build: { type: 'boolean', default: true },
  },
});
const before = options.against && (JSON.parse(readFileSync(options.against, 'utf8')).tables ?? []);
/** A comparison is a habit: it takes minutes. */
const usual = before
  ? { mixed: [1000, 10_000], alike: [], disk: [] }
  : { mixed: [1000, 10_000, 20_000, 100_000], alike: [1000, 5000, 20_000], disk: [5000] };
const sizes = (kind) => {
  if (options[kind] === undefined) return usual[kind];
  return options[kind] === 'none' ? [] : options[kind].split(',').map(Number);
};
const rounds = (leases) => roundsFor(leases, options.rounds && Number(options.rounds));

const { place, tables } = await measureAll();
if (before) {
  console.log(comparison(tables, before).join('\n'));
} else {
  console.log(markdownOf(tables));
  if (!options.keep) write();
}

async function measureAll() {
  const { folder, place } = folderInMemory();
  const disk = sizes('disk').length > 0 ? folderOnDisk() : undefined;
  const tables = [];
  const take = (table) => {
    tables.push(table);
    console.error(`measured ${table.kind}, ${table.leases}, ${table.rounds} rounds`);
  };
  try {
    for (const leases of sizes('mixed')) take(measureMixed(folder, leases, rounds(leases)));
    const peers =
      sizes('alike').length > 0 ? await availablePeers({ mayBuild: options.build }) : [];
    for (const leases of sizes('alike')) {
      take(await measureAlike(folder, { leases, rounds: rounds(leases), peers }));
    }
    if (options.start) take(measureStart(folder, rounds(0)));
    for (const leases of disk ? sizes('disk') : []) take(measureDisk(disk, leases, rounds(leases)));
    const other = options['other-node'];
    if (other) {
      const node = execFileSync(other, ['--version'], { encoding: 'utf8' }).trim();
      const leases = sizes('mixed').findLast((size) => size <= 10_000);
      if (leases) take({ ...measureMixed(folder, leases, rounds(leases), other), node });
      take({ ...measureStart(folder, rounds(0), other), node });
    }
  } finally {
    for (const made of [folder, disk]) if (made) rmSync(made, { recursive: true, force: true });
  }
  return { place, tables };
}

/** Writes the figures, the tables between the marks of docs/speed.md, and the chart. */
function write() {
  const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' });
  const made = { commit: commit.trim(), node: process.version, place, tables };
  writeFileSync(join(here, 'results.json'), `${JSON.stringify(made, undefined, 2)}\n`);
  const page = join(here, '../docs/speed.md');
  const [start, end] = ['<!-- tables -->\n', '<!-- end of tables -->'];
  const text = readFileSync(page, 'utf8');
  const head = text.slice(0, text.indexOf(start) + start.length);
  const about = [
    `Commit ${made.commit}, Node ${made.node.slice(1)}, files on ${place}. Figures are medians, with the least and the most.`,
    'CPU is the user and system time of a process and of all that it starts, such as git; memory is the peak of the process alone.',
  ];
  const chart =
    '![CPU of a first synth as times of the floor, beside kosko and plain cdk8s](images/speed.svg)';
  const hasChart = tables.some(({ kind }) => kind === 'alike');
  const parts = [about.join('\n'), ...(hasChart ? [chart] : []), markdownOf(tables)];
  writeFileSync(page, `${head}\n${parts.join('\n\n')}\n${text.slice(text.indexOf(end))}`);
  if (hasChart) writeFileSync(join(here, '../docs/images/speed.svg'), chartOf(tables));
}
