import { ingressPort, leaseHostRefusal } from '../../../core/declarations/hostname-file.ts';
import {
  httpOptionsField,
  leaseServiceField,
} from '../../../core/declarations/lease/lease-schema.ts';
import { leaseNamespace } from '../../../core/manifests/names.ts';
import { type LeaseHostname, leaseHostnameHolder } from '../../../core/model/hostname.ts';
import {
  defaultHttp,
  type HttpOptions,
  httpFields,
  type Lease,
  type LeaseHost,
  type LeaseId,
  unusualOptions,
} from '../../../core/model/lease.ts';
import { compareText } from '../../../core/model/order.ts';
import { type Routes, routeControllers } from '../../../core/model/pools.ts';
import { startOf } from '../../../core/model/problem.ts';
import { withHost, writtenHosts } from '../../../lib/edit/declaration-edits.ts';
import { sourcesOf } from '../../../lib/edit/lease-edits.ts';
import type { Adopted, ImportContext } from '../import-context.ts';
import type { ImportedLive, LiveProviderHost, LiveRoute } from '../imported.ts';
import { placeText, routeKey } from '../live-routes.ts';
import { refusedHostnames } from './refused-hostnames.ts';

/** A hostname of a lease, as it is live and as it is or will be declared. */
export interface LiveHost {
  readonly live: LiveProviderHost;
  readonly lease: LeaseId;
  readonly declared: LeaseHostname;
  readonly isNew: boolean;
}

/** The lease of a live object. */
export function leaseOf({
  owner,
  dseq,
  gseq,
  oseq,
  provider,
}: Pick<LiveProviderHost, 'owner' | 'dseq' | 'gseq' | 'oseq' | 'provider'>): LeaseId {
  return { owner, dseq, gseq, oseq, provider };
}

/** The file of a lease that is not declared yet. */
export function leasePath({ owner, dseq, gseq, oseq }: LeaseId, context: ImportContext): string {
  return context.freePath(owner, `${dseq}-${gseq}-${oseq}`);
}

/** A `ProviderHost` in notes. */
export function hostSubject({ name }: LiveProviderHost): string {
  return `ProviderHost ${name}`;
}

/** The hostnames of leases that are declared, or can be. The others are noted. */
export function hostsOfLeases(
  { providerHosts, routes }: ImportedLive,
  context: ImportContext,
): readonly LiveHost[] {
  const kind = context.repository.cluster.routes?.kind;
  const live = new Map(
    routes.flatMap((route) => (route.kind === kind ? [[routeKey(route), route] as const] : [])),
  );
  const found = providerHosts.flatMap((host): LiveHost[] => {
    const lease = leaseOf(host);
    const route = live.get(`${leaseNamespace('akash', lease)}/${host.hostname}`);
    const one = hostOf(host, lease, route, context);
    if (typeof one !== 'string') return [one];
    context.leave(hostSubject(host), `it is not declared: ${one}`, [], host.at);
    return [];
  });
  const fresh = found.flatMap(({ declared, isNew }) => (isNew ? [declared] : []));
  const refused = refusedHostnames(fresh, context);
  return found.filter(({ live: host, declared }) => {
    const reason = refused.get(declared);
    if (reason === undefined) return true;
    context.leave(hostSubject(host), `it is not declared: ${reason}`, [], host.at);
    return false;
  });
}

function hostOf(
  live: LiveProviderHost,
  lease: LeaseId,
  route: LiveRoute | undefined,
  context: ImportContext,
): LiveHost | string {
  const { cluster } = context.repository;
  const { routes } = cluster;
  if (!routes) return `the cluster ${cluster.name} has no routes`;
  const odd = oddity(live);
  if (odd !== undefined) return odd;
  if (cluster.naming === 'readable') return 'naming: readable gives its objects other names';
  const known = context.target.declaredLease(lease);
  const own = known?.hosts.find(({ hostname }) => hostname === live.hostname);
  if (own && own.service !== live.service) {
    return `${own.at.file} declares it for the service ${own.service}`;
  }
  if (route && placeText(route.place) !== placeText(routes)) {
    return `its ${route.kind} is of ${placeText(route.place)}, and routes of cluster ${cluster.name} name ${placeText(routes)}`;
  }
  const holder = leaseHostnameHolder(cluster.name, lease.owner);
  const { service, hostname } = live;
  const base = {
    kind: 'Hostname',
    cluster: cluster.name,
    lease,
    port: ingressPort,
    holder,
  } as const;
  if (own) {
    noteOptions(live, own, route, context);
    return { live, lease, declared: { ...base, ...own }, isNew: false };
  }
  if (known && sourcesOf(known).some((path) => path !== known.at.file)) {
    return `${known.at.file} declares its lease with an SDL that does not have it`;
  }
  const at = startOf(known?.at.file ?? leasePath(lease, context));
  const http = httpOf(live, route, routes, context);
  return { live, lease, declared: { ...base, service, hostname, http, at }, isNew: true };
}

/** Why a `ProviderHost` cannot be declared in any cluster; undefined when it can. */
function oddity({
  name,
  namespace,
  hostname,
  service,
  externalPort,
  isGoing,
}: LiveProviderHost): string | undefined {
  if (isGoing) return 'it is being deleted';
  if (name !== hostname || namespace !== 'lease') {
    return 'the provider writes the object lease/<hostname>, and it is another';
  }
  if (externalPort !== ingressPort) {
    return `it is routed to port ${externalPort}, and leasehold routes hostnames of leases to port ${ingressPort}`;
  }
  if (!leaseServiceField.safeParse(service).success) return 'its service has no valid name';
  return leaseHostRefusal(hostname)?.message;
}

/** The options of a new hostname. Those that leasehold cannot apply are noted. */
function httpOf(
  live: LiveProviderHost,
  route: LiveRoute | undefined,
  { kind, controller }: Routes,
  context: ImportContext,
): HttpOptions {
  const subject = hostSubject(live);
  if (!route) {
    const message = `it has no ${kind}, so its HTTP options are not known: Akash's defaults are declared`;
    context.change(subject, message, live.at);
    return defaultHttp;
  }
  const asked = { ...defaultHttp, ...route.http };
  const unusual = [...unusualOptions(asked)];
  const applied: readonly string[] = controller ? routeControllers[controller].applies : [];
  const isKept = ([option]: readonly [keyof HttpOptions, string]): boolean =>
    applied.includes(option) && httpOptionsField.safeParse({ [option]: asked[option] }).success;
  const lost = unusual.filter((one) => !isKept(one)).map(([, text]) => text);
  const kept = unusual.filter(isKept);
  if (lost.length > 0) {
    const reason = controller
      ? `${controller} cannot apply them, or Akash does not accept them`
      : 'routes of the cluster name no controller that applies them';
    context.change(subject, `${lost.join(', ')} is not imported: ${reason}`, live.at);
  }
  const later = kept.filter(([option]) => !route.applied.has(option)).map(([, text]) => text);
  if (later.length > 0) {
    const message = `${later.join(', ')} takes effect once it is applied: NGINX Gateway Fabric does not read the annotations in which Akash writes it`;
    context.change(subject, message, live.at);
  }
  const options = kept.map(([option]) => [option, asked[option]]);
  return { ...defaultHttp, ...Object.fromEntries(options) };
}

/** Notes that a declared hostname has other options than the live one. */
function noteOptions(
  live: LiveProviderHost,
  own: LeaseHost,
  route: LiveRoute | undefined,
  context: ImportContext,
): void {
  const { http = {} } = route ?? {};
  if (Object.keys(http).length === 0) return;
  const asked = httpFields({ ...defaultHttp, ...http });
  if (asked.join() === httpFields(own.http).join()) return;
  const message = 'it is declared with other HTTP options, which stay as they are';
  context.leave(hostSubject(live), message, [], live.at);
}

/** Hostnames as a declaration writes them: by name. */
export function inOrder(hosts: readonly LiveHost[]): readonly LeaseHostname[] {
  return hosts
    .map(({ declared }) => declared)
    .sort((left, right) => compareText(left.hostname, right.hostname));
}

/** A declared lease with its new hostnames. */
export function extended(
  { at: { file } }: Lease,
  hosts: readonly LiveHost[],
  context: ImportContext,
): Pick<Adopted, 'state' | 'text'> {
  const fresh = hosts.filter(({ isNew }) => isNew);
  if (fresh.length === 0) return { state: 'present', text: undefined };
  const text = writtenHosts(inOrder(fresh)).reduce(withHost, context.repository.textOf(file));
  const problem = context.target.problemOf(file, text);
  if (!problem) return { state: 'extended', text };
  for (const { live } of fresh) {
    context.leave(hostSubject(live), `it is not declared: ${problem.message}`, [], live.at);
  }
  return { state: 'present', text: undefined };
}

/** Tells what else writes the objects of new hostnames. */
export function noteOperator(hosts: readonly LiveHost[], context: ImportContext): void {
  const isNew = ({ declared, isNew: fresh }: LiveHost) =>
    fresh && context.hostnames.includes(declared);
  const first = hosts.find(isNew);
  if (!first) return;
  const message =
    "stop Akash's hostname operator before you apply them, since it writes the same objects; to keep it, undo this import and import with --without-hostnames";
  context.change('the hostnames of leases', message, first.live.at);
}
