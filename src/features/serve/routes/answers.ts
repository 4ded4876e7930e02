import { sha256Hex } from '../../../model/digest.ts';
import type { WebAnswer } from '../../../ports/web.ts';
import { plainJson } from '../../../text/print/plain.ts';

/** The media type of JSON. */
export const jsonType = 'application/json';

/** A good answer in JSON. */
export function jsonAnswer(value: object): WebAnswer {
  return textAnswer(plainJson(value), jsonType);
}

/** A good answer, with an ETag of its bytes. */
export function textAnswer(body: string, type: string): WebAnswer {
  return { status: 200, type, body, etag: `"${sha256Hex(body).slice(0, 32)}"` };
}

/** An answer of kind Failure: a status from 400 on and a sentence without trailing period. */
export function failureAnswer(status: number, reason: string): WebAnswer {
  const failure = { apiVersion: 'leasehold.dev/v1', kind: 'Failure', status, reason };
  return { status, type: jsonType, body: plainJson(failure) };
}
