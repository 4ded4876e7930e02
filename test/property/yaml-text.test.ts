import { Yaml } from 'cdk8s';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ordered, type Tree } from '../../src/manifests/manifest.ts';
import { plainText, yamlText } from '../../src/manifests/yaml-text.ts';

// biome-ignore format: a list to read, not a column
const nasty = [
  '', ' ', ' a', 'a ', 'a: b', 'a:', ':a', '#', 'a #b', 'a#b', '-', '- a', '-a', '--- a', '...', '~', '?',
  '? a', '0775', '08', '0x1F', '0b11', '0o17', '1e3', '1E3', '1_000', '1.5', '.5', '5.', '.inf', '-.INF',
  '.nan', 'yes', 'Yes', 'YES', 'yEs', 'no', 'NO', 'on', 'Off', 'y', 'N', 'true', 'True', 'TRUE', 'false',
  'null', 'Null', '=', '<<', '12:30', '1:30:45', '12:30:45.5', '2026-01-01', '2026-01-01T00:00:00Z',
  '2001-12-14 21:59:43', '+1', '-1', '-5', '1', '10', 'a\nb', 'a\nb\n', '\n', '\na', 'a\n\n', ' a\nb',
  'a\tb', '\t', 'é', '漢字', '\u0085', '\u2028', '\ufeff', '😀', '\u0000', '\u007f', '"', "'", '"TCP"',
  "it's", '{a}', '[a]', 'a,b', ',', '&a', '*a', '!a', '|', '>', '%', '@a', '`a`', 'a@b', 'a=b',
  'x'.repeat(300), `${'x'.repeat(90)} ${'y'.repeat(90)}`, 'k'.repeat(1025), '8.8.8.8', '8.8.8.8/32',
  '8.8.8.8-8.8.8.9', '8.8.8.8,2001:db8::1', '2001:db8::1', '2001:db8::', '2001:db8::/32',
  '2001:1:2:3:4:5:6:7', '2001:1:2:3:4:5:6:f', '::1', '::', '::/0', '10:20:30:40:50:51:52:53',
  '1:2:3:4:5:6:7:8', '1e3:1:1:1:1:1:1:1', '80-tcp', '80-1', '5reb3l87s85t50v77sosktvdeeg',
  '12345678901234567890', 'metallb.io/allow-shared-ip', 'Prune=false,Delete=false',
  'argocd.argoproj.io/sync-wave', 'constructor', 'toString',
];

const nearlySafe = fc.stringMatching(/^[0-9a-fyYnNoOtTeExXsS:._/=,@+-]{0,12}$/);
const scalarText = fc.oneof(
  fc.constantFrom(...nasty),
  fc.string({ unit: 'binary', maxLength: 8 }),
  nearlySafe,
  fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/),
);
const scalar = fc.oneof(
  { weight: 6, arbitrary: scalarText },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.double() },
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
);
const { safeTree } = fc.letrec<{ safeTree: Tree; list: Tree[]; map: Record<string, Tree> }>(
  (tie) => ({
    safeTree: fc.oneof({ maxDepth: 4 }, safeScalar, tie('list'), tie('map')),
    list: fc.array(tie('safeTree'), { maxLength: 4 }),
    map: fc.dictionary(fc.stringMatching(/^[a-z][a-zA-Z./]{5,12}$/), tie('safeTree'), {
      maxKeys: 5,
      noNullPrototype: true,
    }),
  }),
);

test('any documents get the bytes that cdk8s gives them', () => {
  fc.assert(
    fc.property(fc.array(map, { minLength: 1, maxLength: 3 }), (documents) => {
      const copies = documents.map((document) => ordered(document));
      expect(yamlText(documents)).toBe(Yaml.stringify(...copies));
    }),
    { seed: 1, numRuns: 4000 },
  );
});

test('every single nasty text gets the bytes that cdk8s gives it, as key, value and item', () => {
  for (const text of nasty) {
    for (const document of [{ a: text }, { [text]: 'a' }, { a: [text, { b: text }] }]) {
      expect(yamlText([document])).toBe(Yaml.stringify(document));
    }
  }
});

test('short texts of the characters that numbers and dates are made of get the same bytes', () => {
  fc.assert(
    fc.property(nearlySafe, (text) => {
      expect(yamlText([{ a: text }])).toBe(Yaml.stringify({ a: text }));
    }),
    { seed: 2, numRuns: 20_000 },
  );
});

test('a document of safe scalars takes the fast path', () => {
  let fast = 0;
  let runs = 0;
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z]{6,12}$/), safeTree, {
        minKeys: 1,
        maxKeys: 5,
      }),
      (document) => {
        const text = plainText(document);
        runs += 1;
        if (text !== undefined) {
          fast += 1;
          expect(text).toBe(Yaml.stringify(ordered(document)));
        }
      },
    ),
    { seed: 3, numRuns: 2000 },
  );
  expect(fast / runs).toBeGreaterThan(0.9);
});
