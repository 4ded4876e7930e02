import { describe, expect, test } from 'vitest';
import { printAllocation, readAllocation } from '../../../../src/core/records/allocation-file.ts';
import { historyEventsOf, mergeRequestIn } from '../../../../src/lib/history/history-events.ts';
import { aRecord, type RecordWords } from '../../../support/allocations/tables.ts';
import { alice, bob } from '../../../support/declarations/pools-and-claims.ts';

const path = 'leases/allocations/203.0.113/203.0.113.7.yaml';

type State = (RecordWords & { readonly owner?: string }) | 'absent' | 'nonsense';

function textOf(state: State): string | undefined {
  if (state === 'absent') return undefined;
  if (state === 'nonsense') return '<<<<<<< ours\n';
  const holder = `default/akash/${state.owner ?? alice}-ip-web`;
  return printAllocation({ ...aRecord('203.0.113.7', state), holder });
}

const file = { path, read: readAllocation };

function eventsOf(states: readonly State[], isShallow = false): readonly string[] {
  const versions = states.map((state, index) => {
    const text = textOf(state);
    const commit = { id: 'c', at: 't', parents: index === 0 ? [] : ['p'], author: 'A' };
    return {
      commit: { ...commit, message: 'subject (#7)\n\nbody' },
      content: text === undefined ? undefined : new TextEncoder().encode(text),
    };
  });
  return historyEventsOf(file, versions, isShallow).map(({ event }) => event.event);
}

const released = { released: ['2026-01-05', '2026-01-09'] as const };

describe('historyEventsOf', () => {
  test.each<readonly [string, readonly State[], readonly string[]]>([
    ['given', [{}], ['given']],
    [
      'given anew after a prune',
      [{}, released, 'absent', { owner: bob }],
      ['given', 'released', 'pruned', 'given'],
    ],
    [
      'given to another after its release',
      [{}, released, { owner: bob }],
      ['given', 'released', 'given to another'],
    ],
    ['renamed', [{}, { owner: bob }], ['given', 'renamed']],
    [
      'given to another at once',
      [{}, { owner: bob, since: '2026-01-06' }],
      ['given', 'given to another'],
    ],
    ['reclaimed', [{}, released, { since: '2026-01-06' }], ['given', 'released', 'reclaimed']],
    ['reclaimed within one commit', [{}, { since: '2026-01-06' }], ['given', 'reclaimed']],
    ['a longer retention', [{}, { retain: 9 }], ['given', 'retention changed']],
    ['a minimum retention', [{}, { keepUntil: '2026-03-01' }], ['given', 'retention changed']],
    ['an equal record', [{}, {}], ['given']],
    ['given and released in one', [released], ['released']],
    ['a removed held record', [{}, 'absent'], ['given', 'removed']],
    [
      'an invalid record, twice, and then a valid one',
      [{}, 'nonsense', 'nonsense', {}],
      ['given', 'unreadable', 'found'],
    ],
    ['a removed invalid record', ['nonsense', 'absent'], ['unreadable', 'pruned']],
  ])('returns the events: %s', (_, states, events) => {
    expect(eventsOf(states)).toEqual(events);
  });

  test('returns found at the boundary of a shallow clone', () => {
    expect(eventsOf([{}, released], true)).toEqual(['found', 'released']);
    expect(eventsOf([{}, released], false)).toEqual(['given', 'released']);
  });
});

test('an event has the commit, its subject and its merge request', () => {
  const commit = { id: 'c', at: 't', parents: [], author: 'A', message: 'subject (#7)\n\nbody' };
  const content = new TextEncoder().encode(textOf({}));
  const [first] = historyEventsOf(file, [{ commit, content }], false);
  expect(first?.event).toEqual({
    event: 'given',
    at: 't',
    commit: 'c',
    author: 'A',
    subject: 'subject (#7)',
    request: '#7',
  });
});

test.each([
  ['Merge pull request #12 from alice/lease\n\nLease for Alice', '#12'],
  ['Lease for Alice (#345)\n\nbody', '#345'],
  ['Lease for Alice (#345)', '#345'],
  ['Revert "Lease (#12)" (#13)', '#13'],
  [
    "Merge branch 'a' into 'main'\n\nLease\n\nSee merge request group/sub/proj!34",
    'group/sub/proj!34',
  ],
  ['Merged in alice/lease (pull request #5)', '#5'],
])('mergeRequestIn finds the request in %j', (message, expected) => {
  expect(mergeRequestIn(message)).toBe(expected);
});

test.each(['Fix #12', 'Lease\n\nas in (#12)', 'Merge pull requests', 'a See merge request b!1'])(
  'mergeRequestIn finds no request in %j',
  (message) => {
    expect(mergeRequestIn(message)).toBeUndefined();
  },
);
