import { formatAddress } from '../../net/address.ts';
import { button, type Child, element, refill, section } from '../dom.ts';
import { type IndexedRecord, searched, searchedAddress } from '../picture-index.ts';
import type { Store } from '../store.ts';
import { claimsText, countText, stateWords } from '../words.ts';

/** Rows of one page of the table. */
const pageRows = 100;

/** All records as a table with a search. */
export function leasesView(store: Store): HTMLElement {
  const input = element('input', {
    id: 'search',
    type: 'search',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'address, owner, dseq, service',
  });
  input.addEventListener('input', () => store.look({ query: input.value, page: 0 }));
  const found = element('p', { class: 'soft', role: 'status' });
  const rows = element('tbody', { role: 'rowgroup' });
  const scroll = element(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': 'Table of leases', tabindex: 0 },
    element('table', { role: 'table', class: 'cards' }, head(), rows),
  );
  const pager = element('nav', { 'aria-label': 'Pages of the table', class: 'pager' });
  const fill = () => {
    const { query } = store.view;
    if (input.value !== query) input.value = query;
    const all = searched(store.index.records, query);
    const pages = Math.ceil(all.length / pageRows);
    const page = Math.max(0, Math.min(store.view.page, pages - 1));
    refill(found, foundText(all.length, query, page), ...notRecorded(all.length, store));
    rows.replaceChildren(
      ...all.slice(page * pageRows, (page + 1) * pageRows).map((record) => row(record, store)),
    );
    scroll.hidden = all.length === 0;
    fillPager(pager, store, page, pages);
  };
  fill();
  store.listen((changed) => {
    if (changed === 'picture' || changed.query !== undefined || changed.page !== undefined) fill();
    else if (changed.selected !== undefined) mark(rows, changed.selected);
  });
  return section(
    'leases',
    'Leases',
    element(
      'div',
      { class: 'tools', role: 'search' },
      element('label', { for: 'search' }, 'Search'),
      input,
    ),
    found,
    scroll,
    pager,
  );
}

function foundText(count: number, query: string, page: number): string {
  const pages = Math.ceil(count / pageRows);
  const where = pages > 1 ? `, page ${page + 1} of ${pages}` : '';
  const recorded = countText(count, 'address', 'addresses');
  if (count === 0 && query.trim() === '') return 'No address is recorded yet.';
  return query.trim() === '' ? `${recorded} recorded${where}` : `${recorded} found${where}`;
}

/** A button that shows an address without a record. */
function notRecorded(count: number, store: Store): readonly Child[] {
  const address = searchedAddress(store.view.query);
  if (count > 0 || !address) return [];
  const text = formatAddress(address);
  return [' ', button(`Show ${text}`, {}, () => store.show(address, text))];
}

/**
 * On a phone the table is shown as cards. Roles keep its structure, and each cell carries the name
 * of its column.
 */
const columns = ['Address', 'State', 'Holder', 'Claims', 'Pool', 'Since'];

function head(): HTMLElement {
  const cells = columns.map((name) => element('th', { scope: 'col', role: 'columnheader' }, name));
  return element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...cells));
}

function row(record: IndexedRecord, store: Store): HTMLElement {
  const { address, holder, pool, since, freeFrom } = record.record;
  const isSelected = store.view.selected === address;
  const show = () => {
    store.show(record.address, address);
    document.getElementById('address')?.scrollIntoView({ block: 'nearest' });
  };
  const state = record.state === 'retained' ? `retained until ${freeFrom ?? ''}` : record.state;
  return element(
    'tr',
    { 'data-address': address, role: 'row', class: isSelected ? 'selected' : undefined },
    element('th', { scope: 'row', role: 'rowheader' }, button(address, {}, show)),
    cell(
      1,
      element('span', { class: `cell dot l8 ${record.state}`, 'aria-hidden': 'true' }),
      state in stateWords ? stateWords[record.state] : state,
    ),
    cell(2, holder),
    cell(3, claimsText(record, 3)),
    cell(4, pool),
    cell(5, since),
  );
}

function cell(column: number, ...children: readonly Child[]): HTMLElement {
  const isLong = column === 2 || column === 3;
  const name = columns[column] ?? '';
  return element(
    'td',
    { role: 'cell', 'data-column': name, class: isLong ? 'long' : undefined },
    ...children,
  );
}

function mark(rows: HTMLElement, address: string): void {
  for (const each of rows.children) {
    if (each instanceof HTMLElement)
      each.classList.toggle('selected', each.dataset.address === address);
  }
}

function fillPager(pager: HTMLElement, store: Store, page: number, pages: number): void {
  const to = (text: string, next: number) =>
    button(text, { disabled: next < 0 || next >= pages }, () => store.look({ page: next }));
  pager.replaceChildren(...(pages > 1 ? [to('Previous', page - 1), to('Next', page + 1)] : []));
}
