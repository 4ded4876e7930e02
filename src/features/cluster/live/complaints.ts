import { type LiveObject, objectName } from '../../../model/live.ts';
import { compareText } from '../../../model/order.ts';
import { textAt } from '../../../model/unstructured.ts';

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
