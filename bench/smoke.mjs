// Runs every bench once, small, so that none rots unseen. Its figures measure nothing.
// It fails when a bench fails, prints no figure or prints one that is no number, and when a bench has no small run here.
// It needs the built program and its modules: npm run build && npm run modules. Usage: node bench/smoke.mjs
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Arguments of each bench: a few dozen leases, one round. */
const small = {
  'allocate.mjs': [60, 4, 1],
  'allocate-peers.mjs': [1, 40],
  'page.mjs': [40, 1, 0.2],
  'plan.mjs': [40, 20, 1],
  'render.mjs': [40, 1, 20, 10],
  'report.mjs': [1, 40],
  'serve.mjs': [40, 0.2],
  'synth.mjs': [40, 1],
  'table.mjs': [
    ...'--keep --no-build --rounds 1 --mixed 40 --alike 40 --disk 40 --other-node'.split(' '),
    process.execPath,
  ],
};
/** What the benches are made of. */
const parts = [
  'allocate-claims.mjs',
  'floor.mjs',
  'measure.mjs',
  'placements.mjs',
  'plain-cdk8s.mjs',
  'render-leases.mjs',
  'repository.mjs',
  'server.mjs',
  'mixed.mjs',
  'workspace.mjs',
];

const here = import.meta.dirname;
const built = ['../build/src/cli/main.js', '../build/modules'].map((path) => join(here, path));
/** Milliseconds that one bench may take. */
const patience = 300_000;

/** Why a bench is broken; undefined when it is not. */
function faultOf(name) {
  const args = small[name];
  if (!args) return 'smoke.mjs has no small run of it';
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [join(here, name), ...args.map(String)],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Peers take minutes to build, and need the network.
      env: { ...process.env, BENCH_PEERS: 'built' },
      encoding: 'utf8',
      timeout: patience,
      maxBuffer: 1 << 28,
    },
  );
  process.stdout.write(`${stdout}${stderr}`);
  if (status !== 0) return `it ended with ${signal ?? status}`;
  if (!/\d (?:s|ms|MB|bytes)\b/.test(stdout)) return 'it printed no figure';
  if (/\b(?:NaN|undefined|Infinity)\b/.test(stdout)) return 'it printed a figure that is no number';
  return undefined;
}

const files = readdirSync(here).filter((name) => name.endsWith('.mjs'));
const benches = files.filter((name) => name !== 'smoke.mjs' && !parts.includes(name));
const names = [...new Set([...Object.keys(small), ...benches])].sort();
let failed = 0;
if (!built.every(existsSync)) {
  console.log('the program is not built: run npm run build && npm run modules first');
}
for (const name of names) {
  console.log(`== bench/${name} ${(small[name] ?? []).join(' ')}`);
  const fault = faultOf(name);
  if (fault === undefined) continue;
  console.log(`FAILED: bench/${name}: ${fault}`);
  failed += 1;
}
console.log(`${names.length - failed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
