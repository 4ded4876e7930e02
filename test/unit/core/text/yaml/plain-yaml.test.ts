import { expect, test } from 'vitest';
import { readPlainYaml } from '../../../../../src/core/text/yaml/plain-yaml.ts';
import { bytesKept } from '../../../../support/run/memory.ts';

test.each([
  [
    'endpoints in braces, as the README has them',
    '    - { name: site, service: web, port: 3000, externalPort: 80 }',
  ],
  ['the annotations of a Service', "    ipam.vitistack.io/retention-period-days: '7'"],
  ['blocks of IPv6', '    - 2001:db8::/124'],
  ['lists in brackets', '    addresses: [203.0.113.0/28, 203.0.113.40-203.0.113.47]'],
])('reads %s', (_, line) => {
  expect(readPlainYaml(`spec:\n  parts:\n${line}\n`)).toBeDefined();
});

test.each([
  ['a second document', '---\n---\na: b\n'],
  ['a second document after a comment', '---\n# a\n\n---\na: b\n'],
  ['a key that is too long', `${'k'.repeat(1100)}: b\n`],
])('does not read %s', (_, text) => {
  expect(readPlainYaml(text)).toBeUndefined();
});

test('a value does not keep the text of its file', () => {
  const comment = `# ${'a comment '.repeat(1000)}\n`;
  const owners = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const text = `${comment}owner: akash1owner-number-${index}\n`;
      const value = readPlainYaml(text)?.value ?? {};
      return 'owner' in value ? value.owner : undefined;
    });
  owners(10);
  const kept = bytesKept(() => owners(500));
  expect(kept.value[499]).toBe('akash1owner-number-499');
  expect(kept.bytes / 500).toBeLessThan(1000);
});
