import http, { type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import { firstLine, reasonOf } from '../../../core/world/system-error.ts';

/** One HTTP request of a client. */
export interface HttpRequest {
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | undefined;
  readonly timeouts: HttpTimeouts;
  /** Ends the exchange when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Certificates, an authority and an agent; the authorities of Node by default. */
  readonly tls?: https.RequestOptions;
  /** The URL to follow a redirect to, or an error; without it, a redirect is an answer. */
  readonly follow?: (location: string, from: URL) => URL;
}

/** Time limits of one exchange, in milliseconds. */
interface HttpTimeouts {
  /** Until the whole answer has arrived. */
  readonly whole: number;
  /** Until there is a connection, with TLS; by default as long as the whole. */
  readonly connect?: number;
}

/** The answer to one HTTP request, with any status. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The answer or the redirects exceed a limit. The message is half a sentence. */
export class ExchangeLimitError extends Error {
  override readonly name = 'ExchangeLimitError';
}

const mostRedirects = 3;
const mostBytes = 128 * 1024 * 1024;

/**
 * Sends a request once and follows redirects with the same method and body. Rejects with an
 * ExchangeLimitError, with what `follow` throws, or with the error of the connection, for which
 * {@link connectionReason} has words.
 */
export async function exchange(first: URL, request: HttpRequest): Promise<HttpAnswer> {
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await sendOnce(url, request);
    const { location } = answer.headers;
    const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined;
    if (!isRedirect || request.follow === undefined) return answer;
    if (redirects === mostRedirects) {
      throw new ExchangeLimitError(`redirects more than ${mostRedirects} times`);
    }
    url = request.follow(location, url);
  }
}

function sendOnce(
  url: URL,
  { timeouts, signal: ending, ...request }: HttpRequest,
): Promise<HttpAnswer> {
  const { method, headers, body, tls } = request;
  const { request: send } = url.protocol === 'http:' ? http : https;
  const signal = AbortSignal.timeout(timeouts.whole);
  return new Promise((resolve, reject) => {
    // After the timeout, the error of a half-read answer is only "aborted".
    const fail = (error: Error): void => reject(signal.aborted ? signal.reason : error);
    const sent = send(url, { ...tls, method, headers, signal }, (response) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on('data', (part: Buffer) => {
        parts.push(part);
        bytes += part.length;
        if (bytes <= mostBytes) return;
        reject(new ExchangeLimitError(`answers more than ${mostBytes} bytes`));
        sent.destroy();
      });
      response.on('error', fail);
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, text: Buffer.concat(parts).toString('utf8') });
      });
    });
    sent.on('error', fail);
    if (ending) endWith(sent, ending);
    if (timeouts.connect !== undefined) limitConnecting(sent, url, timeouts.connect);
    sent.end(body);
  });
}

/** AbortSignal.any would keep every request in memory as long as a signal that never aborts. */
function endWith(sent: http.ClientRequest, signal: AbortSignal): void {
  const end = (): void => {
    sent.destroy(signal.reason);
  };
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  sent.once('close', () => signal.removeEventListener('abort', end));
}

function limitConnecting(sent: http.ClientRequest, { protocol }: URL, milliseconds: number): void {
  sent.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => sent.destroy(new ConnectTimeoutError()), milliseconds);
    const stop = (): void => clearTimeout(timer);
    socket.once(protocol === 'http:' ? 'connect' : 'secureConnect', stop);
    sent.once('close', stop);
  });
}

class ConnectTimeoutError extends Error {
  readonly code = 'CONNECT_TIMEOUT';
}

/** Why a connection failed: half a sentence whose subject is the server. */
export function connectionReason(error: unknown): string {
  const code = codeOf(error);
  const reason = reasons[code] ?? (tlsCodes.test(code) ? tlsReason(error) : reasonOf(error));
  return firstLine(reason);
}

const reasons: Readonly<Record<string, string | undefined>> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ECONNRESET: 'it closed the connection (ECONNRESET)',
  ENOTFOUND: 'there is no such host name (ENOTFOUND)',
  EAI_AGAIN: 'its host name cannot be looked up now (EAI_AGAIN)',
  EHOSTUNREACH: 'there is no route to the host (EHOSTUNREACH)',
  ENETUNREACH: 'there is no route to the network (ENETUNREACH)',
  ETIMEDOUT: 'it does not answer (ETIMEDOUT)',
  EPROTO: 'it does not speak TLS (EPROTO); is it https?',
  ABORT_ERR: 'it did not answer in time',
  CONNECT_TIMEOUT: 'it did not accept the connection in time',
};

const tlsCodes = /CERT|SIGNATURE|ISSUER|^ERR_TLS|^ERR_SSL|^ERR_OSSL/;

/** True when no request can have arrived because there was no connection. */
export function isUnreached(error: unknown): boolean {
  return unreached.has(codeOf(error));
}

/** True when the server's certificate is not trusted, so that a retry is of no use. */
export function isUntrusted(error: unknown): boolean {
  return tlsCodes.test(codeOf(error));
}

const unreached: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CONNECT_TIMEOUT',
]);

function tlsReason(error: unknown): string {
  const code = codeOf(error);
  const reason = unknownIssuers.has(code)
    ? `no authority that is trusted here has signed it (${code})`
    : firstLine(reasonOf(error));
  return `its certificate is not accepted: ${reason}`;
}

/**
 * Codes for which Node's message calls a certificate self-signed, which every authority's own is.
 */
const unknownIssuers: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

function codeOf(error: unknown): string {
  const { code, name } = Object(error) as { readonly code?: unknown; readonly name?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError') return 'ABORT_ERR';
  return typeof code === 'string' ? code : '';
}
