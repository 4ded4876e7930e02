import type { IndexedRecord, PictureIndex } from '../picture-index.ts';
import { searched } from '../search.ts';
import type { Store } from '../store.ts';
import type { FilterName } from '../view.ts';
import { hostnameValue } from './hostname-values.ts';

/** The values of a record that filters compare. A record of a group of clusters has several. */
const valuesOf: Readonly<
  Record<FilterName, (record: IndexedRecord, index: PictureIndex) => readonly string[]>
> = {
  state: ({ state }) => [state],
  pool: (record, index) => [index.spaceOf(record.address)?.pool.pool ?? record.record.pool],
  zone: (record, index) => [index.zoneOf(record)],
  cluster: ({ holder, record }) =>
    holder?.cluster.split(',') ?? [record.holder.slice(0, record.holder.indexOf('/'))],
  owner: ({ owner }) => [owner],
};

/** The values of a record that a filter compares. */
export function filterKeys(
  name: FilterName,
  record: IndexedRecord,
  index: PictureIndex,
): readonly string[] {
  return valuesOf[name](record, index);
}

/** The records that match the filters and the search. */
export function filteredRecords({ index, view }: Store): readonly IndexedRecord[] {
  const filters = Object.entries(view.filters) as [FilterName, string][];
  return filters.reduce(
    (found, [name, value]) =>
      found.filter((record) => valuesOf[name](record, index).includes(value)),
    searched(index, view.query),
  );
}

/** The values that a filter can have, by the number of records and hostnames with it, most first. */
export function filterValues({ index }: Store, name: FilterName): readonly string[] {
  const counts = new Map<string, number>();
  const values = [
    ...index.records.flatMap((record) => valuesOf[name](record, index)),
    ...(index.picture.hostnames ?? []).flatMap((row) => hostnameValue(name, row) ?? []),
  ];
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, few], [, many]) => many - few).map(([value]) => value);
}
