import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sourceLines } from '../../../../src/core/tree/source-line.ts';
import { openForReading } from '../../../../src/core/world/disk/disk-tree.ts';
import { tempTree } from '../../../support/trees/temp-tree.ts';

const lineOf = (files: Readonly<Record<string, string>>, file: string, line = 2, column = 3) =>
  sourceLines(openForReading(tempTree(files)))({ file, line, column });

describe('the line that a message shows', () => {
  test('is that of the file, without its line end and byte order mark', () => {
    const files = { 'leases/a.yaml': '\ufeffkind: Lease\r\n  port: 0\r\n' };
    expect(lineOf(files, 'leases/a.yaml')).toBe('  port: 0');
    expect(lineOf(files, 'leases/a.yaml', 1, 7)).toBe('kind: Lease');
  });

  test('is none where it is longer than 2,000 characters', () => {
    const files = (length: number) => ({ 'leases/a.yaml': `spec:\n${'g'.repeat(length)}\n` });
    expect(lineOf(files(2000), 'leases/a.yaml')).toHaveLength(2000);
    expect(lineOf(files(2001), 'leases/a.yaml')).toBeUndefined();
  });

  test.each([
    ['of a whole file', 'leases/a.yaml', 1, 1],
    ['that the file does not have', 'leases/a.yaml', 9, 1],
    ['that is too short', 'leases/a.yaml', 2, 40],
    ['that is empty', 'leases/a.yaml', 3, 1],
    ['of a missing file', 'leases/b.yaml', 2, 1],
    ['of a key', 'leases/keys/shop/web.yaml', 2, 1],
    ['of a file that is not ours', 'values.yaml', 2, 1],
    ['of a path out of the tree', 'leases/../values.yaml', 2, 1],
  ])('is none for a place %s', (_, file, line, column) => {
    const text = 'kind: Lease\n  port: 0\n\n';
    const files = { 'leases/a.yaml': text, 'leases/keys/shop/web.yaml': text, 'values.yaml': text };
    expect(lineOf(files, file, line, column)).toBeUndefined();
  });

  test('is none for a file behind a link', () => {
    const root = tempTree({ 'leases/a.yaml': 'x', 'outside/a.yaml': 'a\n  b: c\n' });
    symlinkSync('../outside', join(root, 'leases/linked'));
    symlinkSync('../outside/a.yaml', join(root, 'leases/b.yaml'));
    const lineAt = sourceLines(openForReading(root));
    for (const file of ['leases/linked/a.yaml', 'leases/b.yaml']) {
      expect(lineAt({ file, line: 2, column: 3 })).toBeUndefined();
    }
  });

  test.each([
    '  password: hunter2',
    '  - DATABASE_URL=postgres://user:pw@host',
    '  - database_url=postgres://user:pw@host',
    '  secret: abc',
    '  api-key: abc',
    '  access_token: abc',
    '  -----BEGIN PRIVATE KEY-----',
    '  x: 6d7b1e9f0a2c4e6d8f0b1a3c5d7e9f01',
    '  MC4CAQAwBQYDK2VwBCIEIJ1+8hXk2Qm9Yw7R3vZt5uAa0bCdEfGhIjKlMnOpQrSt',
  ])('is none where it may be a secret: %s', (line) => {
    expect(
      lineOf({ 'leases/a.sdl.yaml': `services:\n${line}\n` }, 'leases/a.sdl.yaml'),
    ).toBeUndefined();
  });

  test.each([
    '  owner: akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y',
    '  holder: default/service/shop-production/checkout-frontend-with-a-long-name',
    '  selector: [app=web]',
    '  provider: akash1t3xpjep5pt99kefe8wlf6vjfeht3hcnxklz8nh # ours',
  ])('is shown where it is none: %s', (line) => {
    expect(lineOf({ 'leases/a.yaml': `spec:\n${line}\n` }, 'leases/a.yaml')).toBe(line);
  });
});
