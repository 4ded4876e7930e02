import type { Commit, Commits } from '../../core/interfaces/commits.ts';
import type { MergeState } from '../../core/interfaces/work-tree.ts';

/** A side of a merge, in git's terms: `ours` is HEAD. */
export type MergeSide = 'ours' | 'theirs';

/** One way to merge two sides. */
export interface MergeWay {
  /** The side whose holders keep their addresses. */
  readonly keeps: MergeSide;
  readonly kept: Commit;
  /** The side that gets new addresses where needed. Undefined for the working tree. */
  readonly other: Commit | undefined;
  /** The base of both sides, if there is one. */
  readonly base: Commit | undefined;
  /** The newest commit that is upstream, and therefore live: addresses held there never move. */
  readonly floor: Commit;
}

/** HEAD and the state of the merge. */
export interface MergeContext {
  readonly head: Commit;
  readonly state: MergeState;
}

/** The possible ways of a merge: two if the user has to choose which side keeps its addresses. */
export interface MergeWays {
  readonly ways: readonly [MergeWay, ...MergeWay[]];
  /** Undefined when nothing is unfinished. */
  readonly joined: JoinedCommits | undefined;
}

/** The commits that an unfinished merge, rebase or the like joins. */
export interface JoinedCommits {
  /** HEAD. */
  readonly ours: Commit;
  readonly theirs: Commit;
  readonly base: Commit | undefined;
  /** False for an operation that applies one commit. */
  readonly isMerge: boolean;
}

/** Returns the commits that are being joined; undefined when nothing is unfinished. */
export async function joinedCommits(
  commits: Commits,
  { head, state }: MergeContext,
): Promise<JoinedCommits | undefined> {
  const [first] = state.incoming;
  if (first === undefined) return undefined;
  const incoming = await commits.resolve(first);
  if (state.unfinished === 'merge' || state.unfinished === 'squash') {
    const base = await commits.mergeBase(head.id, incoming.id);
    return { ours: head, theirs: incoming, base, isMerge: true };
  }
  const parent = await parentOf(commits, incoming);
  return state.unfinished === 'revert'
    ? { ours: head, theirs: parent ?? head, base: incoming, isMerge: false }
    : { ours: head, theirs: incoming, base: parent, isMerge: false };
}

/**
 * Decides which side keeps its addresses. For a merge or a squash, the side that is upstream. For
 * an operation that replays one commit, HEAD. Otherwise the working tree is merged with the
 * upstream commit; if HEAD is upstream itself, with HEAD, or with its first parent if HEAD is not
 * sound.
 */
export async function mergeWays(
  commits: Commits,
  { head, state }: MergeContext,
  upstream: () => Promise<Commit>,
  isSound: (commit: Commit) => Promise<boolean>,
): Promise<MergeWays> {
  const joined = await joinedCommits(commits, { head, state });
  if (!joined) {
    const ways = await settledWays(commits, head, { state, upstream, isSound });
    return { ways, joined };
  }
  if (joined.isMerge) {
    return { ways: await joiningWays(commits, joined, { state, upstream }), joined };
  }
  const { theirs: other, base } = joined;
  const floor = await floorOf(commits, head, { state, upstream });
  return { ways: [{ keeps: 'ours', kept: head, other, base, floor }], joined };
}

interface Upstream {
  readonly state: MergeState;
  readonly upstream: () => Promise<Commit>;
}

async function joiningWays(
  commits: Commits,
  { ours, theirs, base }: JoinedCommits,
  { state, upstream }: Upstream,
): Promise<MergeWays['ways']> {
  const keepOurs = { keeps: 'ours', kept: ours, other: theirs, base } as const;
  if (state.onto !== undefined) {
    return [{ ...keepOurs, floor: await commits.resolve(state.onto) }];
  }
  const target = await upstream();
  const floors = {
    ours: await commits.mergeBase(target.id, ours.id),
    theirs: await commits.mergeBase(target.id, theirs.id),
  };
  const isOursUpstream = floors.ours.id === ours.id;
  const isTheirsUpstream = floors.theirs.id === theirs.id;
  const forOurs = { ...keepOurs, floor: floors.ours };
  const forTheirs: MergeWay = {
    keeps: 'theirs',
    kept: theirs,
    other: ours,
    base,
    floor: floors.theirs,
  };
  if (isOursUpstream === isTheirsUpstream) return [forOurs, forTheirs];
  return isOursUpstream ? [forOurs] : [forTheirs];
}

async function settledWays(
  commits: Commits,
  head: Commit,
  { state, upstream, isSound }: Upstream & { isSound: (commit: Commit) => Promise<boolean> },
): Promise<MergeWays['ways']> {
  const floor = await floorOf(commits, head, { state, upstream });
  if (floor.id === head.id) {
    const before = await parentOf(commits, head);
    const kept = before === undefined || (await isSound(head)) ? head : before;
    return [{ keeps: 'ours', kept, other: undefined, base: kept, floor: kept }];
  }
  const [ours, theirs] = await sidesOf(commits, head, floor);
  const way = (keeps: MergeSide, kept: Commit): MergeWay => {
    return { keeps, kept, other: undefined, base: kept, floor };
  };
  if (!ours || !theirs) return [way('ours', floor)];
  return [way('ours', ours), way('theirs', theirs)];
}

/** The sides of a committed merge, if neither of them is upstream. */
async function sidesOf(commits: Commits, head: Commit, floor: Commit): Promise<readonly Commit[]> {
  if (head.parents.length !== 2) return [];
  const sides: Commit[] = [];
  for (const id of head.parents) {
    const side = await commits.resolve(id);
    if (await isIn(commits, floor, side)) return [];
    sides.push(side);
  }
  return sides;
}

/** The newest commit of HEAD that is upstream. */
async function floorOf(
  commits: Commits,
  head: Commit,
  { state, upstream }: Upstream,
): Promise<Commit> {
  if (state.onto !== undefined) return commits.resolve(state.onto);
  const target = await upstream();
  return commits.mergeBase(target.id, head.id);
}

async function parentOf(commits: Commits, { parents }: Commit): Promise<Commit | undefined> {
  const [first] = parents;
  return first === undefined ? undefined : commits.resolve(first);
}

async function isIn(commits: Commits, whole: Commit, part: Commit): Promise<boolean> {
  return (await commits.mergeBase(whole.id, part.id)).id === part.id;
}
