import http from 'node:http';
import https from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import { EnvironmentError } from '../model/problem.ts';
import { type ApiAnswer, type ApiRequest, connectionFailure } from './api-failure.ts';
import { hasCode, reasonOf } from './system-error.ts';

/** Milliseconds that one request may take. */
const longest = 30_000;

/**
 * The API server of a kubeconfig's current context: one request at a time, as text. Credentials
 * are made up once, which may run a program that the kubeconfig names, and again when they are refused.
 */
export class ApiServer {
  /** Its address. */
  readonly url: string;
  readonly #config: KubeConfig;
  readonly #patience: number;
  #options: https.RequestOptions | undefined;

  constructor(config: KubeConfig, patience: number = longest) {
    this.#config = config;
    this.#patience = patience;
    this.url = config.getCurrentCluster()?.server ?? '';
  }

  /** Sends a request; whatever status it is answered with is an answer. */
  async ask(request: ApiRequest): Promise<ApiAnswer> {
    const isFirst = this.#options === undefined;
    const answer = await this.#send(request);
    if (answer.status !== 401 || isFirst) return answer;
    this.#options = undefined;
    return this.#send(request);
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
      throw connectionFailure(this.url, error);
    }
  }

  async #credentials(): Promise<https.RequestOptions> {
    const options: https.RequestOptions = {};
    try {
      await this.#config.applyToHTTPSOptions(options);
    } catch (error) {
      throw credentialsFailure(this.#config, error);
    }
    return options;
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
        done({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') });
      });
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

/** A certificate that is gone, a program that is missing or fails, plain HTTP. */
function credentialsFailure(config: KubeConfig, error: unknown): EnvironmentError {
  const program = config.getCurrentUser()?.exec?.command;
  if (typeof program === 'string') {
    const reason = hasCode(error, 'ENOENT')
      ? 'it is not installed'
      : (reasonOf(error).trim().split('\n', 1)[0] ?? '');
    return new EnvironmentError(
      `the program ${program}, which the kubeconfig takes credentials from, gives none: ${reason}`,
    );
  }
  if (reasonOf(error).startsWith('HTTP protocol is not allowed')) {
    return new EnvironmentError(
      'the cluster is asked over plain http, which the kubeconfig must allow with insecure-skip-tls-verify: true',
    );
  }
  return new EnvironmentError(
    `the credentials of the kubeconfig cannot be used: ${reasonOf(error).split('\n', 1)[0]}`,
  );
}
