import type { Day } from '../../../src/core/model/day.ts';
import { openComparison } from '../../../src/core/run/review/comparison.ts';
import { review } from '../../../src/core/run/review/review.ts';
import { committedHistory } from '../../../src/core/tree/workspace.ts';
import { openRepository } from '../../../src/core/world/git/git-repository.ts';
import type { List } from '../../../src/lib/list/list-answer.ts';
import { type GitRepository, gitRepository } from '../repositories/git-repository.ts';
import { checkHere, listHere, pruneHere, synthHere } from '../run/direct-commands.ts';
import { type FileTexts, filesBelow, turnInto } from '../trees/tree-bytes.ts';
import { type BranchKind, baseDeclarations, branchKinds } from './branch-kinds.ts';

/** A pull request as git has it, with what it does. */
export interface Branch {
  readonly kind: BranchKind;
  readonly side: 0 | 1;
  readonly commit: string;
  /** Addresses that somebody holds on it and not in the base: address to holder. */
  readonly given: ReadonlyMap<string, string>;
  /** All claims on it, each with its holder. */
  readonly claims: ReadonlySet<string>;
  /** Holders that have other addresses or claims than in the base. */
  readonly holders: ReadonlySet<string>;
  /** Allocation files that it changes. */
  readonly records: ReadonlySet<string>;
  /** Declarations that it changes, with the pool file. */
  readonly declarations: ReadonlySet<string>;
}

/** A repository with a base and two branches of every kind, all synthesized and committed. */
export interface Branches {
  readonly repository: GitRepository;
  readonly base: string;
  readonly branches: readonly Branch[];
  /** What was found in merges, by commit: two ways to merge often make the same one. */
  readonly judged: Map<string, Promise<Merged>>;
}

/** Two branches of different kinds, or both branches of one. */
export interface Pair {
  readonly left: Branch;
  readonly right: Branch;
}

/** How a merge ended: with a conflict, or with a tree and what is wrong with it. */
export type Merged =
  | 'conflict'
  | {
      /** The codes of the problems that check has, each once, in order. */
      readonly codes: readonly string[];
      readonly announcedTwice: readonly string[];
      /** The codes of what `check --base` says of the way from the base. */
      readonly refused: readonly string[];
      /** Claims that neither branch has. */
      readonly blended: readonly string[];
    };

/**
 * What two branches have to do with each other, by what each of them did alone: the first that holds
 * of giving one address to different holders, changing one declaration, one holder, one address file,
 * or the pools that the other allocates from. Otherwise nothing.
 */
export type Relation = 'address' | 'declaration' | 'holder' | 'record' | 'pools' | 'nothing';

/** All pairs: of each two kinds one, and of each kind with itself. */
export function pairsOf({ branches }: Branches): readonly Pair[] {
  const lefts = branches.filter(({ side }) => side === 0);
  const rights = branches.filter(({ side }) => side === 1);
  return lefts.flatMap((left, index) => rights.slice(index).map((right) => ({ left, right })));
}

/** The relation of two branches. */
export function relationOf({ left, right }: Pair): Relation {
  const isGivenTwice = [...left.given].some(([address, holder]) => {
    const other = right.given.get(address);
    return other !== undefined && other !== holder;
  });
  if (isGivenTwice) return 'address';
  if (haveCommon(left.declarations, right.declarations)) return 'declaration';
  if (haveCommon(left.holders, right.holders)) return 'holder';
  if (haveCommon(left.records, right.records)) return 'record';
  const arePoolsChanged = [left, right].some((side) => side.declarations.has('leases/pools.yaml'));
  return arePoolsChanged ? 'pools' : 'nothing';
}

function haveCommon(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...some].some((value) => others.has(value));
}

/** The day on which all branches are made. */
export const branchDay = '2026-01-10';

/** Makes the repository in an empty folder. */
export async function makeBranches(root: string): Promise<Branches> {
  const repository = gitRepository(root);
  const { before, base } = baseDeclarations();
  await commitState(repository, new Map(), { files: before, today: '2026-01-02' });
  await commitState(repository, before, { files: base, today: '2026-01-03' });
  repository.git('tag', 'base');
  const listed = await itemsOf(root);
  const branches: Branch[] = [];
  for (const kind of branchKinds) {
    for (const side of [0, 1] as const) {
      repository.git('checkout', '-q', '--detach', 'base');
      const state = { files: kind.edit(base, side), today: branchDay, isPrune: kind.isPrune };
      await commitState(repository, base, state);
      branches.push({ kind, side, ...(await effectOf(repository, listed)) });
    }
  }
  return {
    repository,
    base: repository.git('rev-parse', 'base').trim(),
    branches,
    judged: new Map(),
  };
}

/** Merges two branches as git does it with these options, and checks a merge that is clean. */
export async function merge(
  { repository, judged }: Branches,
  pair: Pair,
  options: readonly string[],
): Promise<Merged> {
  const { git, isDone, root } = repository;
  git('checkout', '-q', '--detach', '-f', pair.left.commit);
  if (!isDone('merge', '-q', '--no-edit', ...options, pair.right.commit)) {
    git('reset', '-q', '--hard');
    return 'conflict';
  }
  const commit = git('rev-parse', 'HEAD');
  const known = judged.get(commit) ?? judge(root, pair);
  judged.set(commit, known);
  return known;
}

async function judge(root: string, { left, right }: Pair): Promise<Merged> {
  const problems = await checkHere(root);
  const codes = [...new Set(problems.map((problem) => problem.code))].sort();
  const claims = codes.length === 0 ? claimsOf(await itemsOf(root)) : [];
  const blended = claims.filter((claim) => !left.claims.has(claim) && !right.claims.has(claim));
  const refused = await refusedFrom('base', root);
  return { codes, refused, announcedTwice: announcedTwice(root), blended };
}

/** What `check --base` has against the commit that is checked out, beside what is wrong with it in itself. */
async function refusedFrom(base: string, root: string): Promise<readonly string[]> {
  const commits = openRepository(root).commits;
  const tree = await commits.tree('HEAD');
  const checkout = { tree, history: committedHistory(tree), today: branchDay as Day };
  const refs = { base, head: 'HEAD', merged: [] };
  const comparison = await openComparison(commits, checkout, refs);
  const { changeProblems } = await review(commits, comparison, undefined);
  return [...new Set(changeProblems.map(({ code }) => code))].sort();
}

/** Addresses of the checked out tree's manifests that more than one holder's file announces. */
export function announcedTwice(root: string): string[] {
  const files = [...filesBelow(root, ['dist'])];
  const announced = files.flatMap(([path, text]) =>
    [...text.matchAll(/loadBalancerIPs?"?: (.*)$/gm)].flatMap(([, addresses = '']) =>
      [...new Set(addresses.split(','))].map((address) => ({ address, path })),
    ),
  );
  const first = new Map<string, string>();
  return announced.flatMap(({ address, path }) => {
    const other = first.get(address) ?? path;
    first.set(address, other);
    return other === path ? [] : [`${address}: ${other}, ${path}`];
  });
}

/** Declarations, and the day of the run over them. */
interface CommittedState {
  readonly files: FileTexts;
  readonly today: string;
  readonly isPrune?: boolean | undefined;
}

/** Puts declarations in the place of others, runs synth or prune over them, and commits it all. */
export async function commitState(
  { root, git }: GitRepository,
  before: FileTexts,
  { files, today, isPrune }: CommittedState,
): Promise<void> {
  turnInto(root, before, files);
  git('add', '-A');
  const problems = isPrune
    ? await pruneHere(root, today)
    : await synthHere(root, today, { inGit: true });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  git('add', '-A');
  git('commit', '-q', '-m', 'a state');
}

async function effectOf(
  { root, git }: GitRepository,
  base: readonly Item[],
): Promise<Omit<Branch, 'kind' | 'side'>> {
  const items = await itemsOf(root);
  const changed = git('diff', '--name-only', '--no-renames', 'base', 'HEAD').split('\n');
  const below = (folder: string): string[] => changed.filter((path) => path.startsWith(folder));
  const records = new Set(below('leases/allocations/'));
  const heldBefore = heldBy(base);
  return {
    commit: git('rev-parse', 'HEAD').trim(),
    claims: new Set(claimsOf(items)),
    given: new Map([...heldBy(items)].filter(([address, who]) => heldBefore.get(address) !== who)),
    holders: new Set([...unlikeItems(base, items), ...unlikeItems(items, base)]),
    records,
    declarations: new Set(below('leases/').filter((path) => !records.has(path))),
  };
}

type Item = List['items'][number];

/** What `leasehold list` shows. */
export async function itemsOf(root: string): Promise<readonly Item[]> {
  return (JSON.parse(await listHere(root)) as List).items;
}

/** Who holds which address: address to holder. */
export function heldBy(items: readonly Item[]): ReadonlyMap<string, string> {
  const held = items.filter((item) => item.state === 'held');
  return new Map(held.flatMap((item) => item.addresses.map((address) => [address, item.holder])));
}

function claimsOf(items: readonly Item[]): string[] {
  return items.flatMap(({ holder, claims }) =>
    claims.map((claim) => `${holder}: ${JSON.stringify(claim)}`),
  );
}

function unlikeItems(some: readonly Item[], others: readonly Item[]): string[] {
  const known = new Set(others.map((item) => JSON.stringify(item)));
  return some.filter((item) => !known.has(JSON.stringify(item))).map((item) => item.holder);
}
