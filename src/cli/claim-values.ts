import { InvalidArgumentError } from 'commander';
import type { LeaseName } from '../workspace/lease-edits.ts';

/** A port with its protocol. */
export interface PortValue {
  readonly port: number;
  readonly protocol: 'TCP' | 'UDP';
}

/** `OWNER/DSEQ/GSEQ/OSEQ`; whether owner and dseq are sound, the declaration's schema says. */
export function leaseValue(text: string): Omit<LeaseName, 'cluster'> {
  const [, owner, dseq, gseq, oseq] =
    /^(akash1[0-9a-z]{1,90})\/(\d{1,20})\/(\d{1,10})\/(\d{1,10})$/.exec(text) ?? [];
  if (owner === undefined || dseq === undefined) {
    throw new InvalidArgumentError('It is not a lease as OWNER/DSEQ/GSEQ/OSEQ.');
  }
  return { owner, dseq, gseq: Number(gseq), oseq: Number(oseq) };
}

/** `80`, `80/tcp`, `53/udp`. */
export function portValue(text: string): PortValue {
  const [, digits, protocol = 'tcp'] = /^([1-9]\d{0,4})(?:\/(tcp|udp))?$/i.exec(text) ?? [];
  const port = Number(digits);
  if (!(port <= 65_535))
    throw new InvalidArgumentError('It is not a port as 80, 80/tcp or 53/udp.');
  return { port, protocol: /^udp$/i.test(protocol) ? 'UDP' : 'TCP' };
}

/** `80`. */
export function portNumberValue(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It is not a port as 80.');
  return portValue(text).port;
}

/** `key=value`, once for each label. */
export function selectorValue(
  text: string,
  before: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  const cut = text.indexOf('=');
  if (cut < 1) throw new InvalidArgumentError('It is not a label as key=value.');
  return { ...before, [text.slice(0, cut)]: text.slice(cut + 1) };
}

/** A line of a commit message. */
export function subjectValue(text: string): string {
  if (/\p{Cc}/u.test(text) || text.trim() === '' || text.length > 500) {
    throw new InvalidArgumentError('It is not one line of text.');
  }
  return text.trim();
}
