import { describe, expect, test } from 'vitest';
import type { Problem } from '../../../src/model/problem.ts';
import { paintOf } from '../../../src/report/paint.ts';
import { problemsText } from '../../../src/report/problems-text.ts';

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
      '2 problems; leasehold explain CODE says more',
      '',
    ]);
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
