import type { Clock } from '../../core/interfaces/clock.ts';
import { planeOf } from '../../core/manifests/planes/planes.ts';
import { emittedKinds, isOfPlane, traitsOf } from '../../core/model/kinds.ts';
import { textAt } from '../../core/model/live.ts';
import { compareText } from '../../core/model/order.ts';
import type { Cluster, Pools } from '../../core/model/pools.ts';
import { EnvironmentError, fewOf } from '../../core/model/problem.ts';
import { DenialCollector } from '../../lib/kubernetes/denial-collector.ts';
import type { LiveCluster } from '../../lib/kubernetes/live-cluster.ts';
import { akashOperatorFindings } from './akash-operator.ts';
import type { Desired } from './desired.ts';
import type { Dialer } from './dialer.ts';
import { verifyClaim } from './live/claim-state.ts';
import { otherCommit, unservedKinds } from './live/cluster-findings.ts';
import { contestedRoutes } from './live/contested-routes.ts';
import { gatewayFindings, missingGateway } from './live/gateway-findings.ts';
import { leftOver, objectDetails, unusedObjects } from './live/object-state.ts';
import { reached } from './live/reach.ts';
import { refusedRoutes } from './live/route-findings.ts';
import { ingressOf, Snapshot } from './live/snapshot.ts';
import type { Gathered } from './planes/plane.ts';
import { livePlanes } from './planes/planes.ts';
import type {
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
  const list: Gathered['list'] = (kind) =>
    asked.list(
      kind,
      traitsOf(kind).listedIn === 'plane' ? desired.cluster.plane.namespace : undefined,
    );
  const live = await snapshotOf(list, desired.pools, desired.cluster);
  const isOnGateway = desired.cluster.routes?.kind === 'HTTPRoute';
  const isReserved = desired.claims.some(({ gateway }) => gateway);
  const served = isOnGateway || isReserved ? await list('gateway') : undefined;
  const gateways = served ?? [];
  const grpcRoutes = (isOnGateway ? await list('grpcRoute') : undefined) ?? [];
  const deployments = (await list('deployment')) ?? [];
  const plane = await livePlanes[desired.cluster.plane.kind].evidence(desired, {
    live,
    deployments,
    list,
    asked,
  });
  asked.throwDenials();
  const holders = new Map(desired.claims.map(({ service, holder }) => [service, holder]));
  const detailsOf = objectDetails(live);
  const evidence = { live, detailsOf, holders, ...plane };
  const compared = desired.claims.map((claim) => verifyClaim(claim, evidence));
  const { claims, notes } = dialer
    ? await reached(compared, dialer)
    : { claims: compared, notes: [] };
  const used = new Set(desired.claims.flatMap((claim) => claim.objects.map(({ name }) => name)));
  return verificationOf(desired, cluster.name, {
    claims,
    objects: [...unusedObjects(objects.values(), used, detailsOf), ...leftOver(objects, live)],
    findings: [
      ...unservedKinds(objects.values(), live),
      ...refusedRoutes(objects.values(), live),
      ...contestedRoutes(objects.values(), { live, gateways, grpcRoutes }),
      ...gatewayFindings(desired.claims, gateways),
      ...missingGateway(desired, served),
      ...plane.findings,
      ...akashOperatorFindings(deployments),
    ],
    openPools: plane.openPools,
    notes: [...plane.notes, ...unpinned(desired, live), ...notes],
  });
}

/**
 * A note when Services of reservations ask for no address: they keep theirs as long as they are
 * there, and get any address once they are made again.
 */
function unpinned({ cluster, claims }: Desired, live: Snapshot): readonly string[] {
  const { addresses } = planeOf(cluster).requests;
  const names = claims.flatMap(({ isReserved, service }) => {
    const found = isReserved ? live.get(service) : undefined;
    if (!found || ingressOf(found).length === 0) return [];
    const { annotations = {} } = found.metadata;
    const isPinned =
      addresses.some((key) => annotations[key]) || textAt(found, 'spec', 'loadBalancerIP');
    return isPinned ? [] : [service];
  });
  if (names.length === 0) return [];
  return [
    `no address is asked for by ${fewOf([...new Set(names)], 3)}: made again, it can get another one; give its chart what \`leasehold list -o values\` prints`,
  ];
}

async function snapshotOf(
  list: Gathered['list'],
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
    notes: [...otherCommit(found, cluster.plane.kind), ...found.notes],
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
