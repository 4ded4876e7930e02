import { domainsAbove } from '../../net/dns-name.ts';
import { element } from '../dom.ts';
import { marked, swatch } from '../map/cell-tip.ts';
import { holderShortText } from '../owners.ts';
import type { Store } from '../store.ts';
import type { FilterName } from '../view.ts';
import { countText } from '../words.ts';
import { type HostnameRow, hostnameOwner, hostnameValue } from './hostname-values.ts';
import type { List } from './list.ts';

/** All hostnames. */
export const hostnameList: List<HostnameRow> = {
  name: 'hostnames',
  title: 'Hostnames',
  columns: [
    { name: 'Hostname', text: ({ hostname }) => hostname, isLong: true },
    { name: 'State', text: stateText },
    {
      name: 'Holder',
      text: ({ holder }) => holder,
      cell: (row) => [
        marked(
          swatch(hostnameOwner(row)),
          element('span', { title: row.holder }, holderShortText(row.holder)),
        ),
      ],
      isLong: true,
    },
    { name: 'Service', text: serviceText, isLong: true },
    { name: 'Since', text: ({ since }) => since },
  ],
  rows: hostnameRows,
  count(rows, { index, view: { query, filters } }) {
    if (index.isPast) return 'The hostnames of earlier days are not on this page.';
    const isAll = query.trim() === '' && Object.keys(filters).length === 0;
    return `${countText(rows.length, 'hostname', 'hostnames')} ${isAll ? 'recorded' : 'found'}`;
  },
  owner: hostnameOwner,
};

/**
 * The hostnames that match the filters and every word of the search. A hostname also finds the
 * wildcard that answers for it. A hostname has no pool and no zone.
 */
export function hostnameRows({ index, view }: Store): readonly HostnameRow[] {
  const filters = Object.entries(view.filters) as [FilterName, string][];
  const words = view.query.toLowerCase().split(/\s+/).filter(Boolean);
  return (index.picture.hostnames ?? []).filter(
    (row) =>
      filters.every(([name, value]) => hostnameValue(name, row) === value) &&
      words.every((word) => textOf(row).includes(word) || isAnswered(row, word)),
  );
}

function isAnswered({ hostname }: HostnameRow, word: string): boolean {
  return domainsAbove(word).some((domain) => hostname === `*.${domain}`);
}

function textOf(row: HostnameRow): string {
  const { hostname, holder, since, lease = '', file = '' } = row;
  const parts = [hostname, holder, stateText(row), serviceText(row), since, lease, file];
  return parts.join(' ').toLowerCase();
}

function stateText({ released }: HostnameRow): string {
  return released ? `retained until ${released.freeFrom}` : 'held';
}

/** The Service and its port, and the lease of the Service. */
function serviceText({ service, port, lease }: HostnameRow): string {
  if (service === undefined) return '';
  return lease === undefined ? `${service}:${port}` : `${service}:${port}, lease ${lease}`;
}
