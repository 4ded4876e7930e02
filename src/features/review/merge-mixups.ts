import { type Claim, declarerText } from '../../model/claim.ts';
import { type DeclaredRequest, requestText } from '../../model/holder.ts';
import { promiseFields } from '../../model/lease.ts';
import { sortedEntries } from '../../model/order.ts';
import type { Pools } from '../../model/pools.ts';
import type { Problem } from '../../model/problem.ts';
import { allocationsFolder } from '../../model/repository-paths.ts';
import type { DeclaredService, Reservation } from '../../model/service.ts';
import { formatAddress } from '../../net/address.ts';
import type { Commit, Commits } from '../../ports/commits.ts';
import type { SourceTree } from '../../ports/tree.ts';
import { type Declared, readDeclared, readPoolFile } from '../../workspace/declared.ts';
import type { Comparison } from './comparison.ts';

/**
 * Returns the claims and promises of a merge that none of its sides declares. Git's rename
 * detection can apply an edit of one tenant's file to a similar new file of another tenant, without
 * a conflict.
 */
export function mixedUp(
  result: readonly DeclaredRequest[],
  sides: readonly (readonly DeclaredRequest[])[],
): readonly DeclaredRequest[] {
  const declared = new Set(sides.flatMap((requests) => requests.map(identityOf)));
  return result.filter((request) => !declared.has(identityOf(request)));
}

/** The claims and promises of a tree. */
export function declaredRequests({ claims, promises }: Pick<Declared, 'claims' | 'promises'>) {
  return [...claims, ...promises];
}

function identityOf(request: DeclaredRequest): string {
  return request.kind === 'Promise' ? promiseFields(request) : claimIdentity(request);
}

/** Returns all fields of a claim except its place, as a key. Equal for equal claims. */
export function claimIdentity(claim: Claim): string {
  const { cluster, holder, service, port, externalPort, protocol } = claim;
  const { zone, pool, ipFamily, pins, retentionPeriodDays, dns } = claim;
  return JSON.stringify([
    [cluster, declarerText(claim), holder, service, port, externalPort, protocol],
    [zone, pool, ipFamily, pins.map(({ address }) => formatAddress(address)), retentionPeriodDays],
    dns.map(({ name }) => name),
    claim.kind === 'Lease'
      ? [claim.endpoint, sorted(claim.selector)]
      : serviceIdentity(claim.declared),
  ]);
}

/** Returns the fields of a Service or Reservation except its name, as plain data. */
export function serviceIdentity(declared: DeclaredService | Reservation): readonly unknown[] {
  const { ports, sharingKey, secret, signature, denyExternalCleanup } = declared;
  const written = declared.kind === 'Service' ? declared.written : undefined;
  return [written, ports, sharingKey, secret?.name, signature?.text, denyExternalCleanup];
}

function sorted(labels: Readonly<Record<string, string>> | undefined) {
  if (labels === undefined) return undefined;
  return sortedEntries(Object.entries(labels));
}

/** The parts of a comparison that describe merges. */
type Merged = Pick<Comparison, 'base' | 'headTree' | 'between' | 'merged'>;

/**
 * MERGE_BLENDED for every claim and promise of the head that no side of a merge declares and whose
 * file no later commit has rewritten. Checks the merge commits that the base lacks, and the
 * branches named as merged by a squash or a rebase.
 */
export async function mixupProblems(
  commits: Commits,
  comparison: Merged,
  head: readonly DeclaredRequest[],
): Promise<Problem[]> {
  const found = new Map<string, Problem>();
  const file = readPoolFile(comparison.headTree);
  const pools = file.ok ? file.value : undefined;
  const current = new Map(head.map((request) => [identityOf(request), request]));
  for (const merge of comparison.between.filter(({ parents }) => parents.length > 1)) {
    for (const { request, tree } of await mixupsIn(commits, merge, pools)) {
      const now = current.get(identityOf(request));
      // The same bytes, even at another path.
      const isUntouched =
        now && sameBytes(tree.read(request.at.file), comparison.headTree.read(now.at.file));
      if (!isUntouched) continue;
      found.set(identityOf(now), blended(now, `the merge ${merge.id.slice(0, 12)}`));
    }
  }
  for (const request of await mixupsWith(commits, comparison, { head, pools })) {
    found.set(identityOf(request), blended(request, 'the head'));
  }
  return [...found.values()];
}

interface Mixup {
  readonly request: DeclaredRequest;
  /** The tree of the merge commit. */
  readonly tree: SourceTree;
}

/** Uses the pools of the head: those of the merge may be invalid or have other defaults. */
async function mixupsIn(
  commits: Commits,
  merge: Commit,
  pools: Pools | undefined,
): Promise<readonly Mixup[]> {
  const files = await commits.mergedFiles(merge.id);
  if (files.every((file) => file.startsWith(`${allocationsFolder}/`))) return [];
  const tree = await commits.tree(merge.id);
  const result = declaredRequests(readDeclared(tree, pools));
  const sides = await requestsOfAll(commits, merge.parents, pools);
  return mixedUp(result, sides).map((request) => ({ request, tree }));
}

async function mixupsWith(
  commits: Commits,
  { merged, base }: Merged,
  { head, pools }: { readonly head: readonly DeclaredRequest[]; readonly pools: Pools | undefined },
): Promise<readonly DeclaredRequest[]> {
  if (merged.length === 0) return [];
  const sides = [base, ...merged].map(({ id }) => id);
  return mixedUp(head, await requestsOfAll(commits, sides, pools));
}

/** Uses the same pools for all sides: a changed default does not make a new claim. */
async function requestsOfAll(
  commits: Commits,
  ids: readonly string[],
  pools: Pools | undefined,
): Promise<readonly (readonly DeclaredRequest[])[]> {
  const sides: (readonly DeclaredRequest[])[] = [];
  for (const id of ids) sides.push(declaredRequests(readDeclared(await commits.tree(id), pools)));
  return sides;
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.from(left).equals(right);
}

function blended(request: DeclaredRequest, where: string): Problem {
  return {
    code: 'MERGE_BLENDED',
    message: `${where} has ${requestText(request)} of ${request.holder} in a form that neither of its sides declares`,
    at: request.at,
    hint: 'merge again with -X find-renames=100%; if this is intended, change the declaration in a separate commit',
  };
}
