import { Counter, Histogram, Registry } from 'prom-client';

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
