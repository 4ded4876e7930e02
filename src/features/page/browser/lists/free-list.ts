import { formatAddress } from '../../../../core/net/address.ts';
import { type AddressRange, formatRange, rangeSize } from '../../../../core/net/range.ts';
import { rangeSetOf, setSize, subtract } from '../../../../core/net/range-set.ts';
import type { PicturePool } from '../../picture-answer.ts';
import { button } from '../dom.ts';
import { bareState, type Space } from '../picture-index.ts';
import { searchedRange } from '../search.ts';
import type { Store } from '../store.ts';
import { amountText, countText } from '../words.ts';
import type { List } from './list.ts';

/** Free addresses that follow on each other, or a single one. */
interface FreeRow {
  readonly range: AddressRange;
  readonly space: Space;
}

/** Up to so many free addresses are listed one by one. */
const mostSingle = 1024n;

/** The addresses that the pools can give out now. Draining pools give none. */
export const freeList: List<FreeRow> = {
  name: 'free',
  title: 'Free addresses',
  columns: [
    {
      name: 'Address',
      text: ({ range }) => rangeText(range),
      cell: ({ range }, store) => {
        const text = rangeText(range);
        const act = () =>
          range.from.value === range.to.value
            ? store.show(range.from, text)
            : store.look({ ...store.mapOfRange(range) });
        return [button(text, {}, act)];
      },
      sortBy: ({ range: { from } }) =>
        from.family === 'ipv4' ? from.value : from.value + (1n << 64n),
    },
    {
      name: 'Count',
      text: ({ range }) => amountText(rangeSize(range)),
      sortBy: ({ range }) => rangeSize(range),
    },
    { name: 'Pool', text: ({ space }) => space.pool.pool },
    { name: 'Zone', text: ({ space }) => space.pool.zone },
  ],
  rows: (store) => {
    const rows = givingSpaces(store).flatMap((space) =>
      freeRanges(space, store).map((range) => ({ range, space })),
    );
    return sizeOf(rows) > mostSingle ? rows : rows.flatMap(singles);
  },
  count: (rows, store) => {
    const { pools } = store.index.picture;
    const draining = pools
      .filter((pool) => pool.state === 'draining' && isAsked(pool, store))
      .map(({ pool }) => pool);
    const none = draining.length === 0 ? '' : `; draining, so none from ${draining.join(', ')}`;
    const size = sizeOf(rows);
    return `${amountText(size)} ${size === 1n ? 'address is' : 'addresses are'} free in ${countText(
      new Set(rows.map(({ space }) => space.pool.pool)).size,
      'pool',
      'pools',
    )}${none}`;
  },
};

function rangeText({ from, to }: AddressRange): string {
  return from.value === to.value ? formatAddress(from) : formatRange({ from, to });
}

function sizeOf(rows: readonly FreeRow[]): bigint {
  return setSize({ ranges: rows.map(({ range }) => range) });
}

function singles({ range: { from, to }, space }: FreeRow): readonly FreeRow[] {
  return Array.from({ length: Number(to.value - from.value) + 1 }, (_, offset) => {
    const address = { family: from.family, value: from.value + BigInt(offset) };
    return { range: { from: address, to: address }, space };
  });
}

/** The spaces that give out addresses and match the filters. */
function givingSpaces(store: Store): readonly Space[] {
  return store.index.spaces.filter(({ pool }) => pool.state === 'active' && isAsked(pool, store));
}

function isAsked({ pool, zone }: PicturePool, { view: { filters } }: Store): boolean {
  return (filters.pool ?? pool) === pool && (filters.zone ?? zone) === zone;
}

/** The free ranges of a space, within the block that the search names. */
function freeRanges(space: Space, { view: { query } }: Store): readonly AddressRange[] {
  const declared = rangeSetOf(space.ranges);
  const taken = [
    ...space.reserved,
    ...space.records
      .filter(({ state }) => state !== 'free')
      .map(({ address }) => ({ from: address, to: address })),
  ];
  const free = subtract(declared, rangeSetOf(taken));
  const asked = searchedRange(query);
  const within = asked ? subtract(free, subtract(free, rangeSetOf([asked]))) : free;
  return space.pool.avoidBuggyIPs
    ? within.ranges.flatMap((range) => usable(range, space))
    : within.ranges;
}

/** The parts of a range between addresses that MetalLB avoids. */
function usable(range: AddressRange, space: Space): readonly AddressRange[] {
  const { family } = range.from;
  if (family !== 'ipv4') return [range];
  const buggy: AddressRange[] = [];
  for (let block = range.from.value >> 8n; block <= range.to.value >> 8n; block += 1n) {
    for (const value of [block << 8n, (block << 8n) | 255n]) {
      const address = { family, value };
      if (bareState(space, address) === 'reserved') buggy.push({ from: address, to: address });
    }
  }
  return subtract({ ranges: [range] }, rangeSetOf(buggy)).ranges;
}
