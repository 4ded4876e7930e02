import { describe, expect, test } from 'vitest';
import { poolUsageCsv, poolUsageTable } from '../../../../src/features/ask/pool-usage.ts';
import type { FamilyUsage } from '../../../../src/features/ask/pool-usage-answer.ts';
import { paintOf } from '../../../../src/text/print/problems-text.ts';
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
    expect(poolUsageTable(usages(familyUsage({}), wide))).toBe(
      [
        'POOL  ZONE  STATE   FAMILY  TOTAL    RESERVED  HELD  RETAINED  FREE     USED   RANGES',
        'edge  inet  active  ipv4    16       1         9     1         5         66 %  203.0.113.0/28',
        'edge  inet  active  ipv6    1.84e19  1         9     1         1.84e19    0 %  2001:db8::/64,2001:db8:1::1-2001:db8:1::2',
        '',
      ].join('\n'),
    );
  });

  test.each([
    [0, '░░░░░░░░░░░░░░░░░░░░'],
    [1, '█░░░░░░░░░░░░░░░░░░░'],
    [50, '██████████░░░░░░░░░░'],
    [99, '███████████████████░'],
    [100, '████████████████████'],
  ])('has a bar on a terminal at %i %%, full only when nothing is free', (percent, bar) => {
    const table = poolUsageTable(usages(familyUsage({ percent })), { paint: paintOf(false) });
    expect(/[█░]+/.exec(table)?.[0]).toBe(bar);
  });

  test.each([
    [80, 32],
    [81, 33],
    [99, 33],
    [100, 31],
  ])('has a color at %i %%', (percent, color) => {
    const lines = poolUsageTable(usages(familyUsage({ percent })), { paint: paintOf(true) }).split(
      '\n',
    );
    expect(lines[0]).not.toContain('\u001b');
    expect(lines[1]?.split('\u001b[')[1]).toMatch(new RegExp(`^${color}m█`));
    expect(lines[1]).toContain(`${percent} %`);
  });

  test('is CSV with all digits', () => {
    expect(poolUsageCsv(usages(wide)).split('\n')[1]).toBe(
      'edge,inet,active,ipv6,18446744073709551618,1,9,1,18446744073709551608,0,2001:db8::/64 2001:db8:1::1-2001:db8:1::2',
    );
  });
});
