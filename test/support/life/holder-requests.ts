/** A second implementation of the rules of declarations: the request of each holder. */

import {
  addressesOf,
  anycast,
  clusters,
  endpointHolder,
  families,
  familyOf,
  fileOf,
  type PlainDeclaration,
  type PlainPool,
  type PlainPort,
  type PlainWorkspace,
  poolName,
  type Terms,
} from './plain-workspace.ts';
import type { PlainSignature } from './signatures.ts';

/** The claims of one holder together. */
export interface HolderRequest {
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
  readonly signatures: PlainSignature[];
  /** The Services that want an address of a family. */
  readonly tenants: Readonly<Record<'ipv4' | 'ipv6', Set<string>>>;
  /** True when two claims want one port of one address in one cluster. */
  clashes: boolean;
  /** True for what only a promise asks for. */
  isPromise: boolean;
}

/** What the pools of a workspace offer, by address and by name. */
export interface Offers {
  /** The pool that lists an address. */
  readonly listing: ReadonlyMap<string, PlainPool>;
  /** The addresses that may be given at all, in the order of the pools. */
  readonly servable: ReadonlySet<string>;
  readonly zones: ReadonlyMap<string, string>;
}

const offersCache = new WeakMap<readonly PlainPool[], Offers>();

/** What the pools offer. */
export function offersOf({ pools }: PlainWorkspace): Offers {
  const known = offersCache.get(pools);
  if (known) return known;
  const listing = new Map<string, PlainPool>();
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
  offersCache.set(pools, offers);
  return offers;
}

const requested = new WeakMap<PlainWorkspace, ReadonlyMap<string, HolderRequest>>();

/** The requests of a workspace by holder. */
export function requestsOf(workspace: PlainWorkspace): ReadonlyMap<string, HolderRequest> {
  const known = requested.get(workspace);
  if (known) return known;
  const requests = new Map<string, HolderRequest>();
  const offers = offersOf(workspace);
  for (const words of workspace.declared.values()) {
    for (const claim of claimsOf(words)) {
      const request = requests.get(claim.holder) ?? emptyRequest();
      requests.set(claim.holder, request);
      add(request, claim, offers);
    }
  }
  for (const [holder, { cluster, terms }] of workspace.promises) {
    // A lease of the holder takes its promise over.
    if (requests.has(holder)) continue;
    const request = { ...emptyRequest(), isPromise: true };
    requests.set(holder, request);
    add(request, { holder, cluster, ports: [], terms }, offers);
  }
  requested.set(workspace, requests);
  return requests;
}

/** The pools that a request may have addresses of. */
export function poolsFor(
  request: HolderRequest,
  { pools }: PlainWorkspace,
  offers: Offers,
): readonly PlainPool[] {
  const [named] = request.pools;
  // A pin says its zone where nothing else does; of two, the IPv4 one.
  const [first, second] = request.pins;
  const pin = first?.includes(':') ? (second ?? first) : first;
  const [zone = (pin && offers.listing.get(pin)?.zone) ?? pools[0]?.zone] = request.zones;
  return pools.filter((pool) => {
    const isMeant = named === undefined ? pool.zone === zone : poolName(pool) === named;
    return isMeant && [...request.clusters].every((name) => pool.clusters?.includes(name) ?? true);
  });
}

/** True when the claims of a holder contradict each other. */
export function contradictsItself({ pools, zones, pins, clashes, keys }: HolderRequest): boolean {
  const pinned = [...pins].map(familyOf);
  const disagrees = pools.size > 1 || zones.size > 1 || keys.size > 1;
  return clashes || disagrees || new Set(pinned).size < pinned.length;
}

interface PlainClaim {
  readonly holder: string;
  readonly cluster: string;
  readonly ports: readonly PlainPort[];
  readonly terms: Terms;
  /** Of a Service: its file, its key and its signatures. */
  readonly service?: string;
  readonly secret?: string;
  readonly signatures?: readonly PlainSignature[];
}

const claimsCache = new WeakMap<PlainDeclaration, readonly PlainClaim[]>();

/** The claims of a declaration, each with its holder. */
export function claimsOf(words: PlainDeclaration): readonly PlainClaim[] {
  const known = claimsCache.get(words);
  if (known) return known;
  const claims =
    words.kind === 'Lease'
      ? words.endpoints.map(({ name, port, protocol, terms }) => ({
          holder: endpointHolder(words.cluster, words.owner, name),
          cluster: words.cluster,
          ports: [{ port, protocol }],
          terms,
        }))
      : [{ ...words, holder: serviceHolder(words), service: fileOf(words) }];
  claimsCache.set(words, claims);
  return claims;
}

function serviceHolder({
  cluster,
  namespace,
  name,
  key,
}: Exclude<PlainDeclaration, { kind: 'Lease' }>) {
  const isMember = namespace === anycast.namespace && name === anycast.service;
  if (isMember && clusters.some((one) => one === cluster)) return `anycast/${anycast.name}`;
  return key === undefined
    ? `${cluster}/service/${namespace}/${name}`
    : `${cluster}/shared/${namespace}/${key}`;
}

function emptyRequest(): HolderRequest {
  return {
    families: new Set(),
    retain: 0,
    zones: new Set(),
    pools: new Set(),
    pins: new Set(),
    ports: new Set(),
    clusters: new Set(),
    keys: new Set(),
    signatures: [],
    tenants: { ipv4: new Set(), ipv6: new Set() },
    clashes: false,
    isPromise: false,
  };
}

function add(request: HolderRequest, claim: PlainClaim, { zones }: Offers): void {
  const { cluster, terms, service } = claim;
  for (const family of families) {
    if (terms.family !== family && terms.family !== 'dual') continue;
    request.families.add(family);
    if (service !== undefined) request.tenants[family].add(service);
  }
  if (service !== undefined) request.keys.add(claim.secret);
  request.signatures.push(...(claim.signatures ?? []));
  request.clusters.add(cluster);
  request.retain = Math.max(request.retain, terms.retain);
  const zone = terms.zone ?? zones.get(terms.pool ?? '');
  if (zone !== undefined) request.zones.add(zone);
  if (terms.pool !== undefined) request.pools.add(terms.pool);
  for (const pin of terms.pins) request.pins.add(pin);
  for (const port of portsOf(claim)) {
    request.clashes ||= request.ports.has(port);
    request.ports.add(port);
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
