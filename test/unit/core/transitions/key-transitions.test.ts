import { describe, expect, test } from 'vitest';
import type { Statement } from '../../../../src/core/model/ownership.ts';
import { transitionProblems } from '../../../../src/core/transitions/transitions.ts';
import {
  anOwned,
  keyOf,
  type OwnedWords,
  ownedKeys,
  ownedTable,
  ownersOf,
  type ServiceWords,
  signed,
} from '../../../support/allocations/owned-records.ts';
import { aDay } from '../../../support/allocations/tables.ts';
import { anAddress } from '../../../support/declarations/pools-and-claims.ts';

const held = { secret: 'old', generation: 1 };
const lasting = { ...held, retain: 19 };
const kept = { ...lasting, released: ['2026-03-01', '2026-03-20'] as const };
const toNext = { newKey: keyOf('new'), generation: 1 };
const blog = 'default/service/blog/web';
const toBlog = { action: 'reclaim', holder: blog, generation: 1 } as const;
const today = '2026-03-10';

/** Why 203.0.113.7 may not go from one record to another, with these Services in the head. */
function refusal(
  before: OwnedWords | undefined,
  after: OwnedWords,
  services: readonly ServiceWords[] = [],
): string {
  const base = before ? ownedTable(anOwned(before)) : new Map();
  const [problem] = transitionProblems(base, ownedTable(anOwned(after)), {
    day: aDay(today),
    target: aDay('2026-03-10'),
    longestRetention: 30,
    formerHolders: new Map(),
    holders: ownersOf(services, ownedKeys),
  });
  return problem ? `${problem.code} ${problem.message}` : 'fine';
}

const noSignature =
  'ALLOCATION_FORGED 203.0.113.7 has another key than in the base, and no signature of that key allows it';

describe('a held address', () => {
  const rotated = { secret: 'new', generation: 2 };
  const next = (changes: Partial<Statement> = {}, secret = 'old') => ({
    secret: 'next',
    signature: signed(secret, { ...toNext, ...changes }),
  });

  test('gets a first key, and another one by a signature in the head', () => {
    expect(refusal({}, { secret: 'old' }, [{ secret: 'own' }])).toBe('fine');
    expect(refusal(held, rotated, [next()])).toBe('fine');
    expect(
      refusal(held, { generation: 2 }, [{ signature: signed('old', { generation: 1 }) }]),
    ).toBe('fine');
  });

  test.each<[string, OwnedWords, readonly ServiceWords[]]>([
    ['without a signature', rotated, [{ secret: 'next' }]],
    ['without a declaration', rotated, []],
    ['by a signature of another key', rotated, [next({}, 'new')]],
    ['by a signature of another generation', rotated, [next({ generation: 0 })]],
    ['by a signature over to another key', rotated, [next({ newKey: keyOf('third') })]],
    ['by a signature for another address', rotated, [next({ address: anAddress('203.0.113.8') })]],
    ['by a signature of another tenure', rotated, [next({ since: aDay('2025-01-01') })]],
    ['by a signature for another repository', rotated, [next({ repository: 'f'.repeat(32) })]],
    ['by a signature to reclaim', rotated, [next({ action: 'reclaim' })]],
    ['that the declaration does not name', { secret: 'third', generation: 2 }, [next()]],
    ['in the same generation', { secret: 'new', generation: 1 }, [next()]],
    ['two generations later', { secret: 'new', generation: 3 }, [next()]],
  ])('does not get another key %s', (_, after, services) => {
    expect(refusal(held, after, services)).toBe(noSignature);
  });

  test('does not get another key while two Services share it, or while one that left has a retention', () => {
    const holder = 'default/shared/shop/front';
    const web = { ...next({ holder }), sharingKey: 'front' };
    const api = {
      ...web,
      name: 'api',
      ports: [{ port: 81, targetPort: 81, protocol: 'TCP' as const }],
    };
    expect(refusal({ ...held, holder }, { ...rotated, holder }, [web])).toBe('fine');
    expect(refusal({ ...held, holder }, { ...rotated, holder }, [web, api])).toBe(noSignature);
    const promised = { keepUntil: '2026-03-12' };
    expect(refusal({ ...held, ...promised }, { ...rotated, ...promised }, [next()])).toBe(
      noSignature,
    );
    const over = { keepUntil: '2026-03-11' };
    expect(refusal({ ...held, ...over }, { ...rotated, ...over }, [next()])).toBe('fine');
  });

  test.each<[string, OwnedWords, OwnedWords]>([
    ['with a key', held, { ...held, generation: 2 }],
    ['without one', {}, { generation: 1 }],
    ['that is released', lasting, { ...kept, generation: 0 }],
    ['that gets its first key', {}, { secret: 'old', generation: 1 }],
  ])('%s keeps its generation', (_, before, after) => {
    expect(refusal(before, after, [{ secret: 'own' }])).toMatch(
      /^ALLOCATION_FORGED 203.0.113.7 has generation \d in the base and \d here, without a signature$/,
    );
  });

  test('gets only the first key that its declaration names, and none when it is released', () => {
    const stranger =
      'ALLOCATION_FORGED 203.0.113.7 has a key here but none in the base: only the declaration of its holder sets one';
    const released = { released: kept.released, retain: 19 };
    const before = { retain: 19 };
    expect(refusal({}, { secret: 'third' }, [{ secret: 'own' }])).toBe(stranger);
    expect(refusal({}, { secret: 'third' })).toBe(stranger);
    expect(refusal(before, { ...released, secret: 'third' })).toBe(stranger);
  });

  test('is released with its key', () => {
    expect(refusal(lasting, kept)).toBe('fine');
    expect(refusal(lasting, { ...kept, secret: 'new' })).toBe(noSignature);
    expect(refusal(lasting, { ...kept, ...rotated })).toBe(noSignature);
    expect(refusal(lasting, { generation: 1, retain: 19, released: kept.released })).toBe(
      noSignature,
    );
  });
});

describe('an address that is retained with a key', () => {
  const back = { ...held, since: '2026-03-10', keepUntil: '2026-03-20' };
  const given = { holder: blog, since: '2026-03-10', generation: 2 };
  const blogWeb = (changes: Partial<Statement> = {}, secret = 'old') => ({
    namespace: 'blog',
    pin: '203.0.113.7',
    signature: signed(secret, { ...toBlog, ...changes }),
  });

  test('returns to its holder with its key', () => {
    expect(refusal(kept, back, [{ secret: 'own' }])).toBe('fine');
    expect(refusal(kept, { ...back, generation: 2 }, [{ secret: 'own' }])).toMatch(/generation/);
    expect(refusal(kept, { ...back, secret: 'new' }, [{ secret: 'next' }])).toMatch(
      /is kept with a key for .* and has another key here$/,
    );
  });

  test('returns to its holder with another key by a signature', () => {
    const signature = signed('old', { ...toBlog, holder: anOwned().holder, newKey: keyOf('new') });
    const service = { secret: 'next', pin: '203.0.113.7', signature };
    const again = { ...back, secret: 'new', generation: 2 };
    expect(refusal(kept, again, [service])).toBe('fine');
    expect(refusal(kept, { ...again, keepUntil: '2026-03-19' }, [service])).toMatch(/must be kept/);
  });

  test('goes to another holder by a signature in the head', () => {
    expect(refusal(kept, given, [blogWeb()])).toBe('fine');
    const signature = signed('old', { ...toBlog, newKey: keyOf('third') });
    const service = { ...blogWeb(), secret: 'own', signature };
    expect(refusal(kept, { ...given, secret: 'third' }, [service])).toBe('fine');
  });

  test.each<[string, OwnedWords, readonly ServiceWords[]]>([
    ['without a signature', given, [{ namespace: 'blog' }]],
    ['without a declaration', given, []],
    ['by a signature of another key', given, [blogWeb({}, 'third')]],
    ['by a signature for another holder', given, [blogWeb({ holder: 'default/service/blog/api' })]],
    ['by a signature of another generation', given, [blogWeb({ generation: 0 })]],
    ['by a signature over to another key', given, [blogWeb(toNext)]],
    ['by a signature for another address', given, [blogWeb({ address: anAddress('203.0.113.8') })]],
    ['by a signature of another tenure', given, [blogWeb({ since: aDay('2025-01-01') })]],
    ['by a signature for another repository', given, [blogWeb({ repository: 'f'.repeat(32) })]],
    ['by a signature to rotate', given, [blogWeb({ action: 'rotate' })]],
    ['under a key that was not signed', { ...given, secret: 'third' }, [blogWeb()]],
    ['in the same generation', { ...given, generation: 1 }, [blogWeb()]],
  ])('does not go to another holder %s', (_, after, services) => {
    expect(refusal(kept, after, services)).toBe(
      `ALLOCATION_FORGED 203.0.113.7 is kept for default/service/shop/web until 2026-03-20, and goes to ${blog} on 2026-03-10`,
    );
  });

  test('keeps its key and its generation', () => {
    const other =
      'ALLOCATION_FORGED 203.0.113.7 is released and free from 2026-03-20 in the base, and its record is different here';
    const same = { ...kept, since: '2026-03-01' };
    const taken = { ...given, released: [today, '2026-03-20'] as const };
    expect(refusal(same, { ...same, secret: 'new' })).toBe(other);
    expect(refusal(same, { ...same, generation: 0 })).toBe(other);
    expect(refusal(same, taken, [blogWeb()])).toBe(other);
  });
});

describe('a new record', () => {
  const free = { ...kept, released: ['2026-03-01', '2026-03-05'] as const };

  test.each<[string, OwnedWords | undefined]>([
    ['of an address without a record', undefined],
    ['of one that is free', free],
  ])('%s has any key, and generation 0', (_, before) => {
    const fresh = { holder: blog, since: '2026-03-10', secret: 'third' };
    expect(refusal(before, fresh)).toBe('fine');
    expect(refusal(before, { ...fresh, generation: 1 })).toBe(
      'ALLOCATION_FORGED 203.0.113.7 is a new record of generation 1, and those start at 0',
    );
  });
});
