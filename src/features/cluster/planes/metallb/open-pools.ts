import type { LiveObject } from '../../../../core/model/live.ts';
import { compareText } from '../../../../core/model/order.ts';
import type { Pool } from '../../../../core/model/pools.ts';
import { isAddress, parseAddress } from '../../../../core/net/address.ts';
import { rangeHas } from '../../../../core/net/range.ts';
import type { DesiredClaim } from '../../live/claim-state.ts';
import { selects } from '../../live/label-selector.ts';
import { ingressOf, isOfClass, type Snapshot } from '../../live/snapshot.ts';
import type { ClusterFinding, OpenPool, UnfencedService } from '../../verification-answer.ts';

/**
 * The selectors of a closed pool: one of each list must match. MetalLB:
 * isPoolCompatibleWithService.
 */
interface ClosedFence {
  readonly namespaceSelectors?: readonly Selector[];
  readonly serviceSelectors: readonly Selector[];
}

interface Selector {
  readonly matchLabels: Readonly<Record<string, string>>;
}

/** The fence of closed pools, and the claims that it must admit. */
export interface Closing {
  readonly fence: ClosedFence;
  readonly claims: readonly DesiredClaim[];
  /** The class of Services that MetalLB serves; undefined for Services without a class. */
  readonly loadBalancerClass: string | undefined;
}

/**
 * The pools with an open fence, in the order of the file, each with the live Services that would
 * lose their addresses if it were closed.
 */
export function openPools(
  pools: readonly Pool[],
  live: Snapshot,
  closing: Closing,
): readonly OpenPool[] {
  return closedTo(
    pools.filter((pool) => pool.fence === 'open'),
    live,
    closing,
  );
}

/**
 * With `layout: both`, a finding for each live Service that would lose its addresses with
 * `layout: pool`, because a closed pool would not serve it.
 */
export function losingServices(
  pools: readonly Pool[],
  live: Snapshot,
  closing: Closing,
): ClusterFinding[] {
  const closed = pools.filter((pool) => pool.fence === 'closed');
  return closedTo(closed, live, closing).flatMap(({ pool, services }) =>
    services.map(({ object, addresses, message }) => ({
      object,
      message: `would lose ${addresses.join(', ')} with layout: pool: it ${message}`,
      hint: `add the label, or set fence: open for the pool ${pool} until it has it`,
    })),
  );
}

/**
 * The live Services, sorted by name, that closed pools would not serve. Leaves out Services of
 * another class, which MetalLB does not serve, and labelled ones that are not declared, which a
 * closed pool serves.
 */
function closedTo(
  pools: readonly Pool[],
  live: Snapshot,
  { fence, claims, loadBalancerClass }: Closing,
): readonly OpenPool[] {
  if (pools.length === 0) return [];
  const declared = new Map(claims.map((claim) => [claim.service, claim]));
  const services = [...live.all()].filter(
    ({ kind, object }) => kind === 'service' && isOfClass(object, loadBalancerClass),
  );
  services.sort((left, right) => compareText(left.name, right.name));
  return pools.map((pool) => ({
    pool: pool.name,
    services: services.flatMap(({ name, object }): UnfencedService[] => {
      const addresses = ingressOf(object).filter((text) => isOf(pool, text));
      const message =
        addresses.length === 0 ? undefined : exclusion(object, live, fence, declared.get(name));
      return message === undefined ? [] : [{ object: name, addresses, message }];
    }),
  }));
}

function isOf({ ranges }: Pool, text: string): boolean {
  const address = parseAddress(text);
  return isAddress(address) && ranges.some((range) => rangeHas(range, address));
}

/** The reason why a closed pool would not serve a Service; undefined when it would. */
function exclusion(
  service: LiveObject,
  live: Snapshot,
  { namespaceSelectors, serviceSelectors }: ClosedFence,
  claim: DesiredClaim | undefined,
): string | undefined {
  const { namespace = '' } = service.metadata;
  const labels = live.get(`Namespace ${namespace}`)?.metadata.labels;
  const [own, reserved] = serviceSelectors;
  if (!serviceSelectors.some((one) => selects(one, service.metadata.labels))) {
    if (!claim) return 'is not declared';
    const wanted = claim.isReserved ? (reserved ?? own) : own;
    return `is declared but does not have the label ${labelText(wanted)} yet`;
  }
  const [first] = namespaceSelectors ?? [];
  if (!namespaceSelectors || namespaceSelectors.some((one) => selects(one, labels))) {
    return undefined;
  }
  return `is in the namespace ${namespace}, which does not have the label ${labelText(first)} yet`;
}

function labelText(selector: Selector | undefined): string {
  return Object.entries(selector?.matchLabels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join();
}
