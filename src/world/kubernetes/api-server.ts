import http from 'node:http';
import https from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type { KubeConfig, User } from '@kubernetes/client-node';
import { EnvironmentError } from '../../model/problem.ts';
import { reasonOf } from '../system-error.ts';
import { type ApiAnswer, type ApiRequest, connectionFailure } from './api-failure.ts';
import { withCredentials } from './credential-program.ts';

/** Milliseconds that one request may take. */
const longest = 30_000;

/** How often a request is sent to a server that puts it off, and the longest it may put it off. */
const mostSends = 5;
const longestPause = 10_000;

/**
 * The API server of a kubeconfig's current context: one request at a time, as text. Credentials
 * are made up once, which may run a program that the kubeconfig names, and again when they are refused.
 */
export class ApiServer {
  /** Its address. */
  readonly url: string;
  readonly #config: KubeConfig;
  readonly #user: User | null;
  readonly #proxy: string | undefined;
  readonly #patience: number;
  #options: https.RequestOptions | undefined;

  constructor(config: KubeConfig, patience: number = longest) {
    this.#config = config;
    this.#user = config.getCurrentUser();
    this.#patience = patience;
    const cluster = config.getCurrentCluster();
    this.url = cluster?.server ?? '';
    this.#proxy = cluster?.proxyUrl === undefined ? undefined : hostOf(cluster.proxyUrl);
  }

  /** Sends a request; whatever status it is answered with is an answer. */
  async ask(request: ApiRequest): Promise<ApiAnswer> {
    const isFirst = this.#options === undefined;
    const answer = await this.#sendInTurn(request);
    if (answer.status !== 401 || isFirst) return answer;
    this.#options = undefined;
    return this.#sendInTurn(request);
  }

  /** An API server that has too much to do says when to ask again (Kubernetes: client-go does, too). */
  async #sendInTurn(request: ApiRequest): Promise<ApiAnswer> {
    for (let sends = 1; ; sends += 1) {
      const answer = await this.#send(request);
      const { retryAfter } = answer;
      if (retryAfter === undefined || sends === mostSends) return answer;
      await pause(retryAfter);
    }
  }

  async #send(request: ApiRequest): Promise<ApiAnswer> {
    this.#options ??= await this.#credentials();
    const options = {
      ...this.#options,
      method: request.body === undefined ? 'GET' : 'POST',
      headers: {
        ...this.#options.headers,
        Accept: 'application/json',
        'User-Agent': 'leasehold',
        ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      signal: AbortSignal.timeout(this.#patience),
    };
    try {
      return await exchange(new URL(`${this.url}${request.path}`), options, request.body);
    } catch (error) {
      throw connectionFailure(this.url, this.#proxy, error);
    }
  }

  async #credentials(): Promise<https.RequestOptions> {
    const options: https.RequestOptions = {};
    try {
      if (this.#user) await this.#take(this.#user);
      await this.#config.applyToHTTPSOptions(options);
    } catch (error) {
      throw error instanceof EnvironmentError ? error : credentialsFailure(error);
    }
    return options;
  }

  /** client-node would run a program itself, but shows nothing of what it says, and waits for it forever. */
  async #take(user: User): Promise<void> {
    const known = await withCredentials(user);
    this.#config.users = this.#config.users.map((one) => (one.name === user.name ? known : one));
  }
}

function exchange(
  url: URL,
  options: https.RequestOptions,
  body: string | undefined,
): Promise<ApiAnswer> {
  const { request } = url.protocol === 'http:' ? http : https;
  return new Promise((done, fail) => {
    const sent = request(url, options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', fail);
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        const retryAfter = pauseOf(status, headers['retry-after']);
        const text = Buffer.concat(parts).toString('utf8');
        done({ status, text, ...(retryAfter === undefined ? {} : { retryAfter }) });
      });
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

/** Without the password that may stand in the address of a proxy. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'of the kubeconfig';
}

function pauseOf(status: number, header: string | undefined): number | undefined {
  const isPutOff = status === 429 || status >= 500;
  if (!isPutOff || header === undefined || !/^\d{1,4}$/.test(header)) return undefined;
  const milliseconds = Number(header) * 1000;
  return milliseconds > longestPause ? undefined : milliseconds;
}

/** A certificate that is gone, plain HTTP. */
function credentialsFailure(error: unknown): EnvironmentError {
  if (reasonOf(error).startsWith('HTTP protocol is not allowed')) {
    return new EnvironmentError(
      'the cluster is asked over plain http, which the kubeconfig must allow with insecure-skip-tls-verify: true',
    );
  }
  return new EnvironmentError(
    `the credentials of the kubeconfig cannot be used: ${reasonOf(error).split('\n', 1)[0]}`,
  );
}
