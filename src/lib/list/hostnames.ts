import { PoolIndex } from '../../core/declarations/pools/pool-index.ts';
import { isFree, isHeld } from '../../core/model/allocation.ts';
import { oncePer } from '../../core/model/calls.ts';
import { wantsFamily } from '../../core/model/claim.ts';
import type { Day } from '../../core/model/day.ts';
import { proofOf } from '../../core/model/domain-proof.ts';
import {
  answeringNames,
  type Hostname,
  type HostnameTable,
  heldRecord,
  isOfRoutes,
} from '../../core/model/hostname.ts';
import { leaseIdText } from '../../core/model/lease.ts';
import { compareText } from '../../core/model/order.ts';
import type { Routes } from '../../core/model/pools.ts';
import { byAddress, formatAddress } from '../../core/net/address.ts';
import { csvText } from '../../core/text/print/escape.ts';
import { stateColor } from '../../core/text/print/state-color.ts';
import { type Column, type TableStyle, tableText } from '../../core/text/print/table.ts';
import type { HostnameItem, Hostnames } from './hostnames-answer.ts';
import type { WorkspaceSnapshot } from './workspace-snapshot.ts';

/** All hostnames that are held, or kept after release, on a day. */
export function listHostnames(snapshot: WorkspaceSnapshot, day: Day): Hostnames {
  const kept = new Map([...snapshot.hostnameTable].filter(([, record]) => !isFree(record, day)));
  const items = hostnameItems(snapshot, kept);
  return { apiVersion: 'leasehold.dev/v1', kind: 'Hostnames', day, items };
}

/**
 * The recorded hostnames that a name asks for: a hostname with the wildcards above it, or all of a
 * holder, of a namespace or Akash owner, of a lease or its dseq, or of a Service, which can be
 * `namespace/service`.
 */
export function hostnamesNamed(snapshot: WorkspaceSnapshot, name: string): readonly HostnameItem[] {
  const answering = answeringNames(name);
  return allHostnames(snapshot).filter((item) => {
    const { hostname, holder, service, lease } = item;
    const namespaceOrOwner = holder.split('/').at(-1);
    const names = [holder, namespaceOrOwner, service, `${namespaceOrOwner}/${service}`];
    const dseq = lease?.split('/')[1];
    return answering.includes(hostname) || [...names, lease, dseq].includes(name);
  });
}

/** All recorded hostnames, also those that a later holder may take. */
export const allHostnames = oncePer((snapshot: WorkspaceSnapshot) =>
  hostnameItems(snapshot, snapshot.hostnameTable),
);

/** The declared hostnames that have no record yet. */
export function waitingHostnames({
  hostnames,
  hostnameTable,
}: WorkspaceSnapshot): readonly Hostname[] {
  return hostnames.filter((declared) => heldRecord(hostnameTable, declared) === undefined);
}

/** Where a declared hostname is routed to, and where it is declared. */
export function declaredRoute({ service, port, lease, at }: Hostname): DeclaredRoute {
  const file = `${at.file}:${at.line}`;
  return { service, port, ...(lease ? { lease: leaseIdText(lease) } : {}), file };
}

type DeclaredRoute = Pick<HostnameItem, 'lease'> &
  Required<Pick<HostnameItem, 'service' | 'port' | 'file'>>;

/** The records of a table with the routes that their holders declare. */
function hostnameItems(snapshot: WorkspaceSnapshot, table: HostnameTable): readonly HostnameItem[] {
  const { hostnames, proofs } = snapshot;
  const fronts = routeFronts(snapshot);
  const routeKey = (one: { readonly hostname: string; readonly holder: string }): string =>
    `${one.holder} ${one.hostname}`;
  const declared = new Map(hostnames.map((one) => [routeKey(one), one]));
  return [...table.values()]
    .map((record): HostnameItem => {
      const { hostname, holder, since, released } = record;
      const route = isHeld(record) ? declared.get(routeKey(record)) : undefined;
      const proof = proofOf(proofs, record);
      return {
        hostname,
        state: released ? 'released' : 'held',
        holder,
        since,
        ...(released ? { released } : {}),
        ...(route ? { ...declaredRoute(route), ...fronts.get(route.cluster) } : {}),
        ...(proof ? { proof: { domain: proof.domain, checked: proof.checked } } : {}),
      };
    })
    .sort((left, right) => compareText(left.hostname, right.hostname));
}

/** The Gateway or IngressClass of a cluster's hostnames. */
type RouteFront = Pick<HostnameItem, 'routedBy' | 'addresses'>;

/** The Gateway or IngressClass of each cluster that routes hostnames, by its name. */
function routeFronts(snapshot: WorkspaceSnapshot): ReadonlyMap<string, RouteFront> {
  const { clusters } = snapshot.pools;
  const fronts = clusters.flatMap(({ name, routes }): [string, RouteFront][] => {
    if (!routes) return [];
    const addresses = frontAddresses(name, snapshot);
    return [[name, { routedBy: routedBy(routes), ...(addresses.length > 0 && { addresses }) }]];
  });
  return new Map(fronts);
}

function routedBy(routes: Routes): string {
  if (routes.kind === 'Ingress') return `IngressClass ${routes.className}`;
  return `Gateway ${routes.gateway.namespace}/${routes.gateway.name}`;
}

/** The public addresses of the Service that routes the hostnames of a cluster, IPv4 first. */
function frontAddresses(
  cluster: string,
  { pools, claims, table }: WorkspaceSnapshot,
): readonly string[] {
  const front = [...claims.values()].flat().find((claim) => {
    return claim.cluster === cluster && isOfRoutes(claim, pools);
  });
  if (!front) return [];
  const index = new PoolIndex(pools);
  return [...table.values()]
    .filter((record) => record.holder === front.holder && isHeld(record))
    .filter(({ address }) => wantsFamily(front, address.family))
    .sort(byAddress)
    .map(({ address }) => formatAddress(index.publicAddress(address)));
}

const columns: readonly Column<HostnameItem>[] = [
  { name: 'HOSTNAME', cell: ({ hostname }) => hostname, prose: 'name' },
  {
    name: 'STATE',
    cell: stateTexts,
    separator: ', ',
    color: ({ state }, paint) => stateColor(state, paint),
  },
  {
    name: 'SERVICE',
    cell: ({ service, port }) => (service ? `${service}:${port}` : '-'),
    prose: 'name',
    drop: 1,
  },
  { name: 'HOLDER', cell: ({ holder }) => holder, omitSame: 'folder', prose: 'name' },
  { name: 'ADDRESS', cell: ({ addresses }) => addresses ?? '-', wide: true },
  { name: 'ROUTED BY', cell: ({ routedBy: by }) => by ?? '-', wide: true },
  { name: 'LEASE', cell: ({ lease }) => lease ?? '-', wide: true },
  { name: 'FILE', cell: ({ file }) => file ?? '-', wide: true },
  { name: 'PROVEN BY', cell: ({ proof }) => proof?.domain ?? '-', wide: true },
];

function stateTexts({ state, since, released }: HostnameItem): readonly string[] {
  return released
    ? [`released ${released.on}`, `free from ${released.freeFrom}`]
    : [`${state} since ${since}`];
}

/** Printed in place of a table of no hostnames. `waiting` hostnames are declared without a record. */
export function noHostnamesText(waiting: number): string {
  return waiting > 0
    ? 'no hostname is given yet\n'
    : 'no hostname is given yet; declare a Hostname in leases/, and run `leasehold synth`\n';
}

/** Returns a table with a line per hostname. */
export function hostnamesTable(
  { items }: { readonly items: readonly HostnameItem[] },
  style: TableStyle,
): string {
  return tableText(columns, items, style);
}

const csvHeader =
  'hostname,state,holder,since,releasedOn,freeFrom,service,port,file,lease,provenBy,routedBy,addresses';

/** Returns the hostnames as CSV. */
export function hostnamesCsv({ items }: { readonly items: readonly HostnameItem[] }): string {
  const rows = items.map(({ released, proof, ...item }) => ({
    ...{ ...item, releasedOn: released?.on, freeFrom: released?.freeFrom },
    provenBy: proof?.domain,
  }));
  return csvText(csvHeader, rows);
}
