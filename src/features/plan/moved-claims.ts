import { type Allocation, isHeld, recordsByHolder } from '../../model/allocation.ts';
import { type Claim, wantsFamily } from '../../model/claim.ts';
import { formatAddress } from '../../net/address.ts';
import type { Declared } from '../../workspace/declared.ts';
import { claimKey } from './holdings.ts';

/** A claim that both sides declare, and that stands on another address afterwards. */
export interface MovedClaim {
  readonly before: Claim;
  readonly after: Claim;
  readonly from: string;
  readonly to: string;
}

/** In the order of the head's claims; for each family that both sides have an address of. */
export function movedClaims(base: Declared, head: Declared): readonly MovedClaim[] {
  const old = new Map(base.claims.map((claim) => [claimKey(claim), claim]));
  const had = recordsByHolder(base.table, isHeld);
  const has = recordsByHolder(head.table, isHeld);
  return head.claims.flatMap((after) => {
    const before = old.get(claimKey(after));
    if (!before) return [];
    return (['ipv4', 'ipv6'] as const).flatMap((family) => {
      const from = addressOf(had.get(before.holder), before, family);
      const to = addressOf(has.get(after.holder), after, family);
      return from === undefined || to === undefined || from === to
        ? []
        : [{ before, after, from, to }];
    });
  });
}

function addressOf(
  records: readonly Allocation[] | undefined,
  claim: Claim,
  family: 'ipv4' | 'ipv6',
): string | undefined {
  if (!wantsFamily(claim, family)) return undefined;
  const record = records?.find(({ address }) => address.family === family);
  return record && formatAddress(record.address);
}
