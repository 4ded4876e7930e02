import type { FileVersion, LoggedCommit } from '../../core/interfaces/commit-log.ts';
import { type Allocation, isHeld, type Tenure } from '../../core/model/allocation.ts';
import type { Outcome } from '../../core/model/problem.ts';
import type { HistoryEvent, HistoryEventName } from './address-history-answer.ts';

/** The record of an address or a hostname. */
export type KeptRecord = Tenure & { readonly pool?: string };

/** A record after a commit. `unreadable` is a file that is not a valid record. */
export type Recorded<Kept extends KeptRecord = Allocation> = Kept | 'none' | 'unreadable';

/** A commit that changed a record, with the record after it. */
export interface RecordedEvent<Kept extends KeptRecord = Allocation> {
  readonly event: HistoryEvent;
  readonly after: Recorded<Kept>;
}

/** The file of a record, and its reader. */
export interface RecordFile<Kept extends KeptRecord> {
  readonly path: string;
  readonly read: (path: string, bytes: Uint8Array) => Outcome<Kept>;
}

/**
 * Returns the event of each version of the file of a record. A version with an equivalent record is
 * omitted. In a shallow clone, a commit without parents is the boundary: its records are `found`.
 */
export function historyEventsOf<Kept extends KeptRecord>(
  file: RecordFile<Kept>,
  versions: readonly FileVersion[],
  isShallow: boolean,
): readonly RecordedEvent<Kept>[] {
  const events: RecordedEvent<Kept>[] = [];
  let before: Recorded<Kept> = 'none';
  for (const { commit, content } of versions) {
    const after = recordedIn(file, content);
    const isEnd = isShallow && commit.parents.length === 0 && after !== 'none';
    const name = isEnd ? 'found' : eventOf(before, after);
    if (name !== undefined) events.push({ event: eventAt(name, commit, after), after });
    before = after;
  }
  return events;
}

function recordedIn<Kept extends KeptRecord>(
  { path, read }: RecordFile<Kept>,
  content: Uint8Array | undefined,
): Recorded<Kept> {
  if (content === undefined) return 'none';
  const record = read(path, content);
  return record.ok ? record.value : 'unreadable';
}

function eventOf(
  before: Recorded<KeptRecord>,
  after: Recorded<KeptRecord>,
): HistoryEventName | undefined {
  if (after === 'unreadable') return before === 'unreadable' ? undefined : 'unreadable';
  if (after === 'none') return removalOf(before);
  if (before === 'unreadable') return 'found';
  if (before === 'none') return isHeld(after) ? 'given' : 'released';
  return isHeld(after) ? heldEvent(before, after) : releasedEvent(before, after);
}

function removalOf(before: Recorded<KeptRecord>): HistoryEventName | undefined {
  if (before === 'none') return undefined;
  return typeof before === 'object' && isHeld(before) ? 'removed' : 'pruned';
}

function heldEvent(before: KeptRecord, after: KeptRecord): HistoryEventName | undefined {
  if (before.holder !== after.holder) {
    const goesOn = isHeld(before) && before.since === after.since;
    return goesOn ? 'renamed' : 'given to another';
  }
  if (!isHeld(before) || before.since !== after.since) return 'reclaimed';
  return isSameRetention(before, after) ? undefined : 'retention changed';
}

function releasedEvent(before: KeptRecord, after: KeptRecord): HistoryEventName | undefined {
  if (isHeld(before) || before.holder !== after.holder) return 'released';
  return isSameRetention(before, after) ? undefined : 'retention changed';
}

function isSameRetention(before: KeptRecord, after: KeptRecord): boolean {
  return (
    before.retain === after.retain &&
    before.keepUntil === after.keepUntil &&
    before.released?.freeFrom === after.released?.freeFrom &&
    before.pool === after.pool
  );
}

function eventAt(
  event: HistoryEventName,
  { id, at, author, message }: LoggedCommit,
  after: Recorded<KeptRecord>,
): HistoryEvent {
  const request = mergeRequestIn(message);
  const released = typeof after === 'object' ? after.released : undefined;
  return {
    event,
    at,
    commit: id,
    author,
    subject: message.split('\n', 1)[0] ?? '',
    ...(request === undefined ? {} : { request }),
    ...(released ? { freeFrom: released.freeFrom } : {}),
  };
}

/**
 * The messages that forges write for merges and squashes. The group is the number of the request.
 */
const forms = [
  // GitHub's merge and Bitbucket's.
  /^Merge(?:d in \S+)? \(?pull request (#\d{1,10})\b/,
  // GitHub's and Gitea's squash.
  /^[^\n]* \((#\d{1,10})\)(?:\n|$)/,
  // GitLab's merge.
  /^See merge request (\S{0,200}!\d{1,10})$/m,
] as const;

/**
 * Returns the pull or merge request that a commit message names: `#12`, or GitLab's
 * `group/project!34`. The author of the message is free to name any request.
 */
export function mergeRequestIn(message: string): string | undefined {
  for (const form of forms) {
    const named = form.exec(message)?.[1];
    if (named !== undefined) return named;
  }
  return undefined;
}
