import fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import { nastyTexts } from './hostile-scalars.ts';

/** How documents are written. */
type Form = 'yaml' | 'json';

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
const oddParts: Readonly<Record<Form, readonly string[]>> = {
  yaml: yamlParts,
  json: yamlParts.filter(isJson),
};

/** JSON, and so YAML, that is long. */
const largeParts: readonly string[] = [
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
const oddKeys: readonly string[] = [
  '"__proto__"', '"constructor"', '"toString"', '"valueOf"', '"hasOwnProperty"', '"length"', '"then"', '"toJSON"',
  '"<<"', '<<', '1', '0x1', 'null', 'true', '""', '"\\u0000"', '"\\u202e"', '{a: b}', '[a]', '? a', '*x', '&x a',
  '!t a', '"a b"', '"name"', '"namespace"', '"kind"', '"items"', '"metadata"', '"spec"', `"${'x'.repeat(2000)}"`,
];

/** Anchors and tags. */
// biome-ignore format: a list to read, not a column
const oddMarks: readonly string[] = [
  '&x', '&y', '!mine', '!!map', '!!seq', '!!str', '!!binary', '!!float', '!!null', '&x !!omap',
];

/** What may get into the middle of a text. */
const oddCharacters: readonly string[] = [...'"\' 0-/{,:é\u202e', '\\n'];

// biome-ignore format: a list to read, not a column
const oddSnippets = [
  '\n', '\r', '\r\n', '\t', ' ', '  ', '#', ':', ': ', '- ', '? ', '[', ']', '{', '}', ',', '"', "'", '---\n', '...\n',
  '%YAML 1.1\n', '&a ', '*a', '!', '|\n', '>\n', '<<: ', '\\', '\u0000', '\u0085', '\u2028', '\u202e', '\ufeff',
  '\uffff', '🎉', '0', '-', '~', '=======\n', '[[[[', '{{', '\n\n',
];

/** What may get between the bytes of a text, some of it no UTF-8. */
const oddBytes: readonly Uint8Array[] = [
  ...oddSnippets.map((text) => new TextEncoder().encode(text)),
  ...[[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf4, 0x90]].map((bytes) => Uint8Array.from(bytes)),
];

/** A part of a document: a scalar as it is written, or what holds others. `mark` is an anchor or a tag. */
type Part =
  | { readonly kind: 'scalar'; readonly text: string; readonly mark?: string }
  | { readonly kind: 'list'; readonly items: readonly Part[]; readonly mark?: string }
  | { readonly kind: 'map'; readonly entries: readonly Entry[]; readonly mark?: string };

type Entry = readonly [key: string, value: Part];

/** One change: which one, where, and with what. The numbers choose among what is there. */
const edit = fc.tuple(fc.nat(9999), fc.nat(9999), fc.nat(9999));

/** Some bytes that go, and what comes there. */
const cut = fc.tuple(fc.nat(99_999), fc.nat(4), fc.nat(9999));

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What comes to stand where a part stood: nothing, or one or more parts, each with its key in a mapping. */
type Change = (here: Entry, what: number, of: Surroundings) => readonly Entry[];

interface Surroundings {
  /** All parts of the documents with their keys, as they are. */
  readonly all: readonly Entry[];
  readonly form: Form;
}

const replaced: Change = ([key], what, { form }) => [[key, scalar(pick(oddParts[form], what))]];
const dropped: Change = () => [];
const copied: Change = ([key], what, { all }) => [[key, pick(all, what)[1]]];

/** What may happen to a part, the usual more often. */
const changes: readonly Change[] = [
  ...Array<Change>(9).fill(replaced),
  ...Array<Change>(3).fill(dropped),
  ...Array<Change>(3).fill(copied),
  (here) => [here, here],
  (here, what, { all }) => [pick(all, what), here],
  ([, part], what) => [[pick(oddKeys, what), part]],
  ([, part], what, { all }) => [[pick(all, what)[0], part]],
  ([key, part], what) => [[key, nested(part, what, [1, 2, 20, 31, 32, 33, 40])]],
  ([key, part], what) => [[key, { ...part, mark: pick(oddMarks, what) }]],
  ([key, part]) => [
    [key, { ...part, mark: '&a' }],
    [`${key}x`, scalar('*a')],
    ['<<', scalar('*a')],
  ],
  ([key, part], what) => {
    const text = flowText(part);
    const place = what % (text.length + 1);
    return [[key, scalar(text.slice(0, place) + pick(oddCharacters, what) + text.slice(place))]];
  },
];

/** What makes a document large. */
const largeChanges: readonly Change[] = [
  (here, what) => Array<Entry>(2 + (what % 300)).fill(here),
  ([key, part], what) => [[key, nested(part, what, [200, 5000])]],
  ([key], what) => [[key, scalar(pick(largeParts, what))]],
];

/** One of so many changes makes a document large. */
const largeShare = 40;

function changeOf(how: number): Change {
  return how % largeShare === 0 ? pick(largeChanges, how / largeShare) : pick(changes, how);
}

function nested(part: Part, what: number, depths: readonly number[]): Part {
  const depth = pick(depths, what);
  const [open, close] = what % 2 === 0 ? ['[', ']'] : ['{"a": ', '}'];
  return scalar(open.repeat(depth) + flowText(part) + close.repeat(depth));
}

/** No text is longer: what goes beyond is cut off. */
const mostBytes = 100_000;

/** What comes of a sound text of YAML or JSON: see {@link brokenFiles}. */
export function brokenDocuments(
  seeds: readonly string[],
  form: Form = 'yaml',
): fc.Arbitrary<Uint8Array> {
  return brokenFiles(
    seeds.map((text) => ['', text]),
    form,
  ).map(([, bytes]) => bytes);
}

/**
 * What comes of one of some files with YAML or JSON when one to three things in it change, and then perhaps some bytes of
 * its text. What fails is told with as few changes as it takes.
 */
export function brokenFiles<Path>(
  files: readonly (readonly [path: Path, text: string])[],
  form: Form = 'yaml',
): fc.Arbitrary<readonly [path: Path, bytes: Uint8Array]> {
  const textOf = form === 'json' ? JSON.stringify : plainText;
  const sound = files.map(([path, text]): readonly [Path, Part] => {
    const documents = parseAllDocuments(text, { merge: true });
    const items = documents.map((document) => partOf(document.toJS(), textOf));
    return [path, { kind: 'list', items }];
  });
  return fc
    .record({
      file: fc.nat(9999),
      isFlow: fc.boolean(),
      edits: fc.oneof(fc.tuple(edit), fc.array(edit, { minLength: 1, maxLength: 3 })),
      cuts: fc.oneof(
        { weight: 4, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(cut, { maxLength: 3 }) },
      ),
    })
    .map(({ file, isFlow, edits, cuts }) => {
      const [path, whole] = pick(sound, file);
      const broken = edits.reduce((part, [how, where, what]) => {
        const all = entriesIn(['', part]);
        const target = pick(all, where)[1];
        return changedAt(part, target, (here) => changeOf(how)(here, what, { all, form }));
      }, whole);
      const documents = broken.kind === 'list' ? broken.items : [broken];
      const print = isFlow || form === 'json' ? flowText : (part: Part) => blockText(part, '');
      const bytes = encoder.encode(`${documents.map(print).join('\n---\n')}\n`);
      return [path, withCuts(bytes.subarray(0, mostBytes), cuts)] as const;
    });
}

/** What comes of any texts when some bytes of them change. */
export function brokenTexts(seeds: readonly string[]): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(fc.nat(9999), fc.array(cut, { minLength: 1, maxLength: 5 }))
    .map(([seed, cuts]) => withCuts(encoder.encode(pick(seeds, seed)), cuts));
}

function withCuts(
  bytes: Uint8Array,
  cuts: readonly (readonly [place: number, gone: number, what: number])[],
): Uint8Array {
  const cut = cuts.reduce((before, [place, gone, what]) => {
    const start = place % (before.length + 1);
    const parts = [before.subarray(0, start), pick(oddBytes, what), before.subarray(start + gone)];
    return Buffer.concat(parts);
  }, bytes);
  // As what a failure shows it.
  return Object.assign(cut, { [fc.toStringMethod]: () => JSON.stringify(decoder.decode(cut)) });
}

/** All parts of a part and itself, each with the key that it stands under. */
function entriesIn(entry: Entry): readonly Entry[] {
  const [, part] = entry;
  if (part.kind === 'scalar') return [entry];
  const inner = part.kind === 'map' ? part.entries : part.items.map((item): Entry => ['', item]);
  return [entry, ...inner.flatMap(entriesIn)];
}

/** The part with a change of one part in it; of the whole, when that is the one. */
function changedAt(part: Part, target: Part, change: (here: Entry) => readonly Entry[]): Part {
  const inner = (entry: Entry): readonly Entry[] =>
    entry[1] === target ? change(entry) : [[entry[0], changedAt(entry[1], target, change)]];
  if (part === target) return change(['', part])[0]?.[1] ?? scalar('');
  if (part.kind === 'map') return { ...part, entries: part.entries.flatMap(inner) };
  if (part.kind === 'scalar') return part;
  return {
    ...part,
    items: part.items.flatMap((item) => inner(['', item]).map(([, value]) => value)),
  };
}

function partOf(value: unknown, text: (value: unknown) => string): Part {
  if (Array.isArray(value)) return { kind: 'list', items: value.map((one) => partOf(one, text)) };
  if (typeof value !== 'object' || value === null) return scalar(text(value));
  const entries = Object.entries(value).map(([key, one]): Entry => [text(key), partOf(one, text)]);
  return { kind: 'map', entries };
}

function scalar(text: string): Part {
  return { kind: 'scalar', text };
}

/** As people write YAML: most texts without quotes. */
function plainText(value: unknown): string {
  return typeof value === 'string' && isPlain.test(value) ? value : JSON.stringify(value);
}

const isPlain = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z][\w./-]*$/i;

function flowText(part: Part): string {
  const mark = part.mark === undefined ? '' : `${part.mark} `;
  if (part.kind === 'scalar') return mark + part.text;
  if (part.kind === 'list') return `${mark}[${part.items.map(flowText).join(', ')}]`;
  return `${mark}{${part.entries.map(([key, value]) => `${key}: ${flowText(value)}`).join(', ')}}`;
}

/** Over several lines, each further in than `margin`; what is empty or a scalar stands on one. */
function blockText(part: Part, margin: string): string {
  if (part.kind === 'list' && part.items.length > 0) {
    return part.items.map((item) => `${margin}- ${besideKey(item, margin)}`).join('\n');
  }
  if (part.kind === 'map' && part.entries.length > 0) {
    return part.entries
      .map(([key, value]) => `${margin}${key}: ${besideKey(value, margin)}`)
      .join('\n');
  }
  return margin + flowText(part);
}

function besideKey(part: Part, margin: string): string {
  const isInner =
    part.kind === 'list' ? part.items.length > 0 : part.kind === 'map' && part.entries.length > 0;
  return isInner ? `${part.mark ?? ''}\n${blockText(part, `${margin}  `)}` : flowText(part);
}

function pick<Value>(values: readonly Value[], number: number): Value {
  return values[number % values.length] as Value;
}
