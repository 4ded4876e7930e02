import { DeniedError, EnvironmentError } from '../../model/problem.ts';
import { connectionReason, firstLine } from '../connection-reason.ts';

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
  const way = proxy === undefined ? '' : ` through the proxy ${proxy}`;
  return new EnvironmentError(
    `the cluster at ${server} is not reached${way}: ${connectionReason(error)}`,
  );
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
      `the cluster at ${server} does not let ${user} ${request}; leasehold bootstrap rbac --doctor prints a role that does`,
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
