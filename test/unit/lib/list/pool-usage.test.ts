import { describe, expect, test } from 'vitest';
import { paintOf } from '../../../../src/core/text/print/problems-text.ts';
import { poolUsageCsv, poolUsageTable } from '../../../../src/lib/list/pool-usage.ts';
import type { FamilyUsage } from '../../../../src/lib/list/pool-usage-answer.ts';
import { familyUsage, poolUsagesOf } from '../../../support/serve/metrics.ts';

const wide = familyUsage({
  family: 'ipv6',
  ranges: ['2001:db8::/64', '2001:db8:1::1-2001:db8:1::2'],
  total: '18446744073709551618',
  free: '18446744073709551608',
  percent: 0,
});
const usages = (...families: FamilyUsage[]) => poolUsagesOf(families);

describe('the text of pool usages', () => {
  test('is a table with a line per family and abbreviated counts', () => {
    expect(poolUsageTable(usages(familyUsage({}), wide), { paint: paintOf(false) })).toBe(
      [
        'POOL  ZONE  STATE   FAMILY  TOTAL    RESERVED  HELD  RETAINED  FREE     USED   RANGES',
        'edge  inet  active  ipv4    16       1         9     1         5         66 %  203.0.113.0/28',
        'edge  inet  active  ipv6    1.84e19  1         9     1         1.84e19    0 %  2001:db8::/64,2001:db8:1::1-2001:db8:1::2',
        '',
      ].join('\n'),
    );
  });

  test.each([
    [0, '░░░░░░░░░░'],
    [1, '█░░░░░░░░░'],
    [50, '█████░░░░░'],
    [99, '█████████░'],
    [100, '██████████'],
  ])('has a bar on a terminal at %i %%, full only when nothing is free', (percent, bar) => {
    const table = poolUsageTable(usages(familyUsage({ percent })), {
      paint: paintOf(false),
      width: 200,
    });
    expect(/[█░]+/.exec(table)?.[0]).toBe(bar);
  });

  test.each([
    [79, '█'],
    [80, '\u001b[33m█'],
    [89, '\u001b[33m█'],
    [90, '\u001b[31m█'],
    [100, '\u001b[31m█'],
  ])('has at %i %% the bar %j, and the colours of the page beside it', (percent, bar) => {
    const style = { paint: paintOf(true), width: 200 };
    const [head = '', line = ''] = poolUsageTable(usages(familyUsage({ percent })), style).split(
      '\n',
    );
    expect(head).not.toContain('\u001b');
    expect(line).toContain(`  ${bar}`);
    expect(line).toContain(`${percent} %`);
    expect(line).toContain('\u001b[90m1\u001b[39m');
    expect(line).toContain('\u001b[94m9\u001b[39m');
    expect(line).toContain('\u001b[33m1\u001b[39m');
  });

  test('is CSV with all digits', () => {
    expect(poolUsageCsv(usages(wide)).split('\n')[1]).toBe(
      'edge,inet,active,ipv6,18446744073709551618,1,9,1,18446744073709551608,0,0,2001:db8::/64 2001:db8:1::1-2001:db8:1::2,',
    );
  });
});
