import { claimText, isLeaseClaim, type LeaseClaim } from '../../model/claim.ts';
import type { Holder } from '../../model/holder.ts';
import { compareText } from '../../model/order.ts';
import type { Pools } from '../../model/pools.ts';
import type { Problem } from '../../model/problem.ts';
import { claimsByService, type ServiceClaims } from '../objects/service.ts';

/**
 * What `naming: readable` asks for beyond names: SELECTOR_REQUIRED on a claim without a selector,
 * since no provider labels its pods, and SERVICE_CONFLICT where claims that end up in one Service
 * disagree about family or selector.
 */
export function serviceProblems(pools: Pools, holders: readonly Holder[]): Problem[] {
  const readable = new Set(
    pools.clusters.filter(({ naming }) => naming === 'readable').map(({ name }) => name),
  );
  return holders
    .map(({ claims }) => claims.filter(isLeaseClaim).filter(({ cluster }) => readable.has(cluster)))
    .flatMap((claims) => [
      ...claims.flatMap(selectorProblem),
      ...claimsByService('readable', claims).flatMap(conflicts),
    ]);
}

function selectorProblem(claim: LeaseClaim): Problem[] {
  if (claim.selector) return [];
  const message = `the endpoint ${claimText(claim)} has no selector, which naming: readable needs`;
  return [{ code: 'SELECTOR_REQUIRED', message, at: claim.at }];
}

function conflicts([first, ...others]: ServiceClaims): Problem[] {
  return others.flatMap((claim) => [
    ...(claim.ipFamily === first.ipFamily
      ? []
      : [conflict(first, claim, `have the families ${claim.ipFamily} and ${first.ipFamily}`)]),
    ...(sameSelector(first, claim) ? [] : [conflict(first, claim, 'have different selectors')]),
  ]);
}

function conflict(first: LeaseClaim, claim: LeaseClaim, what: string): Problem {
  const message = `${claimText(claim)} and ${claimText(first)} ${what}, and one Service has both`;
  return { code: 'SERVICE_CONFLICT', message, at: claim.at, also: [first.at] };
}

/** A missing selector is a problem of its own. */
function sameSelector({ selector: left }: LeaseClaim, { selector: right }: LeaseClaim): boolean {
  return !left || !right || selectorText(left) === selectorText(right);
}

function selectorText(selector: Readonly<Record<string, string>>): string {
  return JSON.stringify(
    Object.entries(selector).sort(([left], [right]) => compareText(left, right)),
  );
}
