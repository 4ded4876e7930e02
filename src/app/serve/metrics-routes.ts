import type { CountedState, Metrics } from '../../model/metrics.ts';
import { metricsText, metricsType } from '../../report/metrics-text.ts';
import type { RequestMetrics } from '../../report/request-metrics.ts';
import { countedState } from './counted-state.ts';
import type { Route } from './route.ts';
import type { Served, Standing } from './served.ts';
import { unixSeconds } from './unix-seconds.ts';

/** `/metrics`. A state is counted once. */
export function metricsRoutes(version: string, requests: RequestMetrics): readonly Route[] {
  const counted = new WeakMap<Served, CountedState>();
  const countsOf = (served: Served): CountedState => {
    const state = counted.get(served) ?? countedState(served);
    counted.set(served, state);
    return state;
  };
  return [
    {
      of: 'standing',
      path: '/metrics',
      summary: 'How full the pools are and how fresh that is, for Prometheus',
      media: 'text/plain',
      access: 'token',
      async answer(standing) {
        const { served } = standing;
        const metrics = metricsOf(standing, version, served && countsOf(served));
        const body = `${await metricsText(metrics)}${await requests.text()}`;
        return { status: 200, type: metricsType, body };
      },
    },
  ];
}

/** What is measured at one moment. */
export function metricsOf(
  { source, served, stale, looks, lookedAt }: Standing,
  version: string,
  state: CountedState | undefined,
): Metrics {
  const newest = stale?.problems ?? [];
  const freshAt = served && (stale?.since ?? lookedAt);
  return {
    version,
    source,
    state,
    problems: newest.length > 0 ? newest.length : (served?.known.problems.length ?? 0),
    isStale: stale !== undefined || served === undefined,
    looks,
    lookedAt: lookedAt === undefined ? undefined : unixSeconds(lookedAt),
    freshAt: freshAt === undefined ? undefined : unixSeconds(freshAt),
  };
}
