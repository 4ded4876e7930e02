import { type Day, daysBetween } from '../../../../core/model/day.ts';
import type { PictureRecord } from '../../picture-answer.ts';
import { button, element } from '../dom.ts';
import { marked, swatch } from '../map/cell-tip.ts';
import { holderShortText } from '../owners.ts';
import type { IndexedHostname, IndexedRecord } from '../picture-index.ts';
import type { Store } from '../store.ts';
import { claimsText, countText, promisedText, publicText, serviceText } from '../words.ts';
import { filteredHostnames, filteredRecords } from './filtered.ts';
import type { Column, List } from './list.ts';

const address: Column<IndexedRecord> = {
  name: 'Address',
  text: ({ record }) => record.address,
  cell: (indexed, store) => [showButton(indexed, store)],
  sortBy: ({ address: { family, value } }) => (family === 'ipv4' ? value : value + (1n << 64n)),
};

const publicAddress: Column<IndexedRecord> = {
  name: 'Public',
  text: publicText,
  isShown: ({ index }) => index.hasNat,
};

/** The fields that records of addresses and of hostnames have in common. */
interface RecordRow extends Pick<IndexedRecord, 'state' | 'owner'> {
  readonly record: Pick<PictureRecord, 'holder' | 'since' | 'freeFrom'>;
}

/** The state of a record. */
function stateColumn<Row extends RecordRow>(text: (row: Row) => string): Column<Row> {
  return {
    name: 'State',
    text,
    cell: (row) => [
      marked(element('span', { class: `cell dot ${row.state}`, 'aria-hidden': 'true' }), text(row)),
    ],
  };
}

/** The state without promises: `retained until 2026-12-01`. */
function plainStateText({ state, record }: RecordRow): string {
  return state === 'retained' ? `retained until ${record.freeFrom ?? ''}` : state;
}

/** The holder of a record, or its last one. */
const holder: Column<RecordRow> = {
  name: 'Holder',
  text: ({ record }) => record.holder,
  cell: ({ record, owner, state: own }) =>
    own === 'free'
      ? [
          element(
            'span',
            { class: 'soft', title: record.holder },
            `last ${holderShortText(record.holder)}`,
          ),
        ]
      : [
          marked(
            swatch(owner),
            element('span', { title: record.holder }, holderShortText(record.holder)),
          ),
        ],
  isLong: true,
};

const claims: Column<IndexedRecord> = {
  name: 'Claims',
  text: (record) => claimsText(record, Number.POSITIVE_INFINITY),
  cell: (record) => [claimsText(record, 3)],
  isLong: true,
};

const pool: Column<IndexedRecord> = { name: 'Pool', text: ({ record }) => record.pool };
/** The day on which the holder of a record got it. */
const since: Column<RecordRow> = { name: 'Since', text: ({ record }) => record.since };

/** The recorded addresses. */
export const leaseList: List<IndexedRecord> = {
  name: 'leases',
  title: 'Leases',
  columns: [address, publicAddress, stateColumn(stateText), holder, claims, pool, since],
  rows: filteredRecords,
  count(rows, store) {
    if (isWhole(store) && rows.length === 0) return 'No address is recorded yet.';
    return foundText(countText(rows.length, 'address', 'addresses'), store);
  },
  item: ({ record }) => record.address,
  owner: ({ owner }) => owner,
};

/** The recorded hostnames. */
export const hostnameList: List<IndexedHostname> = {
  name: 'hostnames',
  title: 'Hostnames',
  columns: [
    {
      name: 'Hostname',
      text: ({ record }) => record.hostname,
      cell: ({ record: { hostname } }, store) => [
        button(hostname, {}, () => store.showHostname(hostname)),
      ],
    },
    stateColumn(plainStateText),
    holder,
    { name: 'Service', text: ({ record }) => serviceText(record), isLong: true },
    { name: 'Cluster', text: ({ cluster }) => cluster },
    since,
  ],
  rows: filteredHostnames,
  count: (rows, store) => foundText(countText(rows.length, 'hostname', 'hostnames'), store),
  item: ({ record }) => record.hostname,
  owner: ({ owner }) => owner,
};

/** The retained addresses, the next one to be free first. */
export function expiringList(store: Store): List<IndexedRecord> {
  const daysLeft = ({ record }: IndexedRecord) =>
    daysBetween(store.index.picture.day as Day, (record.freeFrom ?? record.since) as Day);
  return {
    name: 'expiring',
    title: 'Expiring',
    columns: [
      address,
      { name: 'Free from', text: ({ record }) => record.freeFrom ?? '' },
      {
        name: 'In',
        text: (record) => countText(daysLeft(record), 'day', 'days'),
        sortBy: daysLeft,
      },
      { ...holder, name: 'Last holder' },
      pool,
    ],
    rows: (own) =>
      filteredRecords(own)
        .filter(({ state: one }) => one === 'retained')
        .toSorted((one, other) => daysLeft(one) - daysLeft(other)),
    count(rows) {
      const week = rows.filter((record) => daysLeft(record) <= 7).length;
      const all = countText(rows.length, 'retained address', 'retained addresses');
      return `${all}, ${week === 0 ? 'none of them' : week} free within 7 days`;
    },
    item: ({ record }) => record.address,
    owner: ({ owner }) => owner,
  };
}

/** `7 addresses recorded`, or `found` by a search or a filter. */
function foundText(count: string, store: Store): string {
  return `${count} ${isWhole(store) ? 'recorded' : 'found'}`;
}

/** True while neither a search nor a filter limits the lists. */
export function isWhole({ view: { query, filters } }: Store): boolean {
  return query.trim() === '' && Object.keys(filters).length === 0;
}

function stateText(indexed: IndexedRecord): string {
  return promisedText(indexed) ?? plainStateText(indexed);
}

function showButton({ address: at, record }: IndexedRecord, store: Store): HTMLElement {
  return button(record.address, {}, () => store.show(at, record.address));
}
