import { addToGroup } from '../../model/order.ts';
import { button, type Child } from '../dom.ts';
import { marked, swatch } from '../map/cell-tip.ts';
import { ownerText } from '../owners.ts';
import type { IndexedRecord } from '../picture-index.ts';
import type { Store } from '../store.ts';
import { amountText, countText } from '../words.ts';
import { filteredRecords, filterKeys } from './filtered.ts';
import type { Column, List } from './list.ts';

/** The addresses in use of an owner or of a cluster. */
interface GroupRow {
  readonly name: string;
  readonly held: number;
  readonly retained: number;
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

function countColumn(name: string, count: (row: GroupRow) => number): Column<GroupRow> {
  return { name, text: (row) => String(count(row)), sortBy: count };
}

/** The owners with addresses in use, the largest first. */
export const ownerList: List<GroupRow> = {
  name: 'owners',
  title: 'Owners',
  columns: [
    {
      name: 'Owner',
      text: ({ name }) => name,
      cell: ({ name }, store) => [
        marked(swatch(name), opener(store, 'owner', name, ownerText(name))),
      ],
      isLong: true,
    },
    held,
    retained,
    pools,
  ],
  rows: (store) => groupRows(store, 'owner'),
  count: (rows, store) => countOf(countText(rows.length, 'owner', 'owners'), store),
  owner: ({ name }) => name,
};

/** The clusters with addresses in use, the largest first. An anycast address is of several. */
export const clusterList: List<GroupRow> = {
  name: 'clusters',
  title: 'Clusters',
  columns: [
    {
      name: 'Cluster',
      text: ({ name }) => name,
      cell: ({ name }, store) => [opener(store, 'cluster', name, name)],
    },
    held,
    retained,
    owners,
    pools,
  ],
  rows: (store) => groupRows(store, 'cluster'),
  count: (rows, store) => countOf(countText(rows.length, 'cluster', 'clusters'), store),
};

/** A button that lists the addresses of a group, within the other filters. */
function opener(store: Store, filter: 'owner' | 'cluster', value: string, text: string): Child {
  return button(text, { title: value }, () => {
    const filters = { ...store.view.filters, [filter]: value };
    store.look({ list: 'leases', filters, sort: undefined, page: 0 });
  });
}

function usedRecords(store: Store): readonly IndexedRecord[] {
  return filteredRecords(store).filter(({ state }) => state !== 'free');
}

function groupRows(store: Store, name: 'owner' | 'cluster'): readonly GroupRow[] {
  const groups = new Map<string, IndexedRecord[]>();
  for (const record of usedRecords(store)) {
    for (const key of filterKeys(name, record, store.index)) addToGroup(groups, key, record);
  }
  const size = (row: GroupRow) => row.held + row.retained;
  return [...groups].map(groupRow).sort((one, other) => size(other) - size(one));
}

function groupRow([name, records]: [string, readonly IndexedRecord[]]): GroupRow {
  const count = records.filter(({ state }) => state === 'held').length;
  return {
    name,
    held: count,
    retained: records.length - count,
    owners: new Set(records.map(({ owner }) => owner)).size,
    pools: [...new Set(records.map(({ record }) => record.pool))],
  };
}

/** `3 owners with 12 held`. An address of several clusters counts once. */
function countOf(groups: string, store: Store): string {
  const count = usedRecords(store).filter(({ state }) => state === 'held').length;
  return `${groups} with ${amountText(count)} held`;
}
