import { nastyTexts } from './hostile-scalars.ts';

/** How documents are written. */
export type Form = 'yaml' | 'json';

/** Scalars and small collections of every kind, as YAML writes them; many of them JSON too. */
// biome-ignore format: a list to read, not a column
const yamlParts: readonly string[] = [
  '{}', '[]', '{"a": "b"}', '["a", "b"]', '[null]', '[[], {}]', '[[["a"]]]', '{"a": {"b": {}}}', '{"": 1}',
  '{"__proto__": 1}', '{"constructor": 1}', '{"toString": 1}', '{"name": {"a": 1}}', '[10.0.0.0/8, 10.0.0.0/9]',
  'null', '~', '', 'true', 'false', 'yes', 'off', '""', '" "', '"a\\nb"', '"\\u0000"', '"\\ud800"', '"\\u202e"',
  '"\\u0007"', '"é"', '"日本 🎉"', '"{{ x }}"', '"../x"', '"a/b"', '"a,b"', '"*"', 'LoadBalancer', '"IPv6"', 'UDP',
  '0', '1', '-1', '-0', '80', '65535', '65536', '10250', '1.5', '1e3', '1e400', '-1e400', '1E-7', '4294967296',
  '9007199254740993', '12345678901234567890', '007', '010', '0x1F', '0o17', '0b1', '1_000', '.inf', '-.inf', '.nan',
  '.5', '5.', '+1', '2026-01-01', '2026-02-30', '"2026-11-20"', '2026-01-01T00:00:00Z', '"9999-12-31"',
  '"0000-01-01"', '12:30', '0.0.0.0/0', '"::/0"', '"0.0.0.0-255.255.255.255"', '"203.0.113.7"', '"203.0.113.0/28"',
  '"::1"', '"203.0.113.7/33"', '"203.0.113.9-203.0.113.7"', '"::ffff:1.2.3.4"', '"fe80::1%eth0"', '10.0.0.0/8',
  '*x', '&x 1', '&x', '!!binary aGk=', '!!str 1', '!!set {a}', '!mine x', '|', '>-', '"<<"', '<<', '`x', '@x', '%x',
  '- a', 'a: b', '? a', '#', '"', "'", '{', ']', ', a', '{? a : b}', '{[a]: b}', '{a, b}', '{<<: {a: b}}', '[a: b]',
  '{1: a}', '{null: a}', '{true: 1}', '"x".y', '[0x1F]', '"akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y"',
  '"AAECAwQFBgcICQoLDA0ODw"', '"x"', '"x.y"', `"${'x'.repeat(64)}"`, `"${'x'.repeat(300)}"`, '9'.repeat(64),
  ...nastyTexts.map((text) => JSON.stringify(text)),
];

/** By how they are written. */
export const oddParts: Readonly<Record<Form, readonly string[]>> = {
  yaml: yamlParts,
  json: yamlParts.filter(isJson),
};

/** JSON, and so YAML, that is long. */
export const largeParts: readonly string[] = [
  `"${'x'.repeat(70_000)}"`,
  '9'.repeat(5000),
  `[${'1, '.repeat(3000)}1]`,
  `[${'{}, '.repeat(1000)}"a"]`,
  `{${Array.from({ length: 1500 }, (_, index) => `"k${index}": 1`).join(', ')}}`,
];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Keys that mean something to JavaScript or to YAML, and those of many kinds of objects. */
// biome-ignore format: a list to read, not a column
export const oddKeys: readonly string[] = [
  '"__proto__"', '"constructor"', '"toString"', '"valueOf"', '"hasOwnProperty"', '"length"', '"then"', '"toJSON"',
  '"<<"', '<<', '1', '0x1', 'null', 'true', '""', '"\\u0000"', '"\\u202e"', '{a: b}', '[a]', '? a', '*x', '&x a',
  '!t a', '"a b"', '"name"', '"namespace"', '"kind"', '"items"', '"metadata"', '"spec"', `"${'x'.repeat(2000)}"`,
];

/** Anchors and tags. */
// biome-ignore format: a list to read, not a column
export const oddMarks: readonly string[] = [
  '&x', '&y', '!mine', '!!map', '!!seq', '!!str', '!!binary', '!!float', '!!null', '&x !!omap',
];

/** What may get into the middle of a text. */
export const oddCharacters: readonly string[] = [...'"\' 0-/{,:é\u202e', '\\n'];

// biome-ignore format: a list to read, not a column
const oddSnippets = [
  '\n', '\r', '\r\n', '\t', ' ', '  ', '#', ':', ': ', '- ', '? ', '[', ']', '{', '}', ',', '"', "'", '---\n', '...\n',
  '%YAML 1.1\n', '&a ', '*a', '!', '|\n', '>\n', '<<: ', '\\', '\u0000', '\u0085', '\u2028', '\u202e', '\ufeff',
  '\uffff', '🎉', '0', '-', '~', '=======\n', '[[[[', '{{', '\n\n',
];

/** What may get between the bytes of a text, some of it no UTF-8. */
export const oddBytes: readonly Uint8Array[] = [
  ...oddSnippets.map((text) => new TextEncoder().encode(text)),
  ...[[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf4, 0x90]].map((bytes) => Uint8Array.from(bytes)),
];
