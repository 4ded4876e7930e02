// Whole processes: `leasehold report` beside `list` of the same tree, for trees of several sizes, in turn, in one run; what the page
// weighs, and what of it is histories. Every size has as many commits, so a quarter of the leases begins with each.
// Usage: node bench/report.mjs [rounds=3] [leases...=100 1000 10000]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { figures, measure, median } from './measure.mjs';
import { commits, writeHistory } from './workspace.mjs';

const [rounds = 3, ...asked] = process.argv.slice(2).map(Number);
const sizes = asked.length > 0 ? asked : [100, 1000, 10_000];
const folder = mkdtempSync(join(tmpdir(), 'leasehold-bench-'));
const cli = join(resolve(import.meta.dirname), '../build/src/cli/main.js');

const results = new Map();
const take = (name, result) => results.set(name, [...(results.get(name) ?? []), result]);
const weights = new Map();
try {
  for (const leases of sizes) writeHistory(join(folder, String(leases)), leases, cli);
  for (let round = 0; round < rounds; round += 1) {
    for (const leases of sizes) {
      const root = join(folder, String(leases));
      const page = join(folder, 'page.html');
      take(`${leases}: list`, measure([cli, 'list', '-o', 'json', '-C', root]));
      for (const more of [[], ['--no-history']]) {
        const name = [`${leases}: report`, ...more].join(' ');
        take(
          name,
          measure([cli, 'report', '--today', '2026-02-01', '--out', page, ...more, '-C', root]),
        );
        const bytes = readFileSync(page);
        weights.set(name, { bytes: bytes.length, packed: gzipSync(bytes).length });
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

console.log(
  `${sizes.join(', ')} leases, ${commits} commits, ${rounds} rounds, node ${process.version}; medians of whole processes`,
);
for (const [name, found] of results) console.log(figures(name, found));
const cpu = (name) => median(results.get(name).map((result) => result.cpu));
for (const leases of sizes) {
  const name = `${leases}: report`;
  const [all, bare] = [weights.get(name), weights.get(`${name} --no-history`)];
  console.log(
    `${name}: ${(cpu(name) / cpu(`${leases}: list`)).toFixed(2)} of list's cpu; ` +
      `${all.bytes} bytes, ${Math.round(all.bytes / leases)} a lease, ${all.packed} with gzip; ` +
      `without histories ${(bare.bytes / all.bytes).toFixed(2)} of them`,
  );
}
