import { describe, expect, test } from 'vitest';
import { columns } from '../../../../src/text/print/columns.ts';

const rows = [
  ['ADDRESS', 'HOLDER'],
  ['203.0.113.7', 'default/akash/akash10tn2gnpqhjm-ip-arena'],
];

describe('columns at a terminal', () => {
  test('shorten what matters least in its middle, so that no line wraps', () => {
    expect(columns(rows, { width: 33, order: [1] })).toBe(
      'ADDRESS      HOLDER\n203.0.113.7  default/ak…-ip-arena\n',
    );
  });

  test.each([[10], [24], [33], [60]])('have no line of more than %i characters', (width) => {
    const lines = columns(rows, { width, order: [1] }).split('\n');
    expect(lines.filter(({ length }) => length > width)).toEqual([]);
  });

  test('are as wide as they must be without a terminal', () => {
    expect(columns(rows, { width: undefined, order: [1] })).toBe(columns(rows));
    expect(columns(rows)).toContain('akash10tn2gnpqhjm-ip-arena');
  });
});
