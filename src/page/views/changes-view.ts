import {
  type AddressComparison,
  changeText,
  kindCounts,
  poolChanges,
  signs,
} from '../comparison.ts';
import { button, element, section } from '../dom.ts';
import { holderShortText } from '../owners.ts';
import type { Store } from '../store.ts';
import { claimsText, countText } from '../words.ts';

/** Changes listed at first; a button lists the others. */
const firstRows = 100;

/** The changes between the two states that are compared. */
export function changesView(store: Store): HTMLElement {
  const changes = [...store.changes.values()];
  const pools = store.before ? poolChanges(store.before, store.index) : [];
  const poolItems = pools.map((text) => element('li', { class: 'long' }, text));
  const poolList =
    poolItems.length === 0 ? [] : [element('ul', { class: 'changes' }, ...poolItems)];
  if (changes.length === 0) {
    return section('changes', 'Changes', ...poolList, element('p', {}, 'No address changes.'));
  }
  const list = element('ul', { class: 'changes' }, ...rows(changes.slice(0, firstRows), store));
  const left = changes.length - firstRows;
  const all = button(`Show ${left} more`, { class: 'more' }, () => {
    list.append(...rows(changes.slice(firstRows), store));
    all.remove();
  });
  return section(
    'changes',
    'Changes',
    ...poolList,
    element(
      'p',
      {},
      `${countText(changes.length, 'address', 'addresses')}: ${kindCounts(changes)}.`,
    ),
    list,
    ...(left > 0 ? [all] : []),
  );
}

function rows(changes: readonly AddressComparison[], store: Store): readonly HTMLElement[] {
  return changes.map((change) => row(change, store));
}

function row(change: AddressComparison, store: Store): HTMLElement {
  const { address, kind, before, after } = change;
  const record = after?.record.state === 'held' ? after : (before ?? after);
  const show = () => {
    if (record) store.show(record.address, address);
  };
  const claims = record ? claimsText(record, 2) : '';
  return element(
    'li',
    { class: `kind-${kind.replaceAll(' ', '-')}` },
    element('span', { class: 'sign', 'aria-hidden': 'true' }, signs[kind]),
    button(address, {}, show),
    element('strong', {}, changeText(change)),
    element(
      'span',
      { class: 'long', title: holderText(change) },
      holderShortText(holderText(change)),
    ),
    element('span', { class: 'soft long' }, claims),
  );
}

function holderText({ before, after, kind }: AddressComparison): string {
  const [was = '', is = ''] = [before?.record.holder, after?.record.holder];
  return kind === 'given on' ? `${was} → ${is}` : is || was;
}
