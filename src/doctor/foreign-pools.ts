import { type Check, unknown } from './facts.ts';

/** FOREIGN_POOLS: one finding for each. */
export const checkForeignPools: Check = ({ addressPools, overlaps }) => {
  const code = 'FOREIGN_POOLS';
  if (!overlaps.known) return [unknown(code, overlaps.reason)];
  if (addressPools.known && addressPools.value === undefined) return [];
  if (overlaps.value.length === 0) {
    return [
      { level: 'ok', code, found: 'no other IPAddressPool has addresses of a declared pool' },
    ];
  }
  return overlaps.value.map(({ object, message, hint }) => ({
    level: 'problem',
    code,
    found: `${object} ${message}`,
    means: 'the IPAddressPools of leasehold that have these addresses cannot be applied',
    fix: hint,
  }));
};
