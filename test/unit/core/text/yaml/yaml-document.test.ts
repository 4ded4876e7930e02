import { describe, expect, it } from 'vitest';
import type { YamlDocument } from '../../../../../src/core/text/yaml/document.ts';
import { readYaml, readYamlStream } from '../../../../../src/core/text/yaml/yaml-document.ts';
import type { AliasRule } from '../../../../../src/core/text/yaml/yaml-tokens.ts';
import { cpuSeconds } from '../../../../support/run/cpu-seconds.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function read(text: string, aliases: AliasRule = 'refused'): YamlDocument {
  const outcome = readYaml('a.yaml', bytes(text), aliases);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

function problems(text: string | Uint8Array, aliases: AliasRule = 'refused'): string[] {
  const input = typeof text === 'string' ? bytes(text) : text;
  const outcome = readYaml('a.yaml', input, aliases);
  return outcome.ok
    ? []
    : outcome.problems.map(({ code, at }) => `${code} ${at.line}:${at.column}`);
}

describe('readYaml', () => {
  it('gives the data of a document by the core schema of YAML 1.2', () => {
    const { value } = read('a: NO\nb: 010\nc: 0o10\nd: yes\ne: 2026-01-01\nf:\ng: [1, "2"]\n');

    expect(value).toEqual({
      a: 'NO',
      b: 10,
      c: 8,
      d: 'yes',
      e: '2026-01-01',
      f: null,
      g: [1, '2'],
    });
  });

  it.each([
    [0xff, 0xfe],
    [0xfe, 0xff],
  ])('says of UTF-16 that it is: %s %s', (...mark) => {
    const outcome = readYaml('a.yaml', Uint8Array.from([...mark, 0x61, 0x00]), 'refused');
    const [problem] = outcome.ok ? [] : outcome.problems;
    expect(problem?.message).toBe('the file is UTF-16 text, expected UTF-8');
  });

  it('names both places of a key that is there twice', () => {
    const outcome = readYaml('a.yaml', bytes('a: 1\nb: 2\na: 3\n'), 'refused');
    const [problem] = outcome.ok ? [] : outcome.problems;
    expect([problem?.at.line, problem?.also?.map(({ line }) => line)]).toEqual([3, [1]]);
  });

  it('knows where a value and a key stand', () => {
    const document = read('spec:\n  list:\n    - name: a\n      port: 80\n');

    expect(document.at(['spec', 'list', 0, 'port'])).toEqual({
      file: 'a.yaml',
      line: 4,
      column: 13,
    });
    expect(document.keyAt(['spec', 'list', 0, 'port'])).toMatchObject({ line: 4, column: 7 });
    expect(document.at(['spec', 'list', 0])).toMatchObject({ line: 3, column: 7 });
    expect(document.at(['spec', 'list', 0, 'gone'])).toMatchObject({ line: 3, column: 7 });
    expect(document.keyAt(['spec', 'gone'])).toMatchObject({ line: 2, column: 3 });
    expect(document.at([])).toMatchObject({ line: 1, column: 1 });
  });

  it('reads a plain file once more for the places of all its values, not once for each', () => {
    const count = 1000;
    const document = read(`list:\n${'  - port: 80\n    name: a\n'.repeat(count)}`);
    const [seconds, lines] = cpuSeconds(() =>
      Array.from({ length: count }, (_, index) => document.at(['list', index, 'name']).line),
    );

    expect(lines).toEqual(Array.from({ length: count }, (_, index) => 3 + 2 * index));
    expect(seconds).toBeLessThan(4);
  });

  it('tells numbers that are not written in plain decimal', () => {
    const { nonCanonicalNumbers } = read(
      'a: 10\nb: [0x10, 12345678901234567890]\nc: "0x10"\nd: 1e3\n',
    );

    expect(nonCanonicalNumbers).toEqual([
      { path: ['b', 0], source: '0x10' },
      { path: ['b', 1], source: '12345678901234567890' },
      { path: ['d'], source: '1e3' },
    ]);
  });

  it('gives a key that is the name of an inherited property like any other', () => {
    const { value } = read('constructor: 1\ntoString: 2\n');

    expect(Object.keys(value as object)).toEqual(['constructor', 'toString']);
    expect((value as { valueOf: unknown }).valueOf).toBeUndefined();
  });

  it.each([
    // What is open at the end is shown at the last character.
    ['a: [1,\n', 'YAML_SYNTAX 1:4'],
    ['- a\nb: c\n', 'YAML_SYNTAX 2:1'],
    ['a: "\n', 'YAML_SYNTAX 1:4'],
    ['%YAML 1.1\n---\na: yes\n', 'YAML_SYNTAX 1:1'],
    ['a: 1\nb:\n  a: 1\n  a: 2\n', 'YAML_DUPLICATE_KEY 4:3'],
    ['', 'YAML_DOCUMENTS 1:1'],
    ['# nothing\n', 'YAML_DOCUMENTS 1:1'],
    ['---\n', 'YAML_DOCUMENTS 1:1'],
    ['a: 1\n---\nb: 1\n', 'YAML_DOCUMENTS 2:1'],
    ['a: !!binary aaaa\n', 'YAML_TAG 1:4'],
    ['a: !mine |\n  text\n', 'YAML_TAG 1:4'],
    ['1: a\n', 'FIELD_TYPE 1:1'],
    ['a:\n  ? [b]\n  : c\n', 'FIELD_TYPE 2:5'],
    ['a: 1\n__proto__: {b: 1}\n', 'FIELD_UNKNOWN 2:1'],
    ['a: "x\\u202ey"\n', 'FILE_ENCODING 1:4'],
    ['a: "\\ud800"\n', 'FILE_ENCODING 1:4'],
    ['a: "\\0"\n', 'FILE_ENCODING 1:4'],
    ['a: x\u202ey\n', 'FILE_ENCODING 1:5'],
    ['a: \ufeff1\n', 'FILE_ENCODING 1:4'],
    ['a: 1\n# \u0000\n', 'FILE_ENCODING 2:3'],
    ['# hidden\ra: 1\n', 'FILE_ENCODING 1:9'],
    ['a: \uffff\n', 'FILE_ENCODING 1:4'],
    ['a: 1\n<<<<<<< ours\nb: 1\n=======\nb: 2\n>>>>>>> theirs\n', 'YAML_CONFLICT 2:1'],
    ['a: 1\n=======\n', 'YAML_CONFLICT 2:1'],
  ])('refuses %j: %s', (text, problem) => {
    expect(problems(text)).toEqual([problem]);
  });

  it('tells once of two objects in one document', () => {
    const two = 'apiVersion: v1\nkind: A\nspec: {a: 1, a: 2}\napiVersion: v1\nkind: A\nspec: {}\n';
    const told = (outcome: ReturnType<typeof readYamlStream | typeof readYaml>) =>
      outcome.ok ? [] : outcome.problems.map(({ at, hint }) => `${at.line} ${hint}`);
    expect(told(readYamlStream('a.yaml', bytes(two)))).toEqual([
      '3 undefined',
      '4 if these are two objects, put --- between them',
    ]);
    expect(told(readYaml('a.yaml', bytes(two), 'refused'))[1]).toBe(
      '4 if these are two objects, put each into a file of its own',
    );
  });

  it('tells all problems of one kind, in the order of the file', () => {
    expect(problems('a: &x 1\nb: *x\nc: {<<: *x}\n')).toEqual([
      'YAML_ALIAS 1:4',
      'YAML_ALIAS 2:4',
      'YAML_ALIAS 3:5',
      'YAML_ALIAS 3:9',
    ]);
    expect(problems('a: ]\nb: }\n')).toEqual(['YAML_SYNTAX 1:4']);
  });

  it('tells where bytes that are not UTF-8 stand', () => {
    const input = new Uint8Array([...bytes('a: ä\nb: ä'), 0xff, ...bytes('\n')]);

    expect(problems(input)).toEqual(['FILE_ENCODING 2:5']);
    expect(problems(new Uint8Array([0x61, 0xc3]))).toEqual(['FILE_ENCODING 1:2']);
    expect(problems(new Uint8Array([0xed, 0xa0, 0x80]))).toEqual(['FILE_ENCODING 1:1']);
  });

  it('takes tabs, line ends of Windows, and text in any script', () => {
    expect(read('a: "x\ty"\r\nb: 日本 🎉\r\n').value).toEqual({ a: 'x\ty', b: '日本 🎉' });
  });

  it('reads as many aliases as it is told to, and says where an aliased value stands', () => {
    const document = read('a: &x {p: 1}\nb: *x\n', 1);

    expect(document.value).toEqual({ a: { p: 1 }, b: { p: 1 } });
    expect(document.at(['b', 'p'])).toMatchObject({ line: 1, column: 11 });
    expect(problems('a: &x 1\nb: [*x, *x]\n', 1)).toEqual(['YAML_ALIAS 2:9']);
    expect(problems('a: &x 1\nb: {<<: *x}\n', 9)).toEqual(['YAML_ALIAS 2:9']);
    expect(read('a: &x {p: 1}\nb: {<<: *x, q: 2}\n', 9).value).toMatchObject({ b: { q: 2, p: 1 } });
    expect(problems('a: *x\n', 9)).toEqual(['YAML_ALIAS 1:4']);
  });

  it('lets an alias stand for the last anchor of its name before it', () => {
    expect(read('a: &x 1\nb: *x\nc: &x 2\nd: *x\n', 9).value).toEqual({ a: 1, b: 1, c: 2, d: 2 });
  });

  it('refuses aliases that stand for themselves or for too much', () => {
    const laughs = Array.from({ length: 9 }, (_, i) => {
      const item = i === 0 ? 'x' : `*a${i - 1}`;
      return `a${i}: &a${i} [${Array(10).fill(item).join(', ')}]\n`;
    });

    expect(problems('a: &x [*x]\n', 9)).toEqual(['YAML_ALIAS 1:8']);
    expect(problems(laughs.join(''), 100)[0]).toMatch('YAML_ALIAS');
  });

  it('takes 32 levels and refuses 33', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

    expect(problems(nested(32))).toEqual([]);
    expect(problems(nested(33))).toEqual(['YAML_DEPTH 1:33']);
    expect(problems(`${'- '.repeat(33)}a`)).toEqual(['YAML_DEPTH 1:65']);
  });

  it.each([
    ['lists in lists', '['.repeat(20_000)],
    ['many lists in lists', '['.repeat(262_000)],
    ['items in items', '- '.repeat(130_000)],
    ['mappings in mappings', '{a: '.repeat(60_000)],
    ['keys of keys', '? '.repeat(130_000)],
    ['brackets that close nothing', ']\n'.repeat(130_000)],
    ['one key many times', 'a:\n'.repeat(80_000)],
    ['many keys', Array.from({ length: 30_000 }, (_, i) => `k${i}: 1`).join('\n')],
    ['anchors', '&a '.repeat(80_000)],
    ['quotes', '"'.repeat(260_000)],
    ['conflict markers', '=======\n'.repeat(32_000)],
    ['commas in a list', `a: [${','.repeat(260_000)}]`],
    ['lines of a list that is not indented', `a: [\n${'a\n'.repeat(130_000)}]`],
    ['escapes that there are not', `a: "${'\\q'.repeat(130_000)}"`],
    ['reserved characters', '- @\n'.repeat(65_000)],
    ['headers of block texts with more', '- >x\n'.repeat(52_000)],
    ['text behind lists', '- [a] b\n'.repeat(32_000)],
    ['spaces before a quote', `a:${' '.repeat(260_000)}' #\n`],
    ['spaces before comments', `a: b${' '.repeat(260_000)}#\n`],
    ['dashes in a text', `x: ${'a - '.repeat(65_000)}"\n`],
    ['dashes in a comment', `# ${'a - '.repeat(65_000)}"\n`],
    ['colons in a comment', `# ${'a: '.repeat(86_000)}"\n`],
    ['commas in a comment', `# ${'a, '.repeat(86_000)}"\n`],
    ['words', `x: ${'a '.repeat(130_000)}"\n`],
    ['quotes with comments', `x: ${`'a' #`.repeat(50_000)}\n`],
    ['openings in a comment', `# ${'[ '.repeat(130_000)}"\n`],
    [
      'characters that are none',
      Array.from({ length: 80_000 }, (_, i) => String.fromCharCode(0xfdd0 + (i % 32))).join(''),
    ],
  ])(
    'reads or refuses a hostile file soon and with few problems: %s',
    { tags: 'slow' },
    (_, text) => {
      const [seconds, found] = cpuSeconds(() => problems(text));
      expect(found.length).toBeLessThanOrEqual(20);
      // Each takes about one here; what takes the square of its size takes twenty.
      expect(seconds).toBeLessThan(6);
    },
  );

  it('names no more than a few of the places where conflict markers stand', () => {
    const outcome = readYaml('a.yaml', bytes('=======\n'.repeat(100)), 'refused');
    expect(outcome).toMatchObject({ ok: false, problems: [{ also: { length: 19 } }] });
  });

  it('refuses a file over 256 KiB', () => {
    expect(problems(`# ${'x'.repeat(256 * 1024 - 2)}`)).toEqual(['YAML_DOCUMENTS 1:1']);
    expect(problems(`# ${'x'.repeat(256 * 1024 - 1)}`)).toEqual(['FILE_TOO_LARGE 1:1']);
  });
});
