// @module-tag counted

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FormPart, formPartAt, PlainForms } from '../../src/core/text/yaml/plain-form.ts';
import { plainPlaces, readPlainYaml } from '../../src/core/text/yaml/plain-yaml.ts';
import { placesIn } from '../../src/core/text/yaml/yaml-text.ts';
import { runs } from '../support/run/scope.ts';

/** Scalars, most of them plain. Some have a meaning in YAML, or end what is around them. */
const scalar = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom(
      ...['web', 'a', '80', '0', 'true', "'18'", '"x y"', "''", "'# no'", '203.0.113.7', 'a/b:c'],
      ...['0.5', 'A=b', 'a b', '/x', 'a -c $D', 'a@b', 'a ?b'],
      ...["'a: b'", "'- a'", '"[a, b]"', '2001:db8::1', '1:30', '18.sdl.yaml', "'x, y'", 'a-b'],
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        'null',
        '007',
        '1e3',
        '~',
        '',
        '0.50',
        'a  b',
        "a'b # c' # d",
        "'a' # it's",
        'a :b',
        'a #c',
        'a: b',
        'a,b',
        '&a',
        '|',
        "'it''s'",
        '"\\n"',
      ],
      ...['[a', '}', ':', '- a', '2001:db8::', 'a:', '#', "'", '- - a', '{ a: 1 }', '[x, y]'],
    ),
  },
);

/** The lines of a form, each with a place for scalars, `@`. */
const line = fc.constantFrom(
  ...['a: @', 'b: @', 'c:\n  d: @\n  e: @', 'f:\n  - @\n  - @', 'g:\n  - h: @\n    i: @', 'j: {}'],
  ...['---', 'B: @ # note: @', "C: '@' # it's", 'D:\n- @\n- a: @\n  b:\n  - @', 'E: [@ @, @]'],
  ...['k: { l: @, m: @ }', 'n: [@, @]', 'o:\n  - { p: @, q: [@] }', '# note: @', "# it's: 'x'"],
  ...[
    'r: {s: {t: @}}',
    'u: [ @, { v: @ } ]',
    '',
    '  # indented: @',
    "w.x/y: '@'",
    'z:   @',
    'A: @ ',
  ],
);
const form = fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => `${lines.join('\n')}\n`);

function filled(form: string, scalars: readonly string[]): string {
  let index = 0;
  return form.replace(/@/g, () => scalars[index++ % scalars.length] ?? 'x');
}

/** The paths of all parts of a value. */
function pathsIn(value: unknown, path: readonly PropertyKey[] = []): readonly PropertyKey[][] {
  if (typeof value !== 'object' || value === null) return [[...path]];
  const steps = Array.isArray(value) ? value.keys() : Object.keys(value);
  const inner = [...steps].flatMap((step) => pathsIn(Reflect.get(value, step), [...path, step]));
  return [[...path], ...inner];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((part, step) => Reflect.get(part as object, step), value);
}

/** The names or the number of what is below a part. */
function stepsOf(part: FormPart | undefined): unknown {
  if (typeof part !== 'object') return part === undefined ? 'missing' : 'scalar';
  return part.kind === 'map' ? [...part.entries.keys()] : part.items.length;
}

function stepsIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return 'scalar';
  return Array.isArray(value) ? value.length : Object.keys(value);
}

/** Compares what a form gives for a text with what the plain reader reads in it. */
function compare(
  text: string,
  forms: PlainForms,
  read: Record<'formed' | 'plain' | 'places', number>,
) {
  const plain = readPlainYaml(text);
  const formed = forms.read(text);
  if (plain) read.plain += 1;
  if (!formed) return;
  read.formed += 1;
  expect(plain, text).toBeDefined();
  const places = plainPlaces(text);
  const placeOf = placesIn('file', text);
  for (const path of pathsIn(plain?.value)) {
    const [part, value] = [formPartAt(formed.form, path), valueAt(plain?.value, path)];
    expect(stepsOf(part), text).toEqual(stepsIn(value));
    if (typeof part === 'number') expect(formed.scalars[part], text).toBe(value);
    if (typeof part !== 'object' || part.kind !== 'map' || !part.at) continue;
    read.places += 1;
    expect({ file: 'file', ...part.at }, text).toEqual(placeOf(places!.at(path)));
  }
}

describe('the form of a plain text', () => {
  test('gives other texts of the form what the plain reader reads in them, at the same places', () => {
    const read = { formed: 0, plain: 0, places: 0 };
    const scalars = fc.array(scalar, { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(form, fc.array(scalars, { minLength: 2, maxLength: 4 }), (lines, fillings) => {
        const forms = new PlainForms();
        for (const filling of fillings) compare(filled(lines, filling), forms, read);
      }),
      { seed: 21, numRuns: runs(4000) },
    );
    // Most plain texts have a form. The others end in white space, or have an odd scalar first.
    expect(read.formed).toBeGreaterThan(0.5 * read.plain);
    expect(read.places).toBeGreaterThan(read.formed);
  });

  test('is kept for so many texts only', () => {
    const forms = new PlainForms(1);
    expect(forms.read('a: 1\n')?.scalars).toEqual([1]);
    expect(forms.read('b: 1\n')).toBeUndefined();
    expect(forms.read('a: 2\n')?.scalars).toEqual([2]);
  });
});
