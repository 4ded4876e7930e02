import { type LiveObject, liveObjectName, textAt } from '../../../../core/model/live.ts';
import { compareText, groupBy } from '../../../../core/model/order.ts';

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
  const warnings = events.filter(isWarning);
  return new Map([...newestOf(services, warnings)].map(([name, { text }]) => [name, text]));
}

/**
 * What a speaker said when it could not announce a Service, by the name of the object: its node
 * lacks the interfaces of the advertisement. Left out when a later attempt succeeded: each attempt
 * ends with an event `nodeAssigned`, also one that failed. MetalLB: speaker/layer2_controller.go.
 */
export function announceFailures(
  services: readonly LiveObject[],
  events: readonly LiveObject[],
): ReadonlyMap<string, string> {
  const ofReason = (reason: string) => events.filter((event) => textAt(event, 'reason') === reason);
  const failed = newestOf(services, ofReason('announceFailed').filter(isWarning));
  const attempts = newestOf(services, ofReason('nodeAssigned'));
  const isLast = ([name, { time }]: readonly [string, Said]): boolean => {
    const attempt = attempts.get(name);
    return attempt === undefined || secondOf(attempt.time) <= secondOf(time);
  };
  return new Map([...failed].filter(isLast).map(([name, { text }]) => [name, text]));
}

/**
 * The nodes whose speakers said that they announce a Service by L2, by the name of the object, each with the newest
 * time. MetalLB: speaker/main.go, handleService.
 */
export function announcingSince(
  services: readonly LiveObject[],
  events: readonly LiveObject[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const byNode = groupBy(
    events.filter((event) => textAt(event, 'reason') === 'nodeAssigned'),
    (event) =>
      /^announcing from node "(.+)" with protocol "layer2"/.exec(
        textAt(event, 'message') ?? '',
      )?.[1] ?? '',
  );
  const found = new Map<string, Map<string, string>>();
  for (const [node, said] of byNode) {
    for (const [name, { time }] of newestOf(services, said)) {
      found.set(name, (found.get(name) ?? new Map()).set(node, time));
    }
  }
  return found;
}

/** Both events of an attempt have the time of one second. */
function secondOf(time: string): string {
  return time.slice(0, '2026-11-20T10:00:00'.length);
}

/** The newest of MetalLB's events about each Service, by the name of the object. */
function newestOf(
  services: readonly LiveObject[],
  events: readonly LiveObject[],
): ReadonlyMap<string, Said> {
  const asked = new Map(services.map((service) => [liveObjectName('service', service), service]));
  const newest = new Map<string, Said>();
  for (const event of events) {
    const name = subjectOf(event);
    const service = name === undefined ? undefined : asked.get(name);
    if (name === undefined || !service || isAboutEarlier(event, service)) continue;
    const said = { time: timeOf(event), text: eventText(event) };
    const known = newest.get(name);
    if (!known || compareSaid(known, said) < 0) newest.set(name, said);
  }
  return newest;
}

/** The time and the text of an event. */
interface Said {
  readonly time: string;
  readonly text: string;
}

function subjectOf(event: LiveObject): string | undefined {
  const namespace = textAt(event, 'involvedObject', 'namespace');
  const name = textAt(event, 'involvedObject', 'name');
  if (!isOfMetalLB(event)) return undefined;
  if (textAt(event, 'involvedObject', 'kind') !== 'Service') return undefined;
  if (namespace === undefined || name === undefined) return undefined;
  return liveObjectName('service', { metadata: { namespace, name } });
}

function isWarning(event: LiveObject): boolean {
  return textAt(event, 'type') === 'Warning';
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

function eventText(event: LiveObject): string {
  const reason = textAt(event, 'reason') ?? 'Warning';
  return `${reason}: ${(textAt(event, 'message') ?? '').trim()}`;
}

function compareSaid(left: Said, right: Said): number {
  return compareText(left.time, right.time) || compareText(left.text, right.text);
}
