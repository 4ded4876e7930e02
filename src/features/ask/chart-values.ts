import { Document, visit } from 'yaml';
import { placementsOf } from '../../allocate/placements.ts';
import { annotationPrefix, reservedLabel } from '../../manifests/metadata.ts';
import { declaredIn, firstClaims } from '../../manifests/objects/declared-service.ts';
import { pinning } from '../../manifests/objects/pinning.ts';
import { claimsIn, type ServiceClaim } from '../../model/claim.ts';
import type { Placement } from '../../model/placement.ts';
import type { Cluster, Pools } from '../../model/pools.ts';
import type { Outcome } from '../../model/problem.ts';
import type { Reservation } from '../../model/service.ts';
import { type Address, formatAddress } from '../../net/address.ts';
import type { History } from '../../ports/history.ts';
import type { SourceTree } from '../../ports/tree.ts';
import { shownYaml } from '../../text/yaml/answer-yaml.ts';
import { readsAsText } from '../../text/yaml/plain-scalar.ts';
import { readWorkspace } from '../../workspace/workspace.ts';

/** What a chart's values must say so that the Service it renders stands on a reserved address. */
export interface ChartValues {
  readonly holder: string;
  readonly cluster: string;
  readonly namespace: string;
  /** The name of the Service. */
  readonly service: string;
  /** Where the Reservation is declared. */
  readonly file: string;
  /** Canonical text, IPv4 first. */
  readonly addresses: readonly string[];
  /** MetalLB's: the pin and the sharing key. */
  readonly annotations: { readonly [key: string]: string };
  readonly labels: { readonly [key: string]: string };
  readonly ipFamilyPolicy: string;
  readonly ipFamilies: readonly string[];
  /** In place of the annotation that pins, never beside it; only for one address. */
  readonly loadBalancerIP?: string;
  /** Where MetalLB serves Services of one class only. */
  readonly loadBalancerClass?: string;
}

/** What charts must say for their Reservations, and Reservations that have no address yet. */
export interface AllChartValues {
  /** By holder, then cluster, then as its claims are sorted. */
  readonly values: readonly ChartValues[];
  /** As `namespace/name`, in the order of their files. */
  readonly waiting: readonly string[];
}

/** The values of all Reservations, or of those that `what` names: a holder, or `namespace/name`. */
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
  const isMeant = (reservation: Reservation): boolean =>
    what === undefined || what === nameOf(reservation) || what === holderOf.get(reservation);
  const placements = placementsOf(pools, holders, table);
  const placed = new Set(placements.map(({ holder }) => holder.id));
  const values = placements.flatMap((placement) => valuesOf(pools, placement, isMeant));
  const waiting = services.flatMap((declared) =>
    declared.kind === 'Reservation' &&
    isMeant(declared) &&
    !placed.has(holderOf.get(declared) ?? '')
      ? [nameOf(declared)]
      : [],
  );
  return { ok: true, value: { values, waiting } };
}

function valuesOf(
  pools: Pools,
  { holder, addresses }: Placement,
  isMeant: (reservation: Reservation) => boolean,
): ChartValues[] {
  return pools.clusters.flatMap((cluster) =>
    firstClaims(claimsIn(holder, cluster.name)).flatMap((claim) =>
      claim.declared.kind === 'Reservation' && isMeant(claim.declared)
        ? [chartValues(cluster, claim, claim.declared, addresses)]
        : [],
    ),
  );
}

function nameOf({ namespace, name }: Reservation): string {
  return `${namespace}/${name}`;
}

/**
 * What pins the Service of a Reservation to its addresses, IPv4 first. The annotation pins one address
 * too, since more charts know annotations than `loadBalancerIP`; MetalLB refuses both together.
 */
export function chartValues(
  cluster: Cluster,
  { holder, sharingKey }: Pick<ServiceClaim, 'holder' | 'sharingKey'>,
  reservation: Reservation,
  addresses: readonly Address[],
): ChartValues {
  const { namespace, name, ipFamily, at } = reservation;
  const pins = addresses.filter(({ family }) => ipFamily === 'dual' || family === ipFamily);
  const texts = pins.map(formatAddress);
  const { annotations, spec } = pinning(cluster.metallb, pins, sharingKey);
  return {
    holder,
    cluster: cluster.name,
    namespace,
    service: name,
    file: at.file,
    addresses: texts,
    annotations: {
      ...annotations,
      [`${annotationPrefix(cluster.metallb)}/loadBalancerIPs`]: texts.join(','),
    },
    labels: reservedLabel,
    ...spec,
  };
}

/**
 * What charts must say, a YAML document each, with whose it is in a comment. Written for the YAML that Helm
 * reads, which is Go's: what that takes for something else than text stands in quotes.
 */
export function chartValuesYaml(values: readonly ChartValues[]): string {
  return values.map(documentText).join('---\n');
}

function documentText(values: ChartValues): string {
  const { annotations, labels, ipFamilyPolicy, ipFamilies, loadBalancerClass } = values;
  const service = {
    type: 'LoadBalancer',
    ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
    annotations,
    labels,
    ipFamilyPolicy,
    ipFamilies,
  };
  const document = new Document({ service }, { version: '1.1' });
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

function commentOf(values: ChartValues): string[] {
  const { namespace, service, cluster, addresses, file, loadBalancerIP } = values;
  const whose = `Service ${namespace}/${service} in cluster ${cluster}, reserved in ${file}: ${addresses.join(' and ')}`;
  if (loadBalancerIP === undefined) return [whose];
  return [
    whose,
    'A chart that knows only service.loadBalancerIP takes, in place of the annotation loadBalancerIPs:',
    `  loadBalancerIP: ${JSON.stringify(loadBalancerIP)}`,
  ];
}
