import { button, type Child, element, refill, section } from '../dom.ts';
import { copyText, csvOf, download } from '../export.ts';
import type { Detail } from '../map/cells.ts';
import { isChanged, type Store } from '../store.ts';
import { type ListName, listNames } from '../view.ts';
import { amountText, countText } from '../words.ts';
import { filterTools } from './filter-tools.ts';
import { filteredHostnames, filteredRecords, filterValues } from './filtered.ts';
import { freeList } from './free-list.ts';
import { clusterList, ownerList } from './group-lists.ts';
import { type List, shownColumns, sortedRows } from './list.ts';
import { expiringList, hostnameList, isWhole, leaseList } from './record-lists.ts';
import { listTable } from './table.ts';

/** Rows of one page of a list; on a phone each is a card. On paper all rows are shown. */
const rowsOf: Readonly<Record<Detail, number>> = { fine: 100, coarse: 25 };

/** A list of any rows: its rows never leave it. */
type AnyList = List<never>;

function listsOf(store: Store): Readonly<Record<ListName, AnyList>> {
  return {
    leases: leaseList as AnyList,
    hostnames: hostnameList as AnyList,
    free: freeList as AnyList,
    owners: ownerList as AnyList,
    clusters: clusterList as AnyList,
    expiring: expiringList(store) as AnyList,
  };
}

/** The lists of records, free addresses and owners, with filters. */
export function listsView(store: Store): HTMLElement {
  const parts = partsOf(store);
  const pageRows = rowsOf[store.detail];
  fillList(parts, store, pageRows);
  addEventListener('beforeprint', () => fillList(parts, store, Number.MAX_SAFE_INTEGER));
  addEventListener('afterprint', () => fillList(parts, store, pageRows));
  store.listen((changed) => {
    if (isChanged(changed, 'query', 'page', 'filters', 'list', 'sort')) {
      // The header reads aloud what a search finds.
      const isSearch = changed !== 'picture' && isChanged(changed, 'query');
      parts.found.setAttribute('aria-live', isSearch ? 'off' : 'polite');
      fillList(parts, store, pageRows);
    } else if (isChanged(changed, 'selected')) mark(parts.scroll, store.view.selected);
  });
  const { tabs, tools, found, scroll, pager } = parts;
  return section(
    'leases',
    'Addresses and hostnames',
    element(
      'div',
      { class: 'tools' },
      element('div', { class: 'choice', role: 'group', 'aria-label': 'Lists' }, ...tabs),
      tools,
    ),
    filterTools(store),
    found,
    scroll,
    pager.part,
  );
}

/** The elements that change with the shown list. */
interface Parts {
  readonly lists: Readonly<Record<ListName, AnyList>>;
  readonly tabs: readonly HTMLElement[];
  /** The buttons of an export. */
  readonly tools: HTMLElement;
  /** The number of rows, and suggestions. */
  readonly found: HTMLElement;
  /** The table. */
  readonly scroll: HTMLElement;
  readonly pager: Pager;
}

function partsOf(store: Store): Parts {
  const lists = listsOf(store);
  const tabs = listNames.map((name) =>
    button(lists[name].title, {}, () => store.look({ list: name, sort: undefined, page: 0 })),
  );
  const scroll = element('div', {
    class: 'scroll',
    role: 'region',
    'aria-label': 'Table of the list',
    tabindex: 0,
  });
  return {
    lists,
    tabs,
    tools: element('div', { class: 'choice' }),
    found: element('p', { class: 'soft', role: 'status' }),
    scroll,
    pager: new Pager(store),
  };
}

/** Shows the current page of the current list, with at most `most` rows. */
function fillList(parts: Parts, store: Store, most: number): void {
  const list = parts.lists[store.view.list];
  const rows = sortedRows(list, list.rows(store), store);
  const pages = Math.max(1, Math.ceil(rows.length / most));
  const page = Math.max(0, Math.min(store.view.page, pages - 1));
  const where = pages > 1 ? `, page ${page + 1} of ${pages}` : '';
  refill(parts.found, `${list.count(rows, store)}${where}`, ...otherRecords(store));
  const shown = rows.slice(page * most, (page + 1) * most);
  parts.scroll.replaceChildren(listTable(list, shown, store));
  parts.scroll.hidden = rows.length === 0;
  showTabs(parts.tabs, list, store);
  fillExport(parts.tools, list, rows, store);
  parts.pager.fill(page, pages);
}

/** Marks the tab of the shown list, and hides those of lists that have nothing to tell. */
function showTabs(tabs: readonly HTMLElement[], list: AnyList, store: Store): void {
  listNames.forEach((name, index) => {
    const tab = tabs[index];
    if (!tab) return;
    tab.setAttribute('aria-pressed', String(name === list.name));
    const isNeeded = name === list.name || (isTelling[name]?.(store) ?? true);
    tab.hidden = !isNeeded;
  });
}

/** Whether a list has something to tell; a list that is not here always has. */
const isTelling: Readonly<Partial<Record<ListName, (store: Store) => boolean>>> = {
  clusters: (store) => filterValues(store, 'cluster').length > 1,
  hostnames: ({ index }) => index.hostnames.length > 0,
};

/** The hostnames that match beside the addresses, and the addresses beside the hostnames. */
function otherRecords(store: Store): readonly Child[] {
  if (isWhole(store)) return [];
  const isOfHostnames = store.view.list === 'hostnames';
  const count = (isOfHostnames ? filteredRecords(store) : filteredHostnames(store)).length;
  if (count === 0) return [];
  const text = isOfHostnames
    ? countText(count, 'address', 'addresses')
    : countText(count, 'hostname', 'hostnames');
  const other = isOfHostnames ? 'leases' : 'hostnames';
  const act = () => store.look({ list: other, page: 0, sort: undefined });
  return [' ', button(`List ${text}`, {}, act)];
}

/** The buttons that copy the list and save it as CSV: all its rows, not only those of this page. */
function fillExport(tools: HTMLElement, list: AnyList, rows: readonly never[], store: Store): void {
  const columns = shownColumns(list, store);
  const [first] = columns;
  const copy = button('Copy', { title: `Copy the first column of all ${rows.length} rows` }, () => {
    const text = rows.map((row) => `${first?.text(row) ?? ''}\n`).join('');
    void copyText(text).then((isCopied) => {
      copy.textContent = isCopied ? `Copied ${amountText(rows.length)}` : 'The browser refuses';
    });
  });
  const save = button('CSV', { title: 'Download all rows as CSV' }, () => {
    const head = columns.map(({ name }) => name);
    const cells = rows.map((row) => columns.map((column) => column.text(row)));
    download(`leasehold-${list.name}-${store.index.picture.day}.csv`, csvOf([head, ...cells]));
  });
  copy.disabled = rows.length === 0;
  save.disabled = rows.length === 0;
  tools.replaceChildren(copy, save);
}

function mark(table: HTMLElement, selected: string | undefined): void {
  for (const row of table.querySelectorAll<HTMLElement>('tbody tr')) {
    row.classList.toggle('selected', row.dataset.item === selected);
  }
}

/** The buttons to the pages before and after. They stay, and so does the focus on them. */
class Pager {
  readonly part = element('nav', { 'aria-label': 'Pages of the list', class: 'pager' });
  readonly #previous: HTMLButtonElement;
  readonly #next: HTMLButtonElement;
  #page = 0;

  constructor(store: Store) {
    this.#previous = button('Previous', {}, () => store.look({ page: this.#page - 1 }));
    this.#next = button('Next', {}, () => store.look({ page: this.#page + 1 }));
    this.part.append(this.#previous, this.#next);
  }

  fill(page: number, pages: number): void {
    const hadFocus = this.part.contains(document.activeElement);
    this.#page = page;
    this.part.hidden = pages < 2;
    this.#previous.disabled = page === 0;
    this.#next.disabled = page >= pages - 1;
    if (hadFocus && this.#next.disabled) this.#previous.focus();
    if (hadFocus && this.#previous.disabled) this.#next.focus();
  }
}
