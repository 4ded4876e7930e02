import { InvalidArgumentError, Option } from 'commander';
import { type Day, parseDay } from '../model/day.ts';
import { type Address, isAddress, parseAddress } from '../net/address.ts';

/** `--today`, of every command that writes. */
export function todayOption(): Option {
  return new Option(
    '--today <day>',
    'the day to record, YYYY-MM-DD, instead of the current UTC day',
  )
    .env('LEASEHOLD_TODAY')
    .argParser(dayValue);
}

/** Beside `--today`, of every command that records addresses. */
export function dateAheadOption(): Option {
  return new Option('--allow-date-ahead', 'let --today be days ahead of the clock').env(
    'LEASEHOLD_ALLOW_DATE_AHEAD',
  );
}

/** A promise of 365 days from here still ends on a day of four year digits. */
const lastToday = '9998-12-31';

/** A calendar day. */
export function dayValue(text: string): Day {
  const day = parseDay(text);
  if (day === undefined) throw new InvalidArgumentError('It is not a day as YYYY-MM-DD.');
  if (day > lastToday) throw new InvalidArgumentError(`It is later than ${lastToday}.`);
  return day;
}

/** A whole number from 0. */
export function countValue(text: string): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(text);
}

/** A name of a zone. */
export function labelValue(text: string): string {
  if (!/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(text)) {
    throw new InvalidArgumentError('It is not a name of lower-case letters, digits and -.');
  }
  return text;
}

/** A sequence number of Akash, from 1. */
export function sequenceValue(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('It is not a number from 1.');
  return Number(text);
}

const milliseconds: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** A time such as `90s`, in milliseconds. */
export function timeValue(text: string): number {
  const [, number, unit = ''] = /^([1-9]\d{0,4})([smh])$/.exec(text) ?? [];
  const factor = milliseconds[unit];
  if (number === undefined || factor === undefined) {
    throw new InvalidArgumentError('It is not a time such as 90s, 5m or 1h.');
  }
  return Number(number) * factor;
}

/** An address of an option that may be given once for each family. */
export function addressesValue(text: string, before: readonly Address[]): readonly Address[] {
  const address = parseAddress(text);
  if (!isAddress(address)) throw new InvalidArgumentError('It is not an IP address.');
  if (before.some(({ family }) => family === address.family)) {
    throw new InvalidArgumentError('There are two of one family.');
  }
  return [...before, address];
}

/** An option that may be repeated. */
export function refsValue(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

/** Patterns of refs, of an option that may be repeated. */
export function patternsValue(text: string, before: readonly string[]): readonly string[] {
  if (!/^refs\/[A-Za-z0-9._*?/-]{1,200}$/.test(text)) {
    throw new InvalidArgumentError("It is not a pattern of refs, such as 'refs/pull/*/head'.");
  }
  return [...before, text];
}
