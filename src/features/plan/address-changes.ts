import type { Allocation } from '../../model/allocation.ts';
import type { Claim } from '../../model/claim.ts';
import { allocationsFolder } from '../../model/folders.ts';
import { holderText } from '../../model/holder-text.ts';
import { type Position, startOf } from '../../model/problem.ts';
import { compareAddresses, formatAddress } from '../../net/address.ts';
import { formerHolder } from '../../records/successor.ts';
import type { Review } from '../review/review.ts';
import { claimDetails } from './claim-details.ts';
import { Holdings } from './holdings.ts';
import { keyDetails } from './key-details.ts';
import type { AddressChange, AddressChangeKind, PlanPlace } from './plan-answer.ts';

/** Every address that a pull request changes something about, by address. */
export function addressChanges({ base, head }: Pick<Review, 'base' | 'head'>): AddressChange[] {
  const sides = { before: new Holdings(base), after: new Holdings(head) };
  const records = [...base.table.values(), ...head.table.values()];
  const addresses = new Map(records.map(({ address }) => [formatAddress(address), address]));
  return [...addresses]
    .sort(([, left], [, right]) => compareAddresses(left, right))
    .flatMap(([text]) => {
      const change = changeOf(sides, base.table.get(text), head.table.get(text));
      return change ? [change] : [];
    });
}

interface Sides {
  readonly before: Holdings;
  readonly after: Holdings;
}

function changeOf(
  sides: Sides,
  before: Allocation | undefined,
  after: Allocation | undefined,
): AddressChange | undefined {
  const record = after ?? before;
  if (!record) return undefined;
  const now = sides.after.claimsOn(after);
  const change = kindOf(before, after, now);
  const claims = claimDetails(sides.before.claimsOn(before), now);
  const details = [
    ...(change === 'updated' ? claims.details : []),
    ...recordDetails(change, before, after),
  ];
  if (change === 'updated' && details.length === 0) return undefined;
  const declared = (claims.first ?? now[0])?.at;
  return {
    address: formatAddress(record.address),
    pool: record.pool,
    change,
    ...(before && { before: sides.before.sideOf(before) }),
    ...(after && { after: sides.after.sideOf(after) }),
    details,
    at: declared ? placeOf('head', declared) : filePlace(before, after),
  };
}

/** `now` are the claims that stand on it: a Service that joins others takes its address along. */
function kindOf(
  before: Allocation | undefined,
  after: Allocation | undefined,
  now: readonly Claim[],
): AddressChangeKind {
  if (!after) return before?.released ? 'removed' : 'released';
  const isTakenAlong =
    before !== undefined &&
    !before.released &&
    now.some((claim) => formerHolder(claim) === before.holder);
  const isSameHolder = before?.holder === after.holder || isTakenAlong;
  if (after.released) return before?.released && isSameHolder ? 'updated' : 'released';
  if (!before || !isSameHolder) return 'allocated';
  return before.released ? 'reclaimed' : 'updated';
}

function recordDetails(
  change: AddressChangeKind,
  before: Allocation | undefined,
  after: Allocation | undefined,
): string[] {
  const moved = movedDetails(after);
  if (change === 'reclaimed') {
    return [`released on ${before?.released?.on}`, ...moved, ...keyDetails(before, after)];
  }
  if (change === 'allocated') return [...moved, ...givenDetails(before, after)];
  if (change === 'released') return releaseDetails(before, after);
  return before && after ? updateDetails(before, after) : [];
}

function movedDetails(after: Allocation | undefined): string[] {
  return after?.movedFrom ? [`moved from ${formatAddress(after.movedFrom)} by leasehold move`] : [];
}

/** By a signature the address goes on before it is free. */
function givenDetails(before: Allocation | undefined, after: Allocation | undefined): string[] {
  if (!before?.released || !after) return [];
  const { freeFrom } = before.released;
  return after.since < freeFrom ? [...keyDetails(before, after)] : [`free since ${freeFrom}`];
}

function releaseDetails(before: Allocation | undefined, after: Allocation | undefined): string[] {
  if (!after?.released) return ['its record is gone'];
  const never = before === undefined || before.released ? ['was never live'] : [];
  return [...never, `free from ${after.released.freeFrom}`];
}

function updateDetails(before: Allocation, after: Allocation): string[] {
  const details: string[] = [];
  if (before.holder !== after.holder) details.push(`came along with ${holderText(before.holder)}`);
  const differ = (was: string | number | undefined, is: string | number | undefined) => was !== is;
  if (differ(before.pool, after.pool)) details.push(`pool ${before.pool} → ${after.pool}`);
  if (differ(before.retain, after.retain)) {
    details.push(`kept after release: ${before.retain} → ${after.retain} days`);
  }
  if (differ(before.keepUntil, after.keepUntil)) {
    details.push(`not free before ${after.keepUntil ?? after.released?.freeFrom}`);
  }
  if (differ(before.since, after.since)) details.push(`since ${before.since} → ${after.since}`);
  const [was, is] = [before.released?.freeFrom, after.released?.freeFrom];
  if (differ(was, is)) details.push(`free from ${was ?? 'release'} → ${is ?? 'release'}`);
  details.push(...keyDetails(before, after));
  return details;
}

function filePlace(before: Allocation | undefined, after: Allocation | undefined): PlanPlace {
  const at = after?.at ?? before?.at ?? startOf(allocationsFolder);
  return placeOf(after ? 'head' : 'base', at);
}

/** A place on one side of a plan. */
export function placeOf(side: PlanPlace['side'], { file, line }: Position): PlanPlace {
  return { side, file, line };
}
