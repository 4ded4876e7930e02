// What every command of a day costs, beside the floor (bench/floor.mjs) and a plain cdk8s app: whole processes, in turn, in one
// run. Writes bench/results.json, and the tables of docs/speed.md from it.
// Usage: node bench/table.mjs [--keep] [rounds=3] [leases...=1000 10000]; --keep writes nothing.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measure, median } from './measure.mjs';
import { commitAll, initRepository, startBranch } from './repository.mjs';
import { writeWorkspace } from './workspace.mjs';

const words = process.argv.slice(2);
const isKept = words.includes('--keep');
const [rounds = 3, ...asked] = words.filter((word) => word !== '--keep').map(Number);
const sizes = asked.length > 0 ? asked : [1000, 10_000];
const here = import.meta.dirname;
const cli = join(here, '../build/src/cli/main.js');
/** More leases than this overflow the stack of cdk8s. */
const mostOfCdk8s = 20_000;
const [baseDay, changeDay] = ['2026-01-02', '2026-01-03'];
const floors = { read: 'read all files', write: 'read all, write the committed ones' };
const plainApp = join(here, 'plain-cdk8s.mjs');
const plainName = 'a plain cdk8s app, one file';

const folder = mkdtempSync(join(tmpdir(), 'leasehold-bench-'));
/** What TMPDIR is on: writing to a disk costs ten times the CPU of writing to memory. */
const place = statfsSync(folder).type === 0x01021994 ? 'tmpfs' : 'a disk';
const results = [];
try {
  for (const leases of sizes) results.push({ leases, rows: measured(leases) });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const tables = results.map(tableOf).join('\n');
console.log(tables);
if (!isKept) {
  const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' });
  const made = { commit: commit.trim(), node: process.version, place, rounds, results };
  writeFileSync(join(here, 'results.json'), `${JSON.stringify(made, undefined, 2)}\n`);
  writePage(made);
}

/** The tables between the marks of docs/speed.md. */
function writePage({ commit, node, place }) {
  const page = join(here, '../docs/speed.md');
  const [before, after] = ['<!-- tables -->\n', '<!-- end of tables -->'];
  const text = readFileSync(page, 'utf8');
  const start = text.indexOf(before) + before.length;
  const made = `\nCommit ${commit}, Node ${node.slice(1)}, files on ${place}, medians of ${rounds} rounds.\n\n${tables}\n`;
  writeFileSync(page, text.slice(0, start) + made + text.slice(text.indexOf(after)));
}

/** A Markdown table of one size; each row is compared with the floor above it. */
function tableOf({ leases, rows }) {
  let floor = 0;
  const lines = rows.map(({ name, cpu, megabytes }) => {
    const isFloor = Object.values(floors).includes(name);
    if (isFloor) floor = cpu;
    return `| ${name} | ${cpu.toFixed(2)} s | ${(cpu / floor).toFixed(1)} | ${megabytes} MB |`;
  });
  const count = String(leases).replace(/(?<=\d)(?=(?:\d{3})+$)/g, ',');
  const title = `| ${count} leases | CPU | times the floor | memory |`;
  return `${title}\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`;
}

/** Medians of all rounds of one size: seconds of CPU and megabytes by what was run. */
function measured(leases) {
  const source = join(folder, 'source');
  writeWorkspace(source, leases);
  const found = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, result] of Object.entries(roundOf(source, leases))) {
      found[name] = [...(found[name] ?? []), result];
    }
  }
  rmSync(source, { recursive: true });
  return Object.entries(found).map(([name, results]) => ({
    name,
    cpu: median(results.map(({ cpu }) => cpu)),
    megabytes: Math.round(median(results.map(({ megabytes }) => megabytes))),
  }));
}

function roundOf(source, leases) {
  const root = join(folder, 'round');
  const out = join(folder, 'out');
  const run = (...args) => measure([cli, ...args, '-C', root]);
  const floor = (...more) => measure([join(here, 'floor.mjs'), root, ...more]);
  try {
    cpSync(source, root, { recursive: true });
    const first = run('synth', '--today', baseDay);
    const writing = floor(out);
    const again = run('synth', '--today', baseDay);
    const check = run('check');
    const reading = floor();
    const plain =
      leases > mostOfCdk8s ? {} : { [plainName]: measure([plainApp, root, join(folder, 'plain')]) };
    initRepository(root);
    commitAll(root, baseDay, 'Base');
    startBranch(root, 'change');
    writeWorkspace(root, leases + 1);
    const one = run('synth', '--today', changeDay);
    commitAll(root, changeDay, 'Change');
    const base = ['--base', 'main', '--today', changeDay];
    return {
      [floors.write]: writing,
      'first synth': first,
      ...plain,
      [floors.read]: reading,
      'synth, nothing changed': again,
      'synth, one lease more': one,
      check,
      'check --base main': run('check', ...base),
      'plan of the new lease': run('plan', ...base),
      list: run('list', '-o', 'json'),
    };
  } finally {
    for (const one of [root, out, join(folder, 'plain')])
      rmSync(one, { recursive: true, force: true });
  }
}
