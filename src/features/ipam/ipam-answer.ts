import * as z from 'zod';
import type { Problem } from '../../core/model/problem.ts';
import { type Address, familyBits, formatAddress } from '../../core/net/address.ts';

/** The body of every answer: IpamAPIResponse of ipam-api. */
export const ipamAnswerSchema = z
  .strictObject({
    message: z.string(),
    address: z.string().exactOptional().describe('Such as 203.0.113.7/32.'),
  })
  .describe("An answer to vitistack's ipam-operator.");

/** An answer with its HTTP status. */
export interface IpamReply extends z.output<typeof ipamAnswerSchema> {
  readonly status: number;
}

/** The purpose of a request: an address of a Service, or its end. */
export type IpamAction = 'register' | 'expire';

/** How ipam-api reports that an action failed (internal/handlers/addresseshandler). */
const failures: Readonly<Record<IpamAction, { readonly status: number; readonly words: string }>> =
  {
    register: { status: 500, words: 'Could not register address' },
    expire: { status: 404, words: 'Could not deregister service' },
  };

/** Narrows to an answer. */
export function isReply(found: object): found is IpamReply {
  return 'status' in found;
}

/** A successful answer about an address, with the length of a single one. */
export function success(message: string, address: Address): IpamReply {
  return {
    status: 200,
    message,
    address: `${formatAddress(address)}/${familyBits[address.family]}`,
  };
}

/** The answer to a request that is wrong whatever the repository has. */
export function refusedRequest(message: string): IpamReply {
  return { status: 400, message };
}

/** The answer to a request that cannot be carried out. */
export function failedAction(action: IpamAction, reason: string): IpamReply {
  const { status, words } = failures[action];
  return { status, message: `${words}: ${reason}` };
}

/** The words of ipam-api for problems that it knows, by code; the others keep their own. */
const knownReasons: Readonly<Partial<Record<Problem['code'], string>>> = {
  PIN_OUTSIDE: 'the requested address is not valid for the provided zone',
  PIN_TAKEN: 'no matching address found with the provided secret, zone and address',
  PIN_RETAINED: 'no matching address found with the provided secret, zone and address',
};

/** The answer when the repository refuses what the action would write. */
export function failedByProblems(action: IpamAction, problems: readonly Problem[]): IpamReply {
  const [first] = problems;
  if (first === undefined) return failedAction(action, 'the repository has problems');
  const { code, message, at } = first;
  const reason = knownReasons[code] ?? `${message} (${code}, ${at.file}:${at.line})`;
  return failedAction(action, reason);
}
