import type { Allocation } from '../../model/allocation.ts';
import {
  type Claim,
  claimText,
  declarerText,
  type Holder,
  wantsFamily,
} from '../../model/claim.ts';
import type { Declared } from '../../workspace/declared.ts';
import type { AddressSide } from './plan-answer.ts';

/** Who holds what on one side of a pull request. */
export class Holdings {
  readonly #holders: ReadonlyMap<string, Holder>;

  constructor({ holders }: Declared) {
    this.#holders = new Map((holders ?? []).map((holder) => [holder.id, holder]));
  }

  /** The claims that stand on an address; none once it is released. */
  claimsOn(record: Allocation | undefined): readonly Claim[] {
    if (record === undefined || record.released) return [];
    const claims = this.#holders.get(record.holder)?.claims ?? [];
    return claims.filter((claim) => wantsFamily(claim, record.address.family));
  }

  /** A record as a plan shows it. */
  sideOf(record: Allocation): AddressSide {
    const { holder, released } = record;
    const claims = this.claimsOn(record).map(claimText);
    return released
      ? { holder, state: 'released', freeFrom: released.freeFrom, claims }
      : { holder, state: 'held', claims };
  }
}

/** What names a claim from one commit to the next: its lease, service and port. */
export function claimKey(claim: Claim): string {
  return `${claim.cluster} ${declarerText(claim)} ${claimText(claim)}`;
}
