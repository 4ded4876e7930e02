import type { Change } from '../../model/change.ts';
import { formatAddress } from '../../net/address.ts';
import { plain } from '../../text/print/plain.ts';
import type { AnsweredClaim, Declaration, Purge } from './bot-answer.ts';

/** The addresses that a claim stands on, one a line, for a program that reads nothing else. */
export function declarationText({ addresses }: Declaration): string {
  return addresses.map((address) => `${plain(address)}\n`).join('');
}

/** What was declared, for a person. */
export function declarationNote(declaration: Declaration, branch: string): string {
  const { claim, holder, file, takenFrom, commit } = declaration;
  if (commit === undefined) {
    return `${plain(`${claimsText([claim])} is declared for ${holder} in ${file} on ${branch} already; nothing to do`)}\n`;
  }
  const taken = takenFrom === undefined ? '' : `, taken over from lease ${takenFrom}`;
  return `${plain(`declared ${claimsText([claim])} for ${holder} in ${file}${taken}; pushed to ${branch}`)}\n`;
}

/** The addresses that were released, one a line. */
export function purgeText({ released }: Purge): string {
  return released.map(({ address }) => `${plain(address)}\n`).join('');
}

/** What was removed and released, for a person. */
export function purgeNote({ lease, claims, released }: Purge, branch: string): string {
  if (claims.length === 0) {
    return `${plain(`nothing of this is declared for lease ${lease} on ${branch}; nothing to do`)}\n`;
  }
  const lines = [
    `removed ${claimsText(claims)} of lease ${lease}; pushed to ${branch}`,
    ...released.map(
      ({ address, holder, freeFrom }) => `released ${address} of ${holder}, free from ${freeFrom}`,
    ),
    ...(released.length === 0 ? ['no address is released: other claims stand on it'] : []),
  ];
  return lines.map((line) => `${plain(line)}\n`).join('');
}

function claimsText(claims: readonly AnsweredClaim[]): string {
  return claims
    .map(({ service, externalPort, protocol }) => `${service} ${externalPort}/${protocol}`)
    .join(', ');
}

/** More addresses than these of one commit are in its message. */
const mostLines = 20;

/** What was pushed, a line for the commit and one for each address. */
export function pushedText(head: string, branch: string, changes: readonly Change[]): string {
  const lines = changes
    .slice(0, mostLines)
    .map(({ kind, address, holder }) => `${kind} ${formatAddress(address)} for ${holder}`);
  const left = changes.length - lines.length;
  const more = left > 0 ? [`and ${left} more`] : [];
  return [`pushed ${head.slice(0, 12)} to ${branch}`, ...lines, ...more]
    .map((line) => `${plain(line)}\n`)
    .join('');
}
