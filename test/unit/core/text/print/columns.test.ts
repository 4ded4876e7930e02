import { expect, test } from 'vitest';
import { columns, humanCount } from '../../../../../src/core/text/print/columns.ts';

test('columns are as wide as their widest cell, and lines end without spaces', () => {
  const rows = [
    ['ADDRESS', 'HOLDER'],
    ['203.0.113.7', 'default/akash/akash10tn2gnpqhjm-ip-arena'],
    ['203.0.113.8', ''],
  ];
  expect(columns(rows)).toBe(
    'ADDRESS      HOLDER\n203.0.113.7  default/akash/akash10tn2gnpqhjm-ip-arena\n203.0.113.8\n',
  );
});

test.each([
  ['9999999', '9999999'],
  ['10000000', '1.00e7'],
  ['18446744073709551616', '1.84e19'],
])('the count %s is shown as %s', (count, shown) => {
  expect(humanCount(count)).toBe(shown);
});
