import { daysAfter } from '../allocations/naive-rules.ts';
import { accountOf } from '../declarations/lease-text.ts';
import {
  addressesOf,
  anycast,
  clusters,
  endpointHolder,
  familyOf,
  fileOf,
  type PlainDeclaration,
  type PlainEndpoint,
  type PlainPort,
  type PlainWorkspace,
  poolName,
  type Terms,
} from './plain-workspace.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { StepContext } from './steps.ts';

/** The most declarations that a workspace has: they make some twenty holders. */
const mostDeclared = 26;

/** The most promises. */
const mostPromised = 6;

const owners = ['ann', 'ben', 'cat', 'dan', 'eve', 'flo'].map(accountOf);
const endpointNames = ['front', 'back', 'mail'] as const;
const namespaces = ['shop', 'game'] as const;
const portNumbers = [80, 443, 53, 25, 8080] as const;

/** A new declaration of any kind. */
export function declare(workspace: PlainWorkspace, { random, step }: StepContext): PlainWorkspace {
  const cluster = random.one(clusters[0], clusters[0], clusters[1]);
  const terms = termsFor(workspace, random);
  const chance = random.below(20);
  if (chance < 2) {
    const { namespace, service: name } = anycast;
    return put(workspace, {
      kind: 'Service',
      cluster,
      namespace,
      name,
      ports: ports(random),
      terms,
    });
  }
  if (chance < 11) {
    const owner = random.of(owners) ?? '';
    const name = random.one(...endpointNames);
    const more = random.isOnceIn(5)
      ? [endpointOf(random.one(...endpointNames), random, termsFor(workspace, random))]
      : [];
    const endpoints = [
      ...ports(random).map((port) => ({ ...endpointOf(name, random, terms), ...port })),
      ...more,
    ];
    return put(workspace, { kind: 'Lease', cluster, owner, dseq: 1000 + step, endpoints });
  }
  const kind = chance < 17 ? 'Service' : 'Reservation';
  const key: { readonly key?: string } = random.isOnceIn(2)
    ? {}
    : { key: random.one('blue', 'red') };
  const namespace = random.one(...namespaces);
  return put(workspace, {
    kind,
    cluster,
    namespace,
    name: `s${step}`,
    ports: ports(random),
    terms,
    ...key,
    ...owning(random, key.key),
  });
}

/** A promise for some endpoint, until some day, or a later or earlier day for one that is there. */
export function promise(workspace: PlainWorkspace, { random, today }: StepContext): PlainWorkspace {
  const cluster = random.one(...clusters);
  const owner = random.of(owners) ?? '';
  const endpoint = random.one(...endpointNames);
  const { pins: _pins, retain: _retain, ...from } = termsFor(workspace, random);
  const terms = { ...from, pins: [], retain: 0 };
  const until = daysAfter(today, random.below(31));
  const holder = endpointHolder(cluster, owner, endpoint);
  const words = workspace.promises.get(holder) ?? { cluster, owner, endpoint, terms };
  const promises = new Map(workspace.promises).set(holder, { ...words, until });
  return promises.size > mostPromised ? workspace : { ...workspace, promises };
}

/** A lease for the endpoint of a promise, with its terms or others. */
export function redeem(workspace: PlainWorkspace, { random, step }: StepContext): PlainWorkspace {
  const words = random.of([...workspace.promises.values()]);
  if (!words) return workspace;
  const { cluster, owner, endpoint } = words;
  const terms = random.isOnceIn(3) ? termsFor(workspace, random) : words.terms;
  const endpoints = [endpointOf(endpoint, random, { ...terms, retain: retention(random) })];
  return put(workspace, { kind: 'Lease', cluster, owner, dseq: 1000 + step, endpoints });
}

/** One promise goes. */
export function withdraw(workspace: PlainWorkspace, { random }: StepContext): PlainWorkspace {
  const promises = new Map(workspace.promises);
  promises.delete(random.of([...promises.keys()]) ?? '');
  return { ...workspace, promises };
}

/** The promises whose last day is over go. */
export function withoutEnded(workspace: PlainWorkspace, today: string): PlainWorkspace {
  const left = [...workspace.promises].filter(([, { until }]) => until >= today);
  return { ...workspace, promises: new Map(left) };
}

/** The key that a new Service names: those on one address name one key. */
export function owning(random: SeededRandom, sharing?: string): { readonly secret?: string } {
  if (sharing !== undefined) return sharing === 'red' ? { secret: 'own' } : {};
  return random.isOnceIn(2) ? {} : { secret: random.one('own', 'own', 'next') };
}

/** One more declaration on the address of another one. */
export function share(workspace: PlainWorkspace, { random, step }: StepContext): PlainWorkspace {
  const words = random.of([...workspace.declared.values()]);
  if (!words) return workspace;
  if (words.kind === 'Lease') {
    const [endpoint] = words.endpoints;
    if (!endpoint) return workspace;
    const terms = { ...neutral(endpoint.terms), retain: retention(random) };
    const endpoints = [endpointOf(endpoint.name, random, terms)];
    return put(workspace, { ...words, dseq: 1000 + step, endpoints });
  }
  const terms = { ...neutral(words.terms), retain: retention(random) };
  if (words.name === anycast.service) {
    const cluster = clusters.find((name) => name !== words.cluster) ?? clusters[0];
    return put(workspace, { ...words, cluster, terms });
  }
  if (words.key === undefined) return workspace;
  return put(workspace, { ...words, name: `s${step}`, ports: ports(random), terms });
}

/** One declaration or two go. */
export function end(workspace: PlainWorkspace, { random }: StepContext): PlainWorkspace {
  const declared = new Map(workspace.declared);
  for (let count = random.one(1, 1, 2); count > 0; count -= 1) {
    declared.delete(random.of([...declared.keys()]) ?? '');
  }
  return { ...workspace, declared };
}

/** Something that was declared once comes back: as it was, with another retention, or on another address. */
export function declareAgain(
  workspace: PlainWorkspace,
  { random, ended }: StepContext,
): PlainWorkspace {
  const words = random.of(ended.slice(random.one(-1, -3, -6)));
  if (!words || workspace.declared.has(fileOf(words)) || workspace.declared.size >= mostDeclared)
    return workspace;
  const chance = random.below(8);
  if (chance < 2) return put(workspace, withTerms(words, { retain: retention(random) }));
  if (chance < 4)
    return put(
      workspace,
      asking(words, () => elsewhere(workspace, random)),
    );
  if (chance < 6) return put(workspace, withTerms(words, { pins: [] }));
  if (chance < 7 && words.kind !== 'Lease' && words.namespace !== anycast.namespace) {
    return put(workspace, { ...words, ...owning(random) });
  }
  return put(workspace, words);
}

/** On some address by name: then two can be kept for one holder. */
function elsewhere({ pools }: PlainWorkspace, random: SeededRandom): Terms {
  const pool = random.of(pools);
  const pin = pool && random.of(addressesOf(pool, 'ipv4'));
  return { family: 'ipv4', pins: pin === undefined ? [] : [pin], retain: 30 };
}

/** The same with some terms changed. */
export function withTerms(words: PlainDeclaration, changes: Partial<Terms>): PlainDeclaration {
  return asking(words, (terms) => ({ ...terms, ...changes }));
}

/** The same with other terms. */
export function asking(words: PlainDeclaration, other: (terms: Terms) => Terms): PlainDeclaration {
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

/** The workspace with a declaration, in place of one of its file, if it has room. */
export function put(workspace: PlainWorkspace, words: PlainDeclaration): PlainWorkspace {
  const file = fileOf(words);
  if (!workspace.declared.has(file) && workspace.declared.size >= mostDeclared) return workspace;
  return { ...workspace, declared: new Map(workspace.declared).set(file, words) };
}

/** One to three ports that do not clash among themselves. */
export function ports(random: SeededRandom): readonly PlainPort[] {
  const first = random.below(portNumbers.length);
  return Array.from({ length: random.one(1, 1, 1, 2, 3) }, (_, index) => ({
    port: portNumbers[(first + index) % portNumbers.length] ?? 80,
    protocol: random.one('TCP', 'TCP', 'UDP'),
  }));
}

/** An endpoint on a random port. */
export function endpointOf(name: string, random: SeededRandom, terms: Terms): PlainEndpoint {
  const [port = { port: 80, protocol: 'TCP' }] = ports(random);
  return { ...port, name, service: random.one('web', 'api'), target: 8080, terms };
}

/** Whole days that a declaration may ask for, often none. */
export function retention(random: SeededRandom): number {
  return random.one(0, 0, 1, 2, 3, 5, 10, 30);
}

/** Where an address is to come from: mostly from the default zone. */
export function termsFor(workspace: PlainWorkspace, random: SeededRandom): Terms {
  const words = random.of(workspace.pools);
  const pool = words ?? workspace.pools[0];
  const wanted = random.one('ipv4', 'ipv4', 'ipv6', 'dual', 'dual');
  const terms = { family: wanted, pins: [], retain: retention(random) } as const;
  if (!pool) return terms;
  const chance = random.below(10);
  const from = chance < 4 ? workspace.pools[0] : pool;
  const family = from && from.ipv6 === 0 ? 'ipv4' : wanted;
  if (chance < 4) return { ...terms, family };
  if (chance < 6) return { ...terms, family, zone: pool.zone };
  if (chance < 9) return { ...terms, family, pool: poolName(pool) };
  const pin = random.of(addressesOf(pool, family === 'ipv6' ? 'ipv6' : 'ipv4'));
  return pin === undefined
    ? { ...terms, family }
    : { ...terms, family: familyOf(pin), pins: [pin] };
}

/** Terms that go along with any others. */
function neutral({ family }: Terms): Terms {
  return { family, pins: [], retain: 0 };
}
