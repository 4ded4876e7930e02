import { DeniedError, EnvironmentError } from '../model/problem.ts';
import { reasonOf } from './system-error.ts';

/** One request to an API server. */
export interface ApiRequest {
  /** The RBAC verb: `list`, `get` or `create`. */
  readonly verb: string;
  /** What it is about, for people: `services`, `ipaddresspools.metallb.io`. */
  readonly resource: string;
  /** With its query. */
  readonly path: string;
  /** JSON to send. */
  readonly body?: string;
}

/** What an API server answered. */
export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
  /** Milliseconds after which the server wants to be asked again, if it says so. */
  readonly retryAfter?: number;
}

/** Why a server was not reached, or hung up, as a sentence that names it and the proxy before it. */
export function connectionFailure(
  server: string,
  proxy: string | undefined,
  error: unknown,
): EnvironmentError {
  const code = codeOf(error);
  const reason = reasons[code] ?? (tlsCodes.test(code) ? tlsReason(error) : reasonOf(error));
  const way = proxy === undefined ? '' : ` through the proxy ${proxy}`;
  return new EnvironmentError(
    `the cluster at ${server} is not reached${way}: ${firstLine(reason)}`,
  );
}

const reasons: Readonly<Record<string, string | undefined>> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ECONNRESET: 'it closed the connection (ECONNRESET)',
  ENOTFOUND: 'there is no such host name (ENOTFOUND)',
  EAI_AGAIN: 'its host name cannot be looked up now (EAI_AGAIN)',
  EHOSTUNREACH: 'there is no way to the host (EHOSTUNREACH)',
  ENETUNREACH: 'there is no way to the network (ENETUNREACH)',
  ETIMEDOUT: 'it does not answer (ETIMEDOUT)',
  EPROTO: 'it does not speak TLS (EPROTO); is it https?',
  ABORT_ERR: 'it did not answer in time',
};

const tlsCodes = /CERT|SIGNATURE|ISSUER|^ERR_TLS|^ERR_SSL|^ERR_OSSL/;

function tlsReason(error: unknown): string {
  return `its certificate is not accepted: ${firstLine(reasonOf(error))}`;
}

function codeOf(error: unknown): string {
  const { code, name } = Object(error) as { readonly code?: unknown; readonly name?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError') return 'ABORT_ERR';
  return typeof code === 'string' ? code : '';
}

/** What an answer that is no success means, as a sentence that says what to do. */
export function refusal(
  server: string,
  { verb, resource }: ApiRequest,
  { status, text }: ApiAnswer,
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
      `the cluster at ${server} does not let ${user} ${request}; docs/rbac/ has a role that does, and docs/verify.md says how to use it`,
      request,
      user,
    );
  }
  return new EnvironmentError(
    `the cluster at ${server} answers ${status} when asked to ${verb} ${resource}: ${messageIn(text)}`,
  );
}

/** The message of a Status, or the start of whatever else was answered. */
export function messageIn(text: string): string {
  try {
    const { message } = Object(JSON.parse(text)) as { readonly message?: unknown };
    if (typeof message === 'string' && message !== '') return message;
  } catch {
    // A proxy, or something else that is no API server, says what it likes.
  }
  const start = firstLine(text.trim()).slice(0, longestText);
  return start === '' ? 'it says nothing more' : start;
}

const longestText = 200;

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
