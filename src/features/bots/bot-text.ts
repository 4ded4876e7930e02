import type { Change } from '../../core/model/allocation.ts';
import { formatAddress } from '../../core/net/address.ts';
import { sanitize } from '../../core/text/print/escape.ts';
import type {
  AnsweredClaim,
  DeclareAnswer,
  Publication,
  PublishedBranch,
  PurgeAnswer,
} from './bot-answer.ts';

/** The addresses of the declared claim or promise, one per line, for scripts. */
export function declarationText({ addresses }: DeclareAnswer): string {
  return addresses.map((address) => `${sanitize(address)}\n`).join('');
}

/** A sentence about the declared claim or promise. */
export function declarationNote(declaration: DeclareAnswer, branch: string): string {
  const { claim, promisedUntil, holder, file, takenFrom, publicAddresses, commit } = declaration;
  const promise = promisedUntil === undefined ? 'a lease' : `a promise until ${promisedUntil}`;
  const what = claim ? claimsText([claim]) : promise;
  const beyond = publicAddresses ? `; public address ${publicAddresses.join(' and ')}` : '';
  if (commit === undefined) {
    return `${sanitize(`${what} is already declared for ${holder} in ${file} on ${branch}${beyond}; nothing to do`)}\n`;
  }
  const taken = takenFrom === undefined ? '' : `, taken over from lease ${takenFrom}`;
  return `${sanitize(`declared ${what} for ${holder} in ${file}${taken}${beyond}; pushed to ${branch}`)}\n`;
}

/** The released addresses, one per line, for scripts. */
export function purgeText({ released }: PurgeAnswer): string {
  return addressesIn(released)
    .map((address) => `${sanitize(address)}\n`)
    .join('');
}

function addressesIn(released: PurgeAnswer['released']): readonly string[] {
  return released.flatMap((one) => ('address' in one ? [one.address] : []));
}

/** Sentences about what was removed, and the released addresses and hostnames. */
export function purgeNote(
  { lease, claims, released, commit }: PurgeAnswer,
  branch: string,
): string {
  if (commit === undefined) {
    return `${sanitize(`lease ${lease} on ${branch} has no such claim; nothing to do`)}\n`;
  }
  const what = claims.length > 0 ? claimsText(claims) : 'the hostnames';
  const isShared = claims.length > 0 && addressesIn(released).length === 0;
  const lines = [
    `removed ${what} of lease ${lease}; pushed to ${branch}`,
    ...released.map((one) => {
      const name = 'address' in one ? one.address : one.hostname;
      return `released ${name} of ${one.holder}, free from ${one.freeFrom}`;
    }),
    ...(isShared ? ['no address is released: other claims use it'] : []),
  ];
  return lines.map((line) => `${sanitize(line)}\n`).join('');
}

function claimsText(claims: readonly AnsweredClaim[]): string {
  return claims
    .map(({ service, externalPort, protocol }) => `${service} ${externalPort}/${protocol}`)
    .join(', ');
}

/** Further addresses of a commit are only counted; its message has them. */
const mostLines = 20;

/** A line for the pushed commit, and one for each changed address. */
export function pushedText(head: string, branch: string, changes: readonly Change[]): string {
  const lines = changes
    .slice(0, mostLines)
    .map(({ kind, address, holder }) => `${kind} ${formatAddress(address)} for ${holder}`);
  const left = changes.length - lines.length;
  const more = left > 0 ? [`and ${left} more`] : [];
  return [`pushed ${head.slice(0, 12)} to ${branch}`, ...lines, ...more]
    .map((line) => `${sanitize(line)}\n`)
    .join('');
}

/** A branch that `publish` pushed and its new head, for scripts. Empty when nothing was pushed. */
export function publishedText({ branch, commit }: PublishedBranch): string {
  return commit === undefined ? '' : `${sanitize(branch)} ${commit}\n`;
}

/** A sentence about a branch that `publish` pushed or left alone. */
export function publishedNote(
  { branch, result, reason }: PublishedBranch,
  { remote, commit }: Pick<Publication, 'remote' | 'commit'>,
): string {
  const ends = {
    pushed: `has the manifests of ${commit.slice(0, 12)}`,
    unchanged: 'has these manifests already; nothing to push',
    refused: `is left alone: ${reason}`,
  };
  return `${sanitize(`${branch} of ${remote} ${ends[result]}`)}\n`;
}
