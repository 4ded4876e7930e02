import type { Automerge, Commit, Commits } from '../../interfaces/commits.ts';
import type { SourceTree } from '../../interfaces/tree.ts';
import { type Claim, declarerText } from '../../model/claim.ts';
import { hostnameFields } from '../../model/hostname.ts';
import { promiseFields } from '../../model/lease.ts';
import { sortedEntries } from '../../model/order.ts';
import type { Pools } from '../../model/pools.ts';
import type { Problem } from '../../model/problem.ts';
import { isRecordPath } from '../../model/repository-paths.ts';
import type { DeclaredService, Reservation } from '../../model/service.ts';
import { formatAddress } from '../../net/address.ts';
import { readDeclared, readPoolFile } from '../../tree/declared.ts';
import { type Comparison, shownRef } from './comparison.ts';
import {
  fieldsOf,
  joinedFields,
  type MergedItem,
  type MergedSide,
  mergedItems,
  mergedText,
  nameOf,
} from './merged-items.ts';

/**
 * Returns the claims, promises and hostnames of a merge that none of its sides declares. Git's
 * rename detection can apply an edit of one tenant's file to a similar new file of another tenant,
 * without a conflict. Two edits of one declaration are no mix-up.
 */
export function mixedUp(
  result: readonly MergedItem[],
  sides: readonly Pick<MergedSide, 'items'>[],
): readonly MergedItem[] {
  const declared = new Set(sides.flatMap(({ items }) => items.map(identityOf)));
  const mixed = result.filter((item) => !declared.has(identityOf(item)));
  return mixed.filter((item) => {
    const inFile = (items: readonly MergedItem[]) =>
      items.filter(({ at }) => at.file === item.at.file);
    const before = sides.map(({ items }) => inFile(items));
    return !isOwnEdit(item, inFile(result).length === 1, before);
  });
}

/**
 * True for an item whose declaration is in the same file on every side of the merge, and each of
 * whose fields is that of the same item on a side. Git takes no file for a renamed one where both
 * sides have it, so both edits are of this declaration. `before` has the items of the file on each
 * side; `isOnly` is true when the result has no other.
 */
function isOwnEdit(
  item: MergedItem,
  isOnly: boolean,
  before: readonly (readonly MergedItem[])[],
): boolean {
  const isOwn = (other: MergedItem) => declarationOf(other) === declarationOf(item);
  if (!before.every((items) => items.length > 0 && items.every(isOwn))) return false;
  const formers = before.flatMap((items) => {
    if (isOnly && items.length === 1) return items;
    return items.filter((other) => nameOf(other) === nameOf(item));
  });
  const known = new Set(formers.flatMap(namedFields));
  return namedFields(item).every((field) => known.has(field));
}

function namedFields(item: MergedItem): readonly string[] {
  return [nameOf(item), ...fieldsOf(item).map((field) => field.join(' '))];
}

/** The lease, Service, promise or hostname of an item. */
function declarationOf(item: MergedItem): string {
  if (item.kind === 'Hostname' || item.kind === 'Promise') return nameOf(item);
  return `${item.cluster} ${declarerText(item)}`;
}

/** Returns the message of MERGE_BLENDED: the item, and each joined field with its side. `where` names the merge. */
export function mixupMessage(
  where: string,
  item: MergedItem,
  sides: readonly MergedSide[],
): string {
  const fields = joinedFields(item, sides);
  const joined = fields.length > 0 ? `: ${fields.join(', ')}` : '';
  return `${where} has ${mergedText(item)} of ${item.holder} in a form that neither of its sides declares${joined}`;
}

/** Returns all fields of an item except its place, as a key. */
export function identityOf(item: MergedItem): string {
  if (item.kind === 'Hostname') return hostnameFields(item);
  return item.kind === 'Promise' ? promiseFields(item) : claimIdentity(item);
}

/** Returns all fields of a claim except its place, as a key. Equal for equal claims. */
export function claimIdentity(claim: Claim): string {
  const { cluster, holder, service, port, externalPort, protocol } = claim;
  const { zone, pool, ipFamily, pins, retentionDays, dns } = claim;
  return JSON.stringify([
    [cluster, declarerText(claim), holder, service, port, externalPort, protocol],
    [zone, pool, ipFamily, pins.map(({ address }) => formatAddress(address)), retentionDays],
    dns.map(({ name }) => name),
    claim.kind === 'Lease'
      ? [claim.endpoint, sorted(claim.selector), claim.liveSharingKey]
      : serviceIdentity(claim.declared),
  ]);
}

/** Returns the fields of a Service or Reservation except its name, as plain data. */
export function serviceIdentity(declared: DeclaredService | Reservation): readonly unknown[] {
  const { ports, sharingKey, liveSharingKey, localBackend } = declared;
  const { secret, signature, denyExternalCleanup } = declared;
  const written = declared.kind === 'Service' ? declared.written : undefined;
  const shared = [sharingKey, liveSharingKey, localBackend];
  return [written, ports, ...shared, secret?.name, signature?.text, denyExternalCleanup];
}

function sorted(labels: Readonly<Record<string, string>> | undefined) {
  if (labels === undefined) return undefined;
  return sortedEntries(Object.entries(labels));
}

/** The parts of a comparison that describe merges. */
type Merged = Pick<Comparison, 'base' | 'headTree' | 'between' | 'merged'> &
  Partial<Pick<Comparison, 'targetRef'>>;

/**
 * MERGE_BLENDED for every claim, promise and hostname of the head that no side of a merge declares,
 * that git has joined by itself, and whose file no later commit has rewritten. Checks the merge
 * commits that the base lacks, and the branches named as merged by a squash or a rebase.
 */
export async function mixupProblems(
  commits: Commits,
  comparison: Merged,
  head: readonly MergedItem[],
): Promise<Problem[]> {
  const { base, between, headTree, merged, targetRef } = comparison;
  const found = new Map<string, Problem>();
  const file = readPoolFile(headTree);
  const reading = { commits, base, pools: file.ok ? file.value : undefined };
  const current = new Map(head.map((item) => [identityOf(item), item]));
  for (const merge of between.filter(({ parents }) => parents.length > 1)) {
    // A forge merges the branch into the base.
    const hint = merge.parents[0] === base.id ? hintOfForge(targetRef) : hintOfMerge;
    for (const { item, tree, sides } of await mixupsIn(reading, merge)) {
      const now = current.get(identityOf(item));
      // The same bytes, even at another path.
      const isUntouched = now && sameBytes(tree.read(item.at.file), headTree.read(now.at.file));
      if (!isUntouched) continue;
      const message = mixupMessage(`the merge ${merge.id.slice(0, 12)}`, now, sides);
      found.set(identityOf(now), { code: 'MERGE_BLENDED', message, at: now.at, hint });
    }
  }
  if (merged.length === 0) return [...found.values()];
  const sides = await sidesOf(reading, [base.id, ...merged.map(({ id }) => id)]);
  const [other, ...others] = merged;
  const joined = other && others.length === 0 ? { ours: base.id, theirs: other.id } : undefined;
  // A rebase can join the edits of its commits into another text than a merge: only a file in which
  // git stops is decided.
  const blended = await blendedOf(commits, joined, { items: mixedUp(head, sides) });
  for (const item of blended) {
    const message = mixupMessage('the head', item, sides);
    const hint = `${hintOfForge(targetRef)}; then squash or rebase it again`;
    found.set(identityOf(item), { code: 'MERGE_BLENDED', message, at: item.at, hint });
  }
  return [...found.values()];
}

/** How the sides of a merge are read. */
interface Reading {
  readonly commits: Commits;
  readonly base: Commit;
  /** Those of the head, for all sides: a changed default does not make a new claim. */
  readonly pools: Pools | undefined;
}

interface Mixup {
  readonly item: MergedItem;
  /** The tree of the merge commit. */
  readonly tree: SourceTree;
  readonly sides: readonly MergedSide[];
}

/** Uses the pools of the head: those of the merge may be invalid or have other defaults. */
async function mixupsIn(reading: Reading, merge: Commit): Promise<readonly Mixup[]> {
  const { commits, pools } = reading;
  const files = await commits.mergedFiles(merge.id);
  if (files.every(isRecordPath)) return [];
  const tree = await commits.tree(merge.id);
  const result = mergedItems(readDeclared(tree, pools));
  const sides = await sidesOf(reading, merge.parents);
  const items = mixedUp(result, sides);
  if (items.length === 0) return [];
  const blended = await blendedOf(commits, await automergeOf(reading, merge), { items, tree });
  return blended.map((item) => ({ item, tree, sides }));
}

/** Undefined for a merge of more than two parents, in which git never asks. */
async function automergeOf(
  { commits, base }: Reading,
  { id, parents }: Commit,
): Promise<Automerge | undefined> {
  const [ours, theirs, ...others] = parents;
  if (ours === undefined || theirs === undefined || others.length > 0) return undefined;
  const isByForge = ours === base.id || (await commits.committerOf(id)) === committerOfGitHub;
  return { ours, theirs, attributesOf: isByForge ? undefined : ours };
}

/** Of the merges that GitHub makes. It merges without the attributes of the repository. */
const committerOfGitHub = 'noreply@github.com';

/**
 * The items that git has joined by itself: their file is what git makes of the merge. In any other
 * file a person has decided, because git has stopped there, or because it would have another text.
 * All items when the merge cannot be repeated.
 */
export async function blendedOf(
  commits: Commits,
  merge: Automerge | undefined,
  { items, tree }: { readonly items: readonly MergedItem[]; readonly tree?: SourceTree },
): Promise<readonly MergedItem[]> {
  if (merge === undefined || items.length === 0) return items;
  const made = await commits.automerge(merge, [...new Set(items.map(({ at }) => at.file))]);
  return items.filter(({ at: { file } }) => {
    const own = made?.get(file);
    if (own === 'conflict') return false;
    if (own === undefined || tree === undefined) return true;
    return own !== 'missing' && textWithLf(own) === textWithLf(tree.read(file));
  });
}

/** A text whose line ends do not depend on the machine. */
function textWithLf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n');
}

async function sidesOf(
  { commits, base, pools }: Reading,
  ids: readonly string[],
): Promise<readonly MergedSide[]> {
  const sides: MergedSide[] = [];
  for (const id of ids) {
    const items = mergedItems(readDeclared(await commits.tree(id), pools));
    sides.push({ name: id === base.id ? 'the base' : id.slice(0, 12), items });
  }
  return sides;
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.from(left).equals(right);
}

/** The sign that a joined edit is that of a person: a later commit of the file is accepted. */
const decision =
  'take it from one side or, if both edits are meant, add a comment line (#) that says so';

/** For a merge that can be made anew. */
const hintOfMerge = `merge again with -X find-renames=100%; if that gives the same, change the file in a commit after the merge: ${decision}`;

/** For a merge by the forge, a squash or a rebase: the branch decides, in a merge of its own. */
function hintOfForge(target: string | undefined): string {
  return `on the branch, ${exactMerge(target)}; if that joins the edits too, change the file in a later commit: ${decision}`;
}

/** A merge of the target in which git takes no file for another one that was renamed. */
function exactMerge(target: string | undefined): string {
  const name = target === undefined ? undefined : shownRef(target);
  const option = '-X find-renames=100%';
  return name === undefined
    ? `merge the base with ${option}`
    : `run \`git merge ${name} ${option}\``;
}

/**
 * Adds the way out to YAML_CONFLICT of a committed file. Git can leave markers in a file without
 * reporting a conflict (2.39 does), when it takes a removed file for one that both sides added.
 */
export function withMarkerHint(problem: Problem, { targetRef }: Comparison): Problem {
  if (problem.hint !== undefined) return problem;
  const hint = `on the branch, ${exactMerge(targetRef)}: git can leave markers where it takes one file for another; if they stay, remove them in a commit of the branch`;
  return { ...problem, hint };
}
