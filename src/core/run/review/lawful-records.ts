import { allocate } from '../../allocate/allocate.ts';
import { allocateHostnames } from '../../allocate/hostnames.ts';
import type { Commit, Commits } from '../../interfaces/commits.ts';
import {
  type Allocation,
  type AllocationTable,
  isHeld,
  isSameAllocation,
  recordsByHolder,
} from '../../model/allocation.ts';
import { ifAvailable } from '../../model/calls.ts';
import type { Day } from '../../model/day.ts';
import type { HostnameTable } from '../../model/hostname.ts';
import { formatAddress } from '../../net/address.ts';
import { allocationPath } from '../../records/allocation-file.ts';
import { hostnamePath } from '../../records/hostname-file.ts';
import { type Declared, readDeclared } from '../../tree/declared.ts';
import { committedHistory } from '../../tree/workspace.ts';
import { openComparison } from './comparison.ts';
import { recordProblems, unreadableRecords } from './record-transitions.ts';

/** The records that a red commit would have if `check --base` had refused what it refuses. */
export interface LawfulRecords {
  readonly table: AllocationTable;
  readonly hostnameTable: HostnameTable;
  /** The addresses whose records a red commit changed against the rules. */
  readonly addresses: ReadonlySet<string>;
  /** The commit that changed a record against the rules, by the path of the record. */
  readonly broken: ReadonlyMap<string, Commit>;
}

/** At most this many commits are read. */
const mostCommits = 32;

/**
 * Returns the lawful records of a red commit, one whose records do not fit its declarations. They
 * follow from the newest commit before it that is not red, along first parents: a change that
 * `check --base` refuses is left out, commit by commit. A merge that a forge was told to make
 * anyway leaves a red commit. Undefined for a commit that is not red, without such a change, and
 * where git lacks the history.
 */
export function lawfulRecords(
  commits: Commits,
  commit: Commit,
  today: Day,
): Promise<LawfulRecords | undefined> {
  return ifAvailable(() => lawfulIn(commits, commit, today));
}

async function lawfulIn(
  commits: Commits,
  commit: Commit,
  today: Day,
): Promise<LawfulRecords | undefined> {
  const steps: { readonly commit: Commit; readonly declared: Declared }[] = [];
  for (let next: Commit | undefined = commit; next; ) {
    const declared = readDeclared(await commits.tree(next.id));
    steps.unshift({ commit: next, declared });
    if (!isRed(declared)) break;
    const [parent] = next.parents;
    if (parent === undefined || steps.length === mostCommits) return undefined;
    next = await commits.resolve(parent);
  }
  const [good, ...red] = steps;
  if (!good) return undefined;
  let { table, hostnameTable }: Pick<Declared, 'table' | 'hostnameTable'> = good.declared;
  const broken = new Map<string, Commit>();
  let before = good;
  for (const step of red) {
    const refs = { base: before.commit.id, head: step.commit.id, merged: [] };
    const tree = await commits.tree(step.commit.id);
    const checkout = { tree, history: committedHistory(tree), today };
    const comparison = await openComparison(commits, checkout, refs);
    const base = { ...before.declared, table, hostnameTable };
    const head = step.declared;
    const landed = { ...comparison, hasLanded: true };
    const problems = await recordProblems(commits, landed, { base, head });
    const files = new Set([
      ...problems.map(({ at }) => at.file),
      ...unreadableRecords(comparison.headTree, head),
      ...splitFiles(table, head.table),
    ]);
    for (const file of withHolders(files, table, head.table)) {
      files.add(file);
      if (!broken.has(file)) broken.set(file, step.commit);
    }
    table = chosen(table, head.table, (record) => files.has(allocationPath(record.address)));
    hostnameTable = chosen(hostnameTable, head.hostnameTable, ({ hostname }) =>
      files.has(hostnamePath(hostname)),
    );
    before = step;
  }
  if (broken.size === 0) return undefined;
  const { table: last } = before.declared;
  const changed = [...table.keys(), ...last.keys()].filter(
    (text) => !isSameAllocation(table.get(text), last.get(text)),
  );
  return { table, hostnameTable, broken, addresses: new Set(changed) };
}

/** True when declarations and records do not fit each other. Does not read manifests. */
export function isRed(declared: Declared): boolean {
  const { pools, holders, table, hostnames, hostnameTable, problems } = declared;
  if (problems.length > 0 || !pools || !holders) return true;
  const frozen = { today: undefined, retentionDays: pools.hostnames.retentionDays };
  return (
    !allocate(pools, holders, table, frozen).ok ||
    !allocateHostnames(hostnames, hostnameTable, frozen).ok
  );
}

/** The records that give a holder a second address of a family that it has in the first table. */
function splitFiles(before: AllocationTable, after: AllocationTable): readonly string[] {
  return [...recordsByHolder(after, isHeld).values()].flatMap((records) => {
    const isKnown = ({ address, holder }: Allocation): boolean =>
      heldBy(before.get(formatAddress(address))) === holder;
    const families = new Set(records.filter(isKnown).map(({ address }) => address.family));
    const second = records.filter((one) => !isKnown(one) && families.has(one.address.family));
    return second
      .filter(({ movedFrom }) => movedFrom === undefined)
      .map(({ address }) => allocationPath(address));
  });
}

function heldBy(record: Allocation | undefined): string | undefined {
  return record && isHeld(record) ? record.holder : undefined;
}

/** The files with those of the other records of their holders: a forged move is in two of them. */
function withHolders(
  files: ReadonlySet<string>,
  before: AllocationTable,
  after: AllocationTable,
): readonly string[] {
  const addresses = new Set([...before.keys(), ...after.keys()]);
  const pairs = [...addresses].map((text) => {
    const [was, is] = [before.get(text), after.get(text)];
    const record = was ?? is;
    return { file: record ? allocationPath(record.address) : '', was, is };
  });
  const refused = pairs.filter(({ file }) => files.has(file));
  const holders = new Set(refused.map(({ was, is }) => heldBy(was) ?? is?.holder));
  const others = pairs.filter(
    ({ was, is }) =>
      !isSameAllocation(was, is) && [was, is].some((one) => one && holders.has(one.holder)),
  );
  return [...new Set([...files, ...others.map(({ file }) => file)])];
}

/** The records of the second table, or of the first one where it stays. */
function chosen<Kept>(
  before: ReadonlyMap<string, Kept>,
  after: ReadonlyMap<string, Kept>,
  stays: (record: Kept) => boolean,
): ReadonlyMap<string, Kept> {
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return new Map(
    keys.flatMap((key) => {
      const [was, is] = [before.get(key), after.get(key)];
      const [known] = [was, is].filter((record) => record !== undefined);
      const record = known !== undefined && stays(known) ? was : is;
      return record === undefined ? [] : [[key, record] as const];
    }),
  );
}
