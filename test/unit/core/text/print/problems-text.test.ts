import { describe, expect, test } from 'vitest';
import '../../../../../src/features.ts';
import {
  allProblemCodes,
  type ProblemCode,
} from '../../../../../src/core/model/codes/problem-codes.ts';
import type { Problem } from '../../../../../src/core/model/problem.ts';
import {
  paintOf,
  problemsText,
  withNextStep,
} from '../../../../../src/core/text/print/problems-text.ts';

const problem = (file: string, line: number, message: string): Problem => ({
  code: 'FIELD_VALUE',
  message,
  at: { file, line, column: 3 },
});

describe('problems for a person', () => {
  test('each is file:line:column, code and message, with places and hint below, sorted', () => {
    const text = problemsText(
      [
        problem('leases/b.yaml', 1, 'second'),
        {
          ...problem('leases/a.yaml', 10, 'first'),
          also: [{ file: 'leases/c.yaml', line: 4, column: 5 }],
          hint: 'do this',
        },
      ],
      paintOf(false),
    );
    expect(text.split('\n')).toEqual([
      'leases/a.yaml:10:3 FIELD_VALUE first',
      '  also leases/c.yaml:4:5',
      '  hint: do this',
      'leases/b.yaml:1:3 FIELD_VALUE second',
      '  hint: write what the message expects, then run `leasehold check`',
      '2 problems; see `leasehold explain FIELD_VALUE`',
      '',
    ]);
  });

  test('a hint is printed once for consecutive problems with one code', () => {
    const hinted = (file: string, hint: string) => ({ ...problem(file, 1, 'lost'), hint });
    const text = problemsText(
      [hinted('a', 'mend'), hinted('b', 'mend'), hinted('c', 'undo'), hinted('d', 'mend')],
      paintOf(false),
    );
    expect(text.split('\n').map((line) => line.replace(':1:3 FIELD_VALUE lost', ''))).toEqual([
      ...['a', 'b', '  hint: mend', 'c', '  hint: undo', 'd', '  hint: mend'],
      ...['4 problems; see `leasehold explain FIELD_VALUE`', ''],
    ]);
  });

  test('after twenty problems of one code the others are counted', () => {
    const many = Array.from({ length: 24 }, (_, index) =>
      problem(`leases/${index < 22 ? 'a' : 'b'}.yaml`, index + 1, `wrong ${index + 1}`),
    );
    const other = { ...problem('leases/c.yaml', 1, 'other'), code: 'YAML_SYNTAX' as const };
    const lines = problemsText([other, ...many], paintOf(false)).split('\n');
    expect(lines.length).toBe(26);
    expect(lines.slice(19).filter((line) => !line.startsWith('  hint: '))).toEqual([
      'leases/a.yaml:20:3 FIELD_VALUE wrong 20',
      'leases/c.yaml:1:3 YAML_SYNTAX other',
      'and 4 more FIELD_VALUE in 2 files',
      '25 problems; see `leasehold explain FIELD_VALUE YAML_SYNTAX`',
      '',
    ]);
    expect(problemsText(many.slice(0, 21), paintOf(false))).toContain(
      'and 1 more FIELD_VALUE in 1 file\n21 problems',
    );
  });

  test.each<[string, readonly string[], string]>([
    [
      'in one folder',
      Array.from({ length: 13 }, (_, index) => `dist/default/team-${index + 10}.yaml`),
      'and the same 10 times more, in 10 files below dist/default/',
    ],
    [
      'in several folders',
      Array.from({ length: 13 }, (_, index) => `dist/${'ab'[index % 2]}/${index + 10}.yaml`),
      'and the same 10 times more, in 10 files below dist/',
    ],
    [
      'in one file',
      Array.from({ length: 13 }, () => 'leases/a.yaml'),
      'and the same 10 times more, in 1 file below leases/',
    ],
    [
      'without a common folder',
      Array.from({ length: 13 }, (_, index) => `${index + 10}/a.yaml`),
      'and the same 10 times more, in 10 files',
    ],
  ])('equal problems %s are counted after three', (_, files, more) => {
    const many = files.map((file) => ({ ...problem(file, 1, 'missing'), hint: 'mend' }));
    const sorted = [...files].sort();

    expect(problemsText(many, paintOf(false)).split('\n')).toEqual([
      ...sorted.slice(0, 3).map((file) => `${file}:1:3 FIELD_VALUE missing`),
      `  ${more}`,
      '  hint: mend',
      '13 problems; see `leasehold explain FIELD_VALUE`',
      '',
    ]);
    expect(problemsText(many.slice(0, 5), paintOf(false)).split('\n')).toHaveLength(8);
  });

  test('the line of the file is below the problem, with a mark under the place', () => {
    const shown = { ...problem('leases/a.yaml', 14, 'wrong'), source: () => '  port: 0' };
    expect(problemsText([shown], paintOf(false))).toBe(
      `leases/a.yaml:14:3 FIELD_VALUE wrong
  14 |   port: 0
     |   ^^^^
  hint: write what the message expects, then run \`leasehold check\`
1 problem; see \`leasehold explain FIELD_VALUE\`
`,
    );
  });

  test.each(Object.keys(allProblemCodes()) as ProblemCode[])('%s has a next step', (code) => {
    const { hint = '' } = withNextStep({ ...problem('leases/a.yaml', 1, 'x'), code });
    expect(hint).toMatch(/^(?:[a-z]\S* |leasehold ).*[^.]$/);
    // A hint is what a person sees: it cannot send them to itself.
    expect(hint).not.toMatch(/in the hint|the hint has|follow the hint/);
  });

  test('no text of a tenant breaks the line, moves the cursor or turns the writing', () => {
    const text = problemsText(
      [problem('leases/a\nb.yaml', 1, 'a\u001b[2Jb\r\nc\u202ed\u2028e\u0085f')],
      paintOf(false),
    );
    expect(text.split('\n')[0]).toBe('leases/a?b.yaml:1:3 FIELD_VALUE a?[2Jb??c?d?e?f');
  });

  test('colour is escape codes around the same text', () => {
    const plain = problemsText([problem('leases/a.yaml', 1, 'x')], paintOf(false));
    const colored = problemsText([problem('leases/a.yaml', 1, 'x')], paintOf(true));
    expect(colored).not.toBe(plain);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes start with one
    expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain);
  });
});
