import { describe, expect, it } from 'vitest';
import { claimsOfService } from '../../../../src/core/declarations/claims.ts';
import { moveProblems } from '../../../../src/core/transitions/moves.ts';
import { aRecord, aTable, type RecordWords } from '../../../support/allocations/tables.ts';
import { aHolder } from '../../../support/declarations/pools-and-claims.ts';
import { aService } from '../../../support/declarations/services.ts';

type Records = readonly (readonly [string, RecordWords?])[];

const [a, b, c] = ['203.0.113.1', '203.0.113.2', '203.0.113.3'] as const;
const gone: RecordWords = { released: ['2026-03-01', '2026-03-02'] };
const held: RecordWords = { since: '2026-03-01' };

function judged(base: Records, head: Records): readonly string[] {
  return moveProblems(aTable(...base), aTable(...head), { holders: new Map() }).map(
    ({ message }) => message,
  );
}

describe('a holder may have another address', () => {
  it.each<[string, Records, Records]>([
    [
      'from a move',
      [[a]],
      [
        [a, gone],
        [b, { ...held, movedFrom: a }],
      ],
    ],
    [
      'from two moves',
      [[a]],
      [
        [a, gone],
        [b, { ...gone, since: '2026-03-01', movedFrom: a }],
        [c, { ...held, movedFrom: b }],
      ],
    ],
    [
      'from a move of a new address',
      [],
      [
        [a, { ...gone, since: '2026-03-01' }],
        [b, { ...held, movedFrom: a }],
      ],
    ],
    ['from a move in the base', [[b, { movedFrom: a }]], [[b, { movedFrom: a, retain: 3 }]]],
    ['from its release', [[b, { movedFrom: a }]], [[b, { ...gone, movedFrom: a }]]],
    ['if it has two addresses in the base', [[a], [b]], [[a, gone], [b]]],
    [
      'in another family',
      [[a]],
      [
        [a, gone],
        ['2001:db8::1', held],
      ],
    ],
    ['if it returns', [[a, gone]], [[a, held]]],
    [
      'if a return has no origin',
      [
        [a, gone],
        [b, { movedFrom: a }],
      ],
      [[a, gone], [b]],
    ],
    [
      'if its origin is recorded again',
      [[a, gone], [b]],
      [
        [a, gone],
        [b, { movedFrom: a }],
      ],
    ],
  ])('%s', (_, base, head) => {
    expect(judged(base, head)).toEqual([]);
  });
});

describe('another address of a holder is ALLOCATION_FORGED', () => {
  it.each<[string, Records, Records, string]>([
    [
      'without a move',
      [[a]],
      [
        [a, gone],
        [b, held],
      ],
      `${b} is held by .*alice, which has ${a}`,
    ],
    [
      'with a move from elsewhere',
      [[a]],
      [
        [a, gone],
        [b, { ...held, movedFrom: c }],
      ],
      `${b} is held by .* was not moved from there`,
    ],
    [
      'with a move from an address of another holder',
      [[c, { name: 'bob' }]],
      [
        [c, { name: 'bob' }],
        [b, { ...held, movedFrom: c }],
      ],
      `${b} records that .*alice was moved from ${c}, which it did not have`,
    ],
    [
      'with a move from an address that it had long ago',
      [[c, gone]],
      [
        [c, gone],
        [b, { ...held, movedFrom: c }],
      ],
      `${b} records that .*alice was moved from ${c}`,
    ],
    [
      'with a move that is added later',
      [[b]],
      [[b, { movedFrom: a }]],
      `${b} was moved from nowhere`,
    ],
  ])('%s', (_, base, head, message) => {
    const found = judged(base, head);
    expect(found[0]).toMatch(new RegExp(message));
  });

  it('is found in a circle of moves', () => {
    const head: Records = [
      [c, gone],
      [a, { ...gone, since: '2026-03-01', movedFrom: b }],
      [b, { ...held, movedFrom: a }],
    ];
    expect(judged([[c]], head)).toHaveLength(1);
  });
});

describe('a Service that was moved and takes a sharing key', () => {
  const alone = 'default/service/shop/web';
  const shared = 'default/shared/shop/red';
  const claims = claimsOfService(aService({ sharingKey: 'red' }), []);
  const holders = new Map([[shared, aHolder(claims)]]);
  const recordOf = (holder: string, address: string, words: RecordWords = {}) =>
    [address, { ...aRecord(address, words), holder }] as const;
  const moved = { ...held, movedFrom: a };

  it.each([
    ['in a change of its own', [recordOf(alone, a, gone), recordOf(alone, b, moved)]],
    ['in the same change', [recordOf(alone, a)]],
  ])('keeps its movedFrom, %s', (_, base) => {
    const head = [recordOf(alone, a, gone), recordOf(shared, b, moved)];
    expect(moveProblems(new Map(base), new Map(head), { holders })).toEqual([]);
    const others = moveProblems(new Map(base), new Map(head), { holders: new Map() });
    expect(others.map(({ code }) => code)).toEqual(['ALLOCATION_FORGED']);
  });

  it('keeps the same movedFrom', () => {
    const base = [recordOf(alone, a, gone), recordOf(alone, b, moved)];
    const head = [recordOf(alone, a, gone), recordOf(shared, b, { ...held, movedFrom: c })];
    const problems = moveProblems(new Map(base), new Map(head), { holders });
    expect(problems.map(({ message }) => message)).toEqual([
      `${b} was moved from ${a} in the base, and from ${c} here`,
    ]);
  });
});
