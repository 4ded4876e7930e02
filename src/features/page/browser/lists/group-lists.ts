import { addToGroup, groupBy } from '../../../../core/model/order.ts';
import { button, type Child } from '../dom.ts';
import { marked, swatch } from '../map/cell-tip.ts';
import { ownerText } from '../owners.ts';
import type { IndexedHostname, IndexedRecord } from '../picture-index.ts';
import type { Store } from '../store.ts';
import { amountText, countText } from '../words.ts';
import { filteredHostnames, filteredRecords, filterKeys } from './filtered.ts';
import type { Column, List } from './list.ts';

/** The addresses and hostnames in use of an owner or of a cluster. */
interface GroupRow {
  readonly name: string;
  readonly held: number;
  readonly retained: number;
  /** Held and retained ones. */
  readonly hostnames: number;
  readonly owners: number;
  readonly pools: readonly string[];
}

const held = countColumn('Held', (row) => row.held);
const retained = countColumn('Retained', (row) => row.retained);
const owners = countColumn('Owners', (row) => row.owners);
const pools: Column<GroupRow> = {
  name: 'Pools',
  text: (row) => row.pools.join(', '),
  isLong: true,
};

/** The hostnames of a group, with a button that lists them. */
function hostnamesColumn(filter: GroupName): Column<GroupRow> {
  const column = countColumn('Hostnames', (row) => row.hostnames);
  return {
    ...column,
    cell: (row, store) =>
      row.hostnames === 0
        ? ['0']
        : [opener(store, 'hostnames', [filter, row.name], column.text(row))],
    isShown: ({ index }) => index.hostnames.length > 0,
  };
}

function countColumn(name: string, count: (row: GroupRow) => number): Column<GroupRow> {
  return { name, text: (row) => String(count(row)), sortBy: count };
}

type GroupName = 'owner' | 'cluster';

/** The owners with addresses or hostnames in use, the largest first. */
export const ownerList: List<GroupRow> = {
  name: 'owners',
  title: 'Owners',
  columns: [
    {
      name: 'Owner',
      text: ({ name }) => name,
      cell: ({ name }, store) => [
        marked(swatch(name), opener(store, 'leases', ['owner', name], ownerText(name))),
      ],
      isLong: true,
    },
    held,
    retained,
    hostnamesColumn('owner'),
    pools,
  ],
  rows: (store) => groupRows(store, 'owner'),
  count: (rows, store) => countOf(countText(rows.length, 'owner', 'owners'), store),
  owner: ({ name }) => name,
};

/** The clusters with addresses or hostnames in use, the largest first. An anycast address is of several. */
export const clusterList: List<GroupRow> = {
  name: 'clusters',
  title: 'Clusters',
  columns: [
    {
      name: 'Cluster',
      text: ({ name }) => name,
      cell: ({ name }, store) => [opener(store, 'leases', ['cluster', name], name)],
    },
    held,
    retained,
    hostnamesColumn('cluster'),
    owners,
    pools,
  ],
  rows: (store) => groupRows(store, 'cluster'),
  count: (rows, store) => countOf(countText(rows.length, 'cluster', 'clusters'), store),
};

/** A button that shows a list of a group only, within the other filters. */
function opener(
  store: Store,
  list: 'leases' | 'hostnames',
  [filter, value]: readonly [GroupName, string],
  text: string,
): Child {
  return button(text, { title: value }, () => {
    const filters = { ...store.view.filters, [filter]: value };
    store.look({ list, filters, sort: undefined, page: 0 });
  });
}

function usedRecords(store: Store): readonly IndexedRecord[] {
  return filteredRecords(store).filter(({ state }) => state !== 'free');
}

function groupRows(store: Store, name: GroupName): readonly GroupRow[] {
  const groups = new Map<string, IndexedRecord[]>();
  for (const record of usedRecords(store)) {
    for (const key of filterKeys(name, record, store.index)) addToGroup(groups, key, record);
  }
  const used = filteredHostnames(store).filter(({ state }) => state !== 'free');
  const hostnames = groupBy(used, (hostname) => hostname[name]);
  const names = [...new Set([...groups.keys(), ...hostnames.keys()])];
  const rows = names.map((key) => groupRow(key, groups.get(key) ?? [], hostnames.get(key) ?? []));
  const size = (row: GroupRow) => row.held + row.retained;
  return rows.sort((one, other) => size(other) - size(one) || other.hostnames - one.hostnames);
}

function groupRow(
  name: string,
  records: readonly IndexedRecord[],
  hostnames: readonly IndexedHostname[],
): GroupRow {
  const count = records.filter(({ state }) => state === 'held').length;
  return {
    name,
    held: count,
    retained: records.length - count,
    hostnames: hostnames.length,
    owners: new Set([...records, ...hostnames].map(({ owner }) => owner)).size,
    pools: [...new Set(records.map(({ record }) => record.pool))],
  };
}

/** `3 owners with 12 held`. An address of several clusters counts once. */
function countOf(groups: string, store: Store): string {
  const count = usedRecords(store).filter(({ state }) => state === 'held').length;
  return `${groups} with ${amountText(count)} held`;
}
