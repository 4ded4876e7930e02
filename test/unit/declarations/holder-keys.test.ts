import { describe, expect, test } from 'vitest';
import {
  became,
  holdersOfServices,
  keyOf,
  keysOf,
  type ServiceWords,
  signed,
} from '../../support/owned.ts';

describe('Services that share an address', () => {
  const api = { name: 'api', ports: [{ port: 81, targetPort: 81, protocol: 'TCP' as const }] };
  const codes = (...services: readonly ServiceWords[]) => {
    const outcome = holdersOfServices(
      services.map((service) => ({ ...service, sharingKey: 'front' })),
      keysOf({ 'shop/own': 'old', 'shop/copy': 'old', 'shop/next': 'new' }),
    );
    return outcome.ok ? [] : outcome.problems.map(({ code, message }) => `${code} ${message}`);
  };

  test('name one key, or none', () => {
    expect(codes({ secret: 'own' }, { ...api, secret: 'own' })).toEqual([]);
    expect(codes({ secret: 'own' }, { ...api, secret: 'copy' })).toEqual([]);
    expect(codes({}, api)).toEqual([]);
  });

  test('may not name different ones, or one of them none', () => {
    expect(codes({ secret: 'own' }, { ...api, secret: 'next' })).toEqual([
      "HOLDER_CONFLICT Service 'web' shares one address, but web 80/TCP has the key shop/own and api 81/TCP has the key shop/next",
    ]);
    expect(codes({ secret: 'own' }, api)).toEqual([
      "HOLDER_CONFLICT Service 'web' shares one address, but web 80/TCP has the key shop/own and api 81/TCP has no key",
    ]);
  });
});

describe('a frozen run', () => {
  const web = { secret: 'own' };
  const toNext = { newKey: keyOf('new') };

  test.each([
    ['passes the key that is recorded', { secret: 'old' }, web, 'shop/web held old 0'],
    ['finds a key stale that is not recorded yet', {}, web, 'STALE'],
    [
      'finds a signed rotation stale',
      { secret: 'old' },
      { secret: 'next', signature: signed('old', toNext) },
      'STALE',
    ],
    ['refuses another key', { secret: 'old' }, { secret: 'next' }, 'NOT_PROVEN'],
    ['refuses no key', { secret: 'old' }, { signature: signed('new') }, 'NOT_PROVEN'],
  ])('%s', (_, record, service, now) => {
    expect(became(record, [service], 'frozen')).toBe(now);
  });
});
