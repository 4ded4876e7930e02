import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { sanitizedJson } from '../../../../src/core/text/print/escape.ts';
import { paintOf } from '../../../../src/core/text/print/problems-text.ts';
import { answerYaml } from '../../../../src/core/text/yaml/yaml-output.ts';
import {
  historyCsv,
  historyTable,
} from '../../../../src/features/ask/history/address-history-text.ts';
import type {
  AddressHistory,
  HistoryEvent,
} from '../../../../src/lib/history/address-history-answer.ts';

const paint = paintOf(false);

const event = (changes: Partial<HistoryEvent>): HistoryEvent => ({
  event: 'given',
  at: '2026-01-02T10:00:00Z',
  commit: '0123456789abcdef0123456789abcdef01234567',
  author: 'Alice',
  subject: 'Lease',
  ...changes,
});
const history = (...periods: AddressHistory['periods']): AddressHistory => ({
  apiVersion: 'leasehold.dev/v1',
  kind: 'AddressHistory',
  address: '203.0.113.7',
  ref: 'main',
  commit: 'c',
  shallow: false,
  periods,
});
const held = {
  state: 'held',
  holder: 'default/akash/a-ip-web',
  pool: 'default',
  from: '2026-01-02T10:00:00Z',
  until: '2026-02-02T10:00:00Z',
  begun: event({ request: '#12' }),
  changes: [event({ event: 'retention changed', at: '2026-01-03T10:00:00Z', subject: 'Longer' })],
} as const;
const released = {
  state: 'released',
  holder: 'default/akash/a-ip-web',
  pool: 'default',
  freeFrom: '2026-02-09',
  from: '2026-02-02T10:00:00Z',
  begun: event({
    event: 'released',
    at: '2026-02-02T10:00:00Z',
    subject: 'x'.repeat(90),
    freeFrom: '2026-02-05',
  }),
  changes: [
    event({ event: 'retention changed', at: '2026-02-03T10:00:00Z', freeFrom: '2026-02-09' }),
  ],
} as const;
const hostile = {
  ...released,
  begun: event({ author: '=cmd|"x"', subject: '\u001b[31mred\u202e\u{e0041},\n"quoted"' }),
};

describe('the text of an address history', () => {
  test('is a table with a line per period and per change of the retention', () => {
    expect(historyTable(history(held, released), { paint }).split('\n')).toEqual([
      'FROM                  UNTIL                 EVENT                                      HOLDER                  COMMIT      REQUEST  AUTHOR  SUBJECT',
      '2026-01-02T10:00:00Z  2026-02-02T10:00:00Z  given                                      default/akash/a-ip-web  0123456789  #12      Alice   Lease',
      '2026-01-03T10:00:00Z                          retention changed                                                0123456789  -        Alice   Longer',
      `2026-02-02T10:00:00Z  -                     released, free from 2026-02-05             default/akash/a-ip-web  0123456789  -        Alice   ${'x'.repeat(59)}…`,
      '2026-02-03T10:00:00Z                          retention changed, free from 2026-02-09                          0123456789  -        Alice   Lease',
      '',
    ]);
  });

  test('is CSV with the same lines and untruncated texts', () => {
    const lines = historyCsv(history(held, released)).split('\n');
    expect(lines[1]).toBe(
      '203.0.113.7,2026-01-02T10:00:00Z,2026-02-02T10:00:00Z,given,held,default/akash/a-ip-web,default,,0123456789abcdef0123456789abcdef01234567,#12,Alice,Lease',
    );
    expect(lines[2]).toContain('2026-01-03T10:00:00Z,,retention changed,');
    expect(lines[3]).toContain('x'.repeat(90));
    expect([lines[3], lines[4]].map((line) => line?.split(',')[7])).toEqual([
      '2026-02-05',
      '2026-02-09',
    ]);
    expect(new Set(lines.slice(0, 5).map((line) => line.split(',').length))).toEqual(new Set([12]));
  });

  test('contains no terminal escape or spreadsheet formula from a commit', () => {
    const table = historyTable(history(hostile), { paint });
    const csv = historyCsv(history(hostile));
    const yaml = answerYaml(history(hostile));
    for (const text of [table, csv, yaml, sanitizedJson(history(hostile))]) {
      expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }
    expect(table.split('\n')).toHaveLength(4);
    expect(csv).toContain(`"'=cmd|""x""","?[31mred??,?""quoted"""`);
    expect(parse(yaml)).toEqual(history(hostile));
    expect(JSON.parse(sanitizedJson(history(hostile)))).toEqual(history(hostile));
  });
});
