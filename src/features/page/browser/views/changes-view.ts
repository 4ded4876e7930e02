import {
  type AddressComparison,
  changeText,
  type HostnameComparison,
  kindCounts,
  poolChanges,
  signs,
} from '../comparison.ts';
import { button, element, section } from '../dom.ts';
import { holderShortText } from '../owners.ts';
import type { Store } from '../store.ts';
import { claimsText, countText, serviceText } from '../words.ts';

/** Changes listed at first; a button lists the others. */
const firstRows = 100;

/** The changes between the two states that are compared. */
export function changesView(store: Store): HTMLElement {
  const addresses = [...store.changes.values()];
  const hostnames = [...store.hostnameChanges.values()];
  const pools = store.before ? poolChanges(store.before, store.index) : [];
  const poolItems = pools.map((text) => element('li', { class: 'long' }, text));
  return section(
    'changes',
    'Changes',
    ...(poolItems.length === 0 ? [] : [element('ul', { class: 'changes' }, ...poolItems)]),
    ...(addresses.length === 0
      ? [element('p', {}, 'No address changes.')]
      : changeList(addresses, countText(addresses.length, 'address', 'addresses'), (change) =>
          addressRow(change, store),
        )),
    ...(hostnames.length === 0
      ? []
      : changeList(hostnames, countText(hostnames.length, 'hostname', 'hostnames'), (change) =>
          hostnameRow(change, store),
        )),
  );
}

function changeList<Change extends Pick<AddressComparison, 'kind'>>(
  changes: readonly Change[],
  count: string,
  row: (change: Change) => HTMLElement,
): readonly HTMLElement[] {
  const list = element('ul', { class: 'changes' }, ...changes.slice(0, firstRows).map(row));
  const left = changes.length - firstRows;
  const all = button(`Show ${left} more`, { class: 'more' }, () => {
    list.append(...changes.slice(firstRows).map(row));
    all.remove();
  });
  return [element('p', {}, `${count}: ${kindCounts(changes)}.`), list, ...(left > 0 ? [all] : [])];
}

function addressRow(change: AddressComparison, store: Store): HTMLElement {
  const { address, before, after } = change;
  const record = after?.record.state === 'held' ? after : (before ?? after);
  const show = () => {
    if (record) store.show(record.address, address);
  };
  return rowOf(change, button(address, {}, show), record ? claimsText(record, 2) : '');
}

function hostnameRow(change: HostnameComparison, store: Store): HTMLElement {
  const { hostname, before, after } = change;
  const found = after?.record.state === 'held' ? after : (before ?? after);
  const show = button(hostname, {}, () => store.showHostname(hostname));
  return rowOf(change, show, found ? serviceText(found.record) : '');
}

function rowOf(
  change: AddressComparison | HostnameComparison,
  show: HTMLElement,
  serves: string,
): HTMLElement {
  const { kind } = change;
  return element(
    'li',
    { class: `kind-${kind.replaceAll(' ', '-')}` },
    element('span', { class: 'sign', 'aria-hidden': 'true' }, signs[kind]),
    show,
    element('strong', {}, changeText(change)),
    element(
      'span',
      { class: 'long', title: holderText(change) },
      holderShortText(holderText(change)),
    ),
    element('span', { class: 'soft long' }, serves),
  );
}

function holderText({ before, after, kind }: AddressComparison | HostnameComparison): string {
  const [was = '', is = ''] = [before?.record.holder, after?.record.holder];
  return kind === 'given on' ? `${was} → ${is}` : is || was;
}
