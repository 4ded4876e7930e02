import {
  asking,
  endpointOf,
  owning,
  ports,
  put,
  retention,
  termsFor,
  withTerms,
} from './declare-steps.ts';
import { claimsOf } from './holder-requests.ts';
import {
  addressesOf,
  anycast,
  families,
  familyOf,
  type LeaseWords,
  type ServiceWords,
  type Town,
  type Words,
} from './plain-workspace.ts';
import type { Dice } from './seeded-choices.ts';
import type { Surroundings } from './steps.ts';

/** One field or another of a declaration, as its author might change it. */
export function change(town: Town, around: Surroundings): Town {
  const { dice } = around;
  const words = dice.of([...town.declared.values()]);
  if (!words) return town;
  const chance = dice.below(12);
  if (chance < 3) return put(town, withTerms(words, { retain: retention(dice) }));
  if (chance < 4)
    return put(town, withTerms(words, { family: dice.one('ipv4', 'dual'), pins: [] }));
  if (chance < 5)
    return put(
      town,
      asking(words, () => termsFor(town, dice)),
    );
  if (chance < 6) return put(town, pinned(town, words, around));
  if (chance < 7) return put(town, withTerms(words, { pins: [] }));
  return words.kind === 'Lease'
    ? changeLease(town, words, dice)
    : put(town, changedService(words, dice));
}

/** Pinned to what it has, or now and then to something else. */
function pinned(town: Town, words: Words, { dice, entries }: Surroundings): Words {
  const [claim] = claimsOf(words);
  const own = [...entries]
    .filter(([, { holder }]) => holder === claim?.holder)
    .map(([text]) => text);
  const all = town.pools.flatMap((pool) => families.flatMap((family) => addressesOf(pool, family)));
  const pin = dice.of(dice.isOnceIn(4) ? all : own);
  if (pin === undefined || !claim) return words;
  const fits = claim.terms.family === 'dual' || claim.terms.family === familyOf(pin);
  const { zone: _zone, pool: _pool, ...terms } = claim.terms;
  if (words.kind === 'Lease') {
    const [first, ...rest] = words.endpoints;
    if (!first) return words;
    return {
      ...words,
      endpoints: [
        { ...first, terms: { ...terms, family: fits ? terms.family : familyOf(pin), pins: [pin] } },
        ...rest,
      ],
    };
  }
  return {
    ...words,
    terms: { ...terms, family: fits ? terms.family : familyOf(pin), pins: [pin] },
  };
}

function changeLease(town: Town, words: LeaseWords, dice: Dice): Town {
  const [first, ...rest] = words.endpoints;
  if (!first) return town;
  switch (dice.below(5)) {
    case 0:
      return put(town, {
        ...words,
        endpoints: [...words.endpoints, endpointOf(first.name, dice, first.terms)],
      });
    case 1:
      return rest.length > 0 ? put(town, { ...words, endpoints: rest }) : town;
    case 2:
      return put(town, { ...words, endpoints: [{ ...first, target: 8081 }, ...rest] });
    case 3: {
      const name = dice.one('front', 'back', 'mail');
      return put(town, { ...words, endpoints: words.endpoints.map((one) => ({ ...one, name })) });
    }
    default:
      return moved(town, words, dice);
  }
}

/** The first endpoint of a lease goes to another lease of its owner. */
function moved(town: Town, words: LeaseWords, dice: Dice): Town {
  const [first, ...rest] = words.endpoints;
  const others = [...town.declared.values()].filter(
    (other): other is LeaseWords =>
      other.kind === 'Lease' &&
      other !== words &&
      other.owner === words.owner &&
      other.cluster === words.cluster,
  );
  const other = dice.of(others);
  if (!first || rest.length === 0 || !other) return town;
  const left = put(town, { ...words, endpoints: rest });
  return put(left, { ...other, endpoints: [...other.endpoints, first] });
}

function changedService(words: ServiceWords, dice: Dice): Words {
  const { key, ...alone } = words;
  switch (dice.below(5)) {
    case 0:
      return { ...words, ports: ports(dice) };
    case 3:
      if (words.secret !== undefined || words.namespace === anycast.namespace) return words;
      return { ...words, ...owning(dice, key) };
    case 1:
      return words.ports.length > 1 ? { ...words, ports: words.ports.slice(1) } : words;
    case 2:
      // Its group says already what it shares its address with.
      if (words.namespace === anycast.namespace) return words;
      if (key !== undefined) return alone;
      return { ...words, key: words.secret === 'own' ? 'red' : 'blue' };
    default:
      return { ...words, kind: words.kind === 'Service' ? 'Reservation' : 'Service' };
  }
}
