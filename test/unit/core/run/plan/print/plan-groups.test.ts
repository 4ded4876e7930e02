import { describe, expect, test } from 'vitest';
import type { PlanProblem } from '../../../../../../src/core/run/plan/plan-answer.ts';
import {
  cautionGroups,
  omittedText,
  problemGroups,
  shownFindings,
} from '../../../../../../src/core/run/plan/print/plan-groups.ts';

function problems(count: number, changes: Partial<PlanProblem> = {}): PlanProblem[] {
  return Array.from({ length: count }, (_, index) => ({
    code: 'STALE' as const,
    message: `the file ${index} is missing`,
    of: 'tree' as const,
    file: `dist/${index % 4}.yaml`,
    line: 1,
    column: 1,
    hint: 'run `leasehold synth`',
    also: [],
    ...changes,
  }));
}

const shownOf = (all: readonly PlanProblem[], whole = false) =>
  problemGroups(all).map((group) => {
    const shown = shownFindings(group, whole);
    return [shown.messages.map((equal) => equal.length), omittedText(shown)];
  });

describe('problems of one code', () => {
  test('are one group when their hint is the same, in the order of the first of each', () => {
    const all = [
      ...problems(2),
      ...problems(1, { hint: 'another' }),
      ...problems(1, { code: 'PORT_TAKEN' }),
      ...problems(1),
    ];

    expect(
      problemGroups(all).map(({ code, advice, findings }) => [code, advice, findings.length]),
    ).toEqual([
      ['STALE', 'run `leasehold synth`', 3],
      ['STALE', 'another', 1],
      ['PORT_TAKEN', 'run `leasehold synth`', 1],
    ]);
  });

  test('are all shown up to five, then three and the number of the others', () => {
    expect(shownOf(problems(5))).toEqual([[[1, 1, 1, 1, 1], '']]);
    expect(shownOf(problems(6))).toEqual([[[1, 1, 1], 'and 3 more in 3 files']]);
    expect(shownOf(problems(64))).toEqual([[[1, 1, 1], 'and 61 more in 4 files']]);
    expect(shownOf(problems(8, { file: 'a.yaml' }))).toEqual([[[1, 1, 1], 'and 5 more in 1 file']]);
  });

  test('are all shown when asked for', () => {
    expect(shownOf(problems(64), true)).toEqual([[Array(64).fill(1), '']]);
  });

  test('with one message show it once', () => {
    expect(shownOf(problems(13, { message: 'the file is missing' }))).toEqual([
      [[3], 'and 10 more in 4 files'],
    ]);
  });
});

test('cautions of one code are one group with the advice of the code', () => {
  const groups = cautionGroups([
    { code: 'LEASE_CUT', message: 'a' },
    { code: 'POOLS_CHANGED', message: 'b' },
    { code: 'LEASE_CUT', message: 'c' },
  ]);

  expect(
    groups.map(({ code, findings }) => [code, findings.map(({ message }) => message)]),
  ).toEqual([
    ['LEASE_CUT', ['a', 'c']],
    ['POOLS_CHANGED', ['b']],
  ]);
  expect(groups[0]?.advice).toContain('Merge this when the lease should end');
});
