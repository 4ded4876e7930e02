import { describe, expect, it } from 'vitest';
import type { Commit, Commits } from '../../../../src/core/interfaces/commits.ts';
import type { MergeState } from '../../../../src/core/interfaces/work-tree.ts';
import { type MergeWays, mergeWays } from '../../../../src/features/resolve/merge-ways.ts';
import { aDay } from '../../../support/allocations/tables.ts';

/** Commits by name, with their parents; each is made after those before it. */
const parents: Readonly<Record<string, readonly string[]>> = {
  first: [],
  begun: ['first'],
  main: ['begun'],
  ours: ['begun'],
  theirs: ['begun'],
  joined: ['ours', 'theirs'],
  updated: ['ours', 'main'],
  octopus: ['ours', 'theirs', 'main'],
};

function commitOf(id: string): Commit {
  const day = aDay('2026-01-10');
  return { id, day, at: `${day}T10:00:00Z`, parents: parents[id] ?? [], message: '' };
}

/** A commit and all before it. */
function history(id: string): readonly string[] {
  return [id, ...(parents[id] ?? []).flatMap(history)];
}

const commits: Pick<Commits, 'resolve' | 'mergeBase'> = {
  resolve: async (ref) => commitOf(ref),
  mergeBase: async (left, right) => {
    const known = new Set(history(left));
    const shared = history(right).filter((id) => known.has(id));
    const last = Object.keys(parents).findLast((id) => shared.includes(id));
    if (last === undefined) throw new Error(`${left} and ${right} have nothing in common`);
    return commitOf(last);
  },
};

interface Asked extends Partial<MergeState> {
  readonly head: string;
  readonly upstream?: string;
  readonly isSound?: boolean;
}

/** The ways as `keeps kept other base floor`, and the sides. */
async function ways({ head, upstream, isSound = true, ...state }: Asked) {
  const found: MergeWays = await mergeWays(
    commits as Commits,
    {
      head: commitOf(head),
      state: { unfinished: undefined, incoming: [], onto: undefined, unmerged: [], ...state },
    },
    async () => {
      if (upstream === undefined) throw new Error('upstream was asked for');
      return commitOf(upstream);
    },
    async () => isSound,
  );
  return {
    ways: found.ways.map(({ keeps, kept, other, base, floor }) =>
      [keeps, kept.id, other?.id ?? '-', base?.id ?? '-', floor.id].join(' '),
    ),
    sides: found.joined ? [found.joined.ours.id, found.joined.theirs.id] : [],
  };
}

describe('the side that keeps its addresses in a merge', () => {
  it.each([
    ['main', 'theirs', 'main', ['ours main theirs begun main']],
    ['ours', 'main', 'main', ['theirs main ours begun main']],
    ['ours', 'theirs', 'main', ['ours ours theirs begun begun', 'theirs theirs ours begun begun']],
  ])('of %s with %s is the upstream one, or either one', async (...given) => {
    const [head, incoming, upstream, expected] = given;
    for (const unfinished of ['merge', 'squash'] as const) {
      expect(await ways({ head, incoming: [incoming], upstream, unfinished })).toEqual({
        ways: expected,
        sides: [head, incoming],
      });
    }
  });

  it('is HEAD if state.onto is set, and upstream is not called', async () => {
    const state = { unfinished: 'merge', incoming: ['theirs'], onto: 'main' } as const;
    expect((await ways({ head: 'ours', ...state })).ways).toEqual(['ours ours theirs begun main']);
  });
});

describe('the side that keeps its addresses when one commit is replayed', () => {
  it.each(['cherry-pick', 'rebase'] as const)('is HEAD, in a %s', async (unfinished) => {
    const asked = { head: 'main', incoming: ['theirs'], upstream: 'main', unfinished };
    expect(await ways(asked)).toEqual({
      ways: ['ours main theirs begun main'],
      sides: ['main', 'theirs'],
    });
  });

  it('is HEAD in a revert, which restores the state before the commit', async () => {
    const asked = { head: 'ours', incoming: ['ours'], upstream: 'main', unfinished: 'revert' };
    expect(await ways(asked as Asked)).toEqual({
      ways: ['ours ours begun ours begun'],
      sides: ['ours', 'begun'],
    });
    const begins = { head: 'first', incoming: ['first'], upstream: 'main', unfinished: 'revert' };
    expect((await ways(begins as Asked)).ways).toEqual(['ours first first first first']);
  });
});

describe('the side that keeps its addresses without a merge in progress', () => {
  it('is HEAD if that is upstream, or its parent if HEAD is not sound', async () => {
    const asked = { head: 'main', upstream: 'main' };
    expect(await ways(asked)).toEqual({ ways: ['ours main - main main'], sides: [] });
    expect((await ways({ ...asked, isSound: false })).ways).toEqual(['ours begun - begun begun']);
    const first = { head: 'first', upstream: 'main', isSound: false };
    expect((await ways(first)).ways).toEqual(['ours first - first first']);
  });

  it.each([
    ['ours', ['ours begun - begun begun']],
    ['updated', ['ours main - main main']],
    ['octopus', ['ours main - main main']],
  ])('is the upstream part of %s', async (head, expected) => {
    expect((await ways({ head, upstream: 'main' })).ways).toEqual(expected);
  });

  it('is either side of a committed merge if neither is upstream', async () => {
    expect((await ways({ head: 'joined', upstream: 'main' })).ways).toEqual([
      'ours ours - ours begun',
      'theirs theirs - theirs begun',
    ]);
  });

  it('is upstream for a merge of more than two sides', async () => {
    expect((await ways({ head: 'octopus', upstream: 'begun' })).ways).toEqual([
      'ours begun - begun begun',
    ]);
  });
});
