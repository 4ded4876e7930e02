import { type Family, formatAddress } from '../../../core/net/address.ts';
import { announcedTexts } from '../../../lib/list/announced-text.ts';
import type { ListClaim } from '../../../lib/list/list-answer.ts';
import type { FamilyUsage } from '../../../lib/list/pool-usage-answer.ts';
import type { PictureHostname, PicturePool } from '../picture-answer.ts';
import { blockText } from './map/blocks.ts';
import type { Cell } from './map/cells.ts';
import type { AddressState, IndexedRecord } from './picture-index.ts';

/** How addresses are announced, such as `L2 on eth0`. */
export function announcedText(announced: PicturePool['announced']): string {
  return announcedTexts(announced).join('; ');
}

/** The label of each state. */
export const stateWords: Readonly<Record<AddressState, string>> = {
  held: 'held',
  retained: 'retained',
  reserved: 'reserved',
  free: 'free',
  outside: 'not in the pool',
};

/** Of a pool that keeps what it gave. */
export const drainingText = 'This pool is draining: no address is given out from it.';

/** A whole number for a person: 1,024 in full, a longer one as the terminal writes it, 1.84e19. */
export function amountText(amount: bigint | number | string): string {
  const digits = BigInt(amount).toString();
  if (digits.length < 8) return digits.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${digits[0]}.${digits.slice(1, 3)}e${digits.length - 1}`;
}

/** The used share: `89 %`; `under 1 %` for a pool that is hardly used. */
export function percentText({ percent, held, retained }: FamilyUsage): string {
  const isUsed = held !== '0' || retained !== '0';
  return percent === 0 && isUsed ? 'under 1 %' : `${percent} %`;
}

/** `IPv4` or `IPv6`. */
export function familyText(family: Family): string {
  return family === 'ipv4' ? 'IPv4' : 'IPv6';
}

/** `1 address`, `2 addresses`. */
export function countText(count: number, one: string, many: string): string {
  return `${amountText(count)} ${count === 1 ? one : many}`;
}

/** A claim in a few words: `namespace/service 443/TCP`. */
export function listedClaimText({ namespace, service, externalPort, protocol }: ListClaim): string {
  return `${namespace}/${service} ${externalPort}/${protocol}`;
}

/** A short form for tables: a lease of Akash by its dseq, since its namespace is a hash. */
function shortClaimText(claim: ListClaim): string {
  const dseq = claim.lease?.split('/')[1];
  if (dseq === undefined) return listedClaimText(claim);
  return `${dseq} ${claim.service} ${claim.externalPort}/${claim.protocol}`;
}

/** Where a hostname is routed to: `web:80`; empty when no declaration says it. */
export function serviceText({ service, port }: Pick<PictureHostname, 'service' | 'port'>): string {
  return service === undefined ? '' : `${service}:${port}`;
}

/** The public address of a record or a cell; empty when it has no other one. */
export function publicText({ publicAddress }: Pick<IndexedRecord, 'publicAddress'>): string {
  return publicAddress ? formatAddress(publicAddress) : '';
}

/** `promised until 2026-12-01`, for an address that is held by a promise. */
export function promisedText({ holder, state }: IndexedRecord): string | undefined {
  const until = state === 'held' ? holder?.promisedUntil : undefined;
  return until === undefined ? undefined : `promised until ${until}`;
}

/** The claims of a record in one line, at most `most` of them. */
export function claimsText({ holder, state }: IndexedRecord, most: number): string {
  const claims = state === 'held' ? (holder?.claims ?? []) : [];
  const shown = claims.slice(0, most).map(shortClaimText).join(', ');
  return claims.length > most ? `${shown} and ${claims.length - most} more` : shown;
}

/** The description of a cell, in one sentence. */
export function cellText(cell: Cell): string {
  const name = blockText(cell.block);
  if (cell.block.bits > 0) return `${name}: ${blockParts(cell)}`;
  const beyond = publicText(cell);
  return `${name}: ${addressText(cell)}${beyond === '' ? '' : `, public address ${beyond}`}`;
}

function addressText({ state, record }: Cell): string {
  if (!record || state === 'free' || state === 'reserved') return stateWords[state];
  const { holder, freeFrom } = record.record;
  if (state === 'retained') return `retained for ${holder} until ${freeFrom ?? ''}`;
  const promised = promisedText(record);
  if (promised !== undefined) return `${promised} to ${holder}`;
  const claims = claimsText(record, 2);
  return `held by ${holder}${claims === '' ? '' : `, for ${claims}`}`;
}

function blockParts({ state, held, retained, usable }: Cell): string {
  if (state === 'outside' || state === 'reserved') return stateWords[state];
  const free = usable - BigInt(held + retained);
  const parts = [
    ...(held > 0 ? [`${amountText(held)} held`] : []),
    ...(retained > 0 ? [`${amountText(retained)} retained`] : []),
    `${amountText(free > 0n ? free : 0n)} free`,
  ];
  return parts.join(', ');
}
