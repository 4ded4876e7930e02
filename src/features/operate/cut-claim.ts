import { type Claim, declarerText } from '../../model/claim.ts';
import type { CutClaim } from './operation-answer.ts';

/** A claim as the answers of `move` and `release` show it. */
export function cutClaim(claim: Claim): CutClaim {
  const { cluster, service, externalPort, protocol, at } = claim;
  const file = `${at.file}:${at.line}`;
  return { declarer: declarerText(claim), cluster, service, externalPort, protocol, file };
}
