import { PoolIndex } from '../../declarations/pools/pool-index.ts';
import type { Commits } from '../../interfaces/commits.ts';
import type { SourceTree } from '../../interfaces/tree.ts';
import {
  type Allocation,
  type AllocationTable,
  isHeld,
  ownerOf,
  type Tenure,
} from '../../model/allocation.ts';
import { earlierDay } from '../../model/day.ts';
import { longestRetention } from '../../model/lease.ts';
import { longestPoolRetention } from '../../model/pools.ts';
import type { Problem } from '../../model/problem.ts';
import { recordFolders } from '../../model/repository-paths.ts';
import { byAddress, formatAddress } from '../../net/address.ts';
import { movingOf } from '../../records/held.ts';
import { hostnameTransitions } from '../../transitions/hostnames.ts';
import { asLanded, type Landings } from '../../transitions/landings.ts';
import { groupMoveProblems, revertedMoves } from '../../transitions/moves.ts';
import { type TransitionContext, transitionProblems } from '../../transitions/transitions.ts';
import type { Declared } from '../../tree/declared.ts';
import { type Comparison, mergeText, revertCommand, type Sides, shownRef } from './comparison.ts';

/**
 * The problems of {@link transitionProblems} and {@link hostnameTransitions}, each with the command
 * that fixes it.
 */
export async function recordProblems(
  commits: Commits,
  comparison: Comparison,
  { base, head }: Sides,
): Promise<Problem[]> {
  const { headTree, day, today, target, hasLanded } = comparison;
  const unreadable = unreadableRecords(headTree, head);
  const landings: Landings = (days) => commits.landings(target.id, days);
  const landed = <Kept extends Tenure>(
    before: ReadonlyMap<string, Kept>,
    after: ReadonlyMap<string, Kept>,
  ) => asLanded(withoutUnreadable(before, unreadable), after, { day, today, landings });
  const before = await landed(base.table, head.table);
  const context: TransitionContext = {
    day,
    longestRetention: longestDeclared(base, head),
    target: earlierDay(target.day, today),
    holders: new Map((head.holders ?? []).map((holder) => [holder.id, holder])),
    unreadable,
    formerHolders: new Map((base.holders ?? []).map((holder) => [holder.id, holder])),
  };
  const hostnames = {
    before: await landed(base.hostnameTable, head.hostnameTable),
    days: {
      ...context,
      longestRetention: longestPoolRetentionOf(base, head),
      overlapHint: overlapHint(comparison),
      hostnames: head.hostnames,
    },
  };
  const problems = [
    ...transitionProblems(before, head.table, context),
    ...hostnameTransitions(hostnames.before, head.hostnameTable, hostnames.days),
    ...groupMoves(base, head),
  ];
  const ways = new Map([...movesBack(base.table, head.table), ...renamesBack(base.table, head)]);
  return problems
    .filter(({ code }) => !hasLanded || code !== 'DATE_BEHIND')
    .map((problem) => withSynthHint(problem, comparison))
    .map((problem) => {
      const isForged = problem.code === 'ALLOCATION_FORGED' && comparison.wayBack === undefined;
      const way = isForged && ways.get(problem.at.file);
      return way ? { ...problem, hint: `${problem.hint}; then ${way}` } : problem;
    });
}

/**
 * The hint for a branch that reverts a renumbering, whose pools have none of the addresses that the
 * base has: one run takes all holders back.
 */
export function wayBack(
  base: AllocationTable,
  { pools, holders = [], table }: Declared,
): string | undefined {
  if (!pools) return undefined;
  const index = new PoolIndex(pools);
  const declared = new Set(holders.map(({ id }) => id));
  const lost = [...base.values()].filter(
    (record) =>
      isHeld(record) &&
      declared.has(record.holder) &&
      !table.has(formatAddress(record.address)) &&
      !index.of(record.address),
  );
  if (lost.length === 0) return undefined;
  const { moved } = movingOf(lost.sort(byAddress), base);
  return `on the branch, run \`leasehold move ${moved}\`, which gives the former addresses back while they are kept, and commit what it writes`;
}

/**
 * The renames that a branch makes by reverting one of the base, by the file of the record: `synth`
 * alone gives the other name another address.
 */
function renamesBack(
  base: AllocationTable,
  { holders = [], table }: Declared,
): ReadonlyMap<string, string> {
  const declared = new Set(holders.map(({ id }) => id));
  return new Map(
    [...table].flatMap(([text, record]) => {
      const before = base.get(text);
      if (!before || !isHeld(before) || !isHeld(record) || !record.at) return [];
      const [from, to] = [before.holder, record.holder];
      if (from === to || declared.has(from) || !declared.has(to)) return [];
      if (!mayBeRenamed(before, to)) return [];
      return [[record.at.file, `\`leasehold rename ${from} ${to}\` keeps ${text}`] as const];
    }),
  );
}

/** True when a `Rename` can give the record to this holder: of one kind, and of one owner for an endpoint or a key. */
function mayBeRenamed({ holder: from, key }: Allocation, to: string): boolean {
  const [[cluster, kind], [other, otherKind]] = [from.split('/'), to.split('/')];
  const hasOneOwner = key !== undefined || kind === 'akash';
  const isAlike = cluster === other && kind === otherKind;
  return isAlike && (!hasOneOwner || ownerOf(from) === ownerOf(to));
}

/**
 * The moves that a branch makes by reverting one of the base, by the file of the record that it
 * lacks: `synth` alone restores that record, and the branch changes nothing.
 */
function movesBack(base: AllocationTable, head: AllocationTable): ReadonlyMap<string, string> {
  return new Map(
    revertedMoves(base, head).flatMap(({ kept: { at, address }, former }) => {
      const move = `\`leasehold move ${formatAddress(address)} --to ${formatAddress(former.address)}\``;
      return at ? [[at.file, `${move} undoes the move`] as const] : [];
    }),
  );
}

/** ALLOCATION_FORGED by {@link groupMoveProblems}. */
function groupMoves(base: Declared, { pools, holders, table }: Declared): Problem[] {
  return pools && holders
    ? groupMoveProblems(pools, holders, { base: base.table, head: table })
    : [];
}

/** The paths of the head's records that cannot be read. */
export function unreadableRecords(
  headTree: SourceTree,
  { table, hostnameTable }: Declared,
): ReadonlySet<string> {
  const paths = recordFolders.flatMap((folder) => headTree.list(folder)).map(({ path }) => path);
  const unreadable = new Set(paths);
  for (const { at } of [...table.values(), ...hostnameTable.values()]) {
    unreadable.delete(at?.file ?? '');
  }
  return unreadable;
}

/** The records of the base, without those that cannot be read in the head. */
function withoutUnreadable<Kept extends Tenure>(
  base: ReadonlyMap<string, Kept>,
  unreadable: ReadonlySet<string>,
): ReadonlyMap<string, Kept> {
  return new Map([...base].filter(([, { at }]) => !unreadable.has(at?.file ?? '')));
}

/** In days, as {@link longestDeclared}. */
function longestPoolRetentionOf(base: Declared, head: Declared): number {
  if (!head.pools) return longestPoolRetention;
  return Math.max(head.pools.hostnames.retentionDays, base.pools?.hostnames.retentionDays ?? 0);
}

/**
 * In days. If the head's pool file cannot be read, the longest retention that a pool file can set.
 */
function longestDeclared(base: Declared, head: Declared): number {
  if (!head.pools) return longestPoolRetention;
  const pools = [...(base.pools?.pools ?? []), ...head.pools.pools];
  return Math.max(longestRetention, ...pools.map(({ retentionDays }) => retentionDays));
}

/**
 * Adds the command that fixes a problem of records: a run that knows the base records the branch
 * again, and restores everything else from the base. A forge's revert button leaves such records
 * too. For a head that has landed, the command is `git revert`.
 */
export function withSynthHint(
  problem: Problem,
  { targetRef, head, hasLanded, wayBack }: Comparison,
): Problem {
  if (problem.hint !== undefined) return problem;
  if (wayBack !== undefined) return { ...problem, hint: wayBack };
  if (hasLanded) {
    const hint = `the target has this commit already: on a branch of it, run \`${revertCommand(head)}\`, then \`leasehold synth\`, and commit what it writes`;
    return { ...problem, hint };
  }
  const ref = shownRef(targetRef);
  const hint = `on the branch, after a \`git fetch\`, run \`leasehold synth${baseText(ref)}\` and commit what it writes: it records the branch as a single run on the base`;
  return { ...problem, hint: hintsOfDays[problem.code]?.(hint) ?? hint };
}

/** Where the machine that recorded a day may have a wrong clock. */
const hintsOfDays: Readonly<Record<string, (synth: string) => string>> = {
  DATE_AHEAD: (synth) =>
    `correct the machine's clock if it is ahead; then, ${synth}; if it has nothing to write, the day has come since: run \`git commit --allow-empty --message=Later\``,
  DATE_BEHIND: (synth) =>
    `${synth}; if it records a day that is too old again, correct the machine's clock`,
};

/**
 * The hint for a hostname that was given too early. The branch may not know the other name: its
 * target has given and released it since the branch started.
 */
function overlapHint({ targetRef }: Comparison): string {
  const ref = shownRef(targetRef);
  return `on the branch, after a \`git fetch\`, ${mergeText(ref)}, then \`leasehold synth${baseText(ref)}\`, and commit what it writes: it gives the name once the other one is free`;
}

/**
 * Adds the commands that fix a record that cannot be read. A rebase or a merge can join two changes
 * of a record into one that contradicts itself, without a conflict.
 */
export function withResolveHint(problem: Problem, { targetRef }: Comparison): Problem {
  if (problem.hint !== undefined) return problem;
  const ref = shownRef(targetRef);
  const onto = ref === undefined ? '' : ` --onto ${ref}`;
  const hint = `on the branch, after a \`git fetch\`, run \`leasehold resolve${onto}\`, then run \`leasehold synth${baseText(ref)}\`, and commit what they write: resolve takes such a record from the base`;
  return { ...problem, hint };
}

/** ` --base main`; empty without a ref. */
function baseText(ref: string | undefined): string {
  return ref === undefined ? '' : ` --base ${ref}`;
}
