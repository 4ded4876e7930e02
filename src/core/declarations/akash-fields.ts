import { bech32 } from '@scure/base';
import * as z from 'zod';
import { type Refusal, refusing } from '../text/shape.ts';

const maxUint32 = 0xffff_ffff;
const maxUint64 = 0xffff_ffff_ffff_ffffn;

/**
 * The name of an IP endpoint: a letter, then at least one letter, digit, `-` or `_`. Akash:
 * go/sdl/v2.go endpointNameValidationRegex, `^[[:lower:]]+[[:lower:]-_\d]+$`, rewritten to run in
 * linear time.
 */
export const endpointNamePattern = /^[a-z][a-z0-9_-]+$/;

/** The name of a service in an Akash manifest: an RFC 1035 label of any length. */
export const serviceNamePattern = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;

/**
 * An account of the Akash network: bech32 with the prefix `akash`, 20 or 32 bytes (cosmos-sdk
 * AccAddress), in lower case as the chain writes it. Problems: OWNER_INVALID, and NAME_TOO_LONG for
 * a valid one of more than 63 characters, which does not fit a label value.
 */
export const akashAddress = z
  .string()
  .superRefine(refusing(checkAkashAddress))
  .meta({ pattern: '^akash1[02-9ac-hj-np-z]+$', maxLength: 63 });

/** True when {@link akashAddress} accepts the text. */
export function isAkashAddress(text: string): boolean {
  return akashAddress.safeParse(text).success;
}

/**
 * A deployment sequence: a decimal uint64 from 1, as text or as a number without loss of digits.
 * The output is text. Problem: DSEQ_INVALID.
 */
export const dseq = z
  .union([
    z.string().superRefine(refusing(checkDseq)).meta({ pattern: '^[1-9][0-9]{0,19}$' }),
    z
      .number()
      .superRefine(refusing((value) => checkDseq(String(value))))
      .meta({ type: 'integer', minimum: 1 }),
  ])
  .transform(String);

/** A group or order sequence: a uint32 from 1. Problem: DSEQ_INVALID. */
export const sequence = z
  .number()
  .superRefine(refusing(checkSequence))
  .meta({ type: 'integer', minimum: 1, maximum: maxUint32 });

/** A text that looks like an account with wrong, missing or extra letters. */
const accountPattern = /^akash1[02-9ac-hj-np-z]{30,}$/;

/** The length of an account of 20 bytes. Only module accounts are longer. */
const accountLength = 44;

function checkAkashAddress(text: string): Refusal | undefined {
  const decoded = bech32.decodeUnsafe(text, 90);
  const size = decoded && bech32.fromWordsUnsafe(decoded.words)?.length;
  if (decoded?.prefix !== 'akash' || (size !== 20 && size !== 32) || text !== text.toLowerCase()) {
    const shown = text.length > 70 ? `${text.slice(0, 70)}…` : text;
    if (decoded || !accountPattern.test(text)) {
      const hint = 'copy the whole address again';
      const message = `'${shown}' is not a bech32 address akash1…`;
      return { code: 'OWNER_INVALID', message, ...(text.startsWith('akash1') && { hint }) };
    }
    const message =
      text.length === accountLength
        ? `the checksum of '${shown}' does not match: a letter of the address is wrong`
        : `'${shown}' has ${text.length} characters, expected ${accountLength}`;
    return { code: 'OWNER_INVALID', message, hint: 'copy the whole address again' };
  }
  if (text.length <= 63) return undefined;
  const message = `'${text}' has ${text.length} characters, expected at most 63, as a label value`;
  return { code: 'NAME_TOO_LONG', message };
}

function checkDseq(text: string): Refusal | undefined {
  if (/^[1-9]\d{0,19}$/.test(text)) {
    if (BigInt(text) <= maxUint64) return undefined;
  }
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  const message = `the dseq '${shown}' is not a decimal number from 1 to ${maxUint64}`;
  return { code: 'DSEQ_INVALID', message };
}

function checkSequence(value: number): Refusal | undefined {
  if (Number.isInteger(value) && value >= 1 && value <= maxUint32) return undefined;
  return {
    code: 'DSEQ_INVALID',
    message: `the sequence ${value} is not a whole number from 1 to ${maxUint32}`,
  };
}
