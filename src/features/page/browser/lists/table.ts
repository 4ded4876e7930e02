import { button, element } from '../dom.ts';
import type { Store } from '../store.ts';
import { type Column, columnId, type List, shownColumns } from './list.ts';

/**
 * The table of a list. On a phone it is shown as cards: roles keep its structure, and each cell
 * carries the name of its column.
 */
export function listTable<Row>(list: List<Row>, rows: readonly Row[], store: Store): HTMLElement {
  const body = element(
    'tbody',
    { role: 'rowgroup' },
    ...rows.map((row) => rowOf(list, row, store)),
  );
  return element('table', { role: 'table', class: 'cards' }, head(list, store), body);
}

function head<Row>(list: List<Row>, store: Store): HTMLElement {
  const cells = shownColumns(list, store).map((column) => headCell(column, store));
  return element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...cells));
}

/** A column head: the first press sorts ascending, the second descending, the third not at all. */
function headCell<Row>(column: Column<Row>, store: Store): HTMLElement {
  const { sort } = store.view;
  const id = columnId(column);
  const isSorted = sort?.column === id;
  const order = isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined;
  const next = isSorted
    ? sort.isDescending
      ? undefined
      : { column: id, isDescending: true }
    : { column: id, isDescending: false };
  const sign = order === undefined ? '' : order === 'ascending' ? ' ↑' : ' ↓';
  return element(
    'th',
    { scope: 'col', role: 'columnheader', 'aria-sort': order },
    button(
      `${column.name}${sign}`,
      { 'data-column': id, 'aria-label': `${column.name}: sort` },
      () => {
        store.look({ sort: next, page: 0 });
        focusHead(id);
      },
    ),
  );
}

/** The head is drawn anew; the focus returns to its button. */
function focusHead(id: string): void {
  document.querySelector<HTMLElement>(`#leases thead [data-column="${id}"]`)?.focus();
}

function rowOf<Row>(list: List<Row>, row: Row, store: Store): HTMLElement {
  const item = list.item?.(row);
  const owner = list.owner?.(row);
  const isSelected = item !== undefined && store.view.selected === item;
  const isNew = item !== undefined && store.changeOf(item) !== undefined;
  const made = element(
    'tr',
    {
      role: 'row',
      'data-item': item,
      class: [...(isSelected ? ['selected'] : []), ...(isNew ? ['arrived'] : [])].join(' '),
    },
    ...shownColumns(list, store).map((column, index) => cellOf(column, row, index === 0, store)),
  );
  if (owner !== undefined) {
    for (const name of ['pointerenter', 'focusin'])
      made.addEventListener(name, () => store.light(owner));
    for (const name of ['pointerleave', 'focusout'])
      made.addEventListener(name, () => store.light(undefined));
  }
  return made;
}

function cellOf<Row>(column: Column<Row>, row: Row, isFirst: boolean, store: Store): HTMLElement {
  const children = column.cell?.(row, store) ?? [column.text(row)];
  if (isFirst) return element('th', { scope: 'row', role: 'rowheader' }, ...children);
  const attributes = {
    role: 'cell',
    'data-column': column.name,
    class: column.isLong ? 'long' : undefined,
  };
  return element('td', attributes, ...children);
}
