import type { Address, Family } from '../net/address.ts';
import { type Claim, claimText, keyParts } from './claim.ts';
import { type AddressPromise, type Pin, promiseText } from './lease.ts';
import type { Ownership } from './ownership.ts';
import { type Advertisement, type Pool, publicAddress } from './pools.ts';
import type { Position } from './problem.ts';

/**
 * The claims that share an address, across leases and files, or the promise of an address. A holder
 * has at most one address per family, and all its addresses are in one pool.
 */
export interface Holder {
  /**
   * `<cluster>/akash/<sharing key>`, `<cluster>/service/<namespace>/<name>`,
   * `<cluster>/shared/<namespace>/<key>`, or `anycast/<name>`.
   */
  readonly id: string;
  /** Its clusters, sorted by name. Several for an anycast group. */
  readonly clusters: readonly string[];
  /** In the order of `compareClaims`. Empty while the holder has only a promise. */
  readonly claims: readonly Claim[];
  /** While there are claims, the promise has no effect: a run removes its file. */
  readonly promise: AddressPromise | undefined;
  /** The families of all its claims or, without any, of its promise; IPv4 first. */
  readonly families: readonly Family[];
  /** The pool that its claims or its promise name, if any. */
  readonly pool: string | undefined;
  /** The zone that its claims or its promise name, if any. */
  readonly zone: string | undefined;
  /** The advertisement that its claims name, if any. */
  readonly advertisement: Advertisement | undefined;
  /** The addresses that its claims pin: at most one per family, IPv4 first. */
  readonly pins: readonly Pin[];
  /** The longest retention of its claims, in whole days. */
  readonly retentionDays: number;
  /** The key that its claims name, and their signatures. */
  readonly ownership: Ownership;
  /** The ids of holders whose addresses it takes over once they are no longer declared. */
  readonly formerly: readonly Former[];
  /** The first claim or, without any, the promise. */
  readonly at: Position;
}

/** One entry of a declared `Rename`: a holder that goes on under another id, with its addresses. */
export interface Rename {
  /** The former id; see `Holder.id`. */
  readonly from: string;
  readonly to: string;
  readonly at: Position;
}

/** The renames that lead to a holder, the last one first, also over names in between. */
export function renamesTo(
  holder: string,
  byTarget: ReadonlyMap<string, readonly Rename[]>,
): readonly Rename[] {
  const found = new Map<string, Rename>();
  const add = (to: string): void => {
    for (const rename of byTarget.get(to) ?? []) {
      if (rename.from === holder || found.has(rename.from)) continue;
      found.set(rename.from, rename);
      add(rename.from);
    }
  };
  add(holder);
  return [...found.values()];
}

/** A former holder: a Service that has joined a group, or what a `Rename` names. */
export interface Former {
  readonly id: string;
  /** The place in the `Rename`; undefined for a Service. */
  readonly renamedAt: Position | undefined;
}

/** A declaration that an address is for. */
export type ClaimOrPromise = Claim | AddressPromise;

export function claimOrPromiseText(item: ClaimOrPromise): string {
  return item.kind === 'Promise' ? promiseText(item) : claimText(item);
}

/** The purpose of a holder's addresses, in a message: its first claim, or its promise. */
export function purposeText({ claims: [first], promise }: Holder): string {
  const purpose = first ?? promise;
  return purpose ? claimOrPromiseText(purpose) : '';
}

/** The claims of a holder in one cluster. */
export function claimsIn({ claims }: Holder, cluster: string): readonly Claim[] {
  const isHere = (claim: Claim): boolean => claim.cluster === cluster;
  return claims.every(isHere) ? claims : claims.filter(isHere);
}

/** True for a holder of several Services: an anycast group, or a sharing key. */
export function isGroup(holder: string): boolean {
  return /^(?:anycast|[^/]+\/shared)\//.test(holder);
}

/** The parts of the id of a holder, of addresses or of hostnames. */
export interface HolderParts {
  /** Undefined for a group. */
  readonly cluster: string | undefined;
  /** `anycast`, `akash`, `service`, `shared` or `namespace`. */
  readonly kind: string;
  /** Undefined for a group, and for what an Akash owner has. */
  readonly namespace: string | undefined;
  /** The last part of the id. */
  readonly name: string;
}

/** Takes the id of a holder apart, declared or not. */
export function holderParts(holder: string): HolderParts {
  const parts = holder.split('/');
  const isGroup = parts.length === 2 && parts[0] === 'anycast';
  const [cluster, kind = '', third] = isGroup ? [undefined, ...parts] : parts;
  const namespace = isGroup || kind === 'akash' ? undefined : third;
  return { cluster, kind, namespace, name: parts.at(-1) ?? '' };
}

/** The id that a holder has in another namespace; undefined when it is not in `from`. */
export function movedToNamespace(holder: string, from: string, to: string): string | undefined {
  const [cluster, kind, , ...name] = holder.split('/');
  const isIn = holderParts(holder).namespace === from;
  return isIn ? [cluster, kind, to, ...name].join('/') : undefined;
}

/**
 * A holder in a sentence, as people write it: `shop/web`, `key shop/k`, `shop of akash17zp…nkks4`,
 * `namespace shop` or `akash17zp…nkks4` of hostnames, `group dns`; with its cluster unless that is
 * `default`: `prod-eu/shop/web`. Two holders can have the same text.
 */
export function holderText(holder: string): string {
  const { cluster = '', kind, namespace, name } = holderParts(holder);
  const endpoint = keyParts(name);
  if (kind === 'anycast') return `group ${name}`;
  if (kind === 'namespace') return `namespace ${name}${clusterText(cluster)}`;
  if (kind === 'akash' && endpoint)
    return `${endpoint.endpoint} of ${ownerText(endpoint.owner)}${clusterText(cluster)}`;
  if (kind === 'akash' && /^akash1[a-z0-9]+$/.test(name))
    return ownerText(name) + clusterText(cluster);
  if (kind !== 'service' && kind !== 'shared') return holder;
  const service = [cluster, namespace, name].join('/').replace(/^default\//, '');
  return kind === 'shared' ? `key ${service}` : service;
}

/** An Akash account in a sentence: its first and last characters. */
function ownerText(account: string): string {
  return `${account.slice(0, 10)}…${account.slice(-5)}`;
}

function clusterText(cluster: string): string {
  return cluster === 'default' ? '' : ` in ${cluster}`;
}

/** A holder with its addresses and their pool. Manifests are rendered from placements. */
export interface Placement {
  readonly holder: Holder;
  readonly pool: Pool;
  /** One per family of the holder, IPv4 first. */
  readonly addresses: readonly [Address, ...Address[]];
}

/** The addresses of a placement as clients beyond the NAT of its pool see them, in their order. */
export function publicAddresses({ pool, addresses }: Placement): readonly Address[] {
  return addresses.map((address) => publicAddress(pool, address));
}
