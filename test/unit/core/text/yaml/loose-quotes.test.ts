// @module-tag counted

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { indentQuotes } from '../../../../../src/core/text/yaml/loose-quotes.ts';
import { cpuSeconds } from '../../../../support/run/cpu-seconds.ts';
import { runs } from '../../../../support/run/scope.ts';

describe('a quoted text that goes on where YAML 1.2 wants more indentation', () => {
  // What gopkg.in/yaml.v3 3.0.1 reads of each.
  test.each<[string, unknown]>([
    ["x:\n  - 'a\n  b'\n", { x: ['a b'] }],
    ['x:\n  - "a\n  b"\n', { x: ['a b'] }],
    ["x:\n  - 'a\n b'\n", { x: ['a b'] }],
    ["x:\n- 'a\nb'\n", { x: ['a b'] }],
    ["x:\n  e: 'a\nb'\n", { x: { e: 'a b' } }],
    ["- - 'a\n  b'\n", [['a b']]],
    ["x:\n  - [ 'a\n  b' ]\n", { x: [['a b']] }],
    ["x:\n  - k: 'a\n  b'\n    l: 1\n", { x: [{ k: 'a b', l: 1 }] }],
    ["x:\n  - 'a\n  --- b'\n", { x: ['a --- b'] }],
    ["x:\n  - 'a\n\t b'\n", { x: ['a b'] }],
    ["x:\n  - 'a\n  # b'\n", { x: ['a # b'] }],
    ["x:\n  - 'a\n  - b'\n", { x: ['a - b'] }],
    ["x:\n  - 'a\n\n  b'\n", { x: ['a\nb'] }],
    ["x:\n  - 'it''s\r\n  b'\r\n", { x: ["it's b"] }],
    ['x:\n  - "a\\"\n  b\\\n  c"\n', { x: ['a" bc'] }],
    ["x:\n  - 'a\n  b'\n  - |\n    'c\n    d\n  - 'e\n  f'\n", { x: ['a b', "'c\nd\n", 'e f'] }],
  ])('%j is read', (text, value) => {
    expect(() => parse(text)).toThrow();
    expect(parse(indentQuotes(text))).toEqual(value);
  });

  test.each([
    "x:\n  - 'a\n",
    "- 'a\n--- b'\n",
    "- 'a\n...\n  b'\n",
    "x:\n  - 'a\n  b': c\n",
    `${'- '.repeat(40)}'a\nb'\n`,
  ])('%j stays refused', (text) => {
    expect(() => parse(indentQuotes(text))).toThrow();
  });
});

test.each([
  "x: 'a'\ny: |\n  'b\n  c\nz: don't\n# 'd\n",
  '--- |\n\'a\n- "b\n',
  "\uFEFFx:\n  - 'a\n    b'\n",
  "x: [it's, 'a\n  b']\n",
  '',
])('%j is left as it is', (text) => {
  expect(indentQuotes(text)).toBe(text);
});

test('lines keep their numbers, and a hostile text takes no long time', () => {
  const many = `x:\n${"  - 'a\n  b'\n".repeat(runs(20_000))}`;
  const [seconds] = cpuSeconds(() => {
    expect(indentQuotes(many).split('\n')).toHaveLength(many.split('\n').length);
    expect(indentQuotes(`${'  '.repeat(30)}'${'\nx'.repeat(100_000)}'`).length).toBeLessThan(8e6);
    indentQuotes("'".repeat(262_144));
    indentQuotes(`"${'\\'.repeat(262_144)}`);
    indentQuotes('['.repeat(262_144));
  });
  expect(seconds).toBeLessThan(8);
});
