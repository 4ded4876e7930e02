import { describe, expect, test } from 'vitest';
import type { Problem } from '../../../../src/model/problem.ts';
import { paintOf, problemsText } from '../../../../src/text/print/problems-text.ts';

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
      '2 problems; see leasehold explain CODE',
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
      ...['4 problems; see leasehold explain CODE', ''],
    ]);
  });

  test('after twenty problems of one code the others are counted', () => {
    const many = Array.from({ length: 24 }, (_, index) =>
      problem(`leases/${index < 22 ? 'a' : 'b'}.yaml`, index + 1, 'wrong'),
    );
    const other = { ...problem('leases/c.yaml', 1, 'other'), code: 'YAML_SYNTAX' as const };
    const lines = problemsText([other, ...many], paintOf(false)).split('\n');
    expect(lines.length).toBe(24);
    expect(lines.slice(19)).toEqual([
      'leases/a.yaml:20:3 FIELD_VALUE wrong',
      'leases/c.yaml:1:3 YAML_SYNTAX other',
      'and 4 more FIELD_VALUE in 2 files',
      '25 problems; see leasehold explain CODE',
      '',
    ]);
    expect(problemsText(many.slice(0, 21), paintOf(false))).toContain(
      'and 1 more FIELD_VALUE in 1 file\n21 problems',
    );
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
