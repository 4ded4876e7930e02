import { type AddressComparison, changeText, poolChanges, signs } from '../comparison.ts';
import { button, element, section } from '../dom.ts';
import type { Store } from '../store.ts';
import { claimsText, countText } from '../words.ts';

/** Most changes listed; the maps and the table show all. */
const mostRows = 500;

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
  const kinds = [...new Set(changes.map(({ kind }) => kind))];
  const counts = kinds.map((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return `${count} ${kind}`;
  });
  const rows = changes.slice(0, mostRows).map((change) => row(change, store));
  const left = changes.length - rows.length;
  return section(
    'changes',
    'Changes',
    ...poolList,
    element('p', {}, `${countText(changes.length, 'address', 'addresses')}: ${counts.join(', ')}.`),
    element('ul', { class: 'changes' }, ...rows),
    ...(left > 0 ? [element('p', { class: 'soft' }, `and ${left} more`)] : []),
  );
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
    element('span', { class: 'long' }, holderText(change)),
    element('span', { class: 'soft long' }, claims),
  );
}

function holderText({ before, after, kind }: AddressComparison): string {
  const [was = '', is = ''] = [before?.record.holder, after?.record.holder];
  return kind === 'given on' ? `${was} → ${is}` : is || was;
}
