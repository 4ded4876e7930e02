/** Who wants what, read from the words once more: the rules of the declarations, as plainly as they can be said. */

import {
  addressesOf,
  anycast,
  clusters,
  families,
  familyOf,
  fileOf,
  type PoolWords,
  type PortWords,
  poolName,
  type Terms,
  type Town,
  type Words,
} from './plain-workspace.ts';
import type { Proof } from './signatures.ts';

/** What all claims of one holder want together. */
export interface Wish {
  readonly families: Set<'ipv4' | 'ipv6'>;
  /** The longest of its claims. */
  retain: number;
  readonly zones: Set<string>;
  readonly pools: Set<string>;
  readonly pins: Set<string>;
  readonly ports: Set<string>;
  readonly clusters: Set<string>;
  /** The names of keys that its Services have; undefined for one that has none. */
  readonly keys: Set<string | undefined>;
  readonly proofs: Proof[];
  /** The Services that want an address of a family. */
  readonly tenants: Readonly<Record<'ipv4' | 'ipv6', Set<string>>>;
  /** True when two claims want one port of one address in one cluster. */
  clashes: boolean;
}

/** What the pools of a town offer, by address and by name. */
export interface Offers {
  /** The pool that lists an address. */
  readonly listing: ReadonlyMap<string, PoolWords>;
  /** The addresses that may be given at all, in the order of the pools. */
  readonly servable: ReadonlySet<string>;
  readonly zones: ReadonlyMap<string, string>;
}

const offered = new WeakMap<readonly PoolWords[], Offers>();

/** What the pools offer. */
export function offersOf({ pools }: Town): Offers {
  const known = offered.get(pools);
  if (known) return known;
  const listing = new Map<string, PoolWords>();
  for (const pool of pools) {
    for (const family of families) {
      for (const address of addressesOf(pool, family)) listing.set(address, pool);
    }
  }
  const servable = [...listing].filter(
    ([text, pool]) =>
      !pool.reserved.includes(text) && !(pool.avoidBuggyIPs && /^[\d.]+\.(0|255)$/.test(text)),
  );
  const offers = {
    listing,
    servable: new Set(servable.map(([text]) => text)),
    zones: new Map(pools.map((pool) => [poolName(pool), pool.zone])),
  };
  offered.set(pools, offers);
  return offers;
}

const wished = new WeakMap<Town, ReadonlyMap<string, Wish>>();

/** The wishes of a town by holder. */
export function wishesOf(town: Town): ReadonlyMap<string, Wish> {
  const known = wished.get(town);
  if (known) return known;
  const wishes = new Map<string, Wish>();
  const offers = offersOf(town);
  for (const words of town.declared.values()) {
    for (const claim of claimsOf(words)) {
      const wish = wishes.get(claim.holder) ?? emptyWish();
      wishes.set(claim.holder, wish);
      add(wish, claim, offers);
    }
  }
  wished.set(town, wishes);
  return wishes;
}

/** The pools that a wish may have addresses of. */
export function poolsFor(wish: Wish, { pools }: Town, offers: Offers): readonly PoolWords[] {
  const [named] = wish.pools;
  // A pin says its zone where nothing else does; of two, the IPv4 one.
  const [first, second] = wish.pins;
  const pin = first?.includes(':') ? (second ?? first) : first;
  const [zone = (pin && offers.listing.get(pin)?.zone) ?? pools[0]?.zone] = wish.zones;
  return pools.filter((pool) => {
    const isMeant = named === undefined ? pool.zone === zone : poolName(pool) === named;
    return isMeant && [...wish.clusters].every((name) => pool.clusters?.includes(name) ?? true);
  });
}

/** True when the claims of a holder contradict each other. */
export function contradictsItself({ pools, zones, pins, clashes, keys }: Wish): boolean {
  const pinned = [...pins].map(familyOf);
  const disagrees = pools.size > 1 || zones.size > 1 || keys.size > 1;
  return clashes || disagrees || new Set(pinned).size < pinned.length;
}

interface PlainClaim {
  readonly holder: string;
  readonly cluster: string;
  readonly ports: readonly PortWords[];
  readonly terms: Terms;
  /** Of a Service: its file, its key and its signatures. */
  readonly service?: string;
  readonly secret?: string;
  readonly proofs?: readonly Proof[];
}

const claimed = new WeakMap<Words, readonly PlainClaim[]>();

/** The claims of a declaration, each with its holder. */
export function claimsOf(words: Words): readonly PlainClaim[] {
  const known = claimed.get(words);
  if (known) return known;
  const claims =
    words.kind === 'Lease'
      ? words.endpoints.map(({ name, port, protocol, terms }) => ({
          holder: `${words.cluster}/akash/${words.owner}-ip-${name}`,
          cluster: words.cluster,
          ports: [{ port, protocol }],
          terms,
        }))
      : [{ ...words, holder: serviceHolder(words), service: fileOf(words) }];
  claimed.set(words, claims);
  return claims;
}

function serviceHolder({ cluster, namespace, name, key }: Exclude<Words, { kind: 'Lease' }>) {
  const isMember = namespace === anycast.namespace && name === anycast.service;
  if (isMember && clusters.some((one) => one === cluster)) return `anycast/${anycast.name}`;
  return key === undefined
    ? `${cluster}/service/${namespace}/${name}`
    : `${cluster}/shared/${namespace}/${key}`;
}

function emptyWish(): Wish {
  return {
    families: new Set(),
    retain: 0,
    zones: new Set(),
    pools: new Set(),
    pins: new Set(),
    ports: new Set(),
    clusters: new Set(),
    keys: new Set(),
    proofs: [],
    tenants: { ipv4: new Set(), ipv6: new Set() },
    clashes: false,
  };
}

function add(wish: Wish, claim: PlainClaim, { zones }: Offers): void {
  const { cluster, terms, service } = claim;
  for (const family of families) {
    if (terms.family !== family && terms.family !== 'dual') continue;
    wish.families.add(family);
    if (service !== undefined) wish.tenants[family].add(service);
  }
  if (service !== undefined) wish.keys.add(claim.secret);
  wish.proofs.push(...(claim.proofs ?? []));
  wish.clusters.add(cluster);
  wish.retain = Math.max(wish.retain, terms.retain);
  const zone = terms.zone ?? zones.get(terms.pool ?? '');
  if (zone !== undefined) wish.zones.add(zone);
  if (terms.pool !== undefined) wish.pools.add(terms.pool);
  for (const pin of terms.pins) wish.pins.add(pin);
  for (const port of portsOf(claim)) {
    wish.clashes ||= wish.ports.has(port);
    wish.ports.add(port);
  }
}

/** An endpoint has its port of both families; a Service of those that it wants. */
function portsOf({ cluster, ports, terms, service }: PlainClaim): readonly string[] {
  const own = families.filter(
    (family) => service === undefined || terms.family === 'dual' || terms.family === family,
  );
  return ports.flatMap(({ port, protocol }) =>
    own.map((family) => `${cluster} ${port}/${protocol} ${family}`),
  );
}
