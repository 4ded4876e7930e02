import { type Claim, claimText, declarerText } from '../../model/claim.ts';
import { allocationsFolder } from '../../model/folders.ts';
import { compareText } from '../../model/order.ts';
import type { Pools } from '../../model/pools.ts';
import type { Problem } from '../../model/problem.ts';
import type { DeclaredService, Reservation } from '../../model/service.ts';
import { formatAddress } from '../../net/address.ts';
import type { Commit, Commits } from '../../ports/commits.ts';
import type { SourceTree } from '../../ports/tree.ts';
import { readDeclared, readPoolFile } from '../../workspace/declared.ts';
import type { Comparison } from './comparison.ts';

/**
 * The claims of a merge's result that none of its sides declares. Git's look for renames can put an edit
 * of one tenant's lease into another tenant's similar new file, without a conflict.
 */
export function blendedClaims(
  result: readonly Claim[],
  sides: readonly (readonly Claim[])[],
): readonly Claim[] {
  const declared = new Set(sides.flatMap((claims) => claims.map(claimIdentity)));
  return result.filter((claim) => !declared.has(claimIdentity(claim)));
}

/** All that a claim says, whatever file says it: equal for equal claims. */
export function claimIdentity(claim: Claim): string {
  const { cluster, holder, service, port, externalPort, protocol } = claim;
  const { zone, pool, ipFamily, pins, retentionPeriodDays } = claim;
  return JSON.stringify([
    [cluster, declarerText(claim), holder, service, port, externalPort, protocol],
    [zone, pool, ipFamily, pins.map(({ address }) => formatAddress(address)), retentionPeriodDays],
    claim.kind === 'Lease'
      ? [claim.endpoint, sorted(claim.selector)]
      : serviceIdentity(claim.declared),
  ]);
}

/** All that a Service or Reservation says beside its name, as plain data. */
export function serviceIdentity(declared: DeclaredService | Reservation): readonly unknown[] {
  const { ports, sharingKey, secret, signature, denyExternalCleanup } = declared;
  const written = declared.kind === 'Service' ? declared.written : undefined;
  return [written, ports, sharingKey, secret?.name, signature?.text, denyExternalCleanup];
}

function sorted(labels: Readonly<Record<string, string>> | undefined) {
  if (labels === undefined) return undefined;
  return Object.entries(labels).sort(([left], [right]) => compareText(left, right));
}

/** What of a comparison tells of merges. */
type Merged = Pick<Comparison, 'base' | 'headTree' | 'between' | 'merged'>;

/**
 * MERGE_BLENDED for every claim of the head that a merge made up: one that neither of its sides declares,
 * and whose file no later commit has written anew. Looks at each merge commit that the base lacks, and at the
 * branches that are said to be merged by a squash or a rebase.
 */
export async function mergeProblems(
  commits: Commits,
  comparison: Merged,
  head: readonly Claim[],
): Promise<Problem[]> {
  const found = new Map<string, Problem>();
  const file = readPoolFile(comparison.headTree);
  const pools = file.ok ? file.value : undefined;
  const standing = new Map(head.map((claim) => [claimIdentity(claim), claim]));
  for (const merge of comparison.between.filter(({ parents }) => parents.length > 1)) {
    for (const { claim, tree } of await blendedIn(commits, merge, pools)) {
      const stands = standing.get(claimIdentity(claim));
      // The same bytes, also when they went to another path.
      const isUntouched =
        stands && sameBytes(tree.read(claim.at.file), comparison.headTree.read(stands.at.file));
      if (!isUntouched) continue;
      found.set(claimIdentity(stands), blended(stands, `the merge ${merge.id.slice(0, 12)}`));
    }
  }
  for (const claim of await blendedWith(commits, comparison, { head, pools })) {
    found.set(claimIdentity(claim), blended(claim, 'the head'));
  }
  return [...found.values()];
}

interface Blend {
  readonly claim: Claim;
  /** The merge's own tree. */
  readonly tree: SourceTree;
}

/** By the pools of the head: the merge's own may be broken, or say other defaults. */
async function blendedIn(
  commits: Commits,
  merge: Commit,
  pools: Pools | undefined,
): Promise<readonly Blend[]> {
  const files = await commits.mergedFiles(merge.id);
  if (files.every((file) => file.startsWith(`${allocationsFolder}/`))) return [];
  const tree = await commits.tree(merge.id);
  const { claims } = readDeclared(tree, pools);
  const sides = await claimsOfAll(commits, merge.parents, pools);
  return blendedClaims(claims, sides).map((claim) => ({ claim, tree }));
}

async function blendedWith(
  commits: Commits,
  { merged, base }: Merged,
  { head, pools }: { readonly head: readonly Claim[]; readonly pools: Pools | undefined },
): Promise<readonly Claim[]> {
  if (merged.length === 0) return [];
  const sides = [base, ...merged].map(({ id }) => id);
  return blendedClaims(head, await claimsOfAll(commits, sides, pools));
}

/** All by the same pools: a default that one side changed is no claim of its own. */
async function claimsOfAll(
  commits: Commits,
  ids: readonly string[],
  pools: Pools | undefined,
): Promise<readonly (readonly Claim[])[]> {
  const sides: (readonly Claim[])[] = [];
  for (const id of ids) sides.push(readDeclared(await commits.tree(id), pools).claims);
  return sides;
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.from(left).equals(right);
}

function blended(claim: Claim, where: string): Problem {
  return {
    code: 'MERGE_BLENDED',
    message: `${where} has ${claimText(claim)} of ${claim.holder} as neither of its sides declares it`,
    at: claim.at,
    hint: 'merge again with -X find-renames=100%; if it is meant, change the declaration in a commit of its own',
  };
}
