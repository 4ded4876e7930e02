import { describe, expect, test } from 'vitest';
import type { SourceTree } from '../../../../src/core/interfaces/tree.ts';
import { readDeclared } from '../../../../src/core/tree/declared.ts';
import { accountOf, leaseText } from '../../../support/declarations/lease-text.ts';
import { defaultPoolText } from '../../../support/declarations/pools-text.ts';
import { simpleSdl } from '../../../support/declarations/sdl.ts';
import { treeOf } from '../../../support/trees/memory-tree.ts';

const pools = defaultPoolText();

const validLease = leaseText('alice', 7, [{ name: 'web', service: 'web', port: 80 }]);

const sdlLease = (dseq: number, gseq = 1): string =>
  `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: ${accountOf('bob')}, dseq: '${dseq}', gseq: ${gseq}, oseq: 1 }
  sdl: a.sdl.yaml
`;

/** The problems and leases of a tree, and the paths of the files that were read. */
function reading(files: Readonly<Record<string, string>>) {
  const tree = treeOf({ 'leases/pools.yaml': pools, ...files });
  const read: string[] = [];
  const watched: SourceTree = {
    ...tree,
    read(path) {
      read.push(path);
      return tree.read(path);
    },
  };
  const { problems, leases } = readDeclared(watched);
  return { read, problems, leases };
}

/** `count` files with the same text, in the order of their names. */
function files(count: number, text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `leases/a${String(index).padStart(4, '0')}.yaml`,
      text,
    ]),
  );
}

describe('a tree of many hostile files', () => {
  test('is read only until large files with problems reach the limit', { tags: 'slow' }, () => {
    const { read, problems } = reading(files(1000, '\u0000'.repeat(200_000)));
    expect(problems).toHaveLength(1000);
    expect(problems.slice(0, 22).map(({ code }) => code)).toEqual([
      ...Array(21).fill('FILE_ENCODING'),
      'FILE_UNREAD',
    ]);
    expect(problems.at(-1)).toMatchObject({
      code: 'FILE_UNREAD',
      at: { file: 'leases/a0999.yaml', line: 1, column: 1 },
    });
    expect(read).toHaveLength(1 + 21);
  });

  test('still has the leases and problems of its small files', () => {
    const { problems, leases } = reading({
      ...files(30, `# ${'x'.repeat(200_000)}`),
      'leases/z-valid.yaml': validLease,
      'leases/z-wrong.yaml': 'kind: Lease\n',
    });
    expect(leases).toHaveLength(1);
    expect(problems.map(({ at }) => at.file)).toContain('leases/z-wrong.yaml');
  });

  test('is read in full when its files are small, or large and valid', { tags: 'slow' }, () => {
    const small = reading(files(3000, `# ${'x'.repeat(4000)}`));
    expect(new Set(small.problems.map(({ code }) => code))).toEqual(new Set(['YAML_DOCUMENTS']));
    const large = `${validLease}# ${'x'.repeat(250_000)}\n`;
    expect(reading(files(40, large)).leases).toHaveLength(40);
  });

  test('has at most 100 problems for one file', () => {
    const endpoints = Array.from({ length: 900 }, () => '{}').join(', ');
    const { problems } = reading({
      'leases/a.yaml': `apiVersion: leasehold.dev/v1\nkind: Lease\nspec: { id: {}, endpoints: [${endpoints}] }\n`,
    });
    expect(problems).toHaveLength(100);
  });
});

describe('an SDL that many leases name', () => {
  const leases = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`leases/l${index}.yaml`, sdlLease(index + 1)]),
  );

  test('is read once', () => {
    const { read, leases: found } = reading({ ...leases, 'leases/a.sdl.yaml': simpleSdl });
    expect(found).toHaveLength(50);
    expect(read.filter((path) => path === 'leases/a.sdl.yaml')).toHaveLength(1);
  });

  test('is reported once when invalid, but each lease with an unknown placement is reported', () => {
    const broken = reading({ ...leases, 'leases/a.sdl.yaml': 'version: { a: b }\n' });
    const codes = broken.problems.map(({ code }) => code);
    expect(codes.filter((code) => code === 'SDL_VERSION')).toHaveLength(1);
    expect(broken.leases).toEqual([]);
    const other = reading({
      'leases/l1.yaml': sdlLease(1),
      'leases/l2.yaml': sdlLease(2, 7),
      'leases/l3.yaml': sdlLease(3, 8),
      'leases/a.sdl.yaml': simpleSdl,
    });
    expect(other.problems.map(({ code }) => code)).toEqual(Array(2).fill('SDL_GROUP_UNKNOWN'));
  });
});

describe('a template', () => {
  const hintOf = (text: string) => reading({ 'leases/a.yaml': text }).problems[0]?.hint;
  const rendered =
    'leasehold does not read templates: render the file first, as with helm template';

  test.each([
    ['{{- if .Values.on }}\nkind: Lease\n{{- end }}\n'],
    ['apiVersion: leasehold.dev/v1\nkind: {{ .Values.kind }}\n'],
    ['apiVersion: leasehold.dev/v1\nkind: {{ .Values.kind | quote }}\n'],
    ['# {{ }}\nkind: [\n{{ toYaml .Values | nindent 2 }}\n'],
  ])('gets a hint to render it: %j', (text) => {
    expect(hintOf(text)).toBe(rendered);
  });

  test('is not mistaken for text with braces', () => {
    expect(hintOf('kind: "{{ x }}"\n')).toBeUndefined();
    expect(hintOf('kind: [ # {{ x }}\n')).toMatch(/^close it with/);
  });

  test('with a variable gets a hint to write the value', () => {
    const variable = '$' + '{OWNER}';
    const text = validLease.replace(accountOf('alice'), variable);
    expect(hintOf(text)).toBe('leasehold does not substitute variables: write the value itself');
  });
});
