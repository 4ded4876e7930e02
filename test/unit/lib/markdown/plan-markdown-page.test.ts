import { describe, expect, it } from 'vitest';
import {
  type Counts,
  fitted,
  type ShrinkStep,
} from '../../../../src/lib/markdown/plan-markdown-page.ts';

type Name = 'diffs' | 'rows';

const all = { diffs: 9, rows: 9 };
const steps: readonly ShrinkStep<Name>[] = [
  ['diffs', 0],
  ['rows', 2],
];

/** What of the lists fits where a text may have so many lines. Nothing is asked twice: each text takes time. */
function fittedIn(most: number, counts: Counts<Name> = all): Counts<Name> | undefined {
  const asked = new Set<number>();
  return fitted(counts, steps, ({ diffs, rows }) => {
    const lines = diffs + rows;
    if (asked.has(lines)) throw new Error(`asked twice about ${lines} lines`);
    asked.add(lines);
    return lines <= most;
  });
}

describe('the lists that fit into a text', () => {
  it('is all of it while there is room', () => {
    expect(fittedIn(18)).toEqual(all);
  });

  it.each([17, 16, 13, 10, 9])('is the most of the list that gives way first: %i', (most) => {
    expect(fittedIn(most)).toEqual({ diffs: most - 9, rows: 9 });
  });

  it.each([8, 7, 5, 3, 2])('leaves out one list and most of the next one: %i', (most) => {
    expect(fittedIn(most)).toEqual({ diffs: 0, rows: most });
  });

  it('is nothing below the floor of the last list', () => {
    expect(fittedIn(1)).toBeUndefined();
  });

  it('skips a list that is not longer than its floor', () => {
    expect(fittedIn(4, { diffs: 0, rows: 9 })).toEqual({ diffs: 0, rows: 4 });
  });
});
