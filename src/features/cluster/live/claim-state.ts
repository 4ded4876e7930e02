import {
  type LiveObject,
  listAt,
  liveObjectName,
  numberAt,
  textAt,
  type WantedObject,
} from '../../../model/live.ts';
import { compareText } from '../../../model/order.ts';
import type { ListClaim } from '../../ask/list-answer.ts';
import {
  type ClaimState,
  claimStates,
  type Detail,
  type VerifiedClaim,
} from '../verification-answer.ts';
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
  /** All objects of `dist/` that it needs: its Service, and those it shares with other claims. */
  readonly objects: readonly WantedObject[];
  /** True when another tool renders its Service, which is not in `dist/` but must exist. */
  readonly isReserved: boolean;
}

/** The state of a cluster against which claims are verified. */
export interface Evidence {
  readonly live: Snapshot;
  readonly detailsOf: ObjectDetails;
  /** The holder that a Service of the tree belongs to, by the name of the object. */
  readonly holders: ReadonlyMap<string, string>;
  /** MetalLB's newest Warning about a Service, by the name of the object. */
  readonly warnings: ReadonlyMap<string, string>;
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

function serviceDetails(wanted: DesiredClaim, { live, warnings }: Evidence): Detail[] {
  const service = live.get(wanted.service);
  if (!service || !asksForAddress(service)) return [];
  const found = ingressOf(service);
  const object = wanted.service;
  if (found.length === 0) {
    const warning = warnings.get(object);
    const message = warning ? `MetalLB: ${warning}` : 'MetalLB has not answered yet';
    return [{ state: 'pending', object, message }];
  }
  const message = addressText(wanted.addresses, found);
  return message === undefined ? [] : [{ state: 'wrong address', object, message }];
}

/** MetalLB assigns addresses to no other Services, and to none that is being deleted. */
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

/**
 * MetalLB's newest Warning event about each Service, by the name of the object, as
 * `reason: message` (controller/service.go: AllocationFailed, …). Ignores events about an earlier
 * Service of the same name (another uid), events of other components, and warnings that do not
 * withhold an address.
 */
export function metalLBWarnings(
  services: readonly LiveObject[],
  events: readonly LiveObject[],
): ReadonlyMap<string, string> {
  const asked = new Map(services.map((service) => [liveObjectName('service', service), service]));
  const newest = new Map<string, Warning>();
  for (const event of events) {
    const name = subjectOf(event);
    const service = name === undefined ? undefined : asked.get(name);
    if (name === undefined || !service || isAboutEarlier(event, service)) continue;
    const warning = { time: timeOf(event), text: warningText(event) };
    const known = newest.get(name);
    if (!known || compareWarnings(known, warning) < 0) newest.set(name, warning);
  }
  return new Map([...newest].map(([name, { text }]) => [name, text]));
}

interface Warning {
  readonly time: string;
  readonly text: string;
}

function subjectOf(event: LiveObject): string | undefined {
  const namespace = textAt(event, 'involvedObject', 'namespace');
  const name = textAt(event, 'involvedObject', 'name');
  if (textAt(event, 'type') !== 'Warning' || !isOfMetalLB(event)) return undefined;
  if (textAt(event, 'involvedObject', 'kind') !== 'Service') return undefined;
  if (namespace === undefined || name === undefined) return undefined;
  return liveObjectName('service', { metadata: { namespace, name } });
}

/**
 * True unless the event names another source than `metallb-controller` or `metallb-speaker`. A
 * deprecated annotation is not a reason why a Service has no address.
 */
function isOfMetalLB(event: LiveObject): boolean {
  if (textAt(event, 'reason') === 'deprecatedAnnotation') return false;
  const source = textAt(event, 'source', 'component') || textAt(event, 'reportingComponent');
  return !source || source.startsWith('metallb');
}

function isAboutEarlier(event: LiveObject, service: LiveObject): boolean {
  const subject = textAt(event, 'involvedObject', 'uid');
  const uid = textAt(service, 'metadata', 'uid');
  return subject !== undefined && uid !== undefined && subject !== uid;
}

/** RFC 3339 in UTC, some with fractions of a second. Without the Z they sort by time as text. */
function timeOf(event: LiveObject): string {
  const time =
    textAt(event, 'series', 'lastObservedTime') ??
    textAt(event, 'lastTimestamp') ??
    textAt(event, 'eventTime') ??
    textAt(event, 'metadata', 'creationTimestamp') ??
    '';
  return time.replace(/Z$/, '');
}

function warningText(event: LiveObject): string {
  const reason = textAt(event, 'reason') ?? 'Warning';
  return `${reason}: ${(textAt(event, 'message') ?? '').trim()}`;
}

function compareWarnings(left: Warning, right: Warning): number {
  return compareText(left.time, right.time) || compareText(left.text, right.text);
}
