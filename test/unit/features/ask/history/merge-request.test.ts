import { expect, test } from 'vitest';
import { mergeRequestIn } from '../../../../../src/features/ask/history/merge-request.ts';

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
])('a message names its request: %j', (message, expected) => {
  expect(mergeRequestIn(message)).toBe(expected);
});

test.each(['Fix #12', 'Lease\n\nas in (#12)', 'Merge pull requests', 'a See merge request b!1'])(
  'a message names none: %j',
  (message) => {
    expect(mergeRequestIn(message)).toBeUndefined();
  },
);
