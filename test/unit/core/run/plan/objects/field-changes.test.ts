import { expect, test } from 'vitest';
import { fieldDifferences } from '../../../../../../src/core/run/plan/objects/field-changes.ts';

function texts(before: unknown, after: unknown): readonly string[] {
  return fieldDifferences(before, after).map(
    ({ path, before: was = 'none', after: is = 'none' }) => `${path} ${was} → ${is}`,
  );
}

test.each<[string, unknown, unknown, readonly string[]]>([
  ['the order of keys', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, []],
  ['fields of maps', { a: { b: 1 } }, { a: { b: 2, c: true } }, ['a.b 1 → 2', 'a.c none → true']],
  ['a map that comes', {}, { a: { b: 1, c: { d: 2 } } }, ['a.b none → 1', 'a.c.d none → 2']],
  ['an empty map that comes', {}, { a: {} }, ['a none → {}']],
  ['the type of a value', { a: 1 }, { a: '1' }, ['a 1 → 1']],
  ['lists of texts', { a: ['x', 'y'] }, { a: ['y', 'x'] }, ['a x, y → y, x']],
  ['an empty list', { a: ['x'] }, { a: [] }, ['a x → []']],
  ['a text that is none', { a: 'none' }, {}, ['a "none" → none']],
  ['a text with spaces', { a: 'x → y' }, { a: 'x,y' }, ['a "x → y" → "x,y"']],
  ['a text of lines', { a: 'x' }, { a: 'x\ny' }, ['a x → "x\\ny"']],
  [
    'an item of a list',
    { p: [{ n: 1 }, { n: 2, t: 'a' }] },
    { p: [{ n: 1 }, { n: 2, t: 'b' }] },
    ['p[1].t a → b'],
  ],
  ['an item that goes', { p: [{ n: 1 }, { n: 2 }] }, { p: [{ n: 2 }] }, ['p[0] {"n":1} → none']],
  [
    'an item that comes twice',
    { p: [{ n: 1 }] },
    { p: [{ n: 1 }, { n: 1 }] },
    ['p[1] none → {"n":1}'],
  ],
  [
    'the order of items',
    { p: [{ n: 1 }, { n: 2 }] },
    { p: [{ n: 2 }, { n: 1 }] },
    ['p [{"n":1},{"n":2}] → [{"n":2},{"n":1}]'],
  ],
  ['a list that comes', {}, { p: [{ n: 1 }] }, ['p[0] none → {"n":1}']],
  ['a list for a map', { p: { n: 1 } }, { p: [{ n: 1 }] }, ['p {"n":1} → [{"n":1}]']],
])('tells %s', (_, before, after, expected) => {
  expect(texts(before, after)).toEqual(expected);
});

test('long values are shortened around their first difference', () => {
  const long = 'a'.repeat(500);
  expect(texts({ v: `${long}x` }, { v: `${long}y` })).toEqual([
    `v …${'a'.repeat(20)}x → …${'a'.repeat(20)}y`,
  ]);
  const [text = ''] = texts({ v: 'b' }, { v: long });
  expect(text).toBe(`v b → ${'a'.repeat(120)}…`);
});
