import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { FamilyUsage } from '../../lib/list/pool-usage-answer.ts';
import type { ClusterCount, CountedBranches, CountedState, Metrics } from './metrics.ts';

/** The media type of {@link metricsText}: the Prometheus text format. */
export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE;

/**
 * Returns the metrics in the Prometheus text format. Counts of addresses are floating point there:
 * from 2^53 on, which only IPv6 pools reach, they are rounded to the nearest double.
 */
export function metricsText(metrics: Metrics): Promise<string> {
  const registry = new Registry();
  const add = (name: string, help: string, samples: readonly Sample[]) =>
    addGauge(registry, { name: `leasehold_${name}`, help, samples });
  const { version, source, state, polls } = metrics;
  add('build_info', 'Always 1; the version of leasehold.', [[{ version }, 1]]);
  add('stale', '1 while the served state is older than the repository, or there is none.', [
    [{}, metrics.isStale ? 1 : 0],
  ]);
  add('problems', 'Problems that the last poll found.', [[{}, metrics.problems]]);
  addCounter(registry, 'leasehold_polls_total', 'Polls of the repository.', polls.all);
  addCounter(
    registry,
    'leasehold_failed_polls_total',
    'Failed polls of the repository.',
    polls.failed,
  );
  add(
    'last_poll_timestamp_seconds',
    'Time of the last poll, also of a failed one.',
    timeSample(metrics.polledAt),
  );
  add(
    'fresh_timestamp_seconds',
    'Time at which the served state was last that of the repository.',
    timeSample(metrics.freshAt),
  );
  addBranches(add, metrics.branches);
  if (state) addState(add, state, source);
  add(
    'pool_exhaustion_timestamp_seconds',
    'Time at which no address of the pool is free, by the forecast; absent without one.',
    metrics.exhaustions.map(({ pool, zone, family, at }) => [{ pool, zone, family }, at]),
  );
  return registry.metrics();
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];
type Add = (name: string, help: string, samples: readonly Sample[]) => void;

interface GaugeText {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** A gauge without samples is omitted, because it would look like 0. */
function addGauge(registry: Registry, { name, help, samples }: GaugeText): void {
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
  add('skipped_branches', 'Open branches that could not be read.', [[{}, branches.skipped]]);
  add('branches_incomplete', '1 while a recent open branch may take more than is counted.', [
    [{}, branches.isIncomplete ? 1 : 0],
  ]);
  add('branches_stale', '1 while open branches cannot be read.', [[{}, branches.isStale ? 1 : 0]]);
}

function addState(add: Add, state: CountedState, source: string): void {
  addPools(add, state);
  addCapacity(add, state);
  add('leases', 'Declared Akash leases.', clusterSamples(state.leases));
  add('services', 'Declared Services and Reservations.', clusterSamples(state.services));
  add('holders', 'Declared holders.', clusterSamples(state.holders));
  add('waiting_holders', 'Declared holders without an address.', clusterSamples(state.waiting));
  add('promises', 'Declared promises.', clusterSamples(state.promises));
  add('promises_over', 'Promises whose last day is over.', clusterSamples(state.promisesOver));
  add('revision_info', 'Always 1; the served commit, and the followed source.', [
    [{ commit: state.commit ?? '', source }, 1],
  ]);
  add('revision_timestamp_seconds', 'Time of the served commit.', timeSample(state.committedAt));
}

/** The addresses of a pool, of one family: the name, the help and the value of each metric. */
const poolMetrics: readonly (readonly [string, string, (usage: FamilyUsage) => number])[] = [
  ['pool_addresses', 'Declared addresses of the pool.', ({ total }) => Number(total)],
  [
    'pool_usable_addresses',
    'Addresses of the pool that are not reserved.',
    ({ total, reserved }) => Number(BigInt(total) - BigInt(reserved)),
  ],
  [
    'pool_reserved_addresses',
    'Addresses of the pool that are never given out.',
    ({ reserved }) => Number(reserved),
  ],
  ['pool_held_addresses', 'Addresses of the pool with a holder.', ({ held }) => Number(held)],
  [
    'pool_retained_addresses',
    'Released addresses of the pool, kept for their last holders.',
    ({ retained }) => Number(retained),
  ],
  [
    'pool_free_addresses',
    'Addresses of the pool that a new holder can get.',
    ({ free }) => Number(free),
  ],
  [
    'pool_draining_addresses',
    'Unused addresses of a draining pool, which gives none to a new holder.',
    ({ draining = '0' }) => Number(draining),
  ],
  [
    'pool_exhausted',
    '1 when no address of the pool is free, and it is not draining.',
    ({ free, draining }) => (free === '0' && draining === undefined ? 1 : 0),
  ],
];

function addPools(add: Add, { usages: { items } }: CountedState): void {
  for (const [name, help, value] of poolMetrics) {
    const samples = items.flatMap(({ pool, zone, families }) =>
      families.map((usage): Sample => [{ pool, zone, family: usage.family }, value(usage)]),
    );
    add(name, help, samples);
  }
  add(
    'pool_draining',
    '1 for a pool that is draining.',
    items.map(({ pool, zone, state }) => [{ pool, zone }, state === 'draining' ? 1 : 0]),
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
    'Addresses that may still be promised; pairs for the family dual.',
    perZone('promisable'),
  );
  add(
    'pending_addresses',
    'Free addresses that open branches and waiting holders will take; pairs for the family dual.',
    perZone('pending'),
  );
}

function clusterSamples(counts: readonly ClusterCount[]): readonly Sample[] {
  return counts.map(({ cluster, count }) => [{ cluster }, count]);
}

/** An undefined time has no sample: 0 would mean 1970. */
function timeSample(seconds: number | undefined): readonly Sample[] {
  return seconds === undefined ? [] : [[{}, seconds]];
}

/**
 * Seconds. Most answers are in memory; git queries, and requests during a read of the tree, are
 * slow.
 */
const buckets = [0.005, 0.025, 0.1, 0.5, 2, 10] as const;

/** The label of requests without a route, so that clients cannot create series. */
const noRoute = 'none';

/** Counts HTTP answers since the start of the process. */
export class RequestMetrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: 'leasehold_http_requests_total',
    help: 'Answered requests by route and status.',
    labelNames: ['route', 'status'],
    registers: [this.#registry],
  });
  readonly #seconds = new Histogram({
    name: 'leasehold_http_request_duration_seconds',
    help: 'Time to make the answers of a route.',
    labelNames: ['route'],
    buckets: [...buckets],
    registers: [this.#registry],
  });

  /**
   * Counts an answer. The path is that of the route, such as `/api/v1/who/{name}`, or undefined.
   */
  answered(path: string | undefined, status: number, seconds: number): void {
    const route = path ?? noRoute;
    this.#requests.inc({ route, status });
    this.#seconds.observe({ route }, seconds);
  }

  /** Returns the Prometheus text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
