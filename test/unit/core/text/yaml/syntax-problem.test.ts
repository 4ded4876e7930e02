import { expect, it } from 'vitest';
import { readYaml } from '../../../../../src/core/text/yaml/yaml-document.ts';

function told(text: string): string {
  const outcome = readYaml('a.yaml', new TextEncoder().encode(text), 'refused');
  if (outcome.ok) return 'read';
  const [{ message, at, hint } = { message: '', at: { line: 0, column: 0 }, hint: '' }] =
    outcome.problems;
  return `${at.line}:${at.column} ${message.replace('not well-formed YAML: ', '')}; ${hint}`;
}

it.each([
  // What is open is shown where it was opened.
  [
    'a:\n  b: { c: d\n  e:\n    - { p: 1 }\n',
    '2:6 the { is not closed; close it with }; a value with a { in it stands in quotes',
  ],
  [
    'a:\n  - [1, 2\nb: 3\n',
    '2:5 the [ is not closed; close it with ]; a value with a [ in it stands in quotes',
  ],
  [
    'a: { b: 1 ]\nc: 1\n',
    '1:4 the { is not closed; close it with }; a value with a { in it stands in quotes',
  ],
  ["a:\n  b: 'x\n  c: y\n", "2:6 the quote ' is not closed; close it with '"],
  ["a:\n  b: 'x\n  c: 'y'\n", "2:6 the quote ' is not closed; close it with '"],
  [
    'a: { b: 1 }}\n',
    '1:12 the } closes nothing; remove it; a value with a } in it stands in quotes',
  ],
  // The columns in which a line can begin are those of the lines above it.
  [
    'a:\n    b: 1\n   c: 2\n    d: 1\n',
    '3:4 nothing that the line could belong to begins in its column; indent it by 4 spaces as line 2, or begin it without an indent as line 1',
  ],
  [
    'a:\n  b:\n  c: 2\n # note\n\n d: 1\n',
    '6:2 nothing that the line could belong to begins in its column; indent it by 2 spaces as line 3, or begin it without an indent as line 1',
  ],
  [
    'a:\n  b: 1\n    c: 2\n  d: 1\n',
    '3:5 the line is indented below a field that has a value already; indent it by 2 spaces as line 2',
  ],
  [
    'a:\n  - b: 1\n   c: 2\n',
    '3:4 nothing that the line could belong to begins in its column; indent it by 4 spaces as line 2, or begin it without an indent as line 1',
  ],
  [
    'a:\n - c: 1\n\n # note\n b: 1\n',
    '5:2 the lines above it are a list, and this line has no dash; indent it by 3 spaces as line 2, or begin it without an indent as line 1',
  ],
  [
    'a:\n  b: 1\n  - c\n',
    '3:3 the line begins with a dash, and the field above it does not; remove the dash, or indent it as the lines that it belongs to',
  ],
  ['a:\n  - b: 1\n  -c: 2\n', '3:3 no space after the dash; write a space after it'],
  ['a:\n\tb: 1\n', '2:1 a tab in the indent; write spaces in place of the tab'],
  // Colons, commas and quotes.
  ['a:\n  b: c: d\n', "2:6 a second colon in the line; put the value in quotes: 'c: d'"],
  ['a:\n  b:c\n  d: e\n', '2:3 no space after the colon; write b: c'],
  ['a:\n  x: 1\n  b:c\n', '3:3 no space after the colon; write b: c'],
  ['a:\n  x: 1\n  b\n  c: 2\n', '3:3 a line without a colon; write a colon after the field'],
  ['a: { b: 1 c: 2 }\n', '1:9 no comma between two fields; write a comma between them'],
  ["a: ['x' 'y']\n", '1:9 no comma before this; write a comma between the entries'],
  ['a: @b\n', '1:4 a value cannot begin with @; put the value in quotes'],
  ["a: 'x'y\n", '1:7 text after the quote that ends the value; put the whole value in quotes'],
  ['a: [1, 2]# c\n', '1:10 no space before the #; write a space before the comment'],
  // The words of the parser, where it has found what is wrong itself.
  ['a: "\\q"\n', '1:5 Invalid escape sequence \\q; undefined'],
])('says of %j what to write', (text, expected) => {
  expect(told(text)).toBe(expected);
});
