import { button, element } from '../dom.ts';
import { ownerText } from '../owners.ts';
import { isChanged, type Store } from '../store.ts';
import { inTasks, isLarge } from '../tasks.ts';
import { type FilterName, filterNames } from '../view.ts';
import { filterValues } from './filtered.ts';

/** Most values that a filter offers: a list of thousands of owners is too long to pick from. */
const mostValues = 200;

/** The filters of the lists, and the button that takes them and the search away. */
export function filterTools(store: Store): HTMLElement {
  const selects = filterNames.map((name) => filterSelect(store, name));
  const clear = button('Clear', {}, () => {
    store.look({ query: '', filters: {}, page: 0 });
    (selects.find(({ hidden }) => !hidden) ?? document.getElementById('search'))?.focus();
  });
  const fill = () => {
    const { query, filters } = store.view;
    clear.hidden = query === '' && Object.keys(filters).length === 0;
  };
  fill();
  store.listen((changed) => {
    if (isChanged(changed, 'query', 'filters')) fill();
  });
  return element('div', { class: 'tools' }, ...selects, clear);
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
  // The values of a large picture are counted once the first rows are there.
  void inTasks([fill], isLarge(store.index.picture));
  store.listen((changed) => {
    if (isChanged(changed, 'filters')) fill();
  });
  return made;
}
