import { oncePer } from '../../../model/once-per.ts';
import { EnvironmentError } from '../../../model/problem.ts';
import { forecastsOf } from '../../ask/capacity/forecast.ts';
import type { Forecasts } from '../../ask/capacity/forecast-answer.ts';
import { countedState, metricsOf } from '../metrics.ts';
import { metricsText, metricsType, type RequestMetrics } from '../metrics-text.ts';
import type { ServedTree, ServeState } from '../serve-state.ts';
import { statusOf } from '../status.ts';
import { jsonAnswer, jsonType, type Route, textAnswer } from './route.ts';

const plainText = 'text/plain; charset=utf-8';

const later = { status: 503, headers: { 'Retry-After': '1' } } as const;

const healthy = textAnswer('', plainText);

const ready = textAnswer('OK\n', plainText);

/** Liveness, readiness and status of the service. */
export function stateRoutes(version: string): readonly Route[] {
  const status = oncePer((state: ServeState) => jsonAnswer(statusOf(state, version)));
  return [
    {
      of: 'state',
      id: 'getHealth',
      path: '/health',
      summary: 'Liveness; 200 even while nothing is served yet',
      media: 'text/plain',
      access: 'open',
      // The Akash client never reads the body; a body would keep one of its few connections busy.
      answer: () => healthy,
    },
    {
      of: 'state',
      id: 'getReady',
      path: '/ready',
      summary: 'Readiness; 503 until there is a tree to serve',
      media: 'text/plain',
      access: 'open',
      answer: (state) =>
        state.served ? ready : { ...later, type: plainText, body: `${loadingText(state)}\n` },
    },
    {
      of: 'state',
      id: 'getStatus',
      path: '/api/v1/status',
      summary: 'The served revision, its age and its problems',
      media: jsonType,
      kind: 'Status',
      access: 'token',
      answer: status,
    },
  ];
}

/** Returns why nothing is served yet. It has no details, because the path needs no token. */
function loadingText({ source, stale }: ServeState): string {
  if (stale === undefined) return `${source} is being read`;
  return `${source} ${stale.reason === undefined ? 'has problems' : 'cannot be read'}`;
}

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
