import { type Claim, claimText } from '../model/claim.ts';
import type { Keys } from '../model/ownership.ts';
import type { Pools } from '../model/pools.ts';
import { type Position, type Problem, placeText } from '../model/problem.ts';
import { type Family, formatAddress } from '../net/address.ts';
import { type FieldWords, keyWords } from './holder-keys.ts';

/** The claims that name different values for one field: the first claim, and those that differ from it. */
interface Conflict extends FieldWords {
  readonly first: FieldWords['words'][number];
  readonly others: readonly [FieldWords['words'][number], ...FieldWords['words']];
}

/** HOLDER_CONFLICT, once for a holder: all that its claims disagree about, and where. */
export function conflictsOf(
  claims: readonly Claim[],
  pools: Pools | undefined,
  keys: Keys,
): Problem[] {
  const pool = conflictIn(named('pool', claims, ({ pool }) => pool));
  const zone = conflictIn(named('zone', claims, zoneIn(pools)));
  const conflicts = [
    // Claims on pools of two zones want two zones, which says nothing new.
    pool ?? zone,
    conflictIn(pinWords(claims, 'ipv4')),
    conflictIn(pinWords(claims, 'ipv6')),
    conflictIn(keyWords(claims, keys)),
  ].filter((conflict) => conflict !== undefined);
  const [conflict] = conflicts;
  if (!conflict) return [];
  const { claim } = conflict.others[0];
  const [, ...also] = placesOf(conflicts);
  const whose = claim.kind === 'Lease' ? ' of this owner' : '';
  const texts = conflicts.map(conflictText);
  return [
    {
      code: 'HOLDER_CONFLICT',
      message: `${wanterText(claim)}${whose} shares one address, but ${texts.join('; ')}`,
      at: claim.at,
      also,
      hint: `${hintOf(conflicts)}; or ${apartHint(claim)}`,
    },
  ];
}

/** How a claim can leave the address that it shares. */
export function apartHint(claim: Claim): string {
  if (claim.kind === 'Lease') {
    return 'give it another endpoint name so that it gets its own address';
  }
  return claim.holder.startsWith('anycast/')
    ? 'take it out of its group in leases/pools.yaml so that it gets its own address'
    : 'give it another sharing key so that it gets its own address';
}

/** What a claim is a claim of, as a message begins. */
export function wanterText(claim: Claim): string {
  return claim.kind === 'Lease' ? `endpoint '${claim.endpoint}'` : `Service '${claim.service}'`;
}

function conflictIn(said: FieldWords): Conflict | undefined {
  const [first, ...rest] = said.words;
  const [other, ...others] = rest.filter(({ text }) => text !== first?.text);
  return first && other && { ...said, first, others: [other, ...others] };
}

function named(
  field: FieldWords['field'],
  claims: readonly Claim[],
  read: (claim: Claim) => string | undefined,
): FieldWords {
  const words = claims.flatMap((claim) => {
    const value = read(claim);
    return value === undefined ? [] : [{ claim, text: `${field} ${value}` }];
  });
  return { field, words };
}

function zoneIn(pools: Pools | undefined): (claim: Claim) => string | undefined {
  return (claim) => claim.zone ?? pools?.pools.find(({ name }) => name === claim.pool)?.zone;
}

function pinWords(claims: readonly Claim[], family: Family): FieldWords {
  return named('address', claims, ({ pins }) => {
    const pin = pins.find(({ address }) => address.family === family);
    return pin && formatAddress(pin.address);
  });
}

/** Of two claims that disagree the names and words; of more how many. */
function conflictText({ first, others }: Conflict): string {
  const [{ claim, text }] = others;
  const places = new Set(others.map((other) => placeText(other.claim.at))).size;
  const more = places > 1 ? `, and ${places - 1} more say otherwise` : '';
  return `${claimText(claim)} has ${text} and ${claimText(first.claim)} has ${first.text}${more}`;
}

/** Where the claims stand that disagree, each place once; first the one that the problem is told of. */
function placesOf(conflicts: readonly Conflict[]): readonly Position[] {
  const places = new Map<string, Position>();
  for (const { first, others } of conflicts) {
    const [other, ...more] = others;
    for (const { claim } of [other, first, ...more]) places.set(placeText(claim.at), claim.at);
  }
  return [...places.values()];
}

function hintOf(conflicts: readonly Conflict[]): string {
  const fields = [...new Set(conflicts.map(({ field }) => field))].filter((one) => one !== 'key');
  return [
    ...(fields.length > 0
      ? [`say the same ${fields.join(' and ')} in all of them, or in one only`]
      : []),
    ...(conflicts.some(({ field }) => field === 'key')
      ? ['name one key in all of them, or none in any']
      : []),
  ].join('; ');
}
