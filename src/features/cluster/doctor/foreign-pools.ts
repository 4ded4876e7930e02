import type { Finding } from '../diagnosis-answer.ts';
import { type Check, unknown } from './facts.ts';

/** FOREIGN_POOLS: one finding for each, and one for each pool that the first sync takes over. */
export const checkForeignPools: Check = ({ addressPools, takenOver, overlaps }) => {
  const code = 'FOREIGN_POOLS';
  if (!overlaps.known) return [unknown(code, overlaps.reason)];
  if (addressPools.known && addressPools.value === undefined) return [];
  const comes = takenOver.map(
    (pool): Finding => ({
      level: 'ok',
      code,
      found: `${pool} is live without our label, and dist/ has it: the first sync takes it over`,
    }),
  );
  if (overlaps.value.length === 0) {
    const found = 'no other IPAddressPool overlaps a declared pool, or another';
    return [...comes, { level: 'ok', code, found }];
  }
  const inTheWay = overlaps.value.map(
    ({ object, message, hint }): Finding => ({
      level: 'problem',
      code,
      found: `${object} ${message}`,
      means:
        'while two pools overlap, MetalLB takes no new configuration: its webhook refuses more pools, and without a webhook they count for nothing',
      fix: hint,
    }),
  );
  return [...comes, ...inTheWay];
};
