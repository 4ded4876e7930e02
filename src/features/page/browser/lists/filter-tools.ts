import { formatAddress } from '../../../../core/net/address.ts';
import { button, element } from '../dom.ts';
import { ownerText } from '../owners.ts';
import { searchedAddress, searchedHostname } from '../search.ts';
import { isChanged, type Store } from '../store.ts';
import { type FilterName, filterNames } from '../view.ts';
import { filterValues } from './filtered.ts';

/** Most values that a filter offers: a list of thousands of owners is too long to pick from. */
const mostValues = 200;

/** The search and the filters of the lists. */
export function filterTools(store: Store): HTMLElement {
  const input = element('input', {
    id: 'search',
    type: 'search',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'address, block, hostname, owner, service, state, zone, author, date',
  });
  input.addEventListener('input', () => store.look({ query: input.value, page: 0 }));
  input.addEventListener('keydown', ({ key }) => {
    if (key !== 'Enter') return;
    const address = searchedAddress(input.value);
    const hostname = searchedHostname(input.value);
    if (address) store.show(address, formatAddress(address));
    else if (hostname !== undefined && store.index.knowsHostname(hostname)) {
      store.showHostname(hostname);
    }
  });
  const selects = filterNames.map((name) => filterSelect(store, name));
  const clear = button('Clear', {}, () => {
    store.look({ query: '', filters: {}, page: 0 });
    input.focus();
  });
  const fill = () => {
    const { query, filters } = store.view;
    if (input.value !== query) input.value = query;
    clear.hidden = query === '' && Object.keys(filters).length === 0;
  };
  fill();
  store.listen((changed) => {
    if (isChanged(changed, 'query', 'filters')) fill();
  });
  addEventListener('keydown', (event) => {
    const isFind = event.key === '/' || (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!isFind || isTyping(event.target)) return;
    event.preventDefault();
    input.focus();
  });
  return element(
    'div',
    { class: 'tools', role: 'search' },
    element('label', { for: 'search' }, 'Search'),
    input,
    ...selects,
    clear,
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea');
}

/** A choice of the values of a filter, hidden when there is only one. */
function filterSelect(store: Store, name: FilterName): HTMLElement {
  const made = element('select', { 'aria-label': `Filter by ${name}` });
  made.addEventListener('change', () => {
    const { [name]: _old, ...others } = store.view.filters;
    const filters = made.value === '' ? others : { ...others, [name]: made.value };
    store.look({ filters, page: 0 });
  });
  const fill = () => {
    const chosen = store.view.filters[name];
    const known = filterValues(store, name).slice(0, mostValues);
    const values = chosen === undefined || known.includes(chosen) ? known : [...known, chosen];
    const texts = values.map((value) => (name === 'owner' ? ownerText(value) : value));
    made.replaceChildren(
      element('option', { value: '' }, `any ${name}`),
      ...values.map((value, at) =>
        element('option', { value, selected: value === chosen }, texts[at] ?? ''),
      ),
    );
    made.hidden = values.length < 2 && chosen === undefined;
    made.classList.toggle('chosen', chosen !== undefined);
  };
  fill();
  store.listen((changed) => {
    if (isChanged(changed, 'filters')) fill();
  });
  return made;
}
