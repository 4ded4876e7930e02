import { type EmittedKind, emittedKinds } from '../../manifests/manifest.ts';
import { closedFence } from '../../manifests/objects/pool-objects.ts';
import type { LiveKind, LiveObject } from '../../model/live.ts';
import { compareText } from '../../model/order.ts';
import { poolsIn } from '../../model/pools.ts';
import { DeniedError, EnvironmentError } from '../../model/problem.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LiveCluster } from '../../ports/live-cluster.ts';
import { akashOperatorFindings } from './akash-operator.ts';
import type { Desired } from './desired.ts';
import { type DesiredClaim, isWaiting, metalLBWarnings, verifyClaim } from './live/claim-state.ts';
import { refusedConfigurations, unservedKinds } from './live/cluster-findings.ts';
import { isLabelled, leftOver, objectDetails, unusedObjects } from './live/object-state.ts';
import { openPools } from './live/open-pools.ts';
import { overlappingPools, ownRanges } from './live/pool-overlap.ts';
import { Snapshot } from './live/snapshot.ts';
import type {
  ClusterFinding,
  Verification,
  VerifiedClaim,
  VerifiedObject,
  VerifiedState,
} from './verification-answer.ts';

/** Kinds whose objects are compared with `dist/`. ConfigMaps only in MetalLB's namespace. */
const comparedKinds = Object.keys(emittedKinds) as EmittedKind[];

/** All kinds that verify lists; docs/rbac/verify.yaml grants them. */
export const verifiedKinds: readonly LiveKind[] = [
  ...comparedKinds,
  ...(['configurationState', 'deployment', 'event'] as const),
];

/**
 * Compares a live cluster with the tree once, without changing anything. Throws one
 * EnvironmentError that names all missing permissions.
 */
export async function verifyCluster(desired: Desired, cluster: LiveCluster): Promise<Verification> {
  const { objects } = desired;
  const asked = new DenialCollector(cluster);
  const live = await snapshotOf(desired, asked);
  const states = await asked.list('configurationState', desired.cluster.metallb.namespace);
  const operators = akashOperatorFindings((await asked.list('deployment')) ?? []);
  const warnings = await warningsOf(desired.claims, live, asked);
  asked.throwDenials();
  const holders = new Map(desired.claims.map(({ service, holder }) => [service, holder]));
  const detailsOf = objectDetails(live);
  const evidence = { live, detailsOf, holders, warnings };
  const claims = desired.claims.map((claim) => verifyClaim(claim, evidence));
  const used = new Set(desired.claims.flatMap((claim) => claim.objects.map(({ name }) => name)));
  return verificationOf(desired, cluster.name, {
    claims,
    objects: [...unusedObjects(objects.values(), used, detailsOf), ...leftOver(objects, live)],
    findings: [
      ...unservedKinds(objects.values(), live),
      ...refusedConfigurations(states ?? []),
      ...overlaps(desired, live),
      ...operators,
    ],
    openPools: openPools(poolsIn(desired.pools, desired.cluster.name), live, {
      fence: closedFence(desired.pools.emit.namespaces),
      claims: desired.claims,
      loadBalancerClass: desired.cluster.metallb.loadBalancerClass,
    }),
    notes: states ? [] : [noStates],
  });
}

const noStates =
  'the cluster does not serve ConfigurationState, which MetalLB has since 0.15.3: it is not known whether MetalLB accepts its configuration';

async function snapshotOf({ cluster }: Desired, live: DenialCollector): Promise<Snapshot> {
  const snapshot = new Snapshot();
  for (const kind of comparedKinds) {
    const namespace = kind === 'configMap' ? cluster.metallb.namespace : undefined;
    const objects = await live.list(kind, namespace);
    if (objects) snapshot.add(kind, objects);
  }
  return snapshot;
}

/** With more namespaces than this, one list of all events is cheaper than one for each. */
const mostNamespaces = 20;

async function warningsOf(
  claims: readonly DesiredClaim[],
  live: Snapshot,
  cluster: DenialCollector,
): Promise<ReadonlyMap<string, string>> {
  const services = claims
    .filter((claim) => isWaiting(claim, live))
    .flatMap(({ service }) => live.get(service) ?? []);
  const namespaces = new Set(services.flatMap(({ metadata }) => metadata.namespace ?? []));
  const asked = namespaces.size > mostNamespaces ? [undefined] : [...namespaces].sort(compareText);
  const events: (readonly LiveObject[])[] = [];
  for (const namespace of asked) events.push((await cluster.list('event', namespace)) ?? []);
  return metalLBWarnings(services, events.flat());
}

function overlaps({ cluster, pools, objects }: Desired, live: Snapshot): ClusterFinding[] {
  const seen = [...live.all()].filter(
    ({ kind, object }) =>
      kind === 'addressPool' && object.metadata.namespace === cluster.metallb.namespace,
  );
  const isOurs = (one: (typeof seen)[number]) => isLabelled(one) || objects.has(one.name);
  const [ours, foreign] = [seen.filter(isOurs), seen.filter((one) => !isOurs(one))];
  if (foreign.length === 0) return [];
  const services = [...live.all()].filter(({ kind }) => kind === 'service');
  return overlappingPools(
    foreign.map(({ object }) => object),
    ownRanges(
      { pools: poolsIn(pools, cluster.name) },
      cluster.metallb.layout,
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
    ok: states.every((state) => state === 'ok' || state === 'kept'),
    counts: countsOf(states),
    claims: found.claims,
    objects,
    findings,
    openPools: found.openPools,
    notes: found.notes,
  };
}

function byObject(left: { readonly object: string }, right: { readonly object: string }): number {
  return compareText(left.object, right.object);
}

const lineStates: readonly VerifiedState[] = [
  'ok',
  'pending',
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

/** Lists from a live cluster and collects what RBAC denies, to report all of it at once. */
export class DenialCollector implements Pick<LiveCluster, 'list'> {
  readonly #cluster: LiveCluster;
  readonly #denied = new Set<string>();
  #user = '';

  constructor(cluster: LiveCluster) {
    this.#cluster = cluster;
  }

  /** Lists as the cluster does; returns undefined also when RBAC denies the request. */
  async list(kind: LiveKind, namespace?: string): Promise<readonly LiveObject[] | undefined> {
    try {
      return await this.#cluster.list(kind, namespace);
    } catch (failure) {
      if (!(failure instanceof DeniedError)) throw failure;
      this.#denied.add(failure.request);
      this.#user = failure.user;
      return undefined;
    }
  }

  /** Throws one EnvironmentError for everything that was denied; nothing if nothing was. */
  throwDenials(): void {
    if (this.#denied.size === 0) return;
    throw new EnvironmentError(
      `the cluster ${this.#cluster.name} does not let ${this.#user} ${[...this.#denied].join(', ')}; leasehold bootstrap rbac prints a role that does`,
    );
  }
}

/** Milliseconds between two comparisons. */
const interval = 2000;

/** How long to wait for a cluster. */
export interface VerifyWait {
  readonly waiting: Clock;
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
  { waiting, timeout, onWait }: VerifyWait,
): Promise<Verification> {
  const end = waiting.now() + timeout;
  for (let attempt = 1; ; attempt += 1) {
    const found = await tryVerify(desired, cluster);
    const isFailure = found instanceof EnvironmentError;
    const left = end - waiting.now();
    if ((!isFailure && found.ok) || left <= 0) {
      if (isFailure) throw found;
      return found;
    }
    if (attempt === 1) onWait(found);
    await waiting.pause(Math.min(interval, left));
  }
}

async function tryVerify(
  desired: Desired,
  cluster: LiveCluster,
): Promise<Verification | EnvironmentError> {
  try {
    return await verifyCluster(desired, cluster);
  } catch (error) {
    if (error instanceof EnvironmentError) return error;
    throw error;
  }
}
