import { expect, test } from 'vitest';
import { addressChanges } from '../../../../src/features/plan/address-changes.ts';
import { anOwned, type OwnedWords, ownedKeys, ownedTable } from '../../../support/owned.ts';
import { aDeclared } from '../../../support/plan-builders.ts';

const kept = ['2026-03-01', '2026-03-20'] as const;
const taken = { since: '2026-03-10', generation: 1 };

/** What a side of a plan declares beside one record: nothing. */
const side = (record: OwnedWords) =>
  aDeclared({ keys: ownedKeys, table: ownedTable(anOwned(record)) });

test.each<[string, OwnedWords, OwnedWords, string]>([
  ['gets its first key', {}, { secret: 'old' }, 'gets a key'],
  [
    'gets another key',
    { secret: 'old' },
    { secret: 'new', generation: 1 },
    'gets another key, by a signature of its key',
  ],
  [
    'gets rid of its key',
    { secret: 'old' },
    { generation: 1 },
    'has no key any more, by a signature of its key',
  ],
  [
    'goes to another holder while it is kept',
    { secret: 'old', released: kept },
    { ...taken, holder: 'default/service/blog/web' },
    'taken while it was kept, by a signature of its key',
  ],
  [
    'goes to another holder when it is free',
    { secret: 'old', released: kept },
    { holder: 'default/service/blog/web', since: '2026-03-20' },
    'free since 2026-03-20',
  ],
  [
    'comes back under another key',
    { secret: 'old', released: kept },
    { ...taken, secret: 'new' },
    'released on 2026-03-01; taken while it was kept, by a signature of its key',
  ],
])('a plan tells of an address that %s', (_, before, after, details) => {
  const [change] = addressChanges({ base: side(before), head: side(after) });
  expect(change?.details.join('; ')).toBe(details);
});
