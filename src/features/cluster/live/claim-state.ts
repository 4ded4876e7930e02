import { type LiveObject, objectName, type WantedObject } from '../../../model/live.ts';
import { compareText } from '../../../model/order.ts';
import { listAt, numberAt, textAt } from '../../../model/unstructured.ts';
import type { ListClaim } from '../../ask/list-answer.ts';
import {
  type ClaimState,
  claimStates,
  type Detail,
  type VerifiedClaim,
} from '../verification-answer.ts';
import { deletionText, type ObjectDetails } from './object-state.ts';
import { ingressOf, type Snapshot } from './snapshot.ts';

/** A claim, and what the tree wants of the cluster for it. */
export interface WantedClaim {
  readonly claim: ListClaim;
  readonly holder: string;
  /** The addresses of its Service: canonical text, IPv4 first. */
  readonly addresses: readonly string[];
  /** The name of its Service object, such as `Service web/app`. */
  readonly service: string;
  /** Everything that it needs of `dist/`: its Service, and what it shares with other claims. */
  readonly objects: readonly WantedObject[];
  /** True when somebody else renders its Service: it is none of `dist/`, and must be there all the same. */
  readonly isReserved: boolean;
}

/** What is known of a cluster when claims are judged. */
export interface Evidence {
  readonly live: Snapshot;
  readonly detailsOf: ObjectDetails;
  /** The holder that a Service of the tree belongs to, by the name of the object. */
  readonly holders: ReadonlyMap<string, string>;
  /** MetalLB's last complaint about a Service, by the name of the object. */
  readonly complaints: ReadonlyMap<string, string>;
}

/** A claim with all that is not as the tree says, the worst first; see {@link claimStates}. */
export function verifyClaim(wanted: WantedClaim, evidence: Evidence): VerifiedClaim {
  const { claim, holder, addresses, service } = wanted;
  const details = [
    ...wanted.objects.flatMap(evidence.detailsOf),
    ...reservedDetails(wanted, evidence),
    ...takenAddresses(wanted, evidence),
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

/** True when the Service of a claim is there and has no address yet. */
export function isWaiting(wanted: WantedClaim, live: Snapshot): boolean {
  const service = live.get(wanted.service);
  return service !== undefined && asksForAddress(service) && ingressOf(service).length === 0;
}

/** Who else has an address of the claim, or takes its packets. Services of its own holder share it. */
function takenAddresses(wanted: WantedClaim, { live, holders }: Evidence): Detail[] {
  const others = (names: readonly string[], message: string): Detail[] =>
    names
      .filter((name) => holders.get(name) !== wanted.holder)
      .map((name) => ({ state: 'not ours', object: name, message }));
  return wanted.addresses.flatMap((address) => [
    ...others(live.usersOf(address), `has ${address}`),
    ...others(live.takersOf(address), `takes the packets to ${address} by spec.externalIPs`),
  ]);
}

/** What a Service that somebody else renders lacks of what is reserved for it. */
function reservedDetails(
  { isReserved, service, claim }: WantedClaim,
  { live }: Evidence,
): Detail[] {
  const found = isReserved ? live.get(service) : undefined;
  const message = isReserved ? missingText(found, claim) : undefined;
  return message === undefined ? [] : [{ state: 'not applied', object: service, message }];
}

function missingText(service: LiveObject | undefined, claim: ListClaim): string | undefined {
  if (!service)
    return 'is not there; leasehold reserves its address, and something else renders it';
  if (service.metadata.deletionTimestamp !== undefined) return deletionText(service);
  const type = textAt(service, 'spec', 'type');
  if (type !== 'LoadBalancer') return `is of type ${type}, and has no address`;
  const isThere = listAt(service, 'spec', 'ports').some(
    (port) =>
      numberAt(port, 'port') === claim.externalPort && textAt(port, 'protocol') === claim.protocol,
  );
  return isThere ? undefined : `has no port ${claim.externalPort}/${claim.protocol}`;
}

function serviceDetails(wanted: WantedClaim, { live, complaints }: Evidence): Detail[] {
  const service = live.get(wanted.service);
  if (!service || !asksForAddress(service)) return [];
  const found = ingressOf(service);
  const object = wanted.service;
  if (found.length === 0) {
    const complaint = complaints.get(object);
    const message = complaint ? `MetalLB: ${complaint}` : 'MetalLB has not answered yet';
    return [{ state: 'pending', object, message }];
  }
  const message = addressText(wanted.addresses, found);
  return message === undefined ? [] : [{ state: 'wrong address', object, message }];
}

/** MetalLB answers no other Service, and none that is going. */
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
  return extra === '' ? `lacks ${lacks}` : `has ${extra} in place of ${lacks}`;
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
 * MetalLB's newest Warning about each of some Services, by the name of the object, as `reason: message`.
 * Its controller writes them (controller/service.go: AllocationFailed, …). Left out is one about a former Service
 * of the same name, with another uid; one that others than MetalLB wrote; and what keeps no address back.
 */
export function complaintsAbout(
  services: readonly LiveObject[],
  events: readonly LiveObject[],
): ReadonlyMap<string, string> {
  const asked = new Map(services.map((service) => [objectName('service', service), service]));
  const newest = new Map<string, Complaint>();
  for (const event of events) {
    const name = subjectOf(event);
    const service = name === undefined ? undefined : asked.get(name);
    if (name === undefined || !service || isAboutAnother(event, service)) continue;
    const complaint = { time: timeOf(event), text: complaintText(event) };
    const known = newest.get(name);
    if (!known || compareComplaints(known, complaint) < 0) newest.set(name, complaint);
  }
  return new Map([...newest].map(([name, { text }]) => [name, text]));
}

interface Complaint {
  readonly time: string;
  readonly text: string;
}

function subjectOf(event: LiveObject): string | undefined {
  const namespace = textAt(event, 'involvedObject', 'namespace');
  const name = textAt(event, 'involvedObject', 'name');
  if (textAt(event, 'type') !== 'Warning' || !isOfMetalLB(event)) return undefined;
  if (textAt(event, 'involvedObject', 'kind') !== 'Service') return undefined;
  if (namespace === undefined || name === undefined) return undefined;
  return objectName('service', { metadata: { namespace, name } });
}

/**
 * True unless somebody else wrote it: the sources of MetalLB are `metallb-controller` and `metallb-speaker`. That an
 * annotation has the old prefix is no reason for a Service to be without an address.
 */
function isOfMetalLB(event: LiveObject): boolean {
  if (textAt(event, 'reason') === 'deprecatedAnnotation') return false;
  const source = textAt(event, 'source', 'component') || textAt(event, 'reportingComponent');
  return !source || source.startsWith('metallb');
}

function isAboutAnother(event: LiveObject, service: LiveObject): boolean {
  const subject = textAt(event, 'involvedObject', 'uid');
  const uid = textAt(service, 'metadata', 'uid');
  return subject !== undefined && uid !== undefined && subject !== uid;
}

/** RFC 3339 in UTC, some with parts of a second: as texts they sort by time once the Z is gone. */
function timeOf(event: LiveObject): string {
  const time =
    textAt(event, 'series', 'lastObservedTime') ??
    textAt(event, 'lastTimestamp') ??
    textAt(event, 'eventTime') ??
    textAt(event, 'metadata', 'creationTimestamp') ??
    '';
  return time.replace(/Z$/, '');
}

function complaintText(event: LiveObject): string {
  const reason = textAt(event, 'reason') ?? 'Warning';
  return `${reason}: ${(textAt(event, 'message') ?? '').trim()}`;
}

function compareComplaints(left: Complaint, right: Complaint): number {
  return compareText(left.time, right.time) || compareText(left.text, right.text);
}
