import { groupBy } from '../../model/order.ts';
import { button } from '../dom.ts';
import { swatch } from '../map/cell-tip.ts';
import { ownerText } from '../owners.ts';
import { amountText, countText } from '../words.ts';
import { filteredRecords } from './filtered.ts';
import type { List } from './list.ts';

/** The addresses of an owner. */
interface OwnerRow {
  readonly owner: string;
  readonly held: number;
  readonly retained: number;
  readonly pools: readonly string[];
}

/** The owners with addresses in use, the largest first. */
export const ownerList: List<OwnerRow> = {
  name: 'owners',
  title: 'Owners',
  columns: [
    {
      name: 'Owner',
      text: ({ owner }) => owner,
      cell: ({ owner }, store) => {
        const act = () => store.look({ list: 'leases', filters: { owner }, query: '', page: 0 });
        return [swatch(owner), button(ownerText(owner), { title: owner }, act)];
      },
      isLong: true,
    },
    { name: 'Held', text: ({ held }) => String(held), sortBy: ({ held }) => held },
    {
      name: 'Retained',
      text: ({ retained }) => String(retained),
      sortBy: ({ retained }) => retained,
    },
    { name: 'Pools', text: ({ pools }) => pools.join(', '), isLong: true },
  ],
  rows(store) {
    const used = filteredRecords(store).filter(({ state }) => state !== 'free');
    const rows = [...groupBy(used, ({ owner }) => owner)].map(([owner, records]): OwnerRow => {
      const held = records.filter(({ state }) => state === 'held').length;
      const pools = [...new Set(records.map(({ record }) => record.pool))];
      return { owner, held, retained: records.length - held, pools };
    });
    return rows.sort((one, other) => other.held + other.retained - one.held - one.retained);
  },
  count: (rows) => {
    const held = rows.reduce((sum, row) => sum + row.held, 0);
    return `${countText(rows.length, 'owner', 'owners')} with ${amountText(held)} held`;
  },
  owner: ({ owner }) => owner,
};
