import {
  anycastProblems,
  claimsOfLease,
  claimsOfService,
  withLiveKeys,
} from '../declarations/claims.ts';
import { dnsProblems } from '../declarations/dns-rules.ts';
import { holdersOf } from '../declarations/holders.ts';
import { hostnamesOfLease } from '../declarations/hostname-file.ts';
import { hostnameProblems } from '../declarations/hostname-rules.ts';
import { hostnamesFolderProblems, readPolicy } from '../declarations/policy-file.ts';
import { readPools } from '../declarations/pools/pools-file.ts';
import { unprovenProblems } from '../declarations/proof-rules.ts';
import type { SourceTree, TreeEntry } from '../interfaces/tree.ts';
import type { AllocationTable } from '../model/allocation.ts';
import type { Claim } from '../model/claim.ts';
import { type DomainProofs, proofKey } from '../model/domain-proof.ts';
import type { Holder, Rename } from '../model/holder.ts';
import { type Hostname, type HostnameTable, withFormerHolders } from '../model/hostname.ts';
import type { AddressPromise, Lease } from '../model/lease.ts';
import { byPath } from '../model/order.ts';
import type { Keys } from '../model/ownership.ts';
import type { Policy } from '../model/policy.ts';
import type { Pools } from '../model/pools.ts';
import {
  byStanding,
  fail,
  type Outcome,
  ok,
  okUnless,
  type Problem,
  type Standing,
  startOf,
} from '../model/problem.ts';
import {
  leasesFolder,
  policyPath,
  poolsPath,
  proofsFolder,
  recordFolders,
} from '../model/repository-paths.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';
import { formatAddress } from '../net/address.ts';
import { readAllocation } from '../records/allocation-file.ts';
import { readDomainProof } from '../records/domain-proof-file.ts';
import { readHostnameRecord } from '../records/hostname-file.ts';
import { renameTargetProblems } from '../records/rename-rules.ts';
import {
  duplicateLeases,
  duplicatePromises,
  duplicateServices,
  namedKeyProblems,
  removedClusters,
} from './cross-file-rules.ts';
import { classifyLeaseFiles, type LeaseFiles } from './lease-files.ts';
import { type LeaseFile, type LeaseFileKind, leaseFileKindAt } from './parts.ts';
import { readDeclarationOf, readKeys, TreeReader, textIn } from './tree-reader.ts';

/** The contents of `leases/` in one tree: all valid declarations and records, and all problems. */
export interface Declared {
  /** All of `leases/`, sorted by path. */
  readonly entries: readonly TreeEntry[];
  /** Undefined when the pool file is missing or invalid. */
  readonly pools: Pools | undefined;
  /** Undefined when it is missing or invalid. */
  readonly policy: Policy | undefined;
  /** The valid ones, in the order of their files. */
  readonly leases: readonly Lease[];
  /** Of all valid declarations. */
  readonly claims: readonly Claim[];
  /** The valid ones, in the order of their files. */
  readonly services: readonly (DeclaredService | Reservation)[];
  /** The valid ones, in the order of their files. */
  readonly promises: readonly AddressPromise[];
  /** The valid files of features, by path. */
  readonly others: readonly LeaseFile[];
  /** The valid ones. */
  readonly keys: Keys;
  /** Sorted by id; undefined when the claims conflict. */
  readonly holders: readonly Holder[] | undefined;
  /** Of all valid allocation files. */
  readonly table: AllocationTable;
  /** The entries of all valid renames, in the order of their files. */
  readonly renames: readonly Rename[];
  /** The valid declared hostnames, in the order of their files. */
  readonly hostnames: readonly Hostname[];
  /** Of all valid records of hostnames. */
  readonly hostnameTable: HostnameTable;
  /** The valid proofs of domains. */
  readonly proofs: DomainProofs;
  /** Unsorted. */
  readonly problems: readonly Problem[];
}

/**
 * Reads `leases/` of a tree. Rules over several files (LEASE_DUPLICATE, SERVICE_DUPLICATE,
 * PORT_TAKEN, …) are checked for the valid files only. `pools` replaces the pool file of the tree,
 * which is then not read. `standing` decides at which of two declarations a problem is; without it,
 * at the later one in the order of files.
 */
export function readDeclared(tree: SourceTree, pools?: Pools, standing?: Standing): Declared {
  const entries = entriesOf(tree);
  const files = classifyLeaseFiles(entries);
  const reader = new TreeReader(tree);
  const found: (readonly Problem[])[] = [files.problems, files.misplaced];
  const known = pools ?? ownPools(reader, files, found);
  const policy = files.policy && readPolicyOf(reader, files.policy, known);
  if (policy) found.push(policy.ok ? hostnamesFolderProblems(policy.value) : policy.problems);
  const others = readOthers(reader, files, known, found);
  const declared = readDeclarations(reader, files, { pools: known, standing }, found);
  const { services, promises, claims, hostnames, renames } = declared;
  const table = readTable(reader, files, found);
  const hostnameTable = readHostnameTable(reader, files, found);
  if (known) {
    const tables = { addresses: table, hostnames: hostnameTable };
    found.push(removedClusters(known, tables, [...claims, ...hostnames]));
  }
  const keys = readKeys(reader, files, found);
  found.push(namedKeyProblems(services, files));
  found.push(dnsProblems(byStanding(claims, standing), known?.dns));
  found.push(hostnameProblems({ hostnames, claims, hostnameTable, standing }, known));
  const unread: (readonly Problem[])[] = [];
  const proofs = readProofFiles(reader, files, unread);
  found.push(...unread);
  // A proof that cannot be read can be that of any hostname.
  if (known && unread.length === 0) {
    found.push(unprovenProblems(hostnames, proofs, known.hostnames));
  }
  const holders = holdersOf({ claims, promises, renames }, known, keys, standing);
  found.push(holders.ok ? renameTargetProblems(renames, holders.value, table) : holders.problems);
  return {
    entries,
    pools: known,
    policy: policy?.ok ? policy.value : undefined,
    ...declared,
    others,
    keys,
    holders: holders.ok ? holders.value : undefined,
    table,
    hostnameTable,
    proofs,
    problems: found.flat(),
  };
}

/** Reads all declarations. A Service that is declared twice claims its ports once. */
function readDeclarations(
  reader: TreeReader,
  files: LeaseFiles,
  {
    pools,
    standing,
  }: { readonly pools: Pools | undefined; readonly standing?: Standing | undefined },
  found: (readonly Problem[])[],
): Pick<Declared, 'leases' | 'services' | 'promises' | 'claims' | 'hostnames' | 'renames'> {
  const leases: Lease[] = [];
  const services: (DeclaredService | Reservation)[] = [];
  const promises: AddressPromise[] = [];
  const hostnames: Hostname[] = [];
  const renames: Rename[] = [];
  for (const entry of files.declarations) {
    const read = readDeclarationOf(reader, files, entry, pools);
    if (!read.ok) found.push(read.problems);
    else if (read.value && !('kind' in read.value)) {
      leases.push(read.value);
      hostnames.push(...hostnamesOfLease(read.value));
    } else if (read.value?.kind === 'Promise') promises.push(read.value);
    else if (read.value?.kind === 'Hostname') hostnames.push(read.value);
    else if (read.value?.kind === 'Rename') renames.push(...read.value.holders);
    else if (read.value) services.push(read.value);
  }
  const twice = duplicateServices(byStanding(services, standing));
  found.push(duplicateLeases(byStanding(leases, standing)));
  found.push(duplicatePromises(byStanding(promises, standing)));
  found.push(twice, anycastProblems(services, pools?.anycast ?? []));
  const again = new Set(twice.map(({ at }) => at));
  const claims = withLiveKeys([
    ...leases.flatMap(claimsOfLease),
    ...services
      .filter(({ at }) => !again.has(at))
      .flatMap((service) => claimsOfService(service, pools?.anycast ?? [])),
  ]);
  return {
    leases,
    services,
    promises,
    renames,
    claims,
    hostnames: withFormerHolders(hostnames, renames),
  };
}

/** Reads only the pool file. Problems: those of the file, and of its path. */
export function readPoolFile(tree: SourceTree): Outcome<Pools> {
  const files = classifyLeaseFiles(entriesOf(tree));
  const problems = files.problems.filter((problem) => poolsAreRefused([problem]));
  return problems.length > 0 ? fail(problems) : readPoolsOf(new TreeReader(tree), files.pools);
}

/**
 * Reads only the policy file, and checks its names against the pool file when that is valid.
 * FILE_MISSING when there is no policy.
 */
export function readPolicyFile(tree: SourceTree): Outcome<Policy> {
  const files = classifyLeaseFiles(entriesOf(tree));
  const refused = files.problems.filter(({ at }) => at.file === policyPath);
  if (refused.length > 0) return fail(refused);
  if (!files.policy) return fail([policyMissing]);
  const reader = new TreeReader(tree);
  const pools = readPoolsOf(reader, files.pools);
  return readPolicyOf(reader, files.policy, pools.ok ? pools.value : undefined);
}

const policyMissing: Problem = {
  code: 'FILE_MISSING',
  message: 'there is no policy',
  at: startOf(policyPath),
  hint: 'declare the tenants in leases/policy.yaml, which `leasehold init` writes',
};

/** The records of a tree: the valid ones, and the problems of the others. */
export type Records = Pick<Declared, 'table' | 'hostnameTable' | 'problems'>;

/** Reads only the records of addresses and hostnames. */
export function readRecords(tree: SourceTree): Records {
  const files = classifyLeaseFiles(recordFolders.flatMap((folder) => tree.list(folder)));
  const found: (readonly Problem[])[] = [files.problems];
  const reader = new TreeReader(tree);
  const table = readTable(reader, files, found);
  const hostnameTable = readHostnameTable(reader, files, found);
  return { table, hostnameTable, problems: found.flat() };
}

/** Reads only the valid renames. */
export function readRenames(tree: SourceTree): readonly Rename[] {
  const files = classifyLeaseFiles(entriesOf(tree));
  const reader = new TreeReader(tree);
  return files.declarations.flatMap((entry) => {
    if (!textIn(tree, entry.path).includes('Rename')) return [];
    const read = readDeclarationOf(reader, files, entry, undefined);
    const isRename = read.ok && read.value && 'kind' in read.value && read.value.kind === 'Rename';
    return isRename ? read.value.holders : [];
  });
}

/** Reads only the file of one kind, for the clusters of some pools. Undefined without one. */
export function readLeaseFile<Value>(
  tree: SourceTree,
  kind: LeaseFileKind<Value>,
  pools: Pools,
): Outcome<Value | undefined> {
  const files = classifyLeaseFiles(tree.list(kind.path));
  if (files.problems.length > 0) return fail(files.problems);
  const [entry] = files.others;
  return entry ? readOther(new TreeReader(tree), entry, kind, pools) : ok(undefined);
}

/** Reads only the proofs of domains. */
export function readProofs(tree: SourceTree): Outcome<DomainProofs> {
  const files = classifyLeaseFiles(tree.list(proofsFolder));
  const found: (readonly Problem[])[] = [files.problems];
  const proofs = readProofFiles(new TreeReader(tree), files, found);
  return okUnless(found.flat(), proofs);
}

function entriesOf(tree: SourceTree): readonly TreeEntry[] {
  return [...tree.list(leasesFolder)].sort(byPath);
}

function ownPools(
  reader: TreeReader,
  files: LeaseFiles,
  found: (readonly Problem[])[],
): Pools | undefined {
  const pools = readPoolsOf(reader, files.pools);
  if (pools.ok) return pools.value;
  if (!poolsAreRefused(found.flat())) found.push(pools.problems);
  return undefined;
}

function readPoolsOf(reader: TreeReader, entry: TreeEntry | undefined): Outcome<Pools> {
  if (entry) return reader.read(entry, (bytes) => readPools(entry.path, bytes));
  const problem: Problem = {
    code: 'FILE_MISSING',
    message: 'there is no pool file',
    at: startOf(poolsPath),
    hint: 'set it up with `leasehold init`, or give the repository with -C',
  };
  return fail([problem]);
}

function readPolicyOf(
  reader: TreeReader,
  entry: TreeEntry,
  pools: Pools | undefined,
): Outcome<Policy> {
  return reader.read(entry, (bytes) => readPolicy(entry.path, bytes, pools), pools);
}

function readOthers(
  reader: TreeReader,
  { others }: LeaseFiles,
  pools: Pools | undefined,
  found: (readonly Problem[])[],
): readonly LeaseFile[] {
  return others.flatMap((entry): LeaseFile[] => {
    const kind = leaseFileKindAt(entry.path);
    if (!kind) return [];
    const read = readOther(reader, entry, kind, pools);
    if (read.ok) return [{ kind, value: read.value }];
    found.push(read.problems);
    return [];
  });
}

function readOther<Value>(
  reader: TreeReader,
  entry: TreeEntry,
  kind: LeaseFileKind<Value>,
  pools: Pools | undefined,
): Outcome<Value> {
  return reader.read(entry, (bytes) => kind.read(entry.path, bytes, pools), pools);
}

/** True when the problems already explain the missing pool file. */
function poolsAreRefused(problems: readonly Problem[]): boolean {
  return problems.some(({ at }) => at.file === poolsPath || at.file === leasesFolder);
}

function readTable(
  reader: TreeReader,
  files: LeaseFiles,
  found: (readonly Problem[])[],
): AllocationTable {
  const read = readEach(reader, files.allocations, readAllocation, found);
  return new Map(read.map((allocation) => [formatAddress(allocation.address), allocation]));
}

function readHostnameTable(
  reader: TreeReader,
  files: LeaseFiles,
  found: (readonly Problem[])[],
): HostnameTable {
  const read = readEach(reader, files.hostnames, readHostnameRecord, found);
  return new Map(read.map((record) => [record.hostname, record]));
}

function readProofFiles(
  reader: TreeReader,
  files: LeaseFiles,
  found: (readonly Problem[])[],
): DomainProofs {
  const read = readEach(reader, files.proofs, readDomainProof, found);
  return new Map(read.map((proof) => [proofKey(proof), proof]));
}

/** The values of the valid files. Adds the problems of the others to `found`. */
function readEach<Value>(
  reader: TreeReader,
  entries: readonly TreeEntry[],
  readFile: (file: string, bytes: Uint8Array) => Outcome<Value>,
  found: (readonly Problem[])[],
): readonly Value[] {
  return entries.flatMap((entry): Value[] => {
    const read = reader.read(entry, (bytes) => readFile(entry.path, bytes));
    if (read.ok) return [read.value];
    found.push(read.problems);
    return [];
  });
}
