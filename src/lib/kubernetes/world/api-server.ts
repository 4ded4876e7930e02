import type { OutgoingHttpHeaders } from 'node:http';
import type https from 'node:https';
import type { KubeConfig, User } from '@kubernetes/client-node';
import { textAt } from '../../../core/model/live.ts';
import { DeniedError, EnvironmentError } from '../../../core/model/problem.ts';
import { clock } from '../../../core/world/machine.ts';
import { firstLine, jsonIn, reasonOf } from '../../../core/world/system-error.ts';
import { connectionReason, exchange, type HttpAnswer } from '../../http/world/exchange.ts';
import {
  type Again,
  Retries,
  type RetryLimits,
  retryAfterSeconds,
} from '../../http/world/retry.ts';
import { withCredentials } from './kubeconfig.ts';

const requestTimeout = 30_000;

/** Retries of requests that the API server postpones with `Retry-After`, as client-go does. */
const retryLimits: RetryLimits = {
  attempts: 5,
  longestPause: 10_000,
  allPauses: Number.POSITIVE_INFINITY,
};

/**
 * The API server of a kubeconfig's current context. Credentials are made once, which may run a
 * program that the kubeconfig names, and again when the API server refuses them.
 */
export class ApiServer {
  readonly url: string;
  readonly #config: KubeConfig;
  readonly #user: User | null;
  readonly #proxy: string | undefined;
  readonly #timeouts: { readonly whole: number };
  readonly #retries: Retries;
  readonly #signal: AbortSignal | undefined;
  #options: https.RequestOptions | undefined;

  /** `timeout` is in milliseconds, for one request. Once the signal aborts, every request fails. */
  constructor(config: KubeConfig, timeout: number = requestTimeout, signal?: AbortSignal) {
    const pause = (milliseconds: number) => clock.pause(milliseconds, signal);
    this.#retries = new Retries({ pause }, retryLimits);
    this.#signal = signal;
    this.#config = config;
    this.#user = config.getCurrentUser();
    this.#timeouts = { whole: timeout };
    const cluster = config.getCurrentCluster();
    this.url = cluster?.server ?? '';
    this.#proxy = cluster?.proxyUrl === undefined ? undefined : hostOf(cluster.proxyUrl);
  }

  /** The answer to a request, with any status. */
  async ask(request: ApiRequest): Promise<HttpAnswer> {
    const isFirst = this.#options === undefined;
    const answer = await this.#sendRepeatedly(request);
    if (answer.status !== 401) return answer;
    if (this.#user && !hasCredentials(this.#user)) throw noCredentials(this.url);
    if (isFirst) return answer;
    this.#options = undefined;
    return this.#sendRepeatedly(request);
  }

  async #sendRepeatedly(request: ApiRequest): Promise<HttpAnswer> {
    const { result } = await this.#retries.run(async () => {
      const answer = await this.#send(request);
      return { result: answer, again: postponed(answer) };
    });
    return result;
  }

  async #send({ path, body }: ApiRequest): Promise<HttpAnswer> {
    this.#options ??= await this.#credentials();
    const { headers, ...tls } = this.#options;
    try {
      return await exchange(new URL(`${this.url}${path}`), {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          ...(headers as OutgoingHttpHeaders | undefined),
          Accept: 'application/json',
          'User-Agent': 'leasehold',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        body,
        timeouts: this.#timeouts,
        signal: this.#signal,
        tls,
      });
    } catch (error) {
      throw connectionFailure(this.url, this.#proxy, error);
    }
  }

  async #credentials(): Promise<https.RequestOptions> {
    const options: https.RequestOptions = {};
    try {
      if (this.#user) await this.#runCredentialProgram(this.#user);
      await this.#config.applyToHTTPSOptions(options);
    } catch (error) {
      throw error instanceof EnvironmentError ? error : credentialsFailure(error);
    }
    return options;
  }

  /**
   * client-node would run the program itself, but without its standard error and without a time
   * limit.
   */
  async #runCredentialProgram(user: User): Promise<void> {
    const complete = await withCredentials(user);
    this.#config.users = this.#config.users.map((one) => (one.name === user.name ? complete : one));
  }
}

/** False for a user with nothing to send. */
function hasCredentials(user: User): boolean {
  const { token, certData, certFile, username, exec, authProvider } = user;
  return [token, certData, certFile, username, exec, authProvider].some((one) => one);
}

function noCredentials(server: string): EnvironmentError {
  return new EnvironmentError(
    `the cluster at ${server} wants credentials, and leasehold finds none in the kubeconfig: a token, a certificate, a program, or a user name with a password`,
  );
}

/** The host of a proxy, without the password that its address may have. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'of the kubeconfig';
}

/** The API server gives seconds; an answer with another value, or none, is final. */
function postponed({ status, headers }: HttpAnswer): Again | undefined {
  const pause = retryAfterSeconds(headers['retry-after']);
  const isPostponed = (status === 429 || status >= 500) && pause !== undefined;
  return isPostponed ? { pause, firstPause: pause } : undefined;
}

/** Why client-node cannot make request options: a missing certificate file, plain HTTP. */
function credentialsFailure(error: unknown): EnvironmentError {
  if (reasonOf(error).startsWith('HTTP protocol is not allowed')) {
    return new EnvironmentError(
      'the cluster has a plain http address, which the kubeconfig must allow with insecure-skip-tls-verify: true',
    );
  }
  return new EnvironmentError(
    `the credentials of the kubeconfig cannot be used: ${firstLine(reasonOf(error))}`,
  );
}

/** One request to an API server. */
export interface ApiRequest {
  /** The RBAC verb: `list`, `get` or `create`. */
  readonly verb: string;
  /** For people: `services`, `ipaddresspools.metallb.io`. */
  readonly resource: string;
  /** With its query. */
  readonly path: string;
  /** JSON to send. */
  readonly body?: string;
}

/** The error of a failed connection. It names the server, and the proxy in front of it. */
export function connectionFailure(
  server: string,
  proxy: string | undefined,
  error: unknown,
): EnvironmentError {
  const way = proxy === undefined ? '' : ` through the proxy ${proxy}`;
  return new EnvironmentError(
    `the cluster at ${server} cannot be reached${way}: ${connectionReason(error)}`,
  );
}

/** The error for an answer that is not a success. */
export function refusal(
  server: string,
  { verb, resource }: ApiRequest,
  { status, text }: HttpAnswer,
): EnvironmentError {
  if (status === 401) {
    return new EnvironmentError(
      `the cluster at ${server} refuses the credentials of the kubeconfig (expired or wrong token)`,
    );
  }
  if (status === 403) {
    const request = `${verb} ${resource}`;
    const user = /\bUser "([^"]+)"/.exec(messageIn(text))?.[1] ?? 'this user';
    return new DeniedError(
      `the cluster at ${server} does not let ${user} ${request}; \`leasehold bootstrap rbac --doctor\` prints a role that does`,
      request,
      user,
    );
  }
  return new EnvironmentError(
    `the cluster at ${server} answers ${status} when asked to ${verb} ${resource}: ${messageIn(text)}`,
  );
}

/** The message of a Status, or the start of another answer, such as that of a proxy. */
export function messageIn(text: string): string {
  const message = textAt(jsonIn(text), 'message');
  if (message) return message;
  const start = firstLine(text.trim()).slice(0, longestText);
  return start === '' ? 'no further details' : start;
}

const longestText = 200;
