import * as z from 'zod';
import { type Address, isAddress, parseAddress } from '../net/address.ts';
import { type AddressRange, isRange, parseRange } from '../net/range.ts';
import { nobodys } from '../net/special-ranges.ts';
import { type Refusal, refusing } from './shape.ts';

/** One bare IP address. Problem: ADDRESS_INVALID. */
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

/** What a pool gives out. Problems: those of {@link addressRange}, and ADDRESS_NOBODYS. */
export const poolRange = addressRange
  .superRefine(refusing(checkNobodys))
  .describe('203.0.113.7, 203.0.113.0/28 or 203.0.113.7-203.0.113.9.');

function checkNobodys(range: AddressRange): Refusal | undefined {
  const message = nobodys(range);
  return message === undefined ? undefined : { code: 'ADDRESS_NOBODYS', message };
}

function refuse(context: z.RefinementCtx<string>, message: string, hint?: string): never {
  context.addIssue({ code: 'custom', message, params: { code: 'ADDRESS_INVALID', hint } });
  return z.NEVER;
}
