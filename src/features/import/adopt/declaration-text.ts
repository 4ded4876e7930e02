import { stringify } from 'yaml';
import { keyPath } from '../../../core/declarations/key-file.ts';
import { leaseholdKeys } from '../../../core/declarations/service/service-metadata.ts';
import type { IPFamily, LeaseHost, LeaseId, Protocol } from '../../../core/model/lease.ts';
import { sortedKeys } from '../../../core/model/order.ts';
import type { Pool } from '../../../core/model/pools.ts';
import { type Address, formatAddress } from '../../../core/net/address.ts';
import { type WrittenClaim, writtenHosts } from '../../../lib/edit/declaration-edits.ts';
import { serviceSubject } from '../cluster/live-service.ts';
import type { ImportContext } from '../import-context.ts';
import type { LiveService } from '../imported.ts';

/** The settings of a declaration beside those of the object; undefined for defaults. */
export interface DeclaredPlace {
  readonly cluster: string | undefined;
  readonly zone: string | undefined;
  /** Its sharing key; undefined when it does not share. */
  readonly sharingKey: string | undefined;
  /** The live sharing key that its Reservation keeps. */
  readonly liveSharingKey?: string | undefined;
  /** The name of a key of its namespace. */
  readonly secret?: string | undefined;
  /** Only if its author set it in an annotation. */
  readonly ipFamily?: IPFamily | undefined;
  readonly retentionDays?: number;
  readonly denyExternalCleanup?: boolean;
}

/** A `Service` declaration of a live Service. */
export function serviceText(
  { namespace, name, written }: LiveService,
  place: DeclaredPlace,
): string {
  const { cluster, zone, sharingKey, secret, ipFamily } = place;
  const { retentionDays: days = 0, denyExternalCleanup } = place;
  const annotations = {
    ...written.annotations,
    ...(cluster === undefined ? {} : { [leaseholdKeys.cluster]: cluster }),
    ...(zone === undefined ? {} : { [leaseholdKeys.zone]: zone }),
    ...(sharingKey === undefined ? {} : { [leaseholdKeys.sharingKey]: sharingKey }),
    ...(secret === undefined ? {} : { [leaseholdKeys.secret]: secret }),
    ...(ipFamily === undefined ? {} : { [leaseholdKeys.ipFamily]: ipFamily }),
    ...(days === 0 ? {} : { [leaseholdKeys.retentionDays]: String(days) }),
    ...(denyExternalCleanup ? { [leaseholdKeys.denyExternalCleanup]: 'true' } : {}),
  };
  const { type: _, ports, selector, ...others } = written.spec;
  return block({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace,
      ...some('labels', written.labels),
      ...some('annotations', annotations),
    },
    spec: {
      type: 'LoadBalancer',
      ...(selector === undefined ? {} : { selector: sorted(Object(selector)) }),
      ...sorted(others),
      ports,
    },
  });
}

/** A `Reservation` for a live Service that leasehold does not manage. */
export function reservationText(
  { namespace, name, ports, addresses, gateway, written }: LiveService,
  place: DeclaredPlace,
): string {
  const { externalTrafficPolicy, selector } = written.spec;
  const pods = sorted(Object(selector));
  const isLocal = externalTrafficPolicy === 'Local' && Object.keys(pods).length > 0;
  const { liveSharingKey } = place;
  const ipFamily = familyOf(addresses);
  const { secret, retentionDays: days = 0, denyExternalCleanup } = place;
  return block({
    apiVersion: 'leasehold.dev/v1',
    kind: 'Reservation',
    spec: {
      ...(place.cluster === undefined ? {} : { cluster: place.cluster }),
      namespace,
      service: name,
      ...(gateway === undefined ? {} : { gateway }),
      ports: ports.map(({ port, protocol }) =>
        protocol === 'TCP' ? { port } : { port, protocol },
      ),
      ...(place.zone === undefined ? {} : { zone: place.zone }),
      ...(ipFamily === 'ipv4' ? {} : { ipFamily }),
      addresses: addresses.map(formatAddress),
      ...(days === 0 ? {} : { retentionDays: days }),
      ...(place.sharingKey === undefined ? {} : { sharingKey: place.sharingKey }),
      ...(liveSharingKey === undefined ? {} : { liveSharingKey }),
      ...(isLocal ? { externalTrafficPolicy, selector: pods } : {}),
      ...(secret === undefined ? {} : { secret }),
      ...(denyExternalCleanup ? { denyExternalCleanup } : {}),
    },
  });
}

/** A live endpoint of a lease. */
export interface LiveEndpoint {
  readonly name: string;
  readonly service: string;
  readonly port: number;
  readonly externalPort: number;
  readonly protocol: Protocol;
  readonly address: Address;
  readonly zone: string | undefined;
}

/** A `Lease` declaration of at least one live endpoint or hostname. */
export function leaseText(
  { owner, dseq, gseq, oseq }: LeaseId,
  place: { readonly cluster: string | undefined; readonly provider: string | undefined },
  endpoints: readonly LiveEndpoint[],
  hosts: readonly Omit<LeaseHost, 'at'>[],
): string {
  const id = {
    owner,
    dseq,
    gseq,
    oseq,
    ...(place.provider === undefined ? {} : { provider: place.provider }),
  };
  return block({
    apiVersion: 'leasehold.dev/v1',
    kind: 'Lease',
    spec: {
      id,
      ...(place.cluster === undefined ? {} : { cluster: place.cluster }),
      ...list(
        'endpoints',
        endpoints.map((endpoint) => writtenClaim(endpoint, endpoint.zone, endpoint.address)),
      ),
      ...list('hosts', writtenHosts(hosts)),
    },
  });
}

function list(key: string, items: readonly object[]) {
  return items.length === 0 ? {} : { [key]: items };
}

/** A claim without the fields that have default values. */
export function writtenClaim(
  { name, service, port, externalPort, protocol }: Omit<LiveEndpoint, 'zone' | 'address'>,
  zone: string | undefined,
  address: Address | undefined,
): WrittenClaim {
  return {
    name,
    service,
    port,
    ...(externalPort === port ? {} : { externalPort }),
    ...(protocol === 'TCP' ? {} : { protocol }),
    ...(zone === undefined ? {} : { zone }),
    ...(address?.family === 'ipv6' ? { ipFamily: address.family } : {}),
    ...(address === undefined ? {} : { address: formatAddress(address) }),
  };
}

/** The family of one address, or of two. */
function familyOf(addresses: readonly Address[]): IPFamily {
  return addresses.length > 1 ? 'dual' : (addresses[0]?.family ?? 'ipv4');
}

function some(key: string, map: Readonly<Record<string, string>>) {
  return Object.keys(map).length === 0 ? {} : { [key]: sorted(map) };
}

/** Sorted by key, so that the text does not depend on the order of the server. */
function sorted(map: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(sortedKeys(new Map(Object.entries(map))).map((key) => [key, map[key]]));
}

function block(declaration: object): string {
  return stringify(declaration, { lineWidth: 0, singleQuote: true, aliasDuplicateObjects: false });
}

/**
 * The settings of Services on one address, from the annotations of their authors: each has its own,
 * except for the key, which is used only if all name it. Settings that cannot be declared are
 * noted.
 */
export function placesOf(
  group: readonly LiveService[],
  pool: Pool,
  sharingKeyOf: (service: LiveService) => string | undefined,
  context: ImportContext,
): ReadonlyMap<LiveService, DeclaredPlace> {
  const secret = secretOf(group, context);
  return new Map(
    group.map((service) => {
      const { terms } = service;
      noteTerms(service, context);
      noteZone(service, pool, context);
      const place: DeclaredPlace = {
        cluster: context.target.clusterName,
        zone: context.target.zoneOf(pool),
        sharingKey: sharingKeyOf(service),
        secret,
        ...(terms && {
          ipFamily: terms.ipFamily,
          retentionDays: terms.retentionDays,
          denyExternalCleanup: terms.denyExternalCleanup,
        }),
      };
      return [service, place] as const;
    }),
  );
}

/**
 * The sharing key of a Service with its own address, unless another address of the namespace uses
 * it.
 */
export function ownKeyOf(service: LiveService, context: ImportContext): string | undefined {
  const key = service.terms?.sharingKey;
  if (key === undefined) return undefined;
  if (context.isFreeKey(service.namespace, key.text)) {
    context.takeKey(service.namespace, key.text);
    return key.text;
  }
  const message = `its sharing key ${key.text} is not imported: another address of the namespace has it, and here a key has one address`;
  context.leave(subjectOf(service), message, [], key.at);
  return undefined;
}

/** The name of the key file that all Services of a group name, if it exists. */
function secretOf(group: readonly LiveService[], context: ImportContext): string | undefined {
  const [name, second] = new Set(group.map(({ terms }) => terms?.secret?.text));
  const namespaces = new Set(group.map(({ namespace }) => namespace));
  const isOne = group.length === 1 || (second === undefined && namespaces.size === 1);
  const usable = new Set(context.repository.paths);
  let taken: string | undefined;
  for (const service of group) {
    const secret = service.terms?.secret;
    if (!secret) continue;
    const path = keyPath({ namespace: service.namespace, name: secret.text });
    if (isOne && name !== undefined && usable.has(path)) {
      taken = name;
      continue;
    }
    const reason = usable.has(path)
      ? 'others on its address have another one'
      : `there is no ${path}: make the key with \`leasehold key new ${service.namespace}/${secret.text}\` and name it in the declaration`;
    context.leave(
      subjectOf(service),
      `its secret ${secret.text} is not imported: ${reason}`,
      [],
      secret.at,
    );
  }
  return taken;
}

function noteTerms({ terms }: LiveService, context: ImportContext): void {
  for (const { effect, subject, message, at } of terms?.notes ?? []) {
    if (effect === 'changed') context.change(subject, message, at);
    else context.leave(subject, message, [], at);
  }
}

function noteZone(service: LiveService, pool: Pool, context: ImportContext): void {
  const zone = service.terms?.zone;
  if (zone === undefined || zone.text === pool.zone) return;
  const message = `its zone is ${zone.text} there, and its address lies in the pool ${pool.name} of the zone ${pool.zone} here`;
  context.change(subjectOf(service), message, zone.at);
}

function subjectOf({ namespace, name }: LiveService): string {
  return serviceSubject(namespace, name);
}
