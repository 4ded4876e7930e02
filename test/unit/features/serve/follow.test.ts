import { expect, test } from 'vitest';
import type { Day } from '../../../../src/core/model/day.ts';
import { EnvironmentError, InternalError } from '../../../../src/core/model/problem.ts';
import { changedTree } from '../../../../src/core/tree/changed-tree.ts';
import { type FollowEvent, Follower } from '../../../../src/features/serve/follow.ts';
import type { LongWork } from '../../../../src/features/serve/long-work.ts';
import { readWorkspaceSnapshot } from '../../../../src/lib/list/workspace-snapshot.ts';
import type { GitWork } from '../../../../src/lib/service/serve-state.ts';
import { defaultPoolText } from '../../../support/declarations/pools-text.ts';

const pools = (block: string): string => defaultPoolText(`'${block}'`);

/** An in-memory tree with a pool file. It can be unavailable, or change during a read. */
function scene(text = pools('203.0.113.0/28')) {
  const state = {
    text,
    day: '2026-01-10',
    isAway: false,
    isKept: false,
    isSlow: false,
    bug: undefined as unknown,
    opened: 0,
    whileRead: [] as string[],
  };
  let clock = 0;
  const work: Pick<LongWork, 'fingerprint' | 'read' | 'readKept'> = {
    async readKept(day) {
      return state.isKept ? work.read(day) : undefined;
    },
    async fingerprint() {
      if (state.isAway) throw new EnvironmentError('the remote is away');
      return state.text;
    },
    async read() {
      state.opened += 1;
      if (state.bug !== undefined) throw state.bug;
      const tree = changedTree({ list: () => [], read: () => new Uint8Array() });
      await tree.commit({ writes: new Map([['leases/pools.yaml', state.text]]), removes: [] });
      state.text = state.whileRead.shift() ?? state.text;
      const history = { tracked: async () => undefined };
      const snapshot = await readWorkspaceSnapshot(tree, history);
      return { snapshot, capacity: undefined, commit: undefined, isUncommitted: false };
    },
  };
  const events: FollowEvent[] = [];
  const follower = new Follower({
    name: 'a tree',
    work,
    git: {} as GitWork,
    pending: undefined,
    clock: {
      now: () => clock,
      async pause(milliseconds) {
        clock += milliseconds;
      },
    },
    timeouts: {
      async endsWithin(_, answer) {
        if (state.isSlow) return false;
        await answer.catch(() => {});
        return true;
      },
    },
    today: () => state.day as Day,
    time: () => `${state.day}T00:00:00Z`,
  });
  const kinds = () => events.map(({ kind }) => kind);
  const poll = () => follower.poll((event) => events.push(event));
  return { state, follower, events, kinds, poll, clock: () => clock };
}

test('a poll at an unchanged tree reads nothing and notifies no listener', async () => {
  const { state, follower, poll, kinds } = scene();
  let heard = 0;
  follower.subscribe(() => {
    heard += 1;
  });
  await poll();
  const { served } = follower.state();
  await poll();
  expect([state.opened, heard, kinds()]).toEqual([1, 1, ['serves']]);
  expect(follower.state().served).toBe(served);
});

test('a tree that changes during a read is read again', async () => {
  const { state, follower, poll } = scene();
  state.whileRead.push(pools('198.51.100.0/28'));
  await poll();
  expect(state.opened).toBe(2);
  const [pool] = follower.state().served?.snapshot.pools.pools ?? [];
  expect(pool?.ranges[0]?.from.value).toBe(0xc6336400n);
});

test('a tree that changes constantly is served as read, and read again at the next poll', async () => {
  const { state, follower, poll } = scene();
  state.whileRead.push(...[1, 2, 3, 4].map((part) => pools(`198.51.100.${part * 16}/28`)));
  await poll();
  expect([state.opened, follower.state().served !== undefined]).toEqual([3, true]);
  await poll();
  expect(state.opened).toBeGreaterThan(3);
});

test('a new day makes a new state of the same tree, also while the tree is unavailable', async () => {
  const { state, follower, poll, kinds } = scene();
  await poll();
  const first = follower.state().served;
  state.day = '2026-01-11';
  await poll();
  const second = follower.state().served;
  expect([second?.day, second?.snapshot]).toEqual(['2026-01-11', first?.snapshot]);
  expect(second?.memory).not.toBe(first?.memory);
  state.isAway = true;
  state.day = '2026-01-12';
  await poll();
  expect(follower.state()).toMatchObject({
    served: { day: '2026-01-12' },
    stale: { since: '2026-01-12T00:00:00Z', reason: 'the remote is away' },
    polls: { all: 3, failed: 1 },
  });
  expect(kinds()).toEqual(['serves', 'failed']);
});

test('a failure is reported once, and so is the recovery', async () => {
  const { state, follower, poll, kinds } = scene();
  await poll();
  state.isAway = true;
  await poll();
  state.day = '2026-01-11';
  await poll();
  expect(follower.state().stale?.since).toBe('2026-01-10T00:00:00Z');
  state.isAway = false;
  await poll();
  expect(follower.state().stale).toBeUndefined();
  expect(kinds()).toEqual(['serves', 'failed', 'recovered']);
});

test('a tree that was invalid before a failure is still stale after it', async () => {
  const { state, follower, poll, kinds } = scene();
  await poll();
  state.text = 'kind: Pools\n';
  await poll();
  state.isAway = true;
  await poll();
  state.isAway = false;
  await poll();
  const { stale, served } = follower.state();
  expect(stale?.reason).toBeUndefined();
  expect(stale?.problems.length).toBeGreaterThan(0);
  expect(served).toBeDefined();
  expect(kinds()).toEqual(['serves', 'broken', 'failed', 'recovered']);
});

test.each([
  [new TypeError('Cannot convert object to primitive value'), 'Cannot convert object to'],
  // As an error of a worker thread, with its stack.
  [new InternalError('RangeError: too deep\n    at build (main.js:1:1)'), 'RangeError: too deep'],
  ['thrown as a text', 'thrown as a text'],
])(
  'after a bug the last valid state is served as stale until a poll succeeds: %s',
  async (bug, said) => {
    const { state, follower, poll, events, kinds } = scene();
    await poll();
    const good = follower.state().served;
    state.bug = bug;
    state.text = pools('198.51.100.0/28');
    await poll();
    await poll();
    const { served, stale, polls } = follower.state();
    expect([served, polls]).toEqual([good, { all: 3, failed: 2 }]);
    expect(stale?.reason).toMatch(/^this is a bug of leasehold: /);
    expect(stale?.reason).toContain(said);
    expect(stale?.reason).not.toContain('\n');
    expect(events.at(-1)).toMatchObject({ kind: 'failed', bug });
    state.bug = undefined;
    await poll();
    expect(follower.state().stale).toBeUndefined();
    expect(follower.state().served).not.toBe(good);
    expect(kinds()).toEqual(['serves', 'failed', 'serves']);
  },
);

test('a bug in the first poll and in the kept tree is the reason that nothing is served', async () => {
  const { state, follower, poll, kinds } = scene();
  state.bug = new TypeError('x');
  state.isKept = true;
  expect(await poll()).toBe(false);
  expect(follower.state()).toMatchObject({
    served: undefined,
    stale: { reason: 'this is a bug of leasehold: x' },
  });
  expect(kinds()).toEqual(['failed']);
});

test('pauses grow to a minute while polls fail, and a stop ends a pause', async () => {
  const { state, follower, clock } = scene();
  state.isAway = true;
  const starts: number[] = [];
  const run = { interval: 5_000, report: () => {} };
  await follower.run({
    ...run,
    isStopped() {
      const { all } = follower.state().polls;
      if (starts.length < all) starts.push(clock());
      return all === 7;
    },
  });
  const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
  expect(gaps).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});

test('when the first poll fails, the tree of an earlier process is served as stale', async () => {
  const { state, follower, poll, kinds } = scene();
  state.isAway = true;
  await poll();
  expect(follower.state().served).toBeUndefined();
  state.isKept = true;
  await poll();
  await poll();
  expect(follower.state()).toMatchObject({
    served: { day: '2026-01-10' },
    stale: { since: '2026-01-10T00:00:00Z', reason: 'the remote is away' },
  });
  expect([state.opened, kinds()]).toEqual([1, ['failed', 'serves', 'failed']]);
  state.isAway = false;
  await poll();
  expect([state.opened, follower.state().stale]).toEqual([2, undefined]);
});

test('an invalid tree of an earlier process is not served', async () => {
  const { state, follower, poll, kinds } = scene('kind: Pools\n');
  state.isAway = true;
  state.isKept = true;
  await poll();
  expect(follower.state()).toMatchObject({
    served: undefined,
    stale: { reason: 'the remote is away' },
  });
  expect(kinds()).toEqual(['failed']);
});

test('while the first poll does not answer, the tree of an earlier process is served as stale', async () => {
  const { state, follower, poll, kinds } = scene();
  state.isSlow = true;
  state.isKept = true;
  let whileAsked: unknown;
  follower.subscribe(() => {
    whileAsked ??= follower.state().stale ?? undefined;
  });
  await poll();
  expect(whileAsked).toEqual({
    since: '2026-01-10T00:00:00Z',
    problems: [],
    reason: 'a tree has not answered yet',
  });
  expect(follower.state()).toMatchObject({ stale: undefined, polls: { all: 1, failed: 0 } });
  expect([state.opened, kinds()]).toEqual([2, ['serves', 'failed', 'serves']]);
});
