import { PoolIndex } from '../../core/declarations/pools/pool-index.ts';
import type { SourceTree } from '../../core/interfaces/tree.ts';
import type { History } from '../../core/interfaces/work-tree.ts';
import type { AllocationTable } from '../../core/model/allocation.ts';
import { type Claim, compareClaims } from '../../core/model/claim.ts';
import type { Day } from '../../core/model/day.ts';
import type { DomainProofs } from '../../core/model/domain-proof.ts';
import type { Hostname, HostnameTable } from '../../core/model/hostname.ts';
import type { AddressPromise } from '../../core/model/lease.ts';
import { groupBy } from '../../core/model/order.ts';
import type { Pools } from '../../core/model/pools.ts';
import { fail, type Outcome, ok, type Problem } from '../../core/model/problem.ts';
import { isRecordPath, leasesFolder, poolsPath } from '../../core/model/repository-paths.ts';
import { checkTable } from '../../core/records/held.ts';
import { readDeclared } from '../../core/tree/declared.ts';
import { readWorkspace, type Workspace } from '../../core/tree/workspace.ts';

/** The pools, records and claims of one state of a tree: the input of every query. */
export interface WorkspaceSnapshot {
  readonly pools: Pools;
  readonly table: AllocationTable;
  /** By holder id. The claims of a holder are in the order of {@link compareClaims}. */
  readonly claims: ReadonlyMap<string, readonly Claim[]>;
  /** By holder id. A holder with a promise only has an empty list of claims. */
  readonly promises: ReadonlyMap<string, AddressPromise>;
  /** The declared hostnames. */
  readonly hostnames: readonly Hostname[];
  readonly hostnameTable: HostnameTable;
  readonly proofs: DomainProofs;
  /** Problems of declarations, whose claims may be missing, or of held addresses. */
  readonly problems: readonly Problem[];
}

/**
 * Reads `leases/`. An invalid declaration does not fail the read: its problems are part of the
 * snapshot. An invalid pool file or allocation file does, because an address in use could appear
 * free.
 */
export async function readWorkspaceSnapshot(
  tree: SourceTree,
  history: History,
): Promise<Outcome<WorkspaceSnapshot>> {
  const workspace = await readWorkspace(tree, history);
  if (workspace.ok) {
    return ok(snapshotOf(workspace.value));
  }
  const { problems } = workspace;
  const { pools, table, claims, promises, hostnames, hostnameTable, proofs } = readDeclared(tree);
  if (!pools || problems.some(hidesAddresses)) return fail(problems);
  const promised = promisesByHolder(promises);
  const declared = new Map([...[...promised.keys()].map(noClaims), ...byHolder(claims)]);
  const names = { hostnames, hostnameTable, proofs };
  return ok({ pools, table, claims: declared, promises: promised, ...names, problems });
}

/**
 * The snapshot of a valid workspace. Its problems are those of held addresses that their pools or
 * declarations no longer allow, such as after a pool was shrunk.
 */
export function snapshotOf(workspace: Workspace): WorkspaceSnapshot {
  const { pools, table, holders, promises, hostnames, hostnameTable, proofs } = workspace;
  const { problems } = checkTable(new PoolIndex(pools), holders, table);
  const claims = new Map(holders.map((holder) => [holder.id, holder.claims]));
  const names = { hostnames, hostnameTable, proofs };
  return { pools, table, claims, promises: promisesByHolder(promises), ...names, problems };
}

function hidesAddresses({ at: { file } }: Problem): boolean {
  return file === poolsPath || file === leasesFolder || isRecordPath(file);
}

function byHolder(claims: readonly Claim[]): ReadonlyMap<string, readonly Claim[]> {
  const groups = groupBy([...claims].sort(compareClaims), ({ holder }) => holder);
  return groups;
}

/** The `promisedUntil` of a held address: the last day of its promise while it has no claims. */
export function lastPromisedDay(
  { claims, promises }: Pick<WorkspaceSnapshot, 'claims' | 'promises'>,
  holder: string,
): { readonly promisedUntil?: Day } {
  const promise = promises.get(holder);
  const isTaken = (claims.get(holder) ?? []).length > 0;
  return promise && !isTaken ? { promisedUntil: promise.until } : {};
}

function noClaims(holder: string): readonly [string, readonly Claim[]] {
  return [holder, []];
}

function promisesByHolder(
  promises: readonly AddressPromise[],
): ReadonlyMap<string, AddressPromise> {
  return new Map(promises.map((promise) => [promise.holder, promise]));
}
