// @module-tag counted

import { Yaml } from 'cdk8s';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Tree } from '../../src/core/manifests/manifest.ts';
import { yamlText } from '../../src/core/manifests/yaml-text.ts';
import { nastyTexts, nearlyNumber } from '../support/declarations/hostile-scalars.ts';
import { runs } from '../support/run/scope.ts';

const scalarText = fc.oneof(
  fc.constantFrom(...nastyTexts),
  fc.string({ unit: 'binary', maxLength: 8 }),
  nearlyNumber,
  fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/),
);
const scalar = fc.oneof(
  { weight: 6, arbitrary: scalarText },
  { weight: 1, arbitrary: fc.integer() },
  {
    weight: 1,
    arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
  },
  { weight: 1, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: fc.constant(null) },
);
const { map } = fc.letrec<{ tree: Tree; list: Tree[]; map: Record<string, Tree> }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4 }, scalar, tie('list'), tie('map')),
  list: fc.array(tie('tree'), { maxLength: 4 }),
  map: fc.dictionary(
    scalarText.filter((key) => key !== '__proto__'),
    tie('tree'),
    { maxKeys: 4, noNullPrototype: true },
  ),
}));

const safeScalar = fc.oneof(
  fc.stringMatching(/^[a-z][a-z0-9-]{5,20}$/),
  fc.stringMatching(/^[0-9]{1,20}$/),
  fc.integer(),
  fc.boolean(),
  fc.ipV4(),
  fc.stringMatching(/^2001:db8::[1-9a-f]{1,4}$/),
  fc.constantFrom(
    'true',
    'No',
    'null',
    'The team of the shop',
    'a\nb',
    'a\n  b\n\nc\n',
    '{"a": [1]}',
  ),
);
/** Keys are made in the order in which they are written. */
const { safeMap } = fc.letrec<{ safeTree: Tree; list: Tree[]; safeMap: Record<string, Tree> }>(
  (tie) => ({
    safeTree: fc.oneof({ maxDepth: 4 }, safeScalar, tie('list'), tie('safeMap')),
    list: fc.array(tie('safeTree'), { maxLength: 4 }),
    safeMap: fc
      .dictionary(fc.stringMatching(/^[a-z][a-zA-Z./]{5,12}$/), tie('safeTree'), {
        maxKeys: 5,
        noNullPrototype: true,
      })
      .map((one) => Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))),
  }),
);

test('any document is read back as it was, as YAML 1.1 and as YAML 1.2', () => {
  fc.assert(
    fc.property(map, (document) => {
      const text = yamlText([document]);
      expect(parse(text, { version: '1.1' })).toEqual(document);
      expect(parse(text, { version: '1.2' })).toEqual(document);
    }),
    { seed: 1, numRuns: runs(4000) },
  );
});

test('documents of names, numbers and addresses get the bytes that cdk8s gives them', () => {
  fc.assert(
    fc.property(fc.array(safeMap, { minLength: 1, maxLength: 3 }), (documents) => {
      expect(yamlText(documents)).toBe(Yaml.stringify(...documents));
    }),
    { seed: 3, numRuns: runs(2000) },
  );
});

/** As cdk8s writes it, or in double quotes on one line. */
function expectLikeCdk8s(text: string): void {
  const ours = yamlText([{ a: text }]);
  if (/^a: ".*"\n$/.test(ours)) expect(parse(ours)).toEqual({ a: text });
  else expect(ours).toBe(Yaml.stringify({ a: text }));
}

test('a text stands as cdk8s writes it, or in quotes', () => {
  for (const text of nastyTexts) expectLikeCdk8s(text);
  fc.assert(fc.property(fc.oneof(nearlyNumber, scalarText), expectLikeCdk8s), {
    seed: 2,
    numRuns: runs(20_000),
  });
});

test('a scalar is quoted exactly when a reader would mistake it', () => {
  // biome-ignore format: a list to read, not a column
  const plain = [
    'web', '203.0.113.10/32', '2001:db8::7', '80-tcp', 'v1', 'a@b', 'The team', '/x', '203.0.113.7,2001:db8::7', '2001:db8::7,203.0.113.7',
  ];
  for (const text of plain) expect(yamlText([{ a: text }])).toBe(`a: ${text}\n`);
  // biome-ignore format: a list to read, not a column
  const mistaken = [
    '0o7', '0O7', '0X1F', '0B1', '-0o7', '+0o7', '0o_7', '1.5e3_', '1_000', '0b1_0', '.5e1_', '0x1_F', '190:20:30', '~', 'y', 'n', 'on',
    'off', '2001-01-01', '=', '<<', '.inf', '.NaN', '7', '', 'Null', 'TRUE',
  ];
  for (const text of mistaken) {
    expect(yamlText([{ a: text }])).toBe(`a: "${text}"\n`);
    expect(yamlText([{ [text]: ['a'] }])).toBe(`"${text}":\n  - a\n`);
  }
});
