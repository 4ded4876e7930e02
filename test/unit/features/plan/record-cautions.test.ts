import { describe, expect, test } from 'vitest';
import {
  neverLiveCautions,
  recordCautions,
} from '../../../../src/features/plan/record-cautions.ts';
import { aDay, aTable, type RecordWords } from '../../../support/allocations/tables.ts';
import { aChange, aDeclared, aSide } from '../../../support/plans/plan-builders.ts';

/** The codes of the cautions for a changed record, in a commit of a day. */
function codesOf(before: RecordWords, after: RecordWords, day: string): readonly string[] {
  const side = (words: RecordWords) => aDeclared({ table: aTable(['10.0.0.1', words]) });
  return recordCautions(side(before), side(after), aDay(day)).map(({ code }) => code);
}

describe('a promise', () => {
  test.each<[string, RecordWords, readonly string[]]>([
    ['of fewer days is told', { retain: 9 }, ['RETENTION_SHORTENED']],
    ['of as many days is not', { retain: 10 }, []],
    ['of more days is not', { retain: 11 }, []],
    ['of what is released is not', { retain: 0, released: ['2026-01-10', '2026-01-20'] }, []],
  ])('%s', (_, after, codes) => {
    expect(codesOf({ retain: 10 }, after, '2026-01-10')).toEqual(codes);
  });
});

describe('a date that is old', () => {
  const released = (freeFrom: string): RecordWords => ({ released: ['2026-01-10', freeFrom] });
  const promise = { retain: 10 };
  const until = { retain: 10, keepUntil: '2026-01-20' };

  test.each<[string, RecordWords, RecordWords, string]>([
    ['a release of eight days before', {}, released('2026-03-01'), '2026-01-18'],
    ['a cooldown that is over', {}, released('2026-01-13'), '2026-01-13'],
    ['a promise of eight days before', promise, until, '2026-01-18'],
  ])('is that of %s', (_, before, after, day) => {
    expect(codesOf(before, after, day)).toEqual(['DATE_OLD']);
  });

  test.each<[string, RecordWords, RecordWords, string]>([
    ['a release of seven days before', {}, released('2026-03-01'), '2026-01-17'],
    ['a cooldown that is not over', {}, released('2026-01-13'), '2026-01-12'],
    ['a cooldown of one day', {}, released('2026-01-11'), '2026-01-12'],
    ['no cooldown', {}, released('2026-01-10'), '2026-01-12'],
    ['a promise of seven days before', promise, until, '2026-01-17'],
    ['a promise that stood before', until, until, '2026-06-01'],
    ['a release of the base', released('2026-03-01'), released('2026-03-01'), '2026-06-01'],
  ])('is not that of %s', (_, before, after, day) => {
    expect(codesOf(before, after, day)).toEqual([]);
  });
});

describe('an address that was never live', () => {
  test('has a caution when the base has no record of it', () => {
    const released = aChange({ change: 'released', after: aSide(undefined, '2026-02-01') });
    const lived = { ...released, before: aSide() };
    expect(neverLiveCautions([released, lived, aChange()]).map(({ message }) => message)).toEqual([
      '203.0.113.7 was never live, but is not free for others until 2026-02-01',
    ]);
  });
});
