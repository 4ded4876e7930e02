import { akashPortName, leaseNamespace } from '../../../core/manifests/names.ts';
import { endpointHolder, sharingKey } from '../../../core/model/claim.ts';
import { type Lease, type LeaseId, leaseIdText } from '../../../core/model/lease.ts';
import { compareText, groupBy } from '../../../core/model/order.ts';
import {
  type Address,
  byAddress,
  compareAddresses,
  formatAddress,
} from '../../../core/net/address.ts';
import { serviceSubject } from '../cluster/live-service.ts';
import type { ImportContext } from '../import-context.ts';
import type { ImportedLive, LiveLeasedIP, LiveService } from '../imported.ts';
import {
  extended,
  hostSubject,
  hostsOfLeases,
  inOrder,
  type LiveHost,
  leaseOf,
  leasePath,
  noteOperator,
} from './adopted-hosts.ts';
import { type LiveEndpoint, leaseText } from './declaration-text.ts';

/** A port of a lease, with the address of its Service. */
interface LivePort {
  readonly leased: LiveLeasedIP;
  readonly lease: LeaseId;
  readonly endpoint: string;
  readonly address: Address;
  readonly holder: string;
}

/**
 * The provider replaces an endpoint name that does not fit into a sharing key by a hash of this
 * form.
 */
const hashed = /^[0-9a-v]{24}$/;

/**
 * Declares the leases of the Akash provider with the addresses of their Services, and with their
 * hostnames. A port that cannot be declared is noted, and its address reserved; so is a hostname.
 */
export function adoptLeases(live: ImportedLive, context: ImportContext): void {
  const ports = settled(alone(portsOf(live, context), context), context);
  const hosts = hostsOfLeases(live, context);
  const byLease = groupBy([...ports, ...hosts], ({ lease }) => leaseIdText(lease));
  for (const parts of byLease.values()) {
    adoptLease(
      {
        ports: parts.filter((part) => 'leased' in part),
        hosts: parts.filter((part) => 'live' in part),
      },
      context,
    );
  }
  noteOperator(hosts, context);
}

function portsOf(
  { leasedIPs, services }: ImportedLive,
  context: ImportContext,
): readonly LivePort[] {
  const live = new Map(
    services.map((service) => [`${service.namespace}/${service.name}`, service]),
  );
  const used = new Set<LiveService>();
  const ports = leasedIPs.flatMap((leased): LivePort[] => {
    const lease = leaseOf(leased);
    const name = `${leaseNamespace('akash', lease)}/${akashPortName(leased)}`;
    const service = live.get(name);
    if (service?.sharingKey === leased.sharingKey) used.add(service);
    if (!service) {
      const reason = `it is not declared: there is no Service ${name} with an address`;
      context.leave(subjectOf(leased), reason, [], leased.at);
      return [];
    }
    const port = portOf(leased, service, context);
    return port ? [port] : [];
  });
  for (const service of services) {
    if (!service.isOfLease || used.has(service)) continue;
    const subject = serviceSubject(service.namespace, service.name);
    const reason = 'it is not declared: no ProviderLeasedIP names its lease';
    context.leave(subject, reason, service.addresses, service.at);
  }
  return ports;
}

function portOf(
  leased: LiveLeasedIP,
  service: LiveService,
  context: ImportContext,
): LivePort | undefined {
  const subject = subjectOf(leased);
  const leave = (reason: string, addresses: readonly Address[]): undefined => {
    context.leave(subject, `it is not declared: ${reason}`, addresses, leased.at);
  };
  const { owner, sharingKey: key } = leased;
  const { addresses } = service;
  const [address, second] = addresses;
  if (service.sharingKey !== key) {
    return leave(
      `Service ${service.namespace}/${service.name} has ${service.sharingKey === undefined ? 'no sharing key' : `the sharing key ${service.sharingKey}`}`,
      [],
    );
  }
  if (!address || second) return leave('its Service has two addresses', addresses);
  if (leased.isGoing) return leave('it is being deleted', addresses);
  if (service.isGoing) return leave('its Service is being deleted', addresses);
  if (context.repository.cluster.naming === 'readable') {
    return leave('naming: readable gives its objects other names', addresses);
  }
  const endpoint = key.slice(`${owner}-ip-`.length);
  if (sharingKey(owner, endpoint) !== key) {
    return leave(`its sharing key ${key} is not one that the provider writes`, addresses);
  }
  if (hashed.test(endpoint) && !/^[a-z]/.test(endpoint)) {
    const message = `its sharing key has a hash in the place of the endpoint's name; take the name from the tenant's SDL`;
    return leave(message, addresses);
  }
  if (hashed.test(endpoint)) {
    const message = `the endpoint is declared as ${endpoint}, the hash of its name: the name is only in the tenant's SDL, and gives the same sharing key`;
    context.change(subject, message, leased.at);
  }
  const holder = endpointHolder(context.repository.cluster.name, owner, endpoint);
  return { leased, lease: leaseOf(leased), endpoint, address, holder };
}

/** The ports whose address has only one sharing key. With two, the owner is unknown. */
function alone(ports: readonly LivePort[], context: ImportContext): readonly LivePort[] {
  return [...groupBy(ports, ({ address }) => formatAddress(address)).values()].flatMap((group) => {
    const [key, second] = new Set(group.map(({ leased }) => leased.sharingKey));
    if (second === undefined) return group;
    for (const { leased, address } of group) {
      const other = leased.sharingKey === key ? second : key;
      const message = `it is not declared: a Service with the sharing key ${other} has ${formatAddress(address)} too`;
      context.leave(subjectOf(leased), message, [address], leased.at);
    }
    return [];
  });
}

/**
 * The ports whose address is that of their holder: MetalLB may have assigned two addresses for one
 * key.
 */
function settled(ports: readonly LivePort[], context: ImportContext): readonly LivePort[] {
  return [...groupBy(ports, ({ holder }) => holder).values()].flatMap((group) => {
    const [first] = group.toSorted(byAddress);
    if (!first) return [];
    const { target } = context;
    const [held] = target.heldBy(first.holder);
    const own = held ?? first.address;
    const found = target.poolForAll([own]);
    const reason = held ? undefined : found.ok ? target.takenText(own) : found.reason;
    return group.filter(({ leased, address }) => {
      const isOther = compareAddresses(address, own) !== 0;
      const why = isOther
        ? `it has ${formatAddress(address)}, and another port with its sharing key has ${formatAddress(own)}`
        : reason;
      if (why === undefined) return true;
      context.leave(subjectOf(leased), `it is not declared: ${why}`, [address], leased.at);
      return false;
    });
  });
}

/** The parts of one lease that an import declares. */
interface LeaseParts {
  readonly ports: readonly LivePort[];
  readonly hosts: readonly LiveHost[];
}

function adoptLease({ ports, hosts }: LeaseParts, context: ImportContext): void {
  const [first] = [...ports, ...hosts];
  if (!first) return;
  const { lease } = first;
  const { at } = 'leased' in first ? first.leased : first.live;
  const adopted = {
    kind: 'Lease',
    name: `${lease.owner}/${lease.dseq}/${lease.gseq}/${lease.oseq}`,
    addresses: unique(ports.map(({ address }) => address)),
    hostnames: hosts.map(({ declared }) => declared.hostname).sort(compareText),
    at,
  } as const;
  const known = context.target.declaredLease(lease);
  if (known) {
    noteUndeclared(known, ports, context);
    const edit = extended(known, hosts, context);
    const fresh = hosts.filter(({ isNew }) => isNew && edit.text !== undefined);
    const hostnames = fresh.map(({ declared }) => declared);
    context.adopt({ ...adopted, ...edit, path: known.at.file }, hostnames);
    return;
  }
  const { cluster } = context.repository;
  const endpoints = ports.map((port) => endpointOf(port, context)).sort(byEndpoint);
  const provider = cluster.provider === lease.provider ? undefined : lease.provider;
  const place = { cluster: context.target.clusterName, provider };
  const path = leasePath(lease, context);
  const text = leaseText(lease, place, endpoints, inOrder(hosts));
  const problem = context.target.problemOf(path, text);
  if (!problem) {
    const hostnames = hosts.map(({ declared }) => declared);
    context.adopt({ ...adopted, state: 'added', path, text }, hostnames);
    return;
  }
  const reason = `it is not declared: ${problem.message}`;
  for (const { leased, address } of ports) {
    context.leave(subjectOf(leased), reason, [address], leased.at);
  }
  for (const { live } of hosts) context.leave(hostSubject(live), reason, [], live.at);
}

function noteUndeclared(
  { id, endpoints, at }: Lease,
  ports: readonly LivePort[],
  context: ImportContext,
): void {
  for (const port of ports) {
    const { leased, address } = port;
    if (endpoints.some((endpoint) => isSame(endpoint, port, id.owner))) continue;
    const message = `it is not declared: ${at.file} declares its lease without it`;
    context.leave(subjectOf(leased), message, [address], leased.at);
  }
}

function isSame(
  endpoint: {
    readonly name: string;
    readonly service: string;
    readonly externalPort: number;
    readonly protocol: string;
  },
  { leased }: LivePort,
  owner: string,
): boolean {
  return (
    sharingKey(owner, endpoint.name) === leased.sharingKey &&
    endpoint.service === leased.service &&
    endpoint.externalPort === leased.externalPort &&
    endpoint.protocol === leased.protocol
  );
}

function endpointOf({ leased, endpoint, address }: LivePort, context: ImportContext): LiveEndpoint {
  const { service, port, externalPort, protocol } = leased;
  const pool = context.target.poolOf(address);
  const zone = pool && context.target.zoneOf(pool);
  return { name: endpoint, service, port, externalPort, protocol, address, zone };
}

function byEndpoint(left: LiveEndpoint, right: LiveEndpoint): number {
  return (
    compareText(left.name, right.name) ||
    left.externalPort - right.externalPort ||
    compareText(left.protocol, right.protocol) ||
    compareText(left.service, right.service)
  );
}

function unique(addresses: readonly Address[]): readonly Address[] {
  const known = new Map(addresses.map((address) => [formatAddress(address), address]));
  return [...known.values()].sort(compareAddresses);
}

function subjectOf({ name }: LiveLeasedIP): string {
  return `ProviderLeasedIP ${name}`;
}
