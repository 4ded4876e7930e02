import { describe, expect, test } from 'vitest';
import type { Statement } from '../../../../src/core/model/ownership.ts';
import {
  anOwned,
  became,
  keyOf,
  ownedKeys,
  ownedTable,
  owning,
  recordText,
  signed,
} from '../../../support/allocations/owned-records.ts';
import { aDay } from '../../../support/allocations/tables.ts';
import { anAddress } from '../../../support/declarations/pools-and-claims.ts';

const web = { secret: 'own' };
const toNext = { newKey: keyOf('new') };

describe('a held address', () => {
  test.each([
    ['keeps its key', { secret: 'old', generation: 4 }, web, 'shop/web held old 4'],
    ['gets one freely when it has none', {}, web, 'shop/web held old 0'],
    ['gets one freely again', { generation: 2 }, web, 'shop/web held old 2'],
    ['has none when its declarations name none', {}, {}, 'shop/web held none 0'],
  ])('%s', (_, record, service, now) => {
    expect(became(record, [service])).toBe(now);
  });

  test('gets another key by a signature of its own, in the next generation', () => {
    const signature = signed('old', { ...toNext, generation: 4 });
    const service = { secret: 'next', signature };
    expect(became({ secret: 'old', generation: 4 }, [service])).toBe('shop/web held new 5');
  });

  test('gets rid of its key by a signature over to none', () => {
    expect(became({ secret: 'old' }, [{ signature: signed('old') }])).toBe('shop/web held none 1');
  });

  test('is given with the key of its holder, in generation 0', () => {
    const outcome = owning({ services: [{ secret: 'own' }], keys: ownedKeys, table: new Map() });
    expect(outcome.ok && [...outcome.value.table.values()].map(recordText)).toEqual([
      'shop/web held old 0',
    ]);
  });

  test('is released with its key and generation', () => {
    expect(became({ secret: 'old', generation: 3 }, [])).toBe('shop/web released old 3');
  });

  test('keeps its key while a spent or a foreign signature stands in the declaration', () => {
    const spent = signed('new', { newKey: keyOf('old') });
    expect(became({ secret: 'old', generation: 1 }, [{ ...web, signature: spent }])).toBe(
      'shop/web held old 1',
    );
  });

  test('of two families takes a signature for each address', () => {
    const addresses = ['203.0.113.7', '2001:db8::7'];
    const table = ownedTable(...addresses.map((address) => anOwned({ secret: 'old' }, address)));
    const signatures = addresses.map((address) =>
      signed('old', { ...toNext, address: anAddress(address) }),
    );
    const codes = (signature: string) => {
      const service = { ipFamily: 'dual' as const, secret: 'next', signature };
      const outcome = owning({ services: [service], keys: ownedKeys, table });
      return outcome.ok ? 'fine' : outcome.problems.map(({ code }) => code).join();
    };
    expect(codes(signatures.join(','))).toBe('fine');
    expect(codes(signatures[0]!)).toBe('NOT_PROVEN');
  });
});

describe('another key is refused', () => {
  const rotated = (secret: string, changes: Partial<Statement>) =>
    became({ secret: 'old', generation: 1 }, [
      { secret: 'next', signature: signed(secret, { ...toNext, generation: 1, ...changes }) },
    ]);

  test('but not with the right signature', () => {
    expect(rotated('old', {})).toBe('shop/web held new 2');
  });

  test.each<[string, string, Partial<Statement>]>([
    ['by the new key instead of the old one', 'new', {}],
    ['by a third key', 'third', {}],
    ['for another action', 'old', { action: 'reclaim' }],
    ['for another repository', 'old', { repository: 'f'.repeat(32) }],
    ['for another address', 'old', { address: anAddress('203.0.113.8') }],
    ['for another holder', 'old', { holder: 'default/service/shop/api' }],
    ['of a generation that is over', 'old', { generation: 0 }],
    ['of a generation to come', 'old', { generation: 2 }],
    ['over to another key', 'old', { newKey: keyOf('third') }],
    ['over to no key', 'old', { newKey: undefined }],
    ['of an earlier life of the address', 'old', { since: aDay('2025-12-31') }],
  ])('with a signature %s', (_, secret, changes) => {
    expect(rotated(secret, changes)).toBe('NOT_PROVEN');
  });

  test('without a signature, at the declaration, with what to sign', () => {
    const outcome = owning({
      services: [{ secret: 'next' }],
      keys: ownedKeys,
      table: ownedTable(anOwned({ secret: 'old' })),
    });
    expect(outcome).toEqual({
      ok: false,
      problems: [
        {
          code: 'NOT_PROVEN',
          message:
            '203.0.113.7 has a key, and its declarations name another one, shop/next, and no signature allows it',
          at: { file: 'leases/shop/web.yaml', line: 8, column: 5 },
          also: [{ file: 'leases/allocations/203.0.113.7.yaml', line: 1, column: 1 }],
          hint: 'undo it, or ask the owner of the secret to sign: `leasehold key sign NAMESPACE/NAME --action rotate --address 203.0.113.7 --new-key shop/next --secret-file FILE`',
        },
      ],
    });
  });

  test('at the signature when there is one', () => {
    const outcome = owning({
      services: [{ signature: signed('new') }],
      keys: ownedKeys,
      table: ownedTable(anOwned({ secret: 'old' })),
    });
    const places = outcome.ok ? [] : outcome.problems.map(({ code, at }) => [code, at.line]);
    expect(places).toEqual([['NOT_PROVEN', 9]]);
  });

  test('without an id of the repository', () => {
    const service = { secret: 'next', signature: signed('old', toNext) };
    const outcome = owning({
      services: [service],
      keys: { ...ownedKeys, repository: undefined },
      table: ownedTable(anOwned({ secret: 'old' })),
    });
    expect(outcome.ok ? [] : outcome.problems.map(({ code }) => code)).toEqual(['NOT_PROVEN']);
  });

  test('while more than one Service stands on the address, whatever is signed', () => {
    const holder = 'default/shared/shop/front';
    const signature = signed('old', { ...toNext, holder });
    const shared = { sharingKey: 'front', secret: 'next', signature };
    const api = {
      ...shared,
      name: 'api',
      ports: [{ port: 81, targetPort: 81, protocol: 'TCP' as const }],
    };
    expect(became({ holder, secret: 'old' }, [shared, api])).toBe('KEY_SHARED');
    expect(became({ holder, secret: 'old' }, [shared])).toBe('shop/front held new 1');
  });

  test('while the address is kept for a claim that left', () => {
    const service = { secret: 'next', signature: signed('old', toNext) };
    const record = { secret: 'old', keepUntil: '2026-03-20' };
    expect(became(record, [service], '2026-03-19')).toBe('KEY_SHARED');
    expect(became(record, [service], '2026-03-20')).toBe('shop/web held new 1');
  });

  test('in the run in which a claim leaves that has a retention', () => {
    const service = { secret: 'next', signature: signed('old', toNext), retentionDays: 2 };
    expect(became({ secret: 'old', retain: 9 }, [service])).toBe('KEY_SHARED');
  });
});

describe('an address that is kept with a key', () => {
  const kept = { secret: 'old', released: ['2026-03-01', '2026-03-20'] as const, generation: 2 };
  const blog = { namespace: 'blog', pin: '203.0.113.7' };
  const toBlog = { action: 'reclaim', holder: 'default/service/blog/web', generation: 2 } as const;

  test('goes back to its holder with its key, in its generation', () => {
    expect(became(kept, [web])).toBe('shop/web held old 2');
  });

  test.each([
    ['another key', { secret: 'next' }],
    ['no key', {}],
  ])('does not go back to its holder with %s, who gets another one', (_, service) => {
    expect(became(kept, [service])).toBe('shop/web released old 2');
    expect(became(kept, [{ ...service, pin: '203.0.113.7' }])).toBe('NOT_PROVEN');
  });

  test('goes to its holder with another key by a signature', () => {
    const own = { ...toBlog, holder: 'default/service/shop/web', ...toNext };
    const service = { secret: 'next', pin: '203.0.113.7', signature: signed('old', own) };
    expect(became(kept, [service])).toBe('shop/web held new 3');
  });

  test('goes to another holder by a signature, at once and under the key of that one', () => {
    const newKey = keyOf('third');
    const signature = signed('old', { ...toBlog, newKey });
    expect(became(kept, [{ ...blog, secret: 'own', signature }])).toBe('blog/web held third 3');
    expect(became(kept, [{ ...blog, signature: signed('old', toBlog) }])).toBe(
      'blog/web held none 3',
    );
  });

  test('goes only to a holder that pins it', () => {
    const signature = signed('old', toBlog);
    expect(became(kept, [{ namespace: 'blog', signature }])).toBe('shop/web released old 2');
  });

  test('is anybody’s once it is free, in generation 0', () => {
    expect(became(kept, [blog], '2026-03-20')).toBe('blog/web held none 0');
    expect(became(kept, [{ pin: '203.0.113.7' }], '2026-03-20')).toBe('shop/web held none 0');
  });

  test('without a key goes back to its holder, who may name one now', () => {
    const { secret, ...keyless } = kept;
    expect(became(keyless, [web])).toBe('shop/web held old 2');
    expect(became(keyless, [{ ...blog, signature: signed('old', toBlog) }])).toBe('PIN_RETAINED');
  });

  test.each<[string, string, Partial<Statement>]>([
    ['by another key', 'third', {}],
    ['for another action', 'old', { action: 'rotate' }],
    ['for another repository', 'old', { repository: 'f'.repeat(32) }],
    ['for another address', 'old', { address: anAddress('203.0.113.8') }],
    ['for another holder', 'old', { holder: 'default/service/blog/api' }],
    ['of another generation', 'old', { generation: 1 }],
    ['over to a key that is not named', 'old', { newKey: keyOf('third') }],
    ['of an earlier life of the address', 'old', { since: aDay('2025-12-31') }],
  ])('stays with a signature %s', (_, secret, changes) => {
    const signature = signed(secret, { ...toBlog, ...changes });
    expect(became(kept, [{ ...blog, signature }])).toBe('NOT_PROVEN');
  });

  test('stays when its holder still has it, whatever is signed', () => {
    const signature = signed('old', { ...toBlog, generation: 0 });
    expect(became({ secret: 'old' }, [web, { ...blog, signature }])).toBe('PIN_TAKEN');
  });
});
