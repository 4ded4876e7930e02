// Allocates addresses for a number of claims of one address each, in a process of its own, for allocate-peers.mjs.
import { execFileSync } from 'node:child_process';
import { allocate } from '../build/modules/src/core/allocate/allocate.js';
import { claimsOfLease } from '../build/modules/src/core/declarations/claims.js';
import { holdersOf } from '../build/modules/src/core/declarations/holders.js';
import { readPools } from '../build/modules/src/core/declarations/pools/pools-file.js';
import { address } from './workspace.mjs';

const day = '2026-01-02';
const provider = address('provider');
const at = { file: 'leases/lease.yaml', line: 1, column: 1 };

/** Runs this file: the seconds and megabytes that `count` claims into a range take. */
export function measured(range, count, way) {
  // Room for the claims, which the peers hold in less.
  const args = ['--max-old-space-size=8192', import.meta.filename, range, count, way ?? ''];
  return JSON.parse(execFileSync(process.execPath, args.map(String), { encoding: 'utf8' }));
}

function claimsFor({ first }, count, way) {
  const { family, value } = first;
  return Array.from({ length: count }, (_, index) => {
    const id = { owner: `h${index}`, dseq: '1', gseq: 1, oseq: 1, provider: provider };
    const pin = way === 'pinned' ? { address: { family, value: value + BigInt(index) } } : {};
    const web = { name: 'web', service: 'web', port: 80, externalPort: 80, protocol: 'TCP', at };
    const endpoint = { ...web, ...pin, ipFamily: family, retentionDays: 0, dns: [] };
    return claimsOfLease({ id, cluster: 'default', endpoints: [endpoint], at });
  }).flat();
}

function must(outcome) {
  if (!outcome.ok) throw new Error(outcome.problems[0].message);
  return outcome.value;
}

function report(range, count, way) {
  const text = `apiVersion: leasehold.dev/v1
kind: Pools
provider: ${provider}
pools: [{ name: default, zone: inet, addresses: ['${range}'] }]
`;
  const pools = must(readPools('leases/pools.yaml', Buffer.from(text)));
  const claims = claimsFor({ first: pools.pools[0].ranges[0].from }, count, way);
  const [started, before] = [performance.now(), process.cpuUsage()];
  const holders = must(holdersOf({ claims, promises: [] }, pools));
  const { changes } = must(allocate(pools, holders, new Map(), { today: day }));
  const wall = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  const megabytes = process.resourceUsage().maxRSS / 1024;
  return { given: changes.length, cpu: (user + system) / 1e6, wall, megabytes };
}

if (process.argv[1] === import.meta.filename) {
  const [range, count, way] = process.argv.slice(2);
  process.stdout.write(JSON.stringify(report(range, Number(count), way)));
}
