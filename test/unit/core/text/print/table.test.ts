import { describe, expect, test } from 'vitest';
import { paintOf } from '../../../../../src/core/text/print/problems-text.ts';
import { type Column, tableText } from '../../../../../src/core/text/print/table.ts';

interface Row {
  readonly addresses: readonly string[];
  readonly zone: string;
  readonly holder: string;
  readonly note: string;
}

const columns: readonly Column<Row>[] = [
  { name: 'ADDRESS', cell: ({ addresses }) => addresses },
  { name: 'ZONE', cell: ({ zone }) => zone, omitSame: 'column' },
  { name: 'HOLDER', cell: ({ holder }) => holder, omitSame: 'folder' },
  { name: 'NOTE', cell: ({ note }) => note, wide: true },
];

const ann = 'akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4';
const bob = 'akash10tn20rjmfdayukq6parfrm2tt2cdg3jgnpqhjm';
const rows: readonly Row[] = [
  {
    addresses: ['203.0.113.7', '2001:db8:30::e0'],
    zone: 'inet',
    holder: `default/akash/${ann}-ip-web`,
    note: 'first',
  },
  { addresses: ['203.0.113.8'], zone: 'inet', holder: `default/akash/${bob}-ip-arena`, note: '' },
];
const paint = paintOf(false);
const at = (width: number | undefined, wide = false) =>
  tableText(columns, rows, { paint, width, wide });

describe('a table', () => {
  test('away from a terminal has the same columns whatever the rows are, and all of every cell', () => {
    expect(at(undefined)).toBe(
      [
        'ADDRESS                      ZONE  HOLDER',
        `203.0.113.7,2001:db8:30::e0  inet  default/akash/${ann}-ip-web`,
        `203.0.113.8                  inet  default/akash/${bob}-ip-arena`,
        '',
      ].join('\n'),
    );
  });

  test('leaves out on a terminal what all rows share', () => {
    expect(at(90)).toBe(
      [
        'ADDRESS                      HOLDER',
        `203.0.113.7,2001:db8:30::e0  ${ann}-ip-web`,
        `203.0.113.8                  ${bob}-ip-arena`,
        '',
      ].join('\n'),
    );
  });

  test('then shortens the middle of accounts, and nothing else', () => {
    expect(at(60)).toBe(
      [
        'ADDRESS                      HOLDER',
        '203.0.113.7,2001:db8:30::e0  akash17zp8…nkks4-ip-web',
        '203.0.113.8                  akash10tn2…pqhjm-ip-arena',
        '',
      ].join('\n'),
    );
  });

  test('then has the items of a list below each other', () => {
    expect(at(45)).toBe(
      [
        'ADDRESS          HOLDER',
        '203.0.113.7      akash17zp8…nkks4-ip-web',
        '2001:db8:30::e0',
        '203.0.113.8      akash10tn2…pqhjm-ip-arena',
        '',
      ].join('\n'),
    );
  });

  test('then becomes a block for each row, with whole addresses and names', () => {
    expect(at(38)).toBe(
      [
        'Address: 203.0.113.7, 2001:db8:30::e0',
        'Holder:  akash17zp8…nkks4-ip-web',
        '',
        'Address: 203.0.113.8',
        'Holder:  akash10tn2…pqhjm-ip-arena',
        '',
      ].join('\n'),
    );
  });

  test('has everything with -o wide, whatever the width is', () => {
    expect(at(20, true)).toBe(
      [
        'ADDRESS                      ZONE  HOLDER                                                               NOTE',
        `203.0.113.7,2001:db8:30::e0  inet  default/akash/${ann}-ip-web    first`,
        `203.0.113.8                  inet  default/akash/${bob}-ip-arena`,
        '',
      ].join('\n'),
    );
  });

  test('keeps different accounts different, also with the same ends', () => {
    const twin = `${ann.slice(0, 20)}${'q'.repeat(4)}${ann.slice(24)}`;
    const twins = [ann, twin].map((account) => ({
      ...rows[0]!,
      addresses: ['x'],
      holder: account,
    }));
    const lines = tableText(columns, twins, { paint, width: 49 }).trimEnd().split('\n').slice(1);
    expect(lines).toHaveLength(2);
    expect(new Set(lines).size).toBe(2);
    expect(lines.every((line) => line.includes('…'))).toBe(true);
  });

  test('keeps what only one row could share', () => {
    expect(tableText(columns, rows.slice(1), { paint, width: 90 })).toContain('default/akash/');
  });

  test('drops columns in their order, and then shortens prose to 16 characters at least', () => {
    const prose: readonly Column<Row>[] = [
      { name: 'ADDRESS', cell: ({ addresses }) => addresses[0] ?? '' },
      { name: 'ZONE', cell: ({ zone }) => zone, drop: 1 },
      { name: 'NOTE', cell: () => 'twenty-six characters long', prose: 'cut' },
    ];
    const text = (width: number) => tableText(prose, rows, { paint, width }).split('\n')[1];
    expect(text(45)).toBe('203.0.113.7  inet  twenty-six characters long');
    expect(text(44)).toBe('203.0.113.7  twenty-six characters long');
    expect(text(30)).toBe('203.0.113.7  twenty-six chara…');
    expect(text(28)).toBe('Zone:    inet');
  });

  test('breaks a sentence between words, in a column and in a block, and keeps all of it', () => {
    const sentence: readonly Column<Row>[] = [
      { name: 'ADDRESS', cell: ({ addresses }) => addresses[0] ?? '' },
      { name: 'NOTE', cell: () => 'a sentence of seven words goes on', prose: 'wrap' },
    ];
    const text = (width: number) => tableText(sentence, rows.slice(0, 1), { paint, width });
    expect(text(40)).toBe(
      [
        'ADDRESS      NOTE',
        '203.0.113.7  a sentence of seven words',
        '             goes on',
        '',
      ].join('\n'),
    );
    expect(text(28)).toBe(
      ['Address: 203.0.113.7', 'Note:    a sentence of seven', '         words goes on', ''].join(
        '\n',
      ),
    );
  });

  test('prints nothing that moves the cursor of a terminal', () => {
    const hostile = [{ ...rows[0]!, holder: 'a\u001b[2J\nb' }];
    expect(tableText(columns, hostile, { paint })).toContain('a?[2J?b');
  });

  test('has colours that do not move the columns', () => {
    const colored = columns.map((column) => ({
      ...column,
      color: () => (text: string) => `<${text}>`,
    }));
    const text = tableText(colored, rows, { paint, width: 90 });
    expect(text.replaceAll(/[<>]/g, '')).toBe(at(90));
    expect(text).toContain(`<203.0.113.8>                  <${bob}-ip-arena>`);
  });
});
