import type { Clock } from '../../core/interfaces/clock.ts';
import { closedFence } from '../../core/manifests/planes/metallb/pool-objects.ts';
import { emittedKinds, isOfPlane, traitsOf, type VerifiedKind } from '../../core/model/kinds.ts';
import type { LiveObject } from '../../core/model/live.ts';
import { compareText } from '../../core/model/order.ts';
import { type Cluster, type Pools, poolsIn } from '../../core/model/pools.ts';
import { EnvironmentError } from '../../core/model/problem.ts';
import { DenialCollector } from '../../lib/kubernetes/denial-collector.ts';
import type { LiveCluster } from '../../lib/kubernetes/live-cluster.ts';
import { akashOperatorFindings } from './akash-operator.ts';
import type { Desired } from './desired.ts';
import type { Dialer } from './dialer.ts';
import { AnnouncedServices } from './live/announced-services.ts';
import { Announcement, readyEndpoints, type SpeakerEvents, unknown } from './live/announcement.ts';
import { type DesiredClaim, isWaiting, verifyClaim } from './live/claim-state.ts';
import {
  isOverlap,
  missingPools,
  otherCommit,
  otherRelease,
  refusedConfigurations,
  restartHint,
  unreadAnnotations,
  unservedKinds,
} from './live/cluster-findings.ts';
import { contestedRoutes } from './live/contested-routes.ts';
import { gatewayFindings, missingGateway } from './live/gateway-findings.ts';
import { announceFailures, announcingSince, metalLBWarnings } from './live/metallb-events.ts';
import { isLabelled, leftOver, objectDetails, unusedObjects } from './live/object-state.ts';
import { losingServices, openPools } from './live/open-pools.ts';
import { overlappingPools, ownRanges } from './live/pool-overlap.ts';
import { reached } from './live/reach.ts';
import { refusedRoutes } from './live/route-findings.ts';
import { Snapshot } from './live/snapshot.ts';
import { speakersIn } from './live/speakers.ts';
import type {
  ClusterFinding,
  Verification,
  VerifiedClaim,
  VerifiedObject,
  VerifiedState,
} from './verification-answer.ts';

/**
 * Compares a live cluster with the tree once, without changing anything. With a dialer it also
 * connects to each address. Throws one EnvironmentError that names all missing permissions.
 */
export async function verifyCluster(
  desired: Desired,
  cluster: LiveCluster,
  dialer?: Dialer,
): Promise<Verification> {
  const { objects } = desired;
  const asked = new DenialCollector(cluster);
  const list: List = (kind) =>
    asked.list(
      kind,
      traitsOf(kind).listedIn === 'plane' ? desired.cluster.plane.namespace : undefined,
    );
  const live = await snapshotOf(list, desired.pools, desired.cluster);
  const states = await list('configurationState');
  const isOnGateway = desired.cluster.routes?.kind === 'HTTPRoute';
  const isReserved = desired.claims.some(({ gateway }) => gateway);
  const served = isOnGateway || isReserved ? await list('gateway') : undefined;
  const gateways = served ?? [];
  const grpcRoutes = (isOnGateway ? await list('grpcRoute') : undefined) ?? [];
  const deployments = (await list('deployment')) ?? [];
  const announcement = await announcementIn(desired, { live, list, asked });
  const { warnings, ...events } = await eventsOf(desired.claims, live, { announcement, asked });
  asked.throwDenials();
  const holders = new Map(desired.claims.map(({ service, holder }) => [service, holder]));
  const detailsOf = objectDetails(live);
  const announcementOf = (claim: DesiredClaim) =>
    announcement?.detailsOf(claim, events) ?? [unknown(claim, noSpeakers)];
  const restart = restartHint(deployments, desired);
  const evidence = { live, detailsOf, holders, warnings, restart, announcementOf };
  const compared = desired.claims.map((claim) => verifyClaim(claim, evidence));
  const { claims, notes } = dialer
    ? await reached(compared, dialer)
    : { claims: compared, notes: [] };
  const used = new Set(desired.claims.flatMap((claim) => claim.objects.map(({ name }) => name)));
  const own = poolsIn(desired.pools, desired.cluster.name);
  const closing = {
    fence: closedFence(desired.pools.emit.namespaces),
    claims: desired.claims,
    loadBalancerClass: desired.cluster.plane.loadBalancerClass,
  };
  const isBetween = desired.cluster.plane.layout === 'both';
  return verificationOf(desired, cluster.name, {
    claims,
    objects: [...unusedObjects(objects.values(), used, detailsOf), ...leftOver(objects, live)],
    findings: [
      ...unservedKinds(objects.values(), live),
      ...refusedRoutes(objects.values(), live),
      ...contestedRoutes(objects.values(), { live, gateways, grpcRoutes }),
      ...gatewayFindings(desired.claims, gateways),
      ...missingGateway(desired, served),
      ...refusedConfigurations(states ?? []).filter((one) => !(isBetween && isOverlap(one))),
      ...(announcement?.findings(desired.claims) ?? []),
      ...(isBetween ? losingServices(own, live, closing) : []),
      ...(isBetween ? missingPools(objects.values(), live) : []),
      ...overlaps(desired, live),
      ...akashOperatorFindings(deployments),
      ...unreadAnnotations(deployments, desired),
    ],
    openPools: openPools(own, live, closing),
    notes: [
      ...(isBetween ? [between] : []),
      ...(states ? [] : [noStates]),
      ...otherRelease(deployments, desired),
      ...notes,
    ],
  });
}

const between =
  'layout: both is a step of `leasehold migrate-layout`: MetalLB rejects its pools and keeps using the last valid configuration, so live addresses stay, and new or changed ones wait for the next step. Until it is applied, no speaker may restart: it would announce nothing';

/** A note of every comparison with MetalLB before 0.15.3. */
export const noStates =
  'the cluster does not serve ConfigurationState, which MetalLB has since 0.15.3: it is not known whether MetalLB accepts its configuration';

const noSpeakers =
  "MetalLB's namespace has no speakers: whether anything announces the address is not known";

/** Lists a kind where {@link liveKinds} says. */
type List = (kind: VerifiedKind) => Promise<readonly LiveObject[] | undefined>;

async function snapshotOf(
  list: List,
  { emit }: Pools,
  { plane, routes }: Cluster,
): Promise<Snapshot> {
  const snapshot = new Snapshot();
  for (const kind of emittedKinds) {
    if (!isOfPlane(kind, plane.kind) || traitsOf(kind).isOn?.(emit, routes) === false) continue;
    const objects = await list(kind);
    if (objects) snapshot.add(kind, objects);
  }
  return snapshot;
}

/** The sources of the facts. */
interface Gathered {
  readonly live: Snapshot;
  readonly list: List;
  readonly asked: DenialCollector;
}

/** Undefined when MetalLB has no speakers: something else may announce its addresses. */
async function announcementIn(
  { cluster: { plane }, claims }: Desired,
  { live, list, asked }: Gathered,
): Promise<Announcement | undefined> {
  const nodes = (await list('node')) ?? [];
  const daemonSets = (await list('daemonSet')) ?? [];
  const pods = await list('pod');
  const speakers = speakersIn({ daemonSets, pods, metallb: plane });
  const services = claims.flatMap(({ service }) => live.get(service) ?? []);
  const slices = await listBeside(services, 'endpointSlice', asked);
  const endpoints = slices && readyEndpoints(slices);
  const isByBGP = [...live.all()].some(({ kind }) => kind === 'bgpAdvertisement');
  const listByBGP = async (kind: VerifiedKind) => (isByBGP ? await list(kind) : undefined) ?? [];
  const statuses = {
    services: { l2: await list('serviceL2Status'), bgp: await list('serviceBGPStatus') },
    peers: await listByBGP('bgpPeer'),
    sessions: await listByBGP('bgpSessionState'),
    nodeStates: await listByBGP('frrNodeState'),
    nodes,
    pods,
  };
  if (!speakers) return undefined;
  const announced = new AnnouncedServices(speakers, statuses);
  const { namespace } = plane;
  return new Announcement({ live, namespace, nodes, speakers, endpoints, announced });
}

/** With more namespaces than this, one list of all objects is cheaper than one for each. */
const mostNamespaces = 20;

/**
 * Lists a kind in the namespaces of Services, or in all namespaces when these are many. Undefined
 * when the cluster lacks the kind.
 */
async function listBeside(
  services: readonly LiveObject[],
  kind: VerifiedKind,
  cluster: DenialCollector,
): Promise<readonly LiveObject[] | undefined> {
  const namespaces = new Set(services.flatMap(({ metadata }) => metadata.namespace ?? []));
  const asked = namespaces.size > mostNamespaces ? [undefined] : [...namespaces].sort(compareText);
  const found: (readonly LiveObject[])[] = [];
  for (const namespace of asked) {
    const objects = await cluster.list(kind, namespace);
    if (!objects) return undefined;
    found.push(objects);
  }
  return found.flat();
}

/** The events of MetalLB about the Services that wait, or may not be announced. */
async function eventsOf(
  claims: readonly DesiredClaim[],
  live: Snapshot,
  { announcement, asked }: Pick<Gathered, 'asked'> & { announcement: Announcement | undefined },
): Promise<SpeakerEvents & { readonly warnings: ReadonlyMap<string, string> }> {
  const waiting = claims
    .filter((claim) => isWaiting(claim, live))
    .flatMap(({ service }) => live.get(service) ?? []);
  const silent = claims.flatMap((claim) => announcement?.askedByEvents(claim) ?? []);
  const events = (await listBeside([...waiting, ...silent], 'event', asked)) ?? [];
  return {
    warnings: metalLBWarnings(waiting, events),
    failures: announceFailures(silent, events),
    announcing: announcingSince(silent, events),
  };
}

function overlaps({ cluster, pools, objects }: Desired, live: Snapshot): ClusterFinding[] {
  const seen = [...live.all()].filter(
    ({ kind, object }) =>
      kind === 'addressPool' && object.metadata.namespace === cluster.plane.namespace,
  );
  const isOurs = (one: (typeof seen)[number]) => isLabelled(one) || objects.has(one.name);
  const [ours, foreign] = [seen.filter(isOurs), seen.filter((one) => !isOurs(one))];
  if (foreign.length === 0) return [];
  const services = [...live.all()].filter(({ kind }) => kind === 'service');
  return overlappingPools(
    foreign.map(({ object }) => object),
    ownRanges(
      { pools: poolsIn(pools, cluster.name) },
      cluster.plane.layout,
      ours.map(({ object }) => object),
    ),
    services.map(({ object }) => object),
  );
}

function verificationOf(
  { cluster }: Desired,
  asked: string,
  found: Pick<Verification, 'claims' | 'objects' | 'findings' | 'openPools' | 'notes'>,
): Verification {
  const objects = [...found.objects].sort(byObject);
  const findings = [...found.findings].sort(byObject);
  const states: readonly VerifiedState[] = [
    ...found.claims.map(({ state }: VerifiedClaim) => state),
    ...objects.map(({ state }: VerifiedObject) => state),
    ...findings.map(() => 'cluster problem' as const),
  ];
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Verification',
    cluster: cluster.name,
    asked,
    ok: states.every((state) => passing.has(state)),
    counts: countsOf(states),
    claims: found.claims,
    objects,
    findings,
    openPools: found.openPools,
    notes: [...otherCommit(found), ...found.notes],
  };
}

/**
 * States that do not fail verify. The pods behind a Service are not declared here, and what a cluster
 * does not tell is no fault of it.
 */
const passing: ReadonlySet<VerifiedState> = new Set(['ok', 'kept', 'no endpoints', 'unknown']);

function byObject(left: { readonly object: string }, right: { readonly object: string }): number {
  return compareText(left.object, right.object);
}

const lineStates: readonly VerifiedState[] = [
  'ok',
  'pending',
  'not announced',
  'not reachable',
  'no endpoints',
  'unknown',
  'changed by hand',
  'wrong address',
  'not ours',
  'not applied',
  'left over',
  'kept',
  'cluster problem',
];

function countsOf(states: readonly VerifiedState[]): Verification['counts'] {
  const counts: { ok: number } & { [State in VerifiedState]?: number } = { ok: 0 };
  for (const state of lineStates) {
    const number = states.filter((one) => one === state).length;
    if (number > 0) counts[state] = number;
  }
  return counts;
}

/** Milliseconds between two comparisons. */
const interval = 2000;

/** How long to wait for a cluster. */
export interface VerifyWait {
  readonly waiting: Clock;
  /** With it, each comparison connects to each address. */
  readonly dialer?: Dialer | undefined;
  /** Milliseconds from the first comparison on; with 0 there is only one. */
  readonly timeout: number;
  /** Called once before the wait, with the first result. */
  readonly onWait: (found: Verification | EnvironmentError) => void;
}

/**
 * Compares a cluster until it is ok or the timeout ends, and returns the last result. An
 * unreachable cluster is retried too; if the last attempt fails, its EnvironmentError is thrown.
 */
export async function verifyUntilOk(
  desired: Desired,
  cluster: LiveCluster,
  { waiting, dialer, timeout, onWait }: VerifyWait,
): Promise<Verification> {
  const end = waiting.now() + timeout;
  for (let attempt = 1; ; attempt += 1) {
    const found = await tryVerify(desired, cluster, dialer);
    const isFailure = found instanceof EnvironmentError;
    const remaining = end - waiting.now();
    if ((!isFailure && found.ok) || remaining <= 0) {
      if (isFailure) throw found;
      return found;
    }
    if (attempt === 1) onWait(found);
    await waiting.pause(Math.min(interval, remaining));
  }
}

async function tryVerify(
  desired: Desired,
  cluster: LiveCluster,
  dialer: Dialer | undefined,
): Promise<Verification | EnvironmentError> {
  try {
    return await verifyCluster(desired, cluster, dialer);
  } catch (error) {
    if (error instanceof EnvironmentError) return error;
    throw error;
  }
}
