// @module-tag counted

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainPlaces, readPlainYaml } from '../../src/core/text/yaml/plain-yaml.ts';
import { readAnyYaml } from '../../src/core/text/yaml/yaml-document.ts';
import { runs } from '../support/run/scope.ts';

/** Scalars that are plain, and ones that nearly are: YAML gives those a meaning or a problem. */
const scalars = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.constantFrom(
      ...['web', 'akash1xyz', '80', '0', '203.0.113.7', 'a.sdl.yaml', 'true', 'false', "'18'"],
      ...['leasehold.dev/v1', 'a-b', 'a_b', '18.sdl.yaml', '2026-11-20', "''", "'# no'", '"x y"'],
      ...['2001:db8::/124', '2001:db8::1', '1:30', '{ a: 1, b.c/d: "x y" }', '{}', '[]', '[ a,b ]'],
      ...['{a: [x, {b: 2}], c: 2001:db8::1}', "[ { ip: 203.0.113.7 }, [1, 'a, b'] ]"],
      ...['0.5', '1.25', '0.000001', 'MODE=on', 'a b', 'sh -c $X', '/data', '_a', 'a@b+c%d', 'a?b'],
      ...['80 # http', "'x' # it's", '"x" # a "b"', '{ a: 1 } # b', 'a # b # c', "b # it's"],
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...['null', 'Null', 'TRUE', '~', '', '007', '0x10', '0o17', '1e3', '1.5', '1.', '.5', '-1'],
      ...[
        '{a:1}',
        '{ a }',
        '{ a: }',
        '{ a: 1, a: 2 }',
        '[a, ]',
        '[a: 1]',
        '[1',
        '[1]]',
        '{ a: 1 } b',
      ],
      ...[
        '[007]',
        '{ true: 1 }',
        "{ 'a': 1 }",
        '[2001:db8::]',
        '2001:db8::',
        '::1',
        '[ # a',
        '[a #b]',
      ],
      ...['12345678901234567890', '1_000', 'yes', '&a b', '*a', '!!str x', '|'],
      ...["'it''s'", '"a\\n"', 'a: b', 'a #c', 'a#c', 'a ', '- a', '#', ':', 'a:', '@x'],
      ...[
        '0.50',
        '1.0000001',
        '1e+3',
        'a :b',
        'a: b',
        'a  b',
        'a -',
        "b'c # d' # e",
        "don't # 'y'",
      ],
      ...[
        "'x # y'",
        '"a\\"b # c"',
        '[a b, c]',
        '[a ?b]',
        'a - b',
        'a & b',
        '$',
        '/',
        '=',
        'a#b # c',
      ],
      ...['>', '+1', '`x`', '0O17', '12e03', '1.2.3', 'Infinity', '0b1', 'a,b', '%a', '?', '? a'],
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
);
const keys = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.string({ unit: fc.constantFrom(...'abKZ019'), minLength: 1, maxLength: 3 }),
  },
  { weight: 3, arbitrary: fc.constantFrom('ipam.vitistack.io/zone', 'a-b', 'a_') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...['constructor', '__proto__', '<<', '1', 'a b', "'a'", '', 'true', 'Null', 'yes'],
    ),
  },
);

/** A tree of mappings and lists as lines, sometimes indented as nobody should. */
const block: fc.Arbitrary<string[]> = fc.letrec<{
  map: string[];
  list: string[];
  nested: string[];
}>((tie) => ({
  nested: fc.oneof({ maxDepth: 4 }, tie('map'), tie('list')),
  map: fc
    .array(fc.tuple(keys, fc.oneof(scalars, scalars, tie('nested')), fc.boolean()), {
      minLength: 1,
      maxLength: 4,
    })
    .map((entries) =>
      entries.flatMap(([key, value, isBeside]) => entryLines(`${key}:`, value, isBeside)),
    ),
  list: fc
    .array(fc.oneof(scalars, tie('map')), { minLength: 1, maxLength: 3 })
    .map((items) => items.flatMap(itemLines)),
})).map;

/** A list can be indented as its key is. */
function entryLines(key: string, value: string | string[], isBeside: boolean): string[] {
  if (typeof value === 'string') return [`${key} ${value}`];
  const indent = isBeside && value[0]?.startsWith('- ') ? '' : '  ';
  return [key, ...value.map((line) => `${indent}${line}`)];
}

function itemLines(item: string | string[]): string[] {
  if (typeof item === 'string') return [`- ${item}`];
  return item.map((line, index) => `${index === 0 ? '- ' : '  '}${line}`);
}

const slips = fc.array(
  fc.record({
    line: fc.nat({ max: 20 }),
    slip: fc.constantFrom(' indent', 'outdent', '# comment', '', '---', '...', '  # note', '\ttab'),
  }),
  { maxLength: 2, size: 'xsmall' },
);

function slipped(lines: string[], edits: { line: number; slip: string }[]): string {
  const text = [...lines];
  for (const { line, slip } of edits) {
    const at = line % (text.length + 1);
    if (slip === ' indent') text[at] = ` ${text[at] ?? ''}`;
    else if (slip === 'outdent') text[at] = (text[at] ?? '').replace(/^ /, '');
    else text.splice(at, 0, slip);
  }
  return `${text.join('\n')}\n`;
}

describe('the plain part of YAML', () => {
  test('whatever it reads, yaml reads just so, with every part at the same place', () => {
    let plain = 0;
    let texts = 0;
    fc.assert(
      fc.property(block, slips, (lines, edits) => {
        const text = slipped(lines, edits);
        const read = readPlainYaml(text);
        texts += 1;
        if (!read) return;
        plain += 1;
        const whole = readAnyYaml('a.yaml', text, 'refused');
        expect(whole.ok, text).toBe(true);
        if (!whole.ok) return;
        expect(JSON.stringify(whole.value.value), text).toBe(JSON.stringify(read.value));
        expect(whole.value.nonCanonicalNumbers).toEqual([]);
        for (const [path, start] of startsByPath(read.value, read.starts)) {
          expect(whole.value.at(path), text).toEqual(placeIn(text, start));
        }
        const places = plainPlaces(text)!;
        for (const path of pathsIn(read.value)) {
          const told = `${text}at ${path.join('.')}`;
          expect(whole.value.at(path), told).toEqual(placeIn(text, places.at(path)));
          expect(whole.value.keyAt(path), told).toEqual(placeIn(text, places.keyAt(path)));
        }
      }),
      { seed: 20, numRuns: runs(30_000) },
    );
    expect(plain / texts).toBeGreaterThan(0.1);
    expect(plain / texts).toBeLessThan(0.9);
  });
});

function placeIn(text: string, offset: number) {
  const before = text.slice(0, offset).split('\n');
  return { file: 'a.yaml', line: before.length, column: before.at(-1)!.length + 1 };
}

/** The paths of all parts of a value, and of one that each of them lacks. */
function pathsIn(value: unknown, path: PropertyKey[] = []): PropertyKey[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const parts = Object.entries(value).flatMap(([key, part]) =>
    pathsIn(part, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [path, [...path, 'missing'], [...path, 'missing', 'below'], ...parts];
}

function startsByPath(
  value: unknown,
  starts: ReadonlyMap<object, number>,
  path: PropertyKey[] = [],
): [PropertyKey[], number][] {
  if (typeof value !== 'object' || value === null) return [];
  const own = starts.get(value);
  const inner = Object.entries(value).flatMap(([key, part]) =>
    startsByPath(part, starts, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return own === undefined ? inner : [[path, own], ...inner];
}
