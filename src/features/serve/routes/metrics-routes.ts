import { EnvironmentError } from '../../../model/problem.ts';
import { forecastsOf } from '../../ask/capacity/forecast.ts';
import type { Forecasts } from '../../ask/capacity/forecast-answer.ts';
import { type CountedState, countedState, metricsOf } from '../metrics.ts';
import { metricsText, metricsType, type RequestMetrics } from '../metrics-text.ts';
import type { ServedTree } from '../serve-state.ts';
import type { Route } from './route.ts';

/** `/metrics`. A state is counted once, and no question waits for git. */
export function metricsRoutes(version: string, requests: RequestMetrics): readonly Route[] {
  const counted = new WeakMap<ServedTree, CountedState>();
  const countsOf = (served: ServedTree): CountedState => {
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

/** What of a state a forecast is made of. */
type Ground = Pick<ServedTree, 'snapshot' | 'day' | 'revision' | 'git'>;

/** The newest forecast, for who asks often and must not wait for git to walk through the whole history. */
export class ForecastLooks {
  #newest: Forecasts | undefined;
  #isLooking = false;
  /** What the last look that began was of. */
  #ground: Pick<Ground, 'snapshot' | 'day'> | undefined;

  /**
   * What is known now: of an earlier state while that of this one is being made, which the first question about a
   * state begins. Undefined before there is one, without a commit, and when git did not answer; then the next question tries again.
   */
  newest(ground: Ground): Forecasts | undefined {
    const isLooked = this.#ground?.snapshot === ground.snapshot && this.#ground.day === ground.day;
    if (!isLooked && !this.#isLooking) void this.#look(ground);
    return this.#newest;
  }

  async #look({ snapshot, day, revision, git }: Ground): Promise<void> {
    this.#isLooking = true;
    this.#ground = { snapshot, day };
    try {
      const { commit } = revision;
      this.#newest = commit && forecastsOf(snapshot, await git.ledger(commit.id), day);
    } catch (error) {
      this.#newest = undefined;
      // A fault of ours would come again each time: it is not looked for again until there is another state.
      if (error instanceof EnvironmentError) this.#ground = undefined;
    } finally {
      this.#isLooking = false;
    }
  }
}
