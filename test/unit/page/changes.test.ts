import { describe, expect, test } from 'vitest';
import type { PictureRecord } from '../../../src/features/picture/picture-answer.ts';
import { changesBetween, changesIn, changeText } from '../../../src/page/changes.ts';
import { PictureIndex } from '../../../src/page/picture-index.ts';
import { keptUntil, pictured, recordAt } from '../../support/pictured.ts';

type Records = readonly PictureRecord[];

const indexOf = (records: Records) => new PictureIndex({ ...pictured([]), records });
const changesOf = (before: Records, after: Records) => [
  ...changesBetween(indexOf(before), indexOf(after)).values(),
];

const held = recordAt('203.0.113.7');
const kept = recordAt('203.0.113.7', keptUntil('2026-12-01'));
const ofBob = recordAt('203.0.113.7', { holder: 'lab/akash1bob-ip-web' });
const elsewhere = recordAt('203.0.113.9');
const six = recordAt('2001:db8::7');

describe('a change of an address', () => {
  test.each<[string, Records, Records, readonly string[]]>([
    ['nothing', [], [], []],
    ['the same holder', [held], [{ ...held, since: '2026-05-01' }], []],
    ['another holder', [held], [ofBob], ['203.0.113.7 given on']],
    ['a new record', [], [held], ['203.0.113.7 allocated']],
    ['what was kept is held', [kept], [held], ['203.0.113.7 allocated']],
    ['what was held is kept', [held], [kept], ['203.0.113.7 released']],
    ['no record of what was held', [held], [], ['203.0.113.7 released']],
    ['no record of what was kept', [kept], [], ['203.0.113.7 forgotten']],
    ['it is kept longer', [kept], [{ ...kept, freeFrom: '2027-01-01' }], []],
    ['a record of what is kept only', [], [kept], []],
    [
      'another address',
      [held],
      [kept, elsewhere],
      ['203.0.113.7 moved away to 203.0.113.9', '203.0.113.9 moved here from 203.0.113.7'],
    ],
    [
      'an address of the other family',
      [held],
      [six],
      ['203.0.113.7 released', '2001:db8::7 allocated'],
    ],
    [
      'another address, where one that was kept goes',
      [kept],
      [elsewhere],
      ['203.0.113.7 forgotten', '203.0.113.9 allocated'],
    ],
    [
      'the address of somebody else, for one that is lost',
      [ofBob, elsewhere],
      [held],
      ['203.0.113.7 given on', '203.0.113.9 released'],
    ],
  ])('is told of %s', (_, before, after, told) => {
    const changes = changesOf(before, after);
    expect(changes.map((change) => `${change.address} ${changeText(change)}`)).toEqual(told);
  });

  test('counts for the block that it lies in, from its first to its last address', () => {
    const changes = changesOf([], [recordAt('203.0.113.16'), recordAt('203.0.113.31'), six]);
    const from = 0xcb007110n;
    const count = (first: bigint, bits: number) =>
      changesIn(changes, { family: 'ipv4', from: first, bits });
    expect([count(from, 4), count(from, 0), count(from + 15n, 0)]).toEqual([2, 1, 1]);
    expect([count(from + 16n, 4), count(from - 16n, 4), count(0n, 32)]).toEqual([0, 0, 2]);
    expect(changesIn(changes, { family: 'ipv6', from: 0n, bits: 128 })).toBe(1);
    expect(changesIn([], { family: 'ipv4', from, bits: 4 })).toBe(0);
  });
});
