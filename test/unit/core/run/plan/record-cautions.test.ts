import { describe, expect, test } from 'vitest';
import {
  neverLiveCautions,
  recordCautions,
} from '../../../../../src/core/run/plan/record-cautions.ts';
import { aTable, type RecordWords } from '../../../../support/allocations/tables.ts';
import { aChange, aDeclared, aSide } from '../../../../support/plans/plan-builders.ts';

/** The codes of the cautions for a changed record. */
function codesOf(before: RecordWords, after: RecordWords): readonly string[] {
  const side = (words: RecordWords) => aDeclared({ table: aTable(['10.0.0.1', words]) });
  return recordCautions(side(before), side(after)).map(({ code }) => code);
}

describe('a promise', () => {
  test.each<[string, RecordWords, readonly string[]]>([
    ['of fewer days is told', { retain: 9 }, ['RETENTION_SHORTENED']],
    ['of as many days is not', { retain: 10 }, []],
    ['of more days is not', { retain: 11 }, []],
    ['of what is released is not', { retain: 0, released: ['2026-01-10', '2026-01-20'] }, []],
  ])('%s', (_, after, codes) => {
    expect(codesOf({ retain: 10 }, after)).toEqual(codes);
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
