import { isQuotaOwner } from '../../../declarations/pools/pools-schema.ts';
import type { WebAnswer } from '../../../ports/web.ts';
import { failureAnswer } from './answers.ts';

/** The refusal of a parameter `owner` that cannot be one; undefined for one that can, and for none. */
export function ownerRefusal(owner: string | undefined): WebAnswer | undefined {
  if (owner === undefined || isQuotaOwner(owner)) return undefined;
  return failureAnswer(400, 'owner is an Akash account, or cluster/namespace of Services');
}
