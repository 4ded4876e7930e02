// The allocator and the question of capacity alone, in this process: many new holders in clusters that have different pools of one
// zone, one third of them each for IPv4, IPv6 and both. Every cluster has three pools, and every pool three clusters.
// Usage: node bench/allocate.mjs [holders=100000] [clusters=10] [rounds=3]
import { allocate } from '../build/modules/src/core/allocate/allocate.js';
import { claimsOfLease } from '../build/modules/src/core/declarations/claims.js';
import { holdersOf } from '../build/modules/src/core/declarations/holders.js';
import { readPools } from '../build/modules/src/core/declarations/pools/pools-file.js';
import { capacityOf, nothingPending } from '../build/modules/src/lib/forecast/capacity.js';
import { median } from './measure.mjs';
import { address } from './workspace.mjs';

const [count = 100_000, clusters = 10, rounds = 3] = process.argv.slice(2).map(Number);
const day = '2026-01-02';
const provider = address('provider');
const families = ['ipv4', 'ipv6', 'dual'];
const at = { file: 'leases/lease.yaml', line: 1, column: 1 };

/** Each with a pool of its cluster that has room for it when the pools are as large as {@link roomFor} says. */
const holders = Array.from({ length: count }, (_, index) => {
  const cluster = index % clusters;
  const turn = Math.floor(index / clusters);
  const pool = (cluster + (Math.floor(turn / 3) % 3)) % clusters;
  return { name: `h${index}`, cluster, pool, ipFamily: families[turn % 3] };
});

const claims = holders.flatMap(({ name, cluster, ipFamily }) =>
  claimsOfLease({
    id: { owner: name, dseq: '1', gseq: 1, oseq: 1, provider },
    cluster: `c${cluster}`,
    endpoints: [
      {
        ...{ name: 'web', service: 'web', port: 80, externalPort: 80, protocol: 'TCP', at },
        ...{ ipFamily, retentionDays: 0, dns: [] },
      },
    ],
    at,
  }),
);

/** How many addresses each pool has: room for exactly all, some times over, or some more. */
function roomFor(times, more) {
  const room = Array.from({ length: clusters }, () => ({ ipv4: 0, ipv6: 0 }));
  for (const { pool, ipFamily } of holders) {
    for (const family of ['ipv4', 'ipv6']) room[pool][family] += ipFamily === family ? 1 : 0;
    if (ipFamily === 'dual') room[pool] = { ipv4: room[pool].ipv4 + 1, ipv6: room[pool].ipv6 + 1 };
  }
  const grown = room.map(({ ipv4, ipv6 }) => ({ ipv4: times * ipv4, ipv6: times * ipv6 }));
  grown[0].ipv4 += more;
  return grown;
}

function poolsWith(room) {
  const names = room.map((_, index) => `c${index}`);
  const lines = room.map(({ ipv4, ipv6 }, pool) => {
    const first = 10 * 2 ** 24 + pool * 2 ** 20;
    const v4 = `${dotted(first)}-${dotted(first + ipv4 - 1)}`;
    const v6 = `${grouped(pool, 0)}-${grouped(pool, ipv6 - 1)}`;
    const own = [0, 1, 2].map((less) => names[(pool - less + clusters) % clusters]);
    return `  - { name: p${pool}, zone: inet, clusters: [${[...new Set(own)]}], addresses: ['${v4}', '${v6}'] }`;
  });
  const text = `apiVersion: leasehold.dev/v1
kind: Pools
provider: ${provider}
clusters: [${names.map((name) => `{ name: ${name} }`)}]
defaultCluster: c0
defaultZone: inet
pools:
${lines.join('\n')}
`;
  return must(readPools('leases/pools.yaml', Buffer.from(text)));
}

function dotted(number) {
  return [24, 16, 8, 0].map((shift) => (number >> shift) & 255).join('.');
}

function grouped(pool, number) {
  const low = [number >> 16, number & 65_535].map((part) => part.toString(16)).join(':');
  return `fd00:${(pool + 1).toString(16)}:0:0:0:0:${low}`;
}

function must(outcome) {
  if (!outcome.ok) throw new Error(outcome.problems.map(({ message }) => message).join('\n'));
  return outcome.value;
}

function timed(run) {
  const started = process.cpuUsage();
  const value = run();
  const { user, system } = process.cpuUsage(started);
  return { value, cpu: (user + system) / 1e6 };
}

const worlds = {
  'room for twice as many': [2, 0],
  'room for exactly all': [1, 0],
  'one too few': [1, -1],
};
console.log(
  `${count} new holders, ${clusters} clusters, ${clusters} pools, ${rounds} rounds, node ${process.version}; medians`,
);
for (const [name, size] of Object.entries(worlds)) {
  const pools = poolsWith(roomFor(...size));
  const known = must(holdersOf({ claims, promises: [] }, pools));
  const byHolder = new Map(claims.map((claim) => [claim.holder, [claim]]));
  const none = new Map();
  const declared = { pools, table: none, claims: byHolder, promises: none, problems: [] };
  const results = Array.from({ length: rounds }, () => ({
    allocated: timed(() => allocate(pools, known, new Map(), { today: day })),
    counted: timed(() => capacityOf(declared, { day }, nothingPending)),
  }));
  const seconds = (key) => median(results.map((result) => result[key].cpu)).toFixed(2);
  const { ok, value, problems } = results[0].allocated.value;
  if (problems?.some(({ code }) => code !== 'POOL_EXHAUSTED')) throw new Error(problems[0].message);
  const told = ok ? `${value.changes.length} addresses given` : `${problems.length} problem`;
  console.log(
    `${name.padEnd(24)} allocate ${seconds('allocated')} s cpu (${told}), capacity ${seconds('counted')} s cpu`,
  );
}
