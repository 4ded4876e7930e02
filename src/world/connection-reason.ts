import { reasonOf } from './system-error.ts';

/** Why a server was not reached, or hung up: half a sentence. */
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
  EHOSTUNREACH: 'there is no way to the host (EHOSTUNREACH)',
  ENETUNREACH: 'there is no way to the network (ENETUNREACH)',
  ETIMEDOUT: 'it does not answer (ETIMEDOUT)',
  EPROTO: 'it does not speak TLS (EPROTO); is it https?',
  ABORT_ERR: 'it did not answer in time',
  // As fetch calls them.
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer (UND_ERR_CONNECT_TIMEOUT)',
  UND_ERR_SOCKET: 'it closed the connection (UND_ERR_SOCKET)',
};

const tlsCodes = /CERT|SIGNATURE|ISSUER|^ERR_TLS|^ERR_SSL|^ERR_OSSL/;

/** True when no request can have arrived: there was no connection to send it on. */
export function isUnreached(error: unknown): boolean {
  return unreached.has(codeOf(error));
}

/** True when the server's certificate is not accepted, which no second try changes. */
export function isUntrusted(error: unknown): boolean {
  return tlsCodes.test(codeOf(error));
}

const unreached: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The first line of a text that somebody else wrote. */
export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function tlsReason(error: unknown): string {
  const code = codeOf(error);
  const reason = unknownIssuers.has(code)
    ? `no authority that is trusted here has signed it (${code})`
    : firstLine(reasonOf(error));
  return `its certificate is not accepted: ${reason}`;
}

/** Node says of these that a certificate is self-signed, as that of every authority is. */
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
