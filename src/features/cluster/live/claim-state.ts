import {
  type LiveObject,
  listAt,
  numberAt,
  textAt,
  type WantedObject,
} from '../../../core/model/live.ts';
import { compareText } from '../../../core/model/order.ts';
import type { ListClaim } from '../../../lib/list/list-answer.ts';
import {
  type ClaimState,
  claimStates,
  type Detail,
  type VerifiedClaim,
} from '../verification-answer.ts';
import type { AnnouncedBy } from './announced-by.ts';
import { deletionText, type ObjectDetails } from './object-state.ts';
import { ingressOf, type Snapshot } from './snapshot.ts';

/** A claim and the objects that the tree declares for it. */
export interface DesiredClaim {
  readonly claim: ListClaim;
  readonly holder: string;
  /** The addresses of its Service: canonical text, IPv4 first. */
  readonly addresses: readonly string[];
  /** The name of its Service object, such as `Service web/app`. */
  readonly service: string;
  readonly announcedBy: AnnouncedBy;
  /** All objects of `dist/` that it needs: its Service, and those it shares with other claims. */
  readonly objects: readonly WantedObject[];
  /** True when another tool renders its Service, which is not in `dist/` but must exist. */
  readonly isReserved: boolean;
  /** The name of the Gateway whose controller makes its Service; undefined for none. */
  readonly gateway: string | undefined;
}

/** The state of a cluster against which claims are verified. */
export interface Evidence {
  readonly live: Snapshot;
  readonly detailsOf: ObjectDetails;
  /** The holder that a Service of the tree belongs to, by the name of the object. */
  readonly holders: ReadonlyMap<string, string>;
  /** Why a Service has no address yet, and what to do. */
  readonly waitingFor: (
    wanted: DesiredClaim,
    service: LiveObject,
  ) => Pick<Detail, 'message' | 'hint'>;
  /** Why no packet arrives at a Service that has its addresses; none when packets can arrive. */
  readonly announcementOf: (wanted: DesiredClaim) => readonly Detail[];
}

/** A claim with all differences from the tree, the worst first; see {@link claimStates}. */
export function verifyClaim(wanted: DesiredClaim, evidence: Evidence): VerifiedClaim {
  const { claim, holder, addresses, service } = wanted;
  const details = [
    ...wanted.objects.flatMap(evidence.detailsOf),
    ...reservedDetails(wanted, evidence),
    ...addressConflicts(wanted, evidence),
    ...serviceDetails(wanted, evidence),
  ].sort(compareDetails);
  return {
    holder,
    ...claim,
    addresses,
    object: service,
    state: details[0]?.state ?? 'ok',
    details,
  };
}

/** True when the Service of a claim exists and has no address yet. */
export function isWaiting(wanted: DesiredClaim, live: Snapshot): boolean {
  const service = live.get(wanted.service);
  return service !== undefined && asksForAddress(service) && ingressOf(service).length === 0;
}

/** Other Services with an address of the claim. Services of the same holder may share it. */
function addressConflicts(wanted: DesiredClaim, { live, holders }: Evidence): Detail[] {
  const others = (names: readonly string[], message: string): Detail[] =>
    names
      .filter((name) => holders.get(name) !== wanted.holder)
      .map((name) => ({ state: 'not ours', object: name, message }));
  return wanted.addresses.flatMap((address) => [
    ...others(live.usersOf(address), `has ${address}`),
    ...others(live.interceptorsOf(address), `intercepts ${address} through spec.externalIPs`),
  ]);
}

/** The fault of the Service of a reservation, which another tool renders; none if it is fine. */
function reservedDetails(
  { isReserved, service, claim }: DesiredClaim,
  { live }: Evidence,
): Detail[] {
  const found = isReserved ? live.get(service) : undefined;
  const message = isReserved ? reservationFault(found, claim) : undefined;
  return message === undefined ? [] : [{ state: 'not applied', object: service, message }];
}

function reservationFault(service: LiveObject | undefined, claim: ListClaim): string | undefined {
  if (!service)
    return 'does not exist; leasehold only reserves its address, and another tool renders it';
  if (service.metadata.deletionTimestamp !== undefined) return deletionText(service);
  const type = textAt(service, 'spec', 'type');
  if (type !== 'LoadBalancer') return `is of type ${type}, which has no address`;
  const isThere = listAt(service, 'spec', 'ports').some(
    (port) =>
      numberAt(port, 'port') === claim.externalPort && textAt(port, 'protocol') === claim.protocol,
  );
  return isThere ? undefined : `has no port ${claim.externalPort}/${claim.protocol}`;
}

function serviceDetails(
  wanted: DesiredClaim,
  { live, waitingFor, announcementOf }: Evidence,
): readonly Detail[] {
  const service = live.get(wanted.service);
  if (!service || !asksForAddress(service)) return [];
  const found = ingressOf(service);
  const object = wanted.service;
  if (found.length === 0) return [{ state: 'pending', object, ...waitingFor(wanted, service) }];
  const message = addressText(wanted.addresses, found);
  if (message !== undefined) return [{ state: 'wrong address', object, message }];
  return announcementOf(wanted);
}

/** No data plane gives addresses to other Services, or to one that is being deleted. */
function asksForAddress(service: LiveObject): boolean {
  return (
    service.metadata.deletionTimestamp === undefined &&
    textAt(service, 'spec', 'type') === 'LoadBalancer'
  );
}

function addressText(wanted: readonly string[], found: readonly string[]): string | undefined {
  const lacks = wanted.filter((address) => !found.includes(address)).join(' and ');
  const extra = found.filter((address) => !wanted.includes(address)).join(' and ');
  if (lacks === '') return extra === '' ? undefined : `has ${extra} as well`;
  return extra === '' ? `lacks ${lacks}` : `has ${extra} instead of ${lacks}`;
}

const rank: ReadonlyMap<ClaimState, number> = new Map(
  claimStates.map((state, index) => [state, index]),
);

function compareDetails(left: Detail, right: Detail): number {
  return (
    (rank.get(left.state) ?? 0) - (rank.get(right.state) ?? 0) ||
    compareText(left.object, right.object) ||
    compareText(left.message, right.message)
  );
}
