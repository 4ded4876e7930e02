import type { Commits } from '../../interfaces/commits.ts';
import type { SourceTree } from '../../interfaces/tree.ts';
import type { ServiceClaim } from '../../model/claim.ts';
import type { Rename } from '../../model/holder.ts';
import { fieldAt } from '../../model/live.ts';
import type { Pools } from '../../model/pools.ts';
import { type Position, startOf } from '../../model/problem.ts';
import { policyPath, poolsPath } from '../../model/repository-paths.ts';
import { serviceIdText } from '../../model/service.ts';
import { readDeclared } from '../../tree/declared.ts';
import { leaseFileChanges } from '../../tree/file-changes.ts';
import { textIn } from '../../tree/tree-reader.ts';
import type { Comparison } from './comparison.ts';
import { identityOf } from './merge-mixups.ts';
import {
  type Field,
  fieldsOf,
  type MergedItem,
  mergedItems,
  mergedText,
  nameOf,
} from './merged-items.ts';

/** An edit of one side of a merge that the result lacks. */
export interface DroppedEdit {
  /** The loss, as a sentence. */
  readonly text: string;
  /** Where the result has it, or the side if the result does not declare it at all. */
  readonly at: Position;
  readonly isGone: boolean;
}

/** An edit of a side of a merge: an item that it adds, changes or removes. */
interface Edit {
  /** As the side has it; for a removed one, as the base has it. */
  readonly item: MergedItem;
  readonly kind: 'added' | 'changed' | 'removed';
  /** The fields that the side changes, or those of a new item. */
  readonly fields: readonly Field[];
}

/**
 * The edits of claims, promises and hostnames between the base of a merge and a side, which has
 * these renames.
 */
function editsOf(
  base: readonly MergedItem[],
  side: readonly MergedItem[],
  renames: readonly Rename[] = [],
): readonly Edit[] {
  const known = new Set(base.map(identityOf));
  const formers = byName(base);
  const edits = side.flatMap((item): Edit[] => {
    if (known.has(identityOf(item))) return [];
    const before = formers.get(nameOf(item)) ?? base.find((one) => isRenamedTo(one, item, renames));
    if (!before) return [{ item, kind: 'added', fields: addedFields(item, base) }];
    const [was, now] = [new Map(allFields(before)), new Map(allFields(item))];
    const names = [...new Set([...was.keys(), ...now.keys()])];
    const fields = names.map((field): Field => [field, now.get(field) ?? none]);
    const changed = fields.filter(([field, value]) => (was.get(field) ?? none) !== value);
    // Another port of its Service changes the claim as a whole, and none of its fields.
    return changed.length === 0 ? [] : [{ item, kind: 'changed', fields: changed }];
  });
  const names = byName(side);
  const removed = base.filter((item) => !names.has(nameOf(item)));
  return [...edits, ...removed.map((item): Edit => ({ item, kind: 'removed', fields: [] }))];
}

/** True when a `Rename` gives a port of a claim, or a promise, to another holder. */
function isRenamedTo(item: MergedItem, other: MergedItem, renames: readonly Rename[]): boolean {
  const isNamed = ({ from, to }: Rename) => from === item.holder && to === other.holder;
  return renames.some(isNamed) && item.kind === other.kind && portOf(item) === portOf(other);
}

function portOf(item: MergedItem): string {
  return 'externalPort' in item ? `${item.externalPort}/${item.protocol}` : '';
}

/** The fields of a new item. A new port of a Service leaves its other fields as they are. */
function addedFields(item: MergedItem, base: readonly MergedItem[]): readonly Field[] {
  const sibling = base.find((one) => one.kind === 'Service' && isOfService(item, one));
  if (!sibling) return allFields(item);
  const was = new Map(allFields(sibling));
  return allFields(item).filter(([field, value]) => was.get(field) !== value);
}

function isOfService(item: MergedItem, { declared }: ServiceClaim): boolean {
  if (item.kind !== 'Service' || item.cluster !== declared.cluster) return false;
  return serviceIdText(item.declared) === serviceIdText(declared);
}

function byName(items: readonly MergedItem[]): ReadonlyMap<string, MergedItem> {
  return new Map(items.map((item) => [nameOf(item), item]));
}

/** The value of a field that an item does not have. */
const none = 'none';

/** The fields in words, and each other field of a Service with its path. */
function allFields(item: MergedItem): readonly Field[] {
  return item.kind === 'Service' ? [...fieldsOf(item), ...serviceFields(item)] : fieldsOf(item);
}

/** The fields of the Service of a claim. Of its ports, those of the claim's own. */
function serviceFields({ declared, externalPort, protocol }: ServiceClaim): readonly Field[] {
  const { sharingKey, liveSharingKey, secret, signature, denyExternalCleanup } = declared;
  const terms = {
    sharingKey,
    liveSharingKey,
    secret: secret?.name,
    signature: signature?.text,
    denyExternalCleanup,
  };
  if (declared.kind !== 'Service') return leavesOf({ ...terms, selector: declared.localBackend });
  const { labels, annotations, spec } = declared.written;
  const { ports, ...rest } = spec;
  const port = (Array.isArray(ports) ? ports : []).find(
    (one) => fieldAt(one, 'port') === externalPort && fieldAt(one, 'protocol') === protocol,
  );
  return leavesOf({ ...terms, metadata: { labels, annotations }, spec: rest, port });
}

/** The texts, numbers and flags in a value by path. Each item of a list is a field of its own. */
function leavesOf(value: unknown, path = ''): readonly Field[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map((item) => [`${path} ${valueText(item)}`, 'set']);
  if (typeof value !== 'object' || value === null) return [[path, valueText(value)]];
  return Object.entries(value).flatMap(([key, field]) =>
    leavesOf(field, path === '' ? key : `${path}.${key}`),
  );
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? none);
}

/** Longer texts are shortened in messages. */
const longest = 60;

function shortText(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** The edits of one side in words, such as `web 80/TCP with port 9000`, each with its place. */
export function editTexts(
  base: readonly MergedItem[],
  side: readonly MergedItem[],
): readonly Pick<DroppedEdit, 'text' | 'at'>[] {
  return editsOf(base, side).map(({ item, kind, fields }) => ({
    at: item.at,
    text:
      kind === 'changed'
        ? `${mergedText(item)} with ${listed(fields)}`
        : `${kind} ${mergedText(item)}`,
  }));
}

function listed(fields: readonly Field[]): string {
  return fields.map(([field, value]) => `${shortText(field)} ${shortText(value)}`).join(', ');
}

/** The trees of a merge, seen from one side. */
interface SideTrees {
  readonly base: SourceTree;
  readonly side: SourceTree;
  readonly result: SourceTree;
}

/**
 * The edits that a side made since the base of a merge and that the result lacks: claims, promises
 * and hostnames by field, the pool file and the policy by line. `name` is the side in the texts.
 */
export function droppedEdits(
  { base, side, result }: SideTrees,
  name: string,
  pools: Pools | undefined,
): readonly DroppedEdit[] {
  const lacking = new Set(leaseFileChanges(result, side));
  const files = leaseFileChanges(base, side).filter((file) => lacking.has(file));
  if (files.length === 0) return [];
  const [declared, now] = [readDeclared(side, pools), readDeclared(result, pools)];
  const [before, own] = [mergedItems(readDeclared(base, pools)), mergedItems(declared)];
  const edits = editsOf(before, own, declared.renames);
  const present = byName(mergedItems(now));
  const known = byName([...before, ...own]);
  const renamed = [...present].flatMap(([key, item]) => (known.has(key) ? [] : [item]));
  return [
    ...edits
      .filter((edit) => {
        return (
          present.has(nameOf(edit.item)) ||
          !renamed.some((item) => isRenamed(edit, item, now.renames))
        );
      })
      .flatMap((edit) => droppedEdit(edit, name, present) ?? []),
    ...[poolsPath, policyPath]
      .filter((file) => files.includes(file))
      .flatMap((file) => droppedLines({ base, side, result }, name, file)),
  ];
}

/**
 * True for an item that has the edit under another port or endpoint of the same declaration, or
 * under the name of a `Rename`.
 */
function isRenamed(
  { item, kind, fields }: Edit,
  other: MergedItem,
  renames: readonly Rename[],
): boolean {
  const isSameFile = item.kind === other.kind && item.at.file === other.at.file;
  const isSame = isSameFile || isRenamedTo(item, other, renames);
  if (!isSame || kind === 'removed') return false;
  const here = new Map(fieldsOf(other));
  return fields.every(([field, value]) => !here.has(field) || here.get(field) === value);
}

function droppedEdit(
  { item, kind, fields }: Edit,
  name: string,
  result: ReadonlyMap<string, MergedItem>,
): DroppedEdit | undefined {
  const what = `${mergedText(item)} of ${item.holder}`;
  const now = result.get(nameOf(item));
  if (kind === 'removed') {
    const text = `${what} is still declared, and ${name} has removed it`;
    return now && { text, at: now.at, isGone: false };
  }
  if (!now) {
    // A lease takes over a promise, whose file then goes.
    const isTaken = [...result.values()].some(
      (one) => one.kind !== 'Promise' && one.holder === item.holder,
    );
    if (item.kind === 'Promise' && isTaken) return undefined;
    const text = `${what}, which ${name} has ${kind}, is not declared`;
    return { text, at: item.at, isGone: true };
  }
  const here = new Map(allFields(now));
  const lost = fields.filter(([field, value]) => (here.get(field) ?? none) !== value);
  if (lost.length === 0) return undefined;
  const instead = (field: string) => shortText(here.get(field) ?? none);
  const [[first] = ['']] = lost;
  const text =
    lost.length === 1
      ? `${what} does not have ${listed(lost)} of ${name}, but ${instead(first)}`
      : `${what} does not have what ${name} has: ${lost.map((one) => `${listed([one])} (but ${instead(one[0])})`).join(', ')}`;
  return { text, at: now.at, isGone: false };
}

/** The lines of a file that a side added and the result lacks, or removed and the result has. */
function droppedLines({ base, side, result }: SideTrees, name: string, file: string) {
  const linesIn = (tree: SourceTree): readonly string[] => {
    const text = tree.list(file).some(({ path }) => path === file) ? textIn(tree, file) : '';
    return text.split(/\r?\n/).filter((line) => line.trim() !== '');
  };
  const [before, own, now] = [linesIn(base), linesIn(side), linesIn(result)];
  const added = own.filter((line) => !before.includes(line) && !now.includes(line));
  const kept = before.filter((line) => !own.includes(line) && now.includes(line));
  const [line, ...rest] = added.length > 0 ? added : kept;
  if (line === undefined) return [];
  const more = rest.length > 0 ? ` and ${rest.length} more` : '';
  const [how, why] = added.length > 0 ? ['lacks', 'added'] : ['still has', 'removed'];
  const text = `${file} ${how} the line '${line.trim()}'${more}, which ${name} has ${why}`;
  return [{ text, at: startOf(file), isGone: false }];
}

/**
 * The edits that the base has and that a merge on the branch dropped, as far as the head still
 * lacks them. A forge drops none when it merges the branch into the base.
 */
export async function takenBack(
  commits: Commits,
  { base, between, headTree }: Comparison,
  pools: Pools | undefined,
): Promise<readonly DroppedEdit[]> {
  const own = new Set(between.map(({ id }) => id));
  const found = new Map<string, DroppedEdit>();
  for (const { id, parents } of between) {
    const sides = parents.length === 2 ? parents.filter((parent) => !own.has(parent)) : [];
    if (sides.length !== 1 || parents[0] === base.id) continue;
    const [from, ...several] = await commits.mergeBases(parents[0] ?? '', parents[1] ?? '');
    const [upstream] = sides;
    if (!from || !upstream || several.length > 0) continue;
    const trees = { base: await commits.tree(from.id), side: await commits.tree(upstream) };
    const droppedIn = (result: SourceTree) => droppedEdits({ ...trees, result }, 'the base', pools);
    const dropped = droppedIn(await commits.tree(id));
    if (dropped.length === 0) continue;
    const left = new Set(droppedIn(headTree).map(({ text }) => text));
    for (const edit of dropped.filter(({ text }) => left.has(text))) found.set(edit.text, edit);
  }
  return [...found.values()];
}
