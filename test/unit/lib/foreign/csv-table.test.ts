import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../../../src/lib/foreign/csv-table.ts';

function read(text: string | Uint8Array) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return readCsv('n.csv', bytes, 10_000);
}

function texts(text: string) {
  const table = read(text);
  if (!table.ok) throw new Error(JSON.stringify(table.problems));
  return [table.value.headers, ...table.value.records].map((one) => one.map((field) => field.text));
}

describe('a CSV file', () => {
  it('is read with the place of every field, also behind line ends within quotes', () => {
    expect(
      read('\ufeffA,"B b",C\r\n1,"x\r\ny ""z""",3\r\n\r\n,"",é,\n'.replace(',\n', '\n')),
    ).toEqual({
      ok: true,
      value: {
        headers: [
          { text: 'A', at: { file: 'n.csv', line: 1, column: 1 } },
          { text: 'B b', at: { file: 'n.csv', line: 1, column: 3 } },
          { text: 'C', at: { file: 'n.csv', line: 1, column: 9 } },
        ],
        records: [
          [
            { text: '1', at: { file: 'n.csv', line: 2, column: 1 } },
            { text: 'x\ny "z"', at: { file: 'n.csv', line: 2, column: 3 } },
            { text: '3', at: { file: 'n.csv', line: 3, column: 10 } },
          ],
          [
            { text: '', at: { file: 'n.csv', line: 5, column: 1 } },
            { text: '', at: { file: 'n.csv', line: 5, column: 2 } },
            { text: 'é', at: { file: 'n.csv', line: 5, column: 5 } },
          ],
        ],
      },
    });
  });

  it.each([
    [
      'semicolons',
      'a;b\n1,5;2\n',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1;5\t2\n',
      [
        ['a', 'b'],
        ['1;5', '2'],
      ],
    ],
    [
      'commas beside a quoted semicolon',
      '"a;;;",b\n1,2',
      [
        ['a;;;', 'b'],
        ['1', '2'],
      ],
    ],
    ['one column', 'a\n1\n2', [['a'], ['1'], ['2']]],
    [
      'an empty last field',
      'a,b\n1,\n',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
  ])('may have %s', (_, text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  it.each([
    [
      'a quote that is not closed',
      'a,b\n1,"2\n3,4\n',
      'n.csv:2:3 CSV_SYNTAX the quote is not closed',
    ],
    [
      'a quote within a field',
      'a,b\n1,2"3\n',
      'n.csv:2:4 CSV_SYNTAX a quote is inside a field that is not quoted',
    ],
    [
      'something behind a quote',
      'a,b\n"1\n" ,2\n',
      'n.csv:3:2 CSV_SYNTAX there is text after the closing quote',
    ],
    [
      'a record that is too short',
      'a,b\n1,2\n3\n',
      'n.csv:3:1 CSV_SYNTAX the record has 1 fields, expected 2 as in the header',
    ],
    [
      'a record that is too short, behind a field of several lines',
      'a,b\n"1\n\n\n2",3\n4\n',
      'n.csv:6:1 CSV_SYNTAX the record has 1 fields, expected 2 as in the header',
    ],
  ])('is refused for %s', (_, text, problem) => {
    const table = read(text);
    const told = table.ok ? [] : table.problems;
    expect(
      told.map(({ code, message, at }) => `${at.file}:${at.line}:${at.column} ${code} ${message}`),
    ).toEqual([problem]);
  });

  it.each([
    ['other bytes than UTF-8', Uint8Array.of(65, 0xff), 'FILE_ENCODING'],
    ['a file that is too large', 'a'.repeat(10_001), 'FILE_TOO_LARGE'],
  ])('is refused for %s', (_, text, code) => {
    expect(read(text)).toMatchObject({ ok: false, problems: [{ code }] });
  });

  it('is read back as it was written, whatever stands in its fields', () => {
    const field = fc.stringMatching(/^[a-z",;\n\t é]{0,6}$/);
    const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
      fc.array(fc.array(field, { minLength: width, maxLength: width }), {
        minLength: 1,
        maxLength: 5,
      }),
    );
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n'), fc.boolean(), (rows, end, always) => {
        const width = rows[0]?.length ?? 0;
        const header = Array.from({ length: width }, (_, index) => `h${index}`);
        const written = [header, ...rows]
          .map((row) => row.map((text) => quoted(text, always || width === 1)).join(','))
          .join(end);
        expect(texts(written.replace(/^.*?(?=\r?\n|$)/, header.join(',')))).toEqual([
          header,
          ...rows,
        ]);
      }),
      { seed: 20_261_120, numRuns: 500 },
    );
  });
});

function quoted(text: string, always: boolean): string {
  return always || /[",;\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
