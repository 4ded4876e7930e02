// Plays many histories of teams: `node test/slow/play-teams.mjs 1-1000`, or some seeds: `17 30-40`. It bundles the product and
// the team once, and plays in as many plain processes as there are cores, each of which plays many. Prints the counts of all,
// and each history that failed, with the command that plays it alone. When it is stopped early, it prints the command that plays
// the rest. Fails when a history fails, or when all together did too little.
import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';

const here = import.meta.dirname;
const seeds = process.argv.slice(2).flatMap(seedsIn);
if (seeds.length === 0) {
  console.error('usage: node test/slow/play-teams.mjs 1-1000');
  process.exit(64);
}
/** With fewer histories, nothing is too little. */
const fewest = 12;
/** Prints a line after so many histories. */
const often = 50;
/** Milliseconds that a history may take. Then its process is killed. */
const longest = 900_000;

const cache = join(here, '../../node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folders = [];
const players = new Set();
process.on('exit', () => {
  for (const player of players) player.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
const bundle = mkdtempSync(join(cache, 'leasehold-teams-'));
folders.push(bundle);

await build({
  input: {
    player: join(here, '../support/team/player.ts'),
    notes: join(here, '../support/team/notes.ts'),
    environment: join(here, '../support/run/environment.ts'),
  },
  platform: 'node',
  logLevel: 'warn',
  external: ['vitest'],
  // Helpers of tests import vitest for what no team uses.
  treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
  output: { dir: bundle, format: 'esm', chunkFileNames: 'parts/[name].js' },
});
const { hintTable, shortOf } = await import(join(bundle, 'notes.js'));
const { memoryFolder, settings } = await import(join(bundle, 'environment.js'));
const temporary = mkdtempSync(join(memoryFolder().TMPDIR ?? tmpdir(), 'leasehold-teams-'));
folders.push(temporary);
const env = { ...process.env, ...settings, TMPDIR: temporary };

const waiting = [...seeds];
const played = new Set();
const counts = {};
const examples = {};
const failed = [];
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);
await Promise.all(Array.from({ length: availableParallelism() }, playOn));
end();

/** Plays the seeds in one process after another: a process that ends before the last seed has failed, and is replaced. */
async function playOn() {
  while (waiting.length > 0) await playing();
}

function playing() {
  return new Promise((resolve) => {
    // Detached: an interrupt at the keyboard ends this process alone, which then ends the others.
    const player = fork(join(bundle, 'player.js'), { env, detached: true });
    players.add(player);
    let seed;
    let patience;
    const next = () => {
      clearTimeout(patience);
      seed = waiting.shift();
      if (seed === undefined) return player.disconnect();
      patience = setTimeout(() => player.kill('SIGKILL'), longest);
      return player.send(seed);
    };
    player.on('message', (history) => {
      note(history);
      next();
    });
    player.on('exit', (status, signal) => {
      clearTimeout(patience);
      players.delete(player);
      const fault = `team ${seed}: its process ended with ${signal ?? status}`;
      if (seed !== undefined) note({ seed, counts: {}, fault });
      resolve();
    });
    next();
  });
}

function end() {
  report();
  const short = played.size < fewest ? [] : shortOf(counts, played.size);
  for (const line of short) console.log(`too little: ${line}`);
  process.exit(failed.length + short.length > 0 || played.size < seeds.length ? 1 : 0);
}

function note({ seed, counts: own, examples: others = {}, fault }) {
  played.add(seed);
  Object.assign(examples, { ...others, ...examples });
  for (const [what, times] of Object.entries(own)) counts[what] = (counts[what] ?? 0) + times;
  if (fault !== undefined) {
    failed.push(seed);
    console.log(`FAILED: ${fault}\n`);
  }
  if (played.size % often === 0) {
    console.log(
      `${played.size} of ${seeds.length} played, ${failed.length} failed; next is ${waiting[0] ?? 'none'}`,
    );
  }
}

function report() {
  const others = Object.entries(counts).filter(([what]) => !what.startsWith('hint '));
  console.log(JSON.stringify(Object.fromEntries(others.sort()), null, 1));
  for (const [kind, text] of Object.entries(examples).sort()) console.log(`${kind}, ${text}\n`);
  console.table(hintTable(counts));
  console.log(
    `played ${played.size} of ${seeds.length}: ${rangesOf(seeds.filter((seed) => played.has(seed)))}`,
  );
  const left = seeds.filter((seed) => !played.has(seed));
  if (left.length > 0) console.log(`to go on: node test/slow/play-teams.mjs ${rangesOf(left)}`);
  for (const seed of failed) {
    console.log(
      `team ${seed} failed; alone, and with its repositories kept: TEAM=${seed} npx vitest run --config test/vitest.config.ts --project slow test/slow/teams.test.ts`,
    );
  }
}

/** `17`, or `13-40`. */
function seedsIn(text) {
  const [first, last = first] = text.split('-').map(Number);
  if (!Number.isInteger(first) || !Number.isInteger(last))
    throw new Error(`${text} is no range of seeds`);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Seeds in their order as ranges: `1-7 9`. */
function rangesOf(list) {
  const ranges = [];
  for (const seed of list) {
    const range = ranges.at(-1);
    if (range && range[1] === seed - 1) range[1] = seed;
    else ranges.push([seed, seed]);
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(' ');
}
