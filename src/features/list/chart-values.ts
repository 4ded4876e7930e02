import { Document, visit } from 'yaml';
import { placementsOf } from '../../core/allocate/allocate.ts';
import type { SourceTree } from '../../core/interfaces/tree.ts';
import type { History } from '../../core/interfaces/work-tree.ts';
import { reservedLabel } from '../../core/manifests/manifest.ts';
import type { PlacedAddresses } from '../../core/manifests/planes/plane.ts';
import { planeOf } from '../../core/manifests/planes/planes.ts';
import { declaredIn, firstClaims, type ServiceClaim } from '../../core/model/claim.ts';
import { claimsIn, type Placement } from '../../core/model/holder.ts';
import type { Cluster, Pools } from '../../core/model/pools.ts';
import { type Outcome, ok } from '../../core/model/problem.ts';
import type { GatewayRef, Reservation } from '../../core/model/service.ts';
import { formatAddress } from '../../core/net/address.ts';
import { readsAsText, shownYaml } from '../../core/text/yaml/yaml-output.ts';
import { readWorkspace } from '../../core/tree/workspace.ts';

/** The values that make a Helm chart's Service use the addresses of a Reservation. */
export interface ChartValues {
  readonly holder: string;
  readonly cluster: string;
  readonly namespace: string;
  /** The name of the Service. */
  readonly service: string;
  /** The Gateway whose controller makes the Service. */
  readonly gateway?: GatewayRef;
  /** The file that declares the Reservation. */
  readonly file: string;
  /** Canonical text, IPv4 first. */
  readonly addresses: readonly string[];
  /** The annotations of MetalLB: the addresses and the sharing key. */
  readonly annotations: { readonly [key: string]: string };
  readonly labels: { readonly [key: string]: string };
  readonly ipFamilyPolicy: string;
  readonly ipFamilies: readonly string[];
  /** Replaces the address annotation; MetalLB refuses both together. Only for a single address. */
  readonly loadBalancerIP?: string;
  /** Set when MetalLB is restricted to one load balancer class. */
  readonly loadBalancerClass?: string;
  /** Set when it is Local: a Service that shares its address must keep it. */
  readonly externalTrafficPolicy?: 'Local';
}

/** The chart values of Reservations, and the Reservations that have no address yet. */
export interface AllChartValues {
  /** Sorted by holder, cluster and claim. */
  readonly values: readonly ChartValues[];
  /** As `namespace/name`, in the order of the files. */
  readonly waiting: readonly string[];
}

/** Returns the values of all Reservations, or of those that match a holder or `namespace/name`. */
export async function allChartValues(
  tree: SourceTree,
  history: History,
  what: string | undefined,
): Promise<Outcome<AllChartValues>> {
  const workspace = await readWorkspace(tree, history);
  if (!workspace.ok) return workspace;
  const { pools, holders, services, table } = workspace.value;
  const holderOf = new Map(
    holders.flatMap(({ id, claims }) => declaredIn(claims).map((one) => [one, id] as const)),
  );
  const isAsked = (reservation: Reservation): boolean =>
    what === undefined || what === serviceName(reservation) || what === holderOf.get(reservation);
  const placements = placementsOf(pools, holders, table);
  const placed = new Set(placements.map(({ holder }) => holder.id));
  const values = placements.flatMap((placement) => valuesOf(pools, placement, isAsked));
  const waiting = services.flatMap((declared) =>
    declared.kind === 'Reservation' &&
    isAsked(declared) &&
    !placed.has(holderOf.get(declared) ?? '')
      ? [serviceName(declared)]
      : [],
  );
  return ok({ values, waiting });
}

function valuesOf(
  pools: Pools,
  placement: Placement,
  isAsked: (reservation: Reservation) => boolean,
): ChartValues[] {
  return pools.clusters.flatMap((cluster) =>
    firstClaims(claimsIn(placement.holder, cluster.name)).flatMap((claim) =>
      claim.declared.kind === 'Reservation' && isAsked(claim.declared)
        ? [chartValues(cluster, claim, claim.declared, placement)]
        : [],
    ),
  );
}

function serviceName({ namespace, name }: Reservation): string {
  return `${namespace}/${name}`;
}

/**
 * Returns the values that pin the Service of a Reservation to its addresses, IPv4 first. The
 * annotation is used for a single address too, because more charts support annotations than
 * `loadBalancerIP`. MetalLB refuses both together.
 */
export function chartValues(
  cluster: Cluster,
  { holder, sharingKey }: Pick<ServiceClaim, 'holder' | 'sharingKey'>,
  reservation: Reservation,
  placement: PlacedAddresses,
): ChartValues {
  const { namespace, name, ipFamily, gateway, localBackend, at } = reservation;
  const addresses = placement.addresses.filter(
    ({ family }) => ipFamily === 'dual' || family === ipFamily,
  );
  const texts = addresses.map(formatAddress);
  const { plane } = cluster;
  const { pinning } = planeOf(cluster);
  const pinned = { addresses, sharingKey, pool: placement.pool.name };
  const { labels, annotations } = pinning(plane, { ...pinned, way: 'annotation' });
  return {
    holder,
    cluster: cluster.name,
    namespace,
    service: name,
    ...(gateway === undefined ? {} : { gateway }),
    file: at.file,
    addresses: texts,
    annotations,
    labels: { ...reservedLabel, ...labels },
    ...pinning(plane, pinned).spec,
    ...(localBackend === undefined ? {} : { externalTrafficPolicy: 'Local' }),
  };
}

/**
 * Prints one YAML document per Service, with the Service named in a comment: the values of a chart,
 * or the part of a Gateway that its controller copies to the Service. Strings that the Go YAML
 * reader of Helm would not read as strings are quoted.
 */
export function chartValuesYaml(values: readonly ChartValues[]): string {
  return values.map(documentText).join('---\n');
}

function documentText(values: ChartValues): string {
  const content = values.gateway ? gatewayPatch(values, values.gateway) : serviceValues(values);
  const document = new Document(content, { version: '1.1' });
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && !readsAsText(scalar.value)) {
        scalar.type = 'QUOTE_DOUBLE';
      }
    },
  });
  document.commentBefore = commentOf(values)
    .map((line) => ` ${line}`)
    .join('\n');
  return shownYaml(document);
}

function serviceValues(values: ChartValues): object {
  const { annotations, labels, ipFamilyPolicy, ipFamilies } = values;
  const { loadBalancerClass, externalTrafficPolicy } = values;
  const service = {
    type: 'LoadBalancer',
    ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
    annotations,
    labels,
    ipFamilyPolicy,
    ipFamilies,
    ...(externalTrafficPolicy === undefined ? {} : { externalTrafficPolicy }),
  };
  return { service };
}

/**
 * The part of a Gateway that its controller copies to the Service: `spec.infrastructure`, GEP-1867,
 * in the standard definitions of the Gateway API since v1.2. `spec.addresses` is not set: Envoy
 * Gateway makes `externalIPs` of it, which MetalLB does not see.
 */
function gatewayPatch({ annotations, labels }: ChartValues, metadata: GatewayRef): object {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata,
    spec: { infrastructure: { annotations, labels } },
  };
}

function commentOf(values: ChartValues): string[] {
  const { namespace, service, cluster, addresses, file, loadBalancerIP, gateway } = values;
  const whose = `Service ${namespace}/${service} in cluster ${cluster}, reserved in ${file}: ${addresses.join(' and ')}`;
  if (gateway !== undefined) return [whose, ...besidesGateway(values)];
  if (loadBalancerIP === undefined) return [whose];
  return [
    whose,
    'A chart that knows only service.loadBalancerIP takes, in place of the annotation loadBalancerIPs:',
    `  loadBalancerIP: ${JSON.stringify(loadBalancerIP)}`,
  ];
}

/** Needs of the Service that a Gateway cannot express: its controller has an option for them, or none. */
function besidesGateway({ addresses, ipFamilies, ...rest }: ChartValues): readonly string[] {
  const { ipFamilyPolicy, loadBalancerClass, externalTrafficPolicy: policy } = rest;
  const isUsual = addresses.length === 1 && ipFamilies[0] === 'IPv4';
  const needed = [
    ...(isUsual
      ? []
      : [`ipFamilyPolicy: ${ipFamilyPolicy}`, `ipFamilies: [${ipFamilies.join(', ')}]`]),
    ...(loadBalancerClass === undefined ? [] : [`loadBalancerClass: ${loadBalancerClass}`]),
    ...(policy === undefined ? [] : [`externalTrafficPolicy: ${policy}`]),
  ];
  if (needed.length === 0) return [];
  return [
    'Set these fields of this Service in the options of the controller of the Gateway:',
    ...needed.map((line) => `  ${line}`),
  ];
}
