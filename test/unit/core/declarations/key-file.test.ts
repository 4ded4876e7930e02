import { describe, expect, test } from 'vitest';
import {
  keyNameOf,
  keyPath,
  parseKeyName,
  printKey,
  printRepositoryId,
  readKey,
  readRepositoryId,
} from '../../../../src/core/declarations/key-file.ts';
import { repository, salt } from '../../../support/allocations/owned-records.ts';

const name = { namespace: 'shop', name: 'web.tls' };
const publicKey = 'bxbnkXnY56SEZBADQViD_KcIi83q4Ek1qfJWbh0Y0yw';
const bytes = (text: string) => new TextEncoder().encode(text);

describe('a key', () => {
  test('is read as written', () => {
    const text = printKey({ salt, publicKey });
    const file = keyPath(name);
    expect(file).toBe('leases/keys/shop/web.tls.yaml');
    expect(keyNameOf(file)).toEqual(name);
    expect(readKey(file, name, bytes(text))).toEqual({
      ok: true,
      value: { ...name, salt, publicKey, at: { file, line: 1, column: 1 } },
    });
  });

  test.each([
    'shop',
    'shop/',
    '/web',
    'Shop/web',
    'shop/Web',
    'shop/web/x',
    'shop/..',
    '../web',
    '',
  ])('%j is refused', (text) => {
    expect(parseKeyName(text)).toBeUndefined();
    expect(keyNameOf(`leases/keys/${text}.yaml`)).toBeUndefined();
  });

  test('has a name that is valid on every file system', () => {
    expect(parseKeyName(`shop/${'a'.repeat(200)}`)).toBeDefined();
    expect(parseKeyName(`shop/${'a'.repeat(201)}`)).toBeUndefined();
  });
});

describe('the id of a repository', () => {
  test.each([repository, '12345678901234567890123456789012', '0e'.padEnd(32, '0')])(
    '%s is read as written',
    (id) => {
      const file = 'leases/keys/repository.yaml';
      expect(readRepositoryId(file, bytes(printRepositoryId(id)))).toEqual({ ok: true, value: id });
    },
  );
});
