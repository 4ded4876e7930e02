import { type Day, daysBetween } from '../../model/day.ts';
import { button, element } from '../dom.ts';
import { marked, swatch } from '../map/cell-tip.ts';
import { holderShortText } from '../owners.ts';
import type { IndexedRecord } from '../picture-index.ts';
import type { Store } from '../store.ts';
import { claimsText, countText, promisedText } from '../words.ts';
import { filteredRecords } from './filtered.ts';
import type { Column, List } from './list.ts';

const address: Column<IndexedRecord> = {
  name: 'Address',
  text: ({ record }) => record.address,
  cell: (indexed, store) => [showButton(indexed, store)],
  sortBy: ({ address: { family, value } }) => (family === 'ipv4' ? value : value + (1n << 64n)),
};

const state: Column<IndexedRecord> = {
  name: 'State',
  text: stateText,
  cell: (indexed) => [
    marked(
      element('span', { class: `cell dot ${indexed.state}`, 'aria-hidden': 'true' }),
      stateText(indexed),
    ),
  ],
};

const holder: Column<IndexedRecord> = {
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
const since: Column<IndexedRecord> = { name: 'Since', text: ({ record }) => record.since };

/** All records. */
export const leaseList: List<IndexedRecord> = {
  name: 'leases',
  title: 'Leases',
  columns: [address, state, holder, claims, pool, since],
  rows: filteredRecords,
  count(rows, { view: { query, filters } }) {
    const isAll = query.trim() === '' && Object.keys(filters).length === 0;
    if (isAll && rows.length === 0) return 'No address is recorded yet.';
    const recorded = countText(rows.length, 'address', 'addresses');
    return isAll ? `${recorded} recorded` : `${recorded} found`;
  },
  address: ({ record }) => record.address,
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
    address: ({ record }) => record.address,
    owner: ({ owner }) => owner,
  };
}

function stateText(indexed: IndexedRecord): string {
  const { state: own, record } = indexed;
  const promised = promisedText(indexed);
  if (promised !== undefined) return promised;
  return own === 'retained' ? `retained until ${record.freeFrom ?? ''}` : own;
}

function showButton({ address: at, record }: IndexedRecord, store: Store): HTMLElement {
  return button(record.address, {}, () => store.show(at, record.address));
}
