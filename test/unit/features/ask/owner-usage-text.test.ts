import { describe, expect, test } from 'vitest';
import type { OwnerUsages } from '../../../../src/features/ask/owner-usage-answer.ts';
import { ownerUsageCsv, ownerUsageTable } from '../../../../src/features/ask/owner-usage-text.ts';

const usages: OwnerUsages = {
  apiVersion: 'leasehold.dev/v1',
  kind: 'OwnerUsages',
  day: '2026-01-01',
  items: [
    {
      owner: 'akash1alice',
      held: 3,
      retained: 1,
      parts: [
        { zone: 'edge', family: 'ipv6', held: 1, retained: 0 },
        { family: 'ipv4', held: 2, retained: 1 },
      ],
    },
    { owner: 'default/shop', held: 0, retained: 0, quota: 4, left: 4, parts: [] },
  ],
};

describe('what owners have', () => {
  test('is a line per owner, with where it has it', () => {
    expect(ownerUsageTable(usages)).toBe(
      [
        'OWNER         HELD  RETAINED  QUOTA  LEFT  WHERE',
        'akash1alice   3     1         -      -     1 of edge ipv6, 2 + 1 retained of no zone ipv4',
        'default/shop  0     0         4      4',
        '',
      ].join('\n'),
    );
  });

  test('is a line per owner, zone and family in CSV', () => {
    expect(ownerUsageCsv(usages)).toBe(
      [
        'owner,zone,family,held,retained,ownerHeld,ownerRetained,ownerQuota,ownerLeft',
        'akash1alice,edge,ipv6,1,0,3,1,,',
        'akash1alice,,ipv4,2,1,3,1,,',
        'default/shop,,,0,0,0,0,4,4',
        '',
      ].join('\n'),
    );
  });
});
