import { readAllocation } from '../../codec/allocation-file.ts';
import { type Allocation, isHeld } from '../../model/allocation.ts';
import type { Pending, PendingAddress, PendingRef, SkippedRef } from '../../model/capacity.ts';
import { addDays, type Day } from '../../model/day.ts';
import { allocationsFolder } from '../../model/folders.ts';
import { compareText } from '../../model/order.ts';
import { EnvironmentError } from '../../model/problem.ts';
import type { FileVersion } from '../ports/commit-log.ts';
import type { Commit } from '../ports/commits.ts';
import type { RemoteHead, RemoteHeads } from '../ports/remote-heads.ts';
import type { HistoryPorts } from './address-history.ts';
import { addressOfPath } from './ledger.ts';

/** What is asked of git and of the remote here. */
export interface PendingPorts extends HistoryPorts {
  readonly heads: RemoteHeads;
}

/** Which open branches count. */
export interface PendingQuestion {
  /** Patterns of refs of the remote, such as `refs/pull/*\/head`. */
  readonly patterns: readonly string[];
  /** The commit that they would be merged into. */
  readonly target: string;
  readonly day: Day;
  /** A branch whose head is of more days ago does not count. */
  readonly days: number;
  /** How many refs are looked at, those of the highest names; 500 when it is not said. */
  readonly most?: number;
}

/** No more refs are looked at: those of the highest names, numbers in them counted as numbers. */
const mostRefs = 500;

/**
 * What open branches would give out if they were merged: the addresses that somebody holds at the head and not where
 * it parts from the target, nor had on the target since, as after a squash. A forge keeps the refs of
 * closed pull requests for ever, so old ones do not count. A branch that cannot be read is skipped.
 * An EnvironmentError when the remote is not reached.
 */
export async function pendingOf(ports: PendingPorts, question: PendingQuestion): Promise<Pending> {
  const listed = [...(await ports.heads.list(question.patterns))].sort(compareHeads);
  const most = question.most ?? mostRefs;
  const looked = listed.slice(0, most);
  const here = await ports.heads.bring([...new Set(looked.map(({ commit }) => commit))]);
  const target = await ports.commits.resolve(question.target);
  const given = givenSince(ports, target.id);
  const refs: PendingRef[] = [];
  const skipped: SkippedRef[] = beyond(question, listed.length - most, most);
  for (const head of looked.reverse()) {
    try {
      if (!here.has(head.commit)) throw new EnvironmentError('the remote does not give its commit');
      const found = await addsOf(ports, head, { target, given, question });
      if (found) refs.push(found);
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error;
      skipped.push({ ref: head.ref, reason: error.message });
    }
  }
  return { refs: refs.sort(({ ref: left }, { ref: right }) => compareText(left, right)), skipped };
}

/** One line for all of them: a forge may have thousands. */
function beyond({ patterns }: PendingQuestion, count: number, most: number): SkippedRef[] {
  if (count <= 0) return [];
  const reason = `${count} older refs are left out: only the newest ${most} are looked at`;
  return [{ ref: patterns.join(' '), reason }];
}

/** The highest number first, or else the last name. */
function compareHeads({ ref: left }: RemoteHead, { ref: right }: RemoteHead): number {
  return compareText(sortable(right), sortable(left));
}

function sortable(ref: string): string {
  return ref.replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}

/** `address holder` of every address that a holder got on the target since a commit. */
type GivenSince = (base: string) => Promise<ReadonlySet<string>>;

interface Ground {
  readonly target: Commit;
  readonly given: GivenSince;
  readonly question: PendingQuestion;
}

async function addsOf(
  { commits, log }: PendingPorts,
  { ref, commit }: RemoteHead,
  { target, given, question }: Ground,
): Promise<PendingRef | undefined> {
  const { day } = await commits.resolve(commit);
  if (addDays(day, question.days) < question.day) return undefined;
  const base = await commits.mergeBase(target.id, commit);
  if (base.id === commit) return undefined;
  const files = await log.differences({ base: base.id, head: commit }, allocationsFolder);
  const added = [...files].flatMap(([path, { before, after }]) => {
    if (addressOfPath(path) === undefined || after === undefined) return [];
    const record = soundRecord(path, after);
    const was = before === undefined ? undefined : soundRecord(path, before);
    // What somebody held before comes out of nobody's free ones.
    return isHeld(record) && !(was && isHeld(was)) ? [{ path, record }] : [];
  });
  if (added.length === 0) return undefined;
  const had = await given(base.id);
  const adds = added
    .filter(({ path, record }) => !had.has(`${path} ${record.holder}`))
    .map(({ record }) => pendingAddress(record));
  return adds.length === 0 ? undefined : { ref, commit, day, adds };
}

function soundRecord(path: string, content: Uint8Array): Allocation {
  const record = readAllocation(path, content);
  if (record.ok) return record.value;
  throw new EnvironmentError(`${path} is no sound record of an address`);
}

function pendingAddress({ address, holder, movedFrom }: Allocation): PendingAddress {
  return { address, holder, moved: movedFrom !== undefined };
}

/** One walk for each commit that branches part from: most part from a few. */
function givenSince({ log }: PendingPorts, target: string): GivenSince {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  const walk = async (base: string) => {
    const files = await log.folderVersions({ base, head: target }, allocationsFolder);
    return new Set([...files].flatMap(([path, versions]) => holdersIn(path, versions)));
  };
  return (base) => {
    const found = known.get(base) ?? walk(base);
    known.set(base, found);
    return found;
  };
}

function holdersIn(path: string, versions: readonly FileVersion[]): readonly string[] {
  return versions.flatMap(({ content }) => {
    const record = content && readAllocation(path, content);
    return record?.ok && isHeld(record.value) ? [`${path} ${record.value.holder}`] : [];
  });
}
