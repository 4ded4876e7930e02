import { describe, expect, test } from 'vitest';
import { sourceText } from '../../../../../src/core/text/print/source-text.ts';

const at = (column: number, line = 7) => ({ file: 'leases/a.yaml', line, column });

describe('the line of a problem', () => {
  test.each([
    ['a value', '  port: 0', 9, '        ^'],
    ['a key, without its colon', '  port: 80', 3, '  ^^^^'],
    ['a value in quotes', "  dseq: 'a b'", 9, '        ^^^^^'],
    ['an item of a flow list', 'ports: [80, 443]', 13, '            ^^^'],
    ['a whole mapping', '- { port: 80 }', 3, '  ^^^^^^^^^^^^'],
    ['a bracket that is open', 'a: { b: 1', 4, '   ^'],
    ['an address', "- '2001:db8::/64'", 3, '  ^^^^^^^^^^^^^^^'],
    ['the end of the line', 'port:', 6, '     ^'],
  ])('has its mark under %s', (_, line, column, mark) => {
    expect(sourceText(line, at(column), 80)).toEqual([`  7 | ${line}`, `    | ${mark}`]);
  });

  test('characters that no terminal shows are escaped, and the mark stays under its place', () => {
    expect(sourceText('\tname: \u001b[2Jx\u202e # \u0007', at(8), 80)).toEqual([
      '  7 | \\tname: \\u001b[2Jx\\u202e # \\u0007',
      '    |         ^^^^^^',
    ]);
  });

  test('a mark is under its place after characters of two columns', () => {
    expect(sourceText('名前: x', at(5), 80)).toEqual(['  7 | 名前: x', '    |       ^']);
  });

  test.each([1, 60, 200, 399])('a long line is cut around column %i', (column) => {
    const line = `${'abcdefghi '.repeat(40)}`.slice(0, 399);
    const [shown = '', mark = ''] = sourceText(line, at(column), 80);
    expect(shown.length).toBeLessThanOrEqual(80);
    expect(mark.length).toBeLessThanOrEqual(80);
    expect(shown[mark.indexOf('^')]).toBe(line[column - 1]);
  });
});
