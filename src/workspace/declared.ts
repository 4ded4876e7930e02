import { anycastProblems } from '../declarations/anycast.ts';
import { claimsOfLease, claimsOfService } from '../declarations/claims.ts';
import { holdersOf } from '../declarations/holders.ts';
import { readPolicy } from '../declarations/policy-file.ts';
import { readPools } from '../declarations/pools/pools-file.ts';
import type { Allocation, AllocationTable } from '../model/allocation.ts';
import type { Claim, Holder } from '../model/claim.ts';
import { allocationsFolder, leasesFolder, policyPath, poolsPath } from '../model/folders.ts';
import type { Lease } from '../model/lease.ts';
import { compareText } from '../model/order.ts';
import type { Keys } from '../model/ownership.ts';
import type { Policy } from '../model/policy.ts';
import type { Pools } from '../model/pools.ts';
import { type Outcome, type Problem, startOf } from '../model/problem.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';
import { formatAddress } from '../net/address.ts';
import type { SourceTree, TreeEntry } from '../ports/tree.ts';
import { readAllocation } from '../records/allocation-file.ts';
import { duplicateLeases, duplicateServices } from './duplicates.ts';
import { type LeaseFiles, sortLeaseFiles } from './lease-files.ts';
import { isOfService, readDeclarationOf } from './read-declaration.ts';
import { namedKeyProblems, readKeys } from './read-keys.ts';
import { removedClusters } from './removed-clusters.ts';
import { TreeReading } from './tree-reading.ts';

/** What `leases/` of one tree says: all that is sound, and everything that is not. */
export interface Declared {
  /** Undefined when the pool file is not there or not sound. */
  readonly pools: Pools | undefined;
  /** Undefined when there is none, or it is not sound. */
  readonly policy: Policy | undefined;
  /** Those that are sound, in the order of their files. */
  readonly leases: readonly Lease[];
  /** Of all declarations that are sound. */
  readonly claims: readonly Claim[];
  /** Those that are sound, in the order of their files. */
  readonly services: readonly (DeclaredService | Reservation)[];
  /** Those that are sound. */
  readonly keys: Keys;
  /** In the order of their ids; undefined when the claims contradict each other. */
  readonly holders: readonly Holder[] | undefined;
  /** Of all allocation files that are sound. */
  readonly table: AllocationTable;
  /** In no order. */
  readonly problems: readonly Problem[];
}

/**
 * Reads `leases/` of a tree. Problems of single files come first; what only shows in all of them
 * together (LEASE_DUPLICATE, SERVICE_DUPLICATE, PORT_TAKEN, …) is looked for in the files that are sound. `pools` stands in
 * for those of the tree, which are then not read.
 */
export function readDeclared(tree: SourceTree, pools?: Pools): Declared {
  const files = filesOf(tree);
  const reading = new TreeReading(tree);
  const found: (readonly Problem[])[] = [files.problems];
  const known = pools ?? ownPools(reading, files, found);
  const policy = files.policy && readPolicyOf(reading, files.policy, known);
  if (policy && !policy.ok) found.push(policy.problems);
  const { leases, services, claims } = readDeclarations(reading, files, known, found);
  const table = readTable(reading, files, found);
  if (known) found.push(removedClusters(known, table, claims));
  const keys = readKeys(reading, files, found);
  found.push(namedKeyProblems(services, files));
  const holders = holdersOf(claims, known, keys);
  if (!holders.ok) found.push(holders.problems);
  return {
    pools: known,
    policy: policy?.ok ? policy.value : undefined,
    leases,
    services,
    claims,
    keys,
    holders: holders.ok ? holders.value : undefined,
    table,
    problems: found.flat(),
  };
}

/** What the declarations of a tree say. A Service that is declared twice claims its ports once. */
function readDeclarations(
  reading: TreeReading,
  files: LeaseFiles,
  pools: Pools | undefined,
  found: (readonly Problem[])[],
): Pick<Declared, 'leases' | 'services' | 'claims'> {
  const leases: Lease[] = [];
  const services: (DeclaredService | Reservation)[] = [];
  for (const entry of files.declarations) {
    const read = readDeclarationOf(reading, files, entry, pools);
    if (!read.ok) found.push(read.problems);
    else if (read.value && isOfService(read.value)) services.push(read.value);
    else if (read.value) leases.push(read.value);
  }
  const twice = duplicateServices(services);
  found.push(duplicateLeases(leases), twice, anycastProblems(services, pools?.anycast ?? []));
  const again = new Set(twice.map(({ at }) => at));
  const claims = [
    ...leases.flatMap(claimsOfLease),
    ...services
      .filter(({ at }) => !again.has(at))
      .flatMap((service) => claimsOfService(service, pools?.anycast ?? [])),
  ];
  return { leases, services, claims };
}

/** The pool file alone, for what needs no lease; its problems, and those of the place where it stands. */
export function readPoolFile(tree: SourceTree): Outcome<Pools> {
  const files = filesOf(tree);
  const problems = files.problems.filter((problem) => poolsAreRefused([problem]));
  return problems.length > 0
    ? { ok: false, problems }
    : readPoolsOf(new TreeReading(tree), files.pools);
}

/** The policy file alone, its names looked up in the pool file where that is sound; FILE_MISSING without a policy. */
export function readPolicyFile(tree: SourceTree): Outcome<Policy> {
  const files = filesOf(tree);
  const refused = files.problems.filter(({ at }) => at.file === policyPath);
  if (refused.length > 0) return { ok: false, problems: refused };
  if (!files.policy) return { ok: false, problems: [policyMissing] };
  const reading = new TreeReading(tree);
  const pools = readPoolsOf(reading, files.pools);
  return readPolicyOf(reading, files.policy, pools.ok ? pools.value : undefined);
}

const policyMissing: Problem = {
  code: 'FILE_MISSING',
  message: 'there is no policy',
  at: startOf(policyPath),
  hint: 'say in leases/policy.yaml who may declare what (docs/policy.md shows one)',
};

/** The allocation files alone: all that are sound, and what is wrong with the others. */
export function readRecords(tree: SourceTree): Pick<Declared, 'table' | 'problems'> {
  const files = sortLeaseFiles(tree.list(allocationsFolder));
  const found: (readonly Problem[])[] = [files.problems];
  const table = readTable(new TreeReading(tree), files, found);
  return { table, problems: found.flat() };
}

function filesOf(tree: SourceTree): LeaseFiles {
  return sortLeaseFiles(
    [...tree.list(leasesFolder)].sort((left, right) => compareText(left.path, right.path)),
  );
}

function ownPools(
  reading: TreeReading,
  files: LeaseFiles,
  found: (readonly Problem[])[],
): Pools | undefined {
  const pools = readPoolsOf(reading, files.pools);
  if (pools.ok) return pools.value;
  if (!poolsAreRefused(found.flat())) found.push(pools.problems);
  return undefined;
}

function readPoolsOf(reading: TreeReading, entry: TreeEntry | undefined): Outcome<Pools> {
  if (entry) return reading.read(entry, (bytes) => readPools(entry.path, bytes));
  const problem: Problem = {
    code: 'FILE_MISSING',
    message: 'there is no pool file',
    at: startOf(poolsPath),
    hint: 'declare your pools in leases/pools.yaml (docs/pools.md shows one), or say with -C where the repository is',
  };
  return { ok: false, problems: [problem] };
}

function readPolicyOf(
  reading: TreeReading,
  entry: TreeEntry,
  pools: Pools | undefined,
): Outcome<Policy> {
  return reading.read(entry, (bytes) => readPolicy(entry.path, bytes, pools));
}

/** True when it has been said already why there is no pool file. */
function poolsAreRefused(problems: readonly Problem[]): boolean {
  return problems.some(({ at }) => at.file === poolsPath || at.file === leasesFolder);
}

function readTable(
  reading: TreeReading,
  files: LeaseFiles,
  found: (readonly Problem[])[],
): AllocationTable {
  const table = new Map<string, Allocation>();
  for (const entry of files.allocations) {
    const allocation = reading.read(entry, (bytes) => readAllocation(entry.path, bytes));
    if (allocation.ok) table.set(formatAddress(allocation.value.address), allocation.value);
    else found.push(allocation.problems);
  }
  return table;
}
