// The allocator beside MetalLB's and that of cluster-api's in-cluster IPAM: claims of one address each into a /8 and a /64.
// Each runs alone in a process and stops after a number of seconds. Both peers search each address from the first of the pool on, so
// their time grows with the square of the claims. `pinned` names every address in its claim, so that nothing is searched; `search`
// is cluster-api's search alone, beside sets that cost nothing. The peers are built from their modules (bench/peers), which takes
// Go and the network once; without, only ours runs. BENCH_PEERS=built builds none.
// Usage: node bench/allocate-peers.mjs [seconds=60] [claims=10000 100000 1000000]
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { measured } from './allocate-claims.mjs';

const [seconds = 60, ...given] = process.argv.slice(2).map(Number);
const counts = given.length > 0 ? given : [10_000, 100_000, 1_000_000];
const here = import.meta.dirname;
const built = process.env.LEASEHOLD_TEST_CACHE ?? join(homedir(), '.cache/leasehold-test');

/** The programs, and what each does beside its usual way. */
const peers = { metallb: ['pinned'], 'cluster-api': ['search'] };

/** Builds a peer and returns its path; undefined when that is not possible here. */
function build(name) {
  const folder = join(built, 'peers');
  const program = join(folder, name);
  if (process.env.BENCH_PEERS === 'built') {
    if (existsSync(program)) return program;
    console.log(`${name} is left out, because it is not built`);
    return undefined;
  }
  try {
    mkdirSync(folder, { recursive: true });
    execFileSync('go', ['build', '-trimpath', '-o', program, '.'], {
      cwd: join(here, 'peers', name),
      stdio: 'pipe',
    });
    return program;
  } catch (error) {
    const [reason] = String(error.stderr ?? error.message).split('\n');
    console.log(`${name} is left out, because Go cannot build it here: ${reason}`);
    return undefined;
  }
}

function run(program, args) {
  return JSON.parse(execFileSync(program, args.map(String), { encoding: 'utf8' }));
}

function line(name, count, { given: got, cpu, wall, megabytes }) {
  const told = got === count ? 'all' : `${got} of them, then stopped`;
  const each = ((cpu / got) * 1e6).toFixed(1);
  return `${name.padEnd(24)} ${cpu.toFixed(2).padStart(8)} s cpu ${wall.toFixed(2).padStart(8)} s wall ${each.padStart(8)} us a claim ${megabytes.toFixed(0).padStart(5)} MB  ${told}`;
}

const programs = Object.entries(peers).flatMap(([name, ways]) => {
  const program = build(name);
  return program ? [undefined, ...ways].map((way) => ({ name, program, way })) : [];
});
console.log(`node ${process.version}, at most ${seconds} s of a peer`);
for (const range of ['10.0.0.0/8', 'fd00::/64']) {
  for (const count of counts) {
    console.log(`${count} claims into ${range}`);
    for (const way of [undefined, 'pinned']) {
      console.log(
        line(way ? `leasehold, ${way}` : 'leasehold', count, measured(range, count, way)),
      );
    }
    for (const { name, program, way } of programs) {
      const result = run(program, [range, count, seconds, ...(way ? [way] : [])]);
      console.log(line(way ? `${name}, ${way}` : name, count, result));
    }
  }
}
