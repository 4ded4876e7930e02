// Whole processes: `leasehold plan` and `check --base` of a pull request in a tree of many leases, beside
// `check` of the same tree, in turn, in one run. A tenth of the changed leases end, a tenth change their
// port, the others begin. Usage: node bench/plan.mjs [leases=20000] [changed=1000] [rounds=3]
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { figures, measure, median } from './measure.mjs';
import { commitAll, initRepository, packAll, stageAll, startBranch } from './repository.mjs';
import { leasePath, writeWorkspace } from './workspace.mjs';

const [leases = 20_000, changed = 1000, rounds = 3] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'leasehold-bench-'));
const cli = join(resolve(import.meta.dirname), '../build/src/cli/main.js');

const run = (...args) => measure([cli, ...args, '-C', folder]);
/** The days of the base and of the change, for what is recorded and for the commits. */
const [baseDay, changeDay] = ['2026-01-02', '2026-01-03'];
const part = Math.floor(changed / 10);

const results = {};
const take = (name, result) => {
  results[name] = [...(results[name] ?? []), result];
  return result;
};
try {
  writeWorkspace(folder, leases);
  run('synth', '--today', baseDay);
  initRepository(folder);
  commitAll(folder, baseDay, 'Base');
  startBranch(folder, 'change');
  writeWorkspace(folder, leases + changed - 2 * part);
  for (let index = 0; index < part; index += 1) rmSync(join(folder, leasePath(index)));
  for (let index = part; index < 2 * part; index += 1) {
    const path = join(folder, leasePath(index));
    writeFileSync(path, readFileSync(path, 'utf8').replace('port: 8080', 'port: 9090'));
  }
  // Else synth takes the leases that ended for lost files.
  stageAll(folder);
  const release = ['--allow-release', String(part)];
  run('synth', '--today', changeDay, ...release);
  commitAll(folder, changeDay, 'Change');
  packAll(folder);
  const review = ['--base', 'main', '--today', changeDay, ...release];
  for (let round = 0; round < rounds; round += 1) {
    take('check', run('check'));
    take('check --base', run('check', ...review));
    for (const format of ['text', 'markdown', 'json', 'html']) {
      take(`plan -o ${format}`, run('plan', '-o', format, ...review));
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

console.log(
  `${changed} of ${leases} leases change, ${rounds} rounds, node ${process.version}; medians of whole processes`,
);
for (const [name, found] of Object.entries(results)) console.log(figures(name, found));
const wall = (name) => median(results[name].map((result) => result.wall));
console.log(
  `plan -o markdown / check: wall ${(wall('plan -o markdown') / wall('check')).toFixed(2)}`,
);
for (const format of ['markdown', 'json', 'html']) {
  console.log(`${format}: ${results[`plan -o ${format}`][0].out.length} characters`);
}
console.log(results['plan -o text'][0].out.split('\n', 1)[0]);
