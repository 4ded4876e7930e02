import { ownerOf } from '../../core/model/allocation.ts';
import { addDays, type Day } from '../../core/model/day.ts';
import { compareText } from '../../core/model/order.ts';
import { compareAddresses, isAddress, parseAddress } from '../../core/net/address.ts';
import { announcedWords } from '../../lib/list/announced-text.ts';
import type { List, ListItem } from '../../lib/list/list-answer.ts';

export const listStates = ['held', 'promised', 'released', 'retained'] as const;
export const listOrders = ['address', 'holder', 'owner', 'pool', 'since', 'expires'] as const;

export type ListOrder = (typeof listOrders)[number];

/** The filters of a list. An empty list of names is no limit. */
export interface ListFilter {
  readonly pools: readonly string[];
  readonly zones: readonly string[];
  readonly namespaces: readonly string[];
  /** Akash accounts, or `<cluster>/<namespace>` of Services. */
  readonly owners: readonly string[];
  /** `l2` or `bgp`, or an advertisement, interface, peer or community; all must fit. */
  readonly announcedBy: readonly string[];
  /** `promised` is a part of `held`; `retained` is the part of `released` that is not free yet. */
  readonly state: (typeof listStates)[number] | undefined;
  /** Only retained addresses that are free at most this many days after the day of the list. */
  readonly expiresWithin: number | undefined;
}

/** Returns the part of a list that passes a filter, in its order. */
export function filteredList(list: List, filter: ListFilter): List {
  const { pools, zones, namespaces, owners, announcedBy, state, expiresWithin } = filter;
  const { day } = list;
  const has = (names: readonly string[], name: string | undefined) =>
    names.length === 0 || (name !== undefined && names.includes(name));
  const items = list.items.filter(
    (item) =>
      has(pools, item.pool) &&
      has(zones, item.zone) &&
      has(owners, ownerOf(item.holder)) &&
      announcedBy.every((word) => announcedWords(item.announced).includes(word)) &&
      (namespaces.length === 0 || namespacesOf(item).some((name) => has(namespaces, name))) &&
      (state === undefined || isIn(item, state, day)) &&
      (expiresWithin === undefined || expires(item, day, expiresWithin)),
  );
  return { ...list, items };
}

/** The namespaces of the claims; without claims, the one in the holder of a Service. */
function namespacesOf({ holder, claims }: ListItem): readonly string[] {
  if (claims.length > 0) return claims.map(({ namespace }) => namespace);
  const [, kind, namespace] = holder.split('/');
  return kind !== 'akash' && namespace !== undefined ? [namespace] : [];
}

function isIn(item: ListItem, state: (typeof listStates)[number], day: string): boolean {
  if (state === 'retained') return isRetained(item, day);
  return state === 'promised' ? item.promisedUntil !== undefined : item.state === state;
}

function isRetained({ freeFrom }: ListItem, day: string): boolean {
  return freeFrom !== undefined && freeFrom > day;
}

function expires(item: ListItem, day: string, days: number): boolean {
  return isRetained(item, day) && (item.freeFrom ?? '') <= addDays(day as Day, days);
}

/**
 * Returns a list in another order; items that are equal in it are by address. What does not expire
 * comes last.
 */
export function sortedList(list: List, order: ListOrder): List {
  const keyed = list.items.map((item) => {
    const address = parseAddress(item.addresses[0] ?? '');
    return { item, key: sortKey(item, order), address: isAddress(address) ? address : undefined };
  });
  const items = keyed
    .toSorted((left, right) => {
      const byKey = compareText(left.key, right.key);
      if (byKey !== 0 || !left.address || !right.address) return byKey;
      return compareAddresses(left.address, right.address);
    })
    .map(({ item }) => item);
  return { ...list, items };
}

function sortKey(item: ListItem, order: ListOrder): string {
  if (order === 'address') return '';
  if (order === 'owner') return ownerOf(item.holder) ?? item.holder;
  return order === 'expires' ? (item.freeFrom ?? '9999-12-31') : item[order];
}
