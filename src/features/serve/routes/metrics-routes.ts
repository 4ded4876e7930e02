import { oncePer } from '../../../core/model/calls.ts';
import { EnvironmentError } from '../../../core/model/problem.ts';
import { forecastsOf } from '../../../lib/forecast/forecast.ts';
import type { Forecasts } from '../../../lib/forecast/forecast-answer.ts';
import type { Route } from '../../../lib/service/route.ts';
import type { ServedTree } from '../../../lib/service/serve-state.ts';
import { countedState, metricsOf } from '../metrics.ts';
import { metricsText, metricsType, type RequestMetrics } from '../metrics-text.ts';

/** The route `/metrics`. A tree is counted once, and no request waits for git. */
export function metricsRoutes(version: string, requests: RequestMetrics): readonly Route[] {
  const countsOf = oncePer((served: ServedTree) => countedState(served));
  const forecasts = new ForecastCache();
  return [
    {
      of: 'state',
      id: 'getMetrics',
      path: '/metrics',
      summary: 'Metrics of the pools and the service, for Prometheus',
      media: 'text/plain',
      access: 'token',
      async answer(state) {
        const { served } = state;
        const metrics = metricsOf(state, version, {
          state: served && countsOf(served),
          forecasts: served && forecasts.newest(served),
        });
        const body = `${await metricsText(metrics)}${await requests.text()}`;
        return { status: 200, type: metricsType, body };
      },
    },
  ];
}

type ForecastInput = Pick<ServedTree, 'snapshot' | 'day' | 'revision' | 'git'>;

/** Caches the latest forecast, because making one walks the whole history. */
export class ForecastCache {
  #newest: Forecasts | undefined;
  #isRunning = false;
  /** The input of the last forecast that was started. */
  #input: Pick<ForecastInput, 'snapshot' | 'day'> | undefined;

  /**
   * Returns the latest forecast. The first call for a tree starts a new one; until it is done, the
   * result is that of an earlier tree. Undefined before the first forecast, without a commit, and
   * when git failed; then the next call retries.
   */
  newest(input: ForecastInput): Forecasts | undefined {
    const isCurrent = this.#input?.snapshot === input.snapshot && this.#input.day === input.day;
    if (!isCurrent && !this.#isRunning) void this.#run(input);
    return this.#newest;
  }

  async #run({ snapshot, day, revision, git }: ForecastInput): Promise<void> {
    this.#isRunning = true;
    this.#input = { snapshot, day };
    try {
      const { commit } = revision;
      this.#newest = commit && forecastsOf(snapshot, await git.ledger(commit.id), day);
    } catch (error) {
      this.#newest = undefined;
      // A bug would recur, so only an environment error is retried for the same tree.
      if (error instanceof EnvironmentError) this.#input = undefined;
    } finally {
      this.#isRunning = false;
    }
  }
}
