import type { Forecasts } from '../../ask/capacity/forecast-answer.ts';
import { countedState } from '../counted-state.ts';
import type { CountedBranches, CountedState, Exhaustion, Metrics } from '../metrics.ts';
import { metricsText, metricsType } from '../metrics-text.ts';
import type { SeenPending } from '../pending-looks.ts';
import type { RequestMetrics } from '../request-metrics.ts';
import type { Served, Standing } from '../served.ts';
import { unixSeconds } from '../unix-seconds.ts';
import { ForecastLooks } from './forecast-looks.ts';
import type { Route } from './route.ts';

/** `/metrics`. A state is counted once, and no question waits for git. */
export function metricsRoutes(version: string, requests: RequestMetrics): readonly Route[] {
  const counted = new WeakMap<Served, CountedState>();
  const countsOf = (served: Served): CountedState => {
    const state = counted.get(served) ?? countedState(served);
    counted.set(served, state);
    return state;
  };
  const forecasts = new ForecastLooks();
  return [
    {
      of: 'standing',
      path: '/metrics',
      summary: 'How full the pools are and how fresh that is, for Prometheus',
      media: 'text/plain',
      access: 'token',
      async answer(standing) {
        const { served } = standing;
        const metrics = metricsOf(standing, version, {
          state: served && countsOf(served),
          forecasts: served && forecasts.newest(served),
        });
        const body = `${await metricsText(metrics)}${await requests.text()}`;
        return { status: 200, type: metricsType, body };
      },
    },
  ];
}

/** What is made of a served state, and not anew for each question. */
interface Counted {
  readonly state: CountedState | undefined;
  readonly forecasts: Forecasts | undefined;
}

/** What is measured at one moment. */
export function metricsOf(
  { source, served, stale, looks, lookedAt, branches }: Standing,
  version: string,
  { state, forecasts }: Counted,
): Metrics {
  const newest = stale?.problems ?? [];
  const freshAt = served && (stale?.since ?? lookedAt);
  return {
    version,
    source,
    state,
    exhaustions: state && forecasts ? exhaustionsIn(state, forecasts) : [],
    branches: branches && countedBranches(branches),
    problems: newest.length > 0 ? newest.length : (served?.known.problems.length ?? 0),
    isStale: stale !== undefined || served === undefined,
    looks,
    lookedAt: lookedAt === undefined ? undefined : unixSeconds(lookedAt),
    freshAt: freshAt === undefined ? undefined : unixSeconds(freshAt),
  };
}

/** A forecast may be of an earlier state: what is no longer declared has none. */
function exhaustionsIn({ usages }: CountedState, { items }: Forecasts): readonly Exhaustion[] {
  const declared = new Set(usages.items.map(({ pool, zone }) => `${pool} ${zone}`));
  return items.flatMap(({ pool, zone, family, exhausted }) => {
    const at = exhausted === undefined ? undefined : unixSeconds(`${exhausted}T00:00:00Z`);
    return at === undefined || !declared.has(`${pool} ${zone}`) ? [] : [{ pool, zone, family, at }];
  });
}

function countedBranches({ pending, reason }: SeenPending): CountedBranches {
  const { refs, skipped, isComplete } = pending;
  return {
    pending: refs.length,
    skipped: skipped.length,
    isIncomplete: !isComplete,
    isStale: reason !== undefined,
  };
}
