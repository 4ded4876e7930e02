import { expect, test } from 'vitest';
import { readPlainYaml } from '../../../../src/text/yaml/plain-yaml.ts';

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
