import { type Check, unknown } from './facts.ts';

/** FOREIGN_POOLS: one finding for each. */
export const checkForeignPools: Check = ({ addressPools, overlaps }) => {
  const code = 'FOREIGN_POOLS';
  if (!overlaps.known) return [unknown(code, overlaps.reason)];
  if (addressPools.known && addressPools.value === undefined) return [];
  if (overlaps.value.length === 0) {
    return [
      { level: 'ok', code, found: 'no other IPAddressPool overlaps a declared pool, or another' },
    ];
  }
  return overlaps.value.map(({ object, message, hint }) => ({
    level: 'problem',
    code,
    found: `${object} ${message}`,
    means:
      'while two pools overlap, MetalLB takes no new configuration: its webhook refuses more pools, and without a webhook they count for nothing',
    fix: hint,
  }));
};
