import { accountOf } from '../declarations/lease-text.ts';
import {
  addressesOf,
  anycast,
  clusters,
  type EndpointWords,
  familyOf,
  fileOf,
  type PortWords,
  poolName,
  type Terms,
  type Town,
  type Words,
} from './plain-workspace.ts';
import type { Dice } from './seeded-choices.ts';
import type { Surroundings } from './steps.ts';

/** The most declarations that a town has: they make some twenty holders. */
const mostDeclared = 26;

const owners = ['ann', 'ben', 'cat', 'dan', 'eve', 'flo'].map(accountOf);
const endpointNames = ['front', 'back', 'mail'] as const;
const namespaces = ['shop', 'game'] as const;
const portNumbers = [80, 443, 53, 25, 8080] as const;

/** A new declaration of any kind. */
export function declare(town: Town, { dice, step }: Surroundings): Town {
  const cluster = dice.one(clusters[0], clusters[0], clusters[1]);
  const terms = termsFor(town, dice);
  const chance = dice.below(20);
  if (chance < 2) {
    const { namespace, service: name } = anycast;
    return put(town, { kind: 'Service', cluster, namespace, name, ports: ports(dice), terms });
  }
  if (chance < 11) {
    const owner = dice.of(owners) ?? '';
    const name = dice.one(...endpointNames);
    const more = dice.isOnceIn(5)
      ? [endpointOf(dice.one(...endpointNames), dice, termsFor(town, dice))]
      : [];
    const endpoints = [
      ...ports(dice).map((port) => ({ ...endpointOf(name, dice, terms), ...port })),
      ...more,
    ];
    return put(town, { kind: 'Lease', cluster, owner, dseq: 1000 + step, endpoints });
  }
  const kind = chance < 17 ? 'Service' : 'Reservation';
  const key: { readonly key?: string } = dice.isOnceIn(2) ? {} : { key: dice.one('blue', 'red') };
  const namespace = dice.one(...namespaces);
  return put(town, {
    kind,
    cluster,
    namespace,
    name: `s${step}`,
    ports: ports(dice),
    terms,
    ...key,
    ...owning(dice, key.key),
  });
}

/** The key that a new Service names: those on one address name one key. */
export function owning(dice: Dice, sharing?: string): { readonly secret?: string } {
  if (sharing !== undefined) return sharing === 'red' ? { secret: 'own' } : {};
  return dice.isOnceIn(2) ? {} : { secret: dice.one('own', 'own', 'next') };
}

/** One more declaration on the address of another one. */
export function share(town: Town, { dice, step }: Surroundings): Town {
  const words = dice.of([...town.declared.values()]);
  if (!words) return town;
  if (words.kind === 'Lease') {
    const [endpoint] = words.endpoints;
    if (!endpoint) return town;
    const terms = { ...neutral(endpoint.terms), retain: retention(dice) };
    const endpoints = [endpointOf(endpoint.name, dice, terms)];
    return put(town, { ...words, dseq: 1000 + step, endpoints });
  }
  const terms = { ...neutral(words.terms), retain: retention(dice) };
  if (words.name === anycast.service) {
    const cluster = clusters.find((name) => name !== words.cluster) ?? clusters[0];
    return put(town, { ...words, cluster, terms });
  }
  if (words.key === undefined) return town;
  return put(town, { ...words, name: `s${step}`, ports: ports(dice), terms });
}

/** One declaration or two go. */
export function end(town: Town, { dice }: Surroundings): Town {
  const declared = new Map(town.declared);
  for (let count = dice.one(1, 1, 2); count > 0; count -= 1) {
    declared.delete(dice.of([...declared.keys()]) ?? '');
  }
  return { ...town, declared };
}

/** Something that was declared once comes back: as it was, with another retention, or on another address. */
export function giveBack(town: Town, { dice, ended }: Surroundings): Town {
  const words = dice.of(ended.slice(dice.one(-1, -3, -6)));
  if (!words || town.declared.has(fileOf(words)) || town.declared.size >= mostDeclared) return town;
  const chance = dice.below(8);
  if (chance < 2) return put(town, withTerms(words, { retain: retention(dice) }));
  if (chance < 4)
    return put(
      town,
      asking(words, () => elsewhere(town, dice)),
    );
  if (chance < 6) return put(town, withTerms(words, { pins: [] }));
  if (chance < 7 && words.kind !== 'Lease' && words.namespace !== anycast.namespace) {
    return put(town, { ...words, ...owning(dice) });
  }
  return put(town, words);
}

/** On some address by name: then two can be kept for one holder. */
function elsewhere({ pools }: Town, dice: Dice): Terms {
  const pool = dice.of(pools);
  const pin = pool && dice.of(addressesOf(pool, 'ipv4'));
  return { family: 'ipv4', pins: pin === undefined ? [] : [pin], retain: 30 };
}

/** The same with some terms changed. */
export function withTerms(words: Words, changes: Partial<Terms>): Words {
  return asking(words, (terms) => ({ ...terms, ...changes }));
}

/** The same with other terms. */
export function asking(words: Words, other: (terms: Terms) => Terms): Words {
  return words.kind === 'Lease'
    ? {
        ...words,
        endpoints: words.endpoints.map((endpoint) => ({
          ...endpoint,
          terms: other(endpoint.terms),
        })),
      }
    : { ...words, terms: other(words.terms) };
}

/** The town with a declaration, in place of one of its file, if it has room. */
export function put(town: Town, words: Words): Town {
  const file = fileOf(words);
  if (!town.declared.has(file) && town.declared.size >= mostDeclared) return town;
  return { ...town, declared: new Map(town.declared).set(file, words) };
}

/** One to three ports that do not clash among themselves. */
export function ports(dice: Dice): readonly PortWords[] {
  const first = dice.below(portNumbers.length);
  return Array.from({ length: dice.one(1, 1, 1, 2, 3) }, (_, index) => ({
    port: portNumbers[(first + index) % portNumbers.length] ?? 80,
    protocol: dice.one('TCP', 'TCP', 'UDP'),
  }));
}

/** An endpoint on a random port. */
export function endpointOf(name: string, dice: Dice, terms: Terms): EndpointWords {
  const [port = { port: 80, protocol: 'TCP' }] = ports(dice);
  return { ...port, name, service: dice.one('web', 'api'), target: 8080, terms };
}

/** Whole days that a declaration may ask for, often none. */
export function retention(dice: Dice): number {
  return dice.one(0, 0, 1, 2, 3, 5, 10, 30);
}

/** Where an address is to come from: mostly from the default zone. */
export function termsFor(town: Town, dice: Dice): Terms {
  const words = dice.of(town.pools);
  const pool = words ?? town.pools[0];
  const wanted = dice.one('ipv4', 'ipv4', 'ipv6', 'dual', 'dual');
  const terms = { family: wanted, pins: [], retain: retention(dice) } as const;
  if (!pool) return terms;
  const chance = dice.below(10);
  const from = chance < 4 ? town.pools[0] : pool;
  const family = from && from.ipv6 === 0 ? 'ipv4' : wanted;
  if (chance < 4) return { ...terms, family };
  if (chance < 6) return { ...terms, family, zone: pool.zone };
  if (chance < 9) return { ...terms, family, pool: poolName(pool) };
  const pin = dice.of(addressesOf(pool, family === 'ipv6' ? 'ipv6' : 'ipv4'));
  return pin === undefined
    ? { ...terms, family }
    : { ...terms, family: familyOf(pin), pins: [pin] };
}

/** Terms that go along with any others. */
function neutral({ family }: Terms): Terms {
  return { family, pins: [], retain: 0 };
}
