import { describe, expect, test } from 'vitest';
import type { AllocationTable } from '../../../../src/core/model/allocation.ts';
import { addDays } from '../../../../src/core/model/day.ts';
import { formatAddress } from '../../../../src/core/net/address.ts';
import { transitionProblems } from '../../../../src/core/transitions/transitions.ts';
import {
  keyOf,
  ownedKeys,
  ownersOf,
  owning,
  recordText,
  type ServiceWords,
  signed,
} from '../../../support/allocations/owned-records.ts';
import { aDay } from '../../../support/allocations/tables.ts';

/*
 * web, api and mail share an address with a key, and each has a retention of five days. What a run makes of it, and
 * what check --base says of that, from the last state that was merged.
 */
const port = (number: number) => [{ port: number, targetPort: number, protocol: 'TCP' as const }];
const shares = { sharingKey: 'front', secret: 'own', retentionDays: 5 };
const web: ServiceWords = { ...shares, name: 'web' };
const api: ServiceWords = { ...shares, name: 'api', ports: port(81) };
const mail: ServiceWords = { ...shares, name: 'mail', ports: port(82) };
const holder = 'default/shared/shop/front';

interface State {
  readonly services: readonly ServiceWords[];
  readonly table: AllocationTable;
}

const nothing: State = { services: [], table: new Map() };

function run(from: State, services: readonly ServiceWords[], today: string): State {
  const outcome = owning({ services, keys: ownedKeys, table: from.table, today });
  if (!outcome.ok) throw new Error(outcome.problems.map(({ code }) => code).join());
  const { table } = outcome.value;
  const frozen = owning({ services, keys: ownedKeys, table, today: undefined });
  expect(frozen).toMatchObject({ ok: true });
  return { services, table };
}

function judged(base: State, head: State, today: string): readonly string[] {
  const day = aDay(today);
  const problems = transitionProblems(base.table, head.table, {
    day,
    target: day,
    longestRetention: 30,
    holders: ownersOf(head.services, ownedKeys),
    formerHolders: ownersOf(base.services, ownedKeys),
  });
  return problems.map(({ code, message }) => `${code} ${message.replace(/^\S+ /, '')}`);
}

function recordOf({ table }: State) {
  const [record] = table.values();
  if (!record) throw new Error('no record');
  return record;
}

/** The only Service that is left, under the next key, with a signature for it. */
function rotating(from: State): ServiceWords {
  const { address, since } = recordOf(from);
  const signature = signed('old', { address, holder, since, newKey: keyOf('new') });
  return { ...web, secret: 'next', signature };
}

const both = run(nothing, [web, api], '2026-03-01');
const alone = run(both, [web], '2026-03-10');

describe('a Service that leaves an address with a key', () => {
  test('keeps its retention, although that of the others is not shorter', () => {
    expect(recordOf(both)).toMatchObject({ shared: true, keepUntil: undefined, retain: 5 });
    expect(recordOf(alone)).toMatchObject({ shared: false, keepUntil: '2026-03-15', retain: 5 });
    expect(judged(both, alone, '2026-03-10')).toEqual([]);
  });

  test('prevents another key until then, also in the same pull request', () => {
    const next = rotating(alone);
    const early = { services: [next], keys: ownedKeys, table: alone.table, today: '2026-03-14' };
    expect(owning(early)).toMatchObject({ ok: false, problems: [{ code: 'KEY_SHARED' }] });
    const late = run(alone, [next], '2026-03-15');
    expect(recordText(recordOf(late))).toBe('shared/shop/front held new 1'.slice(7));
    expect(judged(alone, late, '2026-03-15')).toEqual([]);
    expect(judged(both, late, '2026-03-20')).toEqual([
      'ALLOCATION_FORGED has another key than in the base, and no signature of that key allows it',
    ]);
    const now = { services: [next], keys: ownedKeys, table: both.table, today: '2026-03-10' };
    expect(owning(now)).toMatchObject({ ok: false, problems: [{ code: 'KEY_SHARED' }] });
  });

  test('leaves its retention with the last Service that stays', () => {
    const three = run(both, [web, api, mail], '2026-03-02');
    const two = run(three, [web, api], '2026-03-05');
    expect(recordOf(two)).toMatchObject({ shared: true, keepUntil: undefined });
    expect(judged(three, two, '2026-03-05')).toEqual([]);
    const one = run(two, [web], '2026-03-06');
    expect(recordOf(one)).toMatchObject({ shared: false, keepUntil: '2026-03-11' });
    expect(judged(two, one, '2026-03-06')).toEqual([]);
  });

  test('is not followed by another one unless both shared the address', () => {
    const swapped = run(alone, [{ ...api }], '2026-03-20');
    expect(judged(alone, swapped, '2026-03-20')).toEqual([
      expect.stringMatching(
        /^ALLOCATION_FORGED has a retention of 5 days for a Service that left it, /,
      ),
    ]);
    const beside = run(alone, [web, api], '2026-03-20');
    const followed = run(beside, [api], '2026-03-20');
    expect(judged(alone, followed, '2026-03-20')).toEqual([]);
    expect(recordOf(followed).keepUntil).toBe('2026-03-25');
  });
});

test('the retention of a Service that left cannot be removed by hand', () => {
  for (const [keepUntil, code] of [
    [undefined, 'ALLOCATION_FORGED'],
    [addDays(aDay('2026-03-10'), 3), 'DATE_BEHIND'],
    [addDays(aDay('2026-03-10'), 9), 'DATE_AHEAD'],
  ] as const) {
    const record = { ...recordOf(alone), keepUntil };
    const table = new Map([[formatAddress(record.address), record]]);
    const [problem] = judged(both, { services: [web], table }, '2026-03-10');
    expect([keepUntil, problem?.split(' ')[0]]).toEqual([keepUntil, code]);
  }
});
