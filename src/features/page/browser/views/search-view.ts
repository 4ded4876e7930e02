import { formatAddress } from '../../../../core/net/address.ts';
import { formatRange } from '../../../../core/net/range.ts';
import { button, element, refill } from '../dom.ts';
import { filteredHostnames, filteredRecords } from '../lists/filtered.ts';
import { holderShortText } from '../owners.ts';
import { searchedAddress, searchedHostname, searchedRange } from '../search.ts';
import { isChanged, type Store } from '../store.ts';
import { countText } from '../words.ts';

/** Most hits named under the search; the list has all. */
const mostHits = 5;

/** Something that a search finds, and what opens it. */
interface Hit {
  readonly text: string;
  /** Who has it. */
  readonly more?: string;
  open(): void;
}

/** The search in the header: what it finds, its keys, and the first hits. They are read aloud. */
export function searchView(store: Store): HTMLElement {
  const input = element('input', {
    id: 'search',
    type: 'search',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: '/ or Ctrl K',
    'aria-keyshortcuts': '/ Control+K Meta+K',
    'aria-describedby': 'search-hint',
  });
  const hint = element('p', { id: 'search-hint', class: 'soft' }, hintText);
  const hits = element('div', { class: 'hits', role: 'status' });
  const fill = () => {
    const { query } = store.view;
    if (input.value !== query) input.value = query;
    hint.hidden = query.trim() !== '';
    refill(hits, ...(hint.hidden ? hitParts(store) : []));
  };
  input.addEventListener('input', () => store.look({ query: input.value, page: 0 }));
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter' && input.value.trim() !== '') openMeant(store);
  });
  addEventListener('keydown', (event) => {
    const isFind = event.key === '/' || (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!isFind || isTyping(event.target)) return;
    event.preventDefault();
    input.focus();
  });
  fill();
  store.listen((changed) => {
    if (isChanged(changed, 'query', 'filters', 'list')) fill();
  });
  const label = element('label', { for: 'search' }, 'Search');
  return element('div', { class: 'find', role: 'search' }, label, input, hint, hits);
}

const hintText =
  'By address, block, hostname, owner, service, state, pool, zone, author or date. Enter opens what is found.';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea');
}

/** Opens the address or hostname that the search names, or its only hit; otherwise leads to the list. */
function openMeant(store: Store): void {
  const { query } = store.view;
  const address = searchedAddress(query);
  const hostname = searchedHostname(query);
  const { count, first } = hitsOf(store);
  if (address) store.show(address, formatAddress(address));
  else if (hostname !== undefined && store.index.knowsHostname(hostname)) {
    store.showHostname(hostname);
  } else if (count === 1) first[0]?.open();
  else showList(store);
}

/** Shows the list that has hits. */
function showList(store: Store): void {
  const { list } = store.view;
  const isNamed = list === 'hostnames' || filteredRecords(store).length === 0;
  store.look({ list: isNamed ? 'hostnames' : 'leases', page: 0, sort: undefined });
  document.getElementById('leases')?.scrollIntoView({ block: 'start' });
}

/** What a search finds within the filters, as in the lists. */
interface Hits {
  readonly count: number;
  /** `3 addresses and 1 hostname found`. */
  readonly text: string;
  readonly first: readonly Hit[];
}

function hitsOf(store: Store): Hits {
  const [records, hostnames] = [filteredRecords(store), filteredHostnames(store)];
  const names = countText(hostnames.length, 'hostname', 'hostnames');
  const within = Object.keys(store.view.filters).length === 0 ? '' : ' within the filters';
  const first = [
    ...records.slice(0, mostHits).map(({ address, record: { address: text, holder } }) => ({
      ...{ text, more: holderShortText(holder) },
      open: () => store.show(address, text),
    })),
    ...hostnames.slice(0, mostHits).map(({ record: { hostname, holder } }) => ({
      ...{ text: hostname, more: holderShortText(holder) },
      open: () => store.showHostname(hostname),
    })),
  ];
  const and = hostnames.length === 0 ? '' : ` and ${names}`;
  return {
    count: records.length + hostnames.length,
    text: `${countText(records.length, 'address', 'addresses')}${and} found${within}`,
    first: first.slice(0, mostHits),
  };
}

/** The number of hits, the first of them, and what else the search can mean. */
function hitParts(store: Store): readonly HTMLElement[] {
  const { count, text: found, first } = hitsOf(store);
  const all = { text: 'Show all in the list', open: () => showList(store) };
  const toList = count > first.length ? [all] : [];
  const items = [...meant(count, store), ...first, ...toList].map(
    ({ text, more = '', open }: Hit) =>
      element('li', {}, button(text, {}, open), element('span', { class: 'soft' }, more)),
  );
  return [element('p', {}, found), element('ul', {}, ...items)];
}

/** Other meanings of a search than records: an address or hostname without one, a block, the free addresses. */
function meant(count: number, store: Store): readonly Hit[] {
  const { query, list } = store.view;
  const address = searchedAddress(query);
  if (address && count === 0) {
    const text = formatAddress(address);
    return [{ text: `Show ${text}`, open: () => store.show(address, text) }];
  }
  const hostname = searchedHostname(query);
  if (hostname !== undefined && store.index.waitingFor(hostname).length > 0) {
    return [{ text: `Show ${hostname}`, open: () => store.showHostname(hostname) }];
  }
  const range = address ? undefined : searchedRange(query);
  const map = range && store.mapOfRange(range);
  if (map) return [{ text: `Show ${formatRange(range)} on the map`, open: () => store.look(map) }];
  if (!/\bfree\b/i.test(query) || list === 'free') return [];
  const free = () => store.look({ list: 'free', query: '', page: 0, sort: undefined });
  return [{ text: 'List the free addresses', open: free }];
}
