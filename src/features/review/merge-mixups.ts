import { type Claim, declarerText } from '../../model/claim.ts';
import { type ClaimOrPromise, claimOrPromiseText } from '../../model/holder.ts';
import { type Hostname, hostnameFields } from '../../model/hostname.ts';
import { promiseFields } from '../../model/lease.ts';
import { sortedEntries } from '../../model/order.ts';
import type { Pools } from '../../model/pools.ts';
import type { Problem } from '../../model/problem.ts';
import { isRecordPath } from '../../model/repository-paths.ts';
import type { DeclaredService, Reservation } from '../../model/service.ts';
import { formatAddress } from '../../net/address.ts';
import type { Commit, Commits } from '../../ports/commits.ts';
import type { SourceTree } from '../../ports/tree.ts';
import { type Declared, readDeclared, readPoolFile } from '../../workspace/declared.ts';
import type { Comparison } from './comparison.ts';

/**
 * Returns the claims, promises and hostnames of a merge that none of its sides declares. Git's
 * rename detection can apply an edit of one tenant's file to a similar new file of another tenant,
 * without a conflict.
 */
export function mixedUp(
  result: readonly MergedItem[],
  sides: readonly (readonly MergedItem[])[],
): readonly MergedItem[] {
  const declared = new Set(sides.flatMap((items) => items.map(identityOf)));
  return result.filter((item) => !declared.has(identityOf(item)));
}

/** A claim, a promise or a hostname. */
export type MergedItem = ClaimOrPromise | Hostname;

/** A claim, promise or hostname in a message. */
export function mergedText(item: MergedItem): string {
  return item.kind === 'Hostname' ? `the hostname ${item.hostname}` : claimOrPromiseText(item);
}

/** The claims, promises and hostnames of a tree. */
export function mergedItems({
  claims,
  promises,
  hostnames,
}: Pick<Declared, 'claims' | 'promises' | 'hostnames'>): readonly MergedItem[] {
  return [...claims, ...promises, ...hostnames];
}

function identityOf(item: MergedItem): string {
  if (item.kind === 'Hostname') return hostnameFields(item);
  return item.kind === 'Promise' ? promiseFields(item) : claimIdentity(item);
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
 * MERGE_BLENDED for every claim, promise and hostname of the head that no side of a merge declares
 * and whose file no later commit has rewritten. Checks the merge commits that the base lacks, and
 * the branches named as merged by a squash or a rebase.
 */
export async function mixupProblems(
  commits: Commits,
  comparison: Merged,
  head: readonly MergedItem[],
): Promise<Problem[]> {
  const found = new Map<string, Problem>();
  const file = readPoolFile(comparison.headTree);
  const pools = file.ok ? file.value : undefined;
  const current = new Map(head.map((item) => [identityOf(item), item]));
  for (const merge of comparison.between.filter(({ parents }) => parents.length > 1)) {
    for (const { item, tree } of await mixupsIn(commits, merge, pools)) {
      const now = current.get(identityOf(item));
      // The same bytes, even at another path.
      const isUntouched =
        now && sameBytes(tree.read(item.at.file), comparison.headTree.read(now.at.file));
      if (!isUntouched) continue;
      found.set(identityOf(now), blended(now, `the merge ${merge.id.slice(0, 12)}`, ofMerge));
    }
  }
  for (const item of await mixupsWith(commits, comparison, { head, pools })) {
    found.set(identityOf(item), blended(item, 'the head', ofHead));
  }
  return [...found.values()];
}

interface Mixup {
  readonly item: MergedItem;
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
  if (files.every(isRecordPath)) return [];
  const tree = await commits.tree(merge.id);
  const result = mergedItems(readDeclared(tree, pools));
  const sides = await declaredByAll(commits, merge.parents, pools);
  return mixedUp(result, sides).map((item) => ({ item, tree }));
}

async function mixupsWith(
  commits: Commits,
  { merged, base }: Merged,
  { head, pools }: { readonly head: readonly MergedItem[]; readonly pools: Pools | undefined },
): Promise<readonly MergedItem[]> {
  if (merged.length === 0) return [];
  const sides = [base, ...merged].map(({ id }) => id);
  return mixedUp(head, await declaredByAll(commits, sides, pools));
}

/** Uses the same pools for all sides: a changed default does not make a new claim. */
async function declaredByAll(
  commits: Commits,
  ids: readonly string[],
  pools: Pools | undefined,
): Promise<readonly (readonly MergedItem[])[]> {
  const sides: (readonly MergedItem[])[] = [];
  for (const id of ids) sides.push(mergedItems(readDeclared(await commits.tree(id), pools)));
  return sides;
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.from(left).equals(right);
}

/** A later commit of the file is accepted. */
const ofMerge =
  'if that gives the same, or this is intended, change the file in a separate commit: take it from one side, or confirm it with a comment';

/** The head is compared with both sides, so a later commit of the branch is not accepted. */
const ofHead =
  'if that gives the same, take the file from one side; if this is intended, change it in a separate pull request';

function blended(item: MergedItem, where: string, otherwise: string): Problem {
  return {
    code: 'MERGE_BLENDED',
    message: `${where} has ${mergedText(item)} of ${item.holder} in a form that neither of its sides declares`,
    at: item.at,
    hint: `merge again with -X find-renames=100%; ${otherwise}`,
  };
}
