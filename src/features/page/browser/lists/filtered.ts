import { oncePer } from '../../../../core/model/calls.ts';
import {
  clusterOf,
  type IndexedHostname,
  type IndexedRecord,
  type PictureIndex,
} from '../picture-index.ts';
import { searched, searchedHostnames } from '../search.ts';
import type { Store } from '../store.ts';
import type { FilterName, View } from '../view.ts';

/** The values of a record that filters compare. A record of a group of clusters has several. */
const valuesOf: Readonly<
  Record<FilterName, (record: IndexedRecord, index: PictureIndex) => readonly string[]>
> = {
  state: ({ state }) => [state],
  pool: (record, index) => [index.poolOf(record)?.pool ?? record.record.pool],
  zone: (record, index) => [index.zoneOf(record)],
  cluster: ({ holder, record }) => holder?.cluster.split(',') ?? [clusterOf(record.holder)],
  owner: ({ owner }) => [owner],
};

/** Those of a hostname, which has no pool. */
const hostnameValuesOf: Readonly<
  Record<FilterName, (hostname: IndexedHostname) => readonly string[]>
> = {
  state: ({ state }) => [state],
  pool: () => [],
  zone: () => [],
  cluster: ({ cluster }) => [cluster],
  owner: ({ owner }) => [owner],
};

/** The values of the record of an address that a filter compares. */
export function filterKeys(
  name: FilterName,
  record: IndexedRecord,
  index: PictureIndex,
): readonly string[] {
  return valuesOf[name](record, index);
}

/** The records that match the filters and the search. */
export const filteredRecords = oncePerLook(({ index, view }) =>
  withFilters(searched(index, view.query), view.filters, (record, name) =>
    valuesOf[name](record, index),
  ),
);

/** The hostnames that match the filters and the search. */
export const filteredHostnames = oncePerLook(({ index, view }) =>
  withFilters(searchedHostnames(index, view.query), view.filters, (hostname, name) =>
    hostnameValuesOf[name](hostname),
  ),
);

/** The header and a list ask for the same hits: they are found once for a search in a picture. */
function oncePerLook<Item>(find: (store: Store) => readonly Item[]) {
  let last: readonly unknown[] = [];
  let found: readonly Item[] = [];
  return (store: Store): readonly Item[] => {
    const asked = [store.index, store.view.query, store.view.filters];
    if (asked.some((part, at) => part !== last[at])) found = find(store);
    last = asked;
    return found;
  };
}

function withFilters<Item>(
  items: readonly Item[],
  filters: View['filters'],
  values: (item: Item, name: FilterName) => readonly string[],
): readonly Item[] {
  const chosen = Object.entries(filters) as [FilterName, string][];
  return chosen.reduce(
    (found, [name, value]) => found.filter((item) => values(item, name).includes(value)),
    items,
  );
}

/** The values that a filter can have, by the number of records with it, most first. */
export function filterValues({ index }: Store, name: FilterName): readonly string[] {
  return allValues(index)(name);
}

/** They are asked for again and again, and are the same for a picture. */
const allValues = oncePer((index: PictureIndex) => {
  const known = new Map<FilterName, readonly string[]>();
  return (name: FilterName): readonly string[] => {
    const values = known.get(name) ?? countedValues(index, name);
    known.set(name, values);
    return values;
  };
});

function countedValues(index: PictureIndex, name: FilterName): readonly string[] {
  const counts = new Map<string, number>();
  const count = (values: readonly string[]) => {
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  };
  for (const record of index.records) count(valuesOf[name](record, index));
  for (const hostname of index.hostnames) count(hostnameValuesOf[name](hostname));
  return [...counts].sort(([, few], [, many]) => many - few).map(([value]) => value);
}
