// Whole processes, from YAML files to bytes on disk: `leasehold synth` beside a plain cdk8s app on the
// same declarations, in turn, in one run. Usage: node bench/synth.mjs [leases=20000] [rounds=3]
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { figures, measure, median } from './measure.mjs';
import { writeWorkspace } from './workspace.mjs';

const here = resolve(import.meta.dirname);
const [leases = 20_000, rounds = 3] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'leasehold-bench-'));
const cli = join(here, '../build/src/cli/main.js');

const synth = (target) => measure([cli, 'synth', '-C', target, '--today', '2026-01-02']);
const check = (target) => measure([cli, 'check', '-C', target]);
const plain = (target, out) => measure([join(here, 'plain-cdk8s.mjs'), target, out]);

const results = { 'leasehold synth': [], 'plain cdk8s': [], 'synth again': [], check: [] };
try {
  const source = join(folder, 'source');
  writeWorkspace(source, leases);
  for (let round = 0; round < rounds; round += 1) {
    const target = join(folder, `round-${round}`);
    cpSync(source, target, { recursive: true });
    results['leasehold synth'].push(synth(target));
    results['plain cdk8s'].push(plain(target, join(folder, `plain-${round}`)));
    results['synth again'].push(synth(target));
    results.check.push(check(target));
    rmSync(target, { recursive: true });
    rmSync(join(folder, `plain-${round}`), { recursive: true });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const figure = (name, key) => median(results[name].map((result) => result[key]));
console.log(
  `${leases} leases, ${rounds} rounds, node ${process.version}; medians of whole processes`,
);
for (const name of Object.keys(results)) console.log(figures(name, results[name]));
const ratio = (key) => (figure('plain cdk8s', key) / figure('leasehold synth', key)).toFixed(2);
console.log(
  `plain cdk8s / leasehold synth: wall ${ratio('wall')}, cpu ${ratio('cpu')}, memory ${ratio('megabytes')}`,
);
