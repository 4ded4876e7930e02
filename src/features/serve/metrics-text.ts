import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { FamilyUsage } from '../ask/pool-usage-answer.ts';
import type { ClusterCount, CountedBranches, CountedState, Metrics } from './metrics.ts';

/** The media type of {@link metricsText}: the text format of Prometheus. */
export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE;

/**
 * The metrics in Prometheus's text format. Counts of addresses are floating point there: from 2^53 on, which only IPv6
 * pools have, they are the nearest number that one can hold. Times are seconds since 1970.
 */
export function metricsText(metrics: Metrics): Promise<string> {
  const registry = new Registry();
  const add = (name: string, help: string, samples: readonly Sample[]) =>
    addGauge(registry, { name: `leasehold_${name}`, help, samples });
  const { version, source, state, looks } = metrics;
  add('build_info', 'Always 1; the version of leasehold that answers.', [[{ version }, 1]]);
  add('stale', '1 while what is served is older than what is there, or nothing is.', [
    [{}, metrics.isStale ? 1 : 0],
  ]);
  add('problems', 'Problems that the newest look found in the tree.', [[{}, metrics.problems]]);
  addCounter(registry, 'leasehold_looks_total', 'Looks at the repository.', looks.all);
  addCounter(
    registry,
    'leasehold_failed_looks_total',
    'Looks at the repository that did not reach it.',
    looks.failed,
  );
  add(
    'last_look_timestamp_seconds',
    'When the repository was last looked at.',
    timeSample(metrics.lookedAt),
  );
  add(
    'fresh_timestamp_seconds',
    'Until when what is served was what is there.',
    timeSample(metrics.freshAt),
  );
  addBranches(add, metrics.branches);
  if (state) addState(add, state, source);
  add(
    'pool_exhaustion_timestamp_seconds',
    'When nothing of the pool will be free, if its use goes on.',
    metrics.exhaustions.map(({ pool, zone, family, at }) => [{ pool, zone, family }, at]),
  );
  return registry.metrics();
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];
type Add = (name: string, help: string, samples: readonly Sample[]) => void;

interface GaugeWords {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** A gauge without samples is left out: nothing would say that it is not 0. */
function addGauge(registry: Registry, { name, help, samples }: GaugeWords): void {
  const [first] = samples;
  if (!first) return;
  const labelNames = Object.keys(first[0]);
  const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
  for (const [labels, value] of samples) gauge.set({ ...labels }, value);
}

function addCounter(registry: Registry, name: string, help: string, value: number): void {
  new Counter({ name, help, registers: [registry] }).inc(value);
}

function addBranches(add: Add, branches: CountedBranches | undefined): void {
  if (!branches) return;
  add('pending_branches', 'Open branches that would take addresses.', [[{}, branches.pending]]);
  add('skipped_branches', 'Open branches that are not counted.', [[{}, branches.skipped]]);
  add('branches_incomplete', '1 while an open branch may take more than what is counted.', [
    [{}, branches.isIncomplete ? 1 : 0],
  ]);
  add('branches_stale', '1 while open branches are not read.', [[{}, branches.isStale ? 1 : 0]]);
}

function addState(add: Add, state: CountedState, source: string): void {
  addPools(add, state);
  addCapacity(add, state);
  add('leases', 'Akash leases that are declared.', clusterSamples(state.leases));
  add('services', 'Services and reservations that are declared.', clusterSamples(state.services));
  add('holders', 'Holders that are declared.', clusterSamples(state.holders));
  add(
    'waiting_holders',
    'Holders that are declared and have no address.',
    clusterSamples(state.waiting),
  );
  add('revision_info', 'Always 1; the commit that is served, and what is followed.', [
    [{ commit: state.commit ?? '', source }, 1],
  ]);
  add(
    'revision_timestamp_seconds',
    'When the commit that is served was made.',
    timeSample(state.committedAt),
  );
}

function addPools(add: Add, { usages }: CountedState): void {
  const perFamily = (value: (usage: FamilyUsage) => number): readonly Sample[] =>
    usages.items.flatMap(({ pool, zone, families }) =>
      families.map((usage): Sample => [{ pool, zone, family: usage.family }, value(usage)]),
    );
  add(
    'pool_addresses',
    'Addresses that the pool declares.',
    perFamily(({ total }) => Number(total)),
  );
  add(
    'pool_usable_addresses',
    'Addresses of the pool that can be given out.',
    perFamily(({ total, reserved }) => Number(BigInt(total) - BigInt(reserved))),
  );
  add(
    'pool_reserved_addresses',
    'Addresses of the pool that are never given out.',
    perFamily(({ reserved }) => Number(reserved)),
  );
  add(
    'pool_held_addresses',
    'Addresses of the pool that a holder has.',
    perFamily(({ held }) => held),
  );
  add(
    'pool_retained_addresses',
    'Addresses of the pool that were released and are still kept for their last holders.',
    perFamily(({ retained }) => retained),
  );
  add(
    'pool_free_addresses',
    'Addresses of the pool that a new holder may get.',
    perFamily(({ free }) => Number(free)),
  );
  add(
    'pool_exhausted',
    '1 when no address of the pool is free.',
    perFamily(({ free }) => (free === '0' ? 1 : 0)),
  );
  add(
    'pool_draining',
    '1 for a pool that keeps what it gave and gives nothing new.',
    usages.items.map(({ pool, zone, state }) => [{ pool, zone }, state === 'draining' ? 1 : 0]),
  );
}

function addCapacity(add: Add, { capacity }: CountedState): void {
  const perZone = (count: 'promisable' | 'pending'): readonly Sample[] =>
    capacity.map((row) => [
      { cluster: row.cluster, zone: row.zone, family: row.family },
      Number(row[count]),
    ]);
  add(
    'promisable_addresses',
    'Addresses that may still be promised; of the family dual, pairs.',
    perZone('promisable'),
  );
  add(
    'pending_addresses',
    'Free addresses that open branches and waiting holders will take; of the family dual, pairs.',
    perZone('pending'),
  );
}

function clusterSamples(counts: readonly ClusterCount[]): readonly Sample[] {
  return counts.map(({ cluster, count }) => [{ cluster }, count]);
}

/** None for a time that is not known: 0 would be 1970. */
function timeSample(seconds: number | undefined): readonly Sample[] {
  return seconds === undefined ? [] : [[{}, seconds]];
}

/** Seconds. Most answers are in memory; those of git, and what waits while a changed tree is read, take long. */
const buckets = [0.005, 0.025, 0.1, 0.5, 2, 10] as const;

/** The label of every request that no route answers: whoever asks must not make up series. */
const noRoute = 'none';

/** Counts what is answered over HTTP, from the start of the process on. */
export class RequestMetrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: 'leasehold_http_requests_total',
    help: 'Requests that were answered, by the path of the route and the status.',
    labelNames: ['route', 'status'],
    registers: [this.#registry],
  });
  readonly #seconds = new Histogram({
    name: 'leasehold_http_request_duration_seconds',
    help: 'How long it took to make the answers of a route.',
    labelNames: ['route'],
    buckets: [...buckets],
    registers: [this.#registry],
  });

  /** An answer: the path of its route, such as `/api/v1/who/{name}`, or undefined where there is none. */
  answered(path: string | undefined, status: number, seconds: number): void {
    const route = path ?? noRoute;
    this.#requests.inc({ route, status });
    this.#seconds.observe({ route }, seconds);
  }

  /** In Prometheus's text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
