import * as z from 'zod';
import type { ProblemCode } from '../model/codes/problem-codes.ts';
import { type Day, parseDay } from '../model/day.ts';
import { type Address, isAddress, parseAddress } from '../net/address.ts';
import { dnsNameFault } from '../net/dns-name.ts';
import { type AddressRange, isRange, parseRange } from '../net/range.ts';
import { unroutableReason } from '../net/special-ranges.ts';
import { valueText } from './message-text.ts';
import { type Refusal, refusing } from './shape.ts';

const labelName = '[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?';
const dnsLabelText = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';

/**
 * A name of a pool, zone, cluster or namespace: an RFC 1123 label of 1 to 63 characters. It is also
 * valid as a Kubernetes object name, a label value and a folder name.
 */
export const dnsLabel = z
  .string()
  .max(63)
  .regex(
    new RegExp(`^${dnsLabelText}$`),
    'expected lower-case letters, digits and -, with a letter or digit at both ends',
  );

/** A DNS name in canonical form. Problem: DNS_INVALID. */
export const dnsName = z.string().superRefine(refusing((text: string) => checkDnsName(text)));

/** A domain in canonical form. Problem: DNS_INVALID. */
export const dnsDomain = z
  .string()
  .superRefine(refusing((text: string) => checkDnsName(text, 'domain')));

/** The most DNS names of a declaration or an endpoint. */
export const mostDnsNames = 100;

/** DNS names of an address. */
export const dnsNames = z.array(dnsName).max(mostDnsNames).default([]);

/** DNS_INVALID for a text that is not a DNS name in canonical form. */
export function checkDnsName(text: string, kind: 'name' | 'domain' = 'name'): Refusal | undefined {
  const fault = dnsNameFault(text, kind);
  if (!fault) return undefined;
  const { reason, canonical } = fault;
  const message = `${valueText(text)} is not a DNS ${kind}: ${reason}`;
  return { code: 'DNS_INVALID', message, hint: canonical && `write ${canonical}` };
}

/** A calendar day, `YYYY-MM-DD`. The code is that of its problem. */
export function calendarDay(code: ProblemCode) {
  return z
    .string()
    .transform((text, context): Day => {
      const parsed = parseDay(text);
      if (parsed !== undefined) return parsed;
      const message = `'${text.slice(0, 20)}' is not a day, expected YYYY-MM-DD`;
      context.addIssue({ code: 'custom', message, params: { code } });
      return z.NEVER;
    })
    .meta({ format: 'date' });
}

/** A Kubernetes object name: an RFC 1123 subdomain of at most 253 characters. */
export const objectName = z
  .string()
  .max(253)
  .regex(
    new RegExp(`^${dnsLabelText}(?:\\.${dnsLabelText})*$`),
    'expected lower-case letters, digits, . and -',
  );

/**
 * A Kubernetes label key: a name of at most 63 characters, with an optional prefix `<DNS name>/`.
 */
export const labelKey = z
  .string()
  .regex(
    new RegExp(
      `^(?:(?=[^/]{1,253}/)${dnsLabelText}(?:\\.${dnsLabelText})*/)?(?=[^/]{1,63}$)${labelName}$`,
    ),
    'expected a label key: at most 63 letters, digits, -, _ and ., perhaps after a DNS name and /',
  );

/** A Kubernetes label value: empty, or at most 63 letters, digits, `-`, `_` and `.`. */
export const labelValue = z
  .string()
  .max(63)
  .regex(
    new RegExp(`^(?:${labelName})?$`),
    'expected letters, digits, -, _ and ., with a letter or digit at both ends',
  );

/** 1 to 16 labels that a pod or node must have. */
export const labels = z
  .record(labelKey, labelValue)
  .refine(
    (map) => Object.keys(map).length >= 1 && Object.keys(map).length <= 16,
    'expected 1 to 16 labels',
  )
  .meta({ minProperties: 1, maxProperties: 16 });

/** An IP address. Problem: ADDRESS_INVALID. */
export const address = z
  .string()
  .transform((text, context): Address => {
    const parsed = parseAddress(text);
    if (isAddress(parsed)) return parsed;
    const hint = /^[^/]+\/\d+$/.test(text)
      ? 'write the address alone, without a prefix length'
      : undefined;
    return refuse(context, parsed.reason, hint);
  })
  .describe('One IP address, without a prefix length.');

/** A CIDR block, `first-last`, or one address. Problem: ADDRESS_INVALID. */
export const addressRange = z
  .string()
  .transform((text, context): AddressRange => {
    const parsed = parseRange(text);
    if (isRange(parsed)) return parsed;
    return refuse(context, parsed.reason, parsed.meant && `write ${parsed.meant}`);
  })
  .describe('203.0.113.7, 203.0.113.0/28 or 203.0.113.7-203.0.113.9.');

/** A range of a pool. Problems: those of {@link addressRange}, and ADDRESS_NOBODYS. */
export const poolRange = addressRange
  .superRefine(refusing(checkRoutable))
  .describe('203.0.113.7, 203.0.113.0/28 or 203.0.113.7-203.0.113.9.');

function checkRoutable(range: AddressRange): Refusal | undefined {
  const message = unroutableReason(range);
  return message === undefined ? undefined : { code: 'ADDRESS_NOBODYS', message };
}

function refuse(context: z.RefinementCtx<string>, message: string, hint?: string): never {
  context.addIssue({ code: 'custom', message, params: { code: 'ADDRESS_INVALID', hint } });
  return z.NEVER;
}

/** The pattern of a DNS label, without groups. */
export const labelPattern = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';

/** The pattern of a holder's id, without groups: see `Holder.id`. */
export const holderPattern = [
  `${labelPattern}/akash/akash1[a-z0-9]+-ip-[a-z0-9-]+`,
  `${labelPattern}/service/${labelPattern}/${labelPattern}`,
  `${labelPattern}/shared/${labelPattern}/(?:h\\.)?${labelPattern}`,
  `anycast/${labelPattern}`,
]
  .join('|')
  .replace(/^.*$/, '(?:$&)');
