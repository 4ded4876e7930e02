import type { ListClaim } from '../../features/ask/list-answer.ts';
import { isAddress, parseAddress } from '../../net/address.ts';
import { changeText } from '../comparison.ts';
import { button, element, refill, section } from '../dom.ts';
import { copyText } from '../export.ts';
import { holderShortText } from '../owners.ts';
import { bareState, type IndexedRecord, type Period, type PictureIndex } from '../picture-index.ts';
import { isChanged, type Store } from '../store.ts';
import {
  amountText,
  countText,
  drainingText,
  listedClaimText,
  promisedText,
  stateWords,
} from '../words.ts';

/** Most claims and periods shown; an address can have any number. */
const mostRows = 50;

/** The selected address: its holder, claims and history. It stays in sight of map and lists. */
export function detailsView(store: Store): HTMLElement {
  const body = element('div', { class: 'details', 'aria-live': 'polite' });
  const fill = () => {
    const { selected } = store.view;
    made.classList.toggle('empty', selected === undefined);
    refill(
      body,
      ...(selected === undefined
        ? [element('p', { class: 'soft' }, 'Select an address on the map or in a list.')]
        : details(store, selected)),
    );
  };
  const close = button('Close', { class: 'close' }, () => store.look({ selected: undefined }));
  const made = section('address', 'Address', close, body);
  fill();
  store.listen((changed) => {
    if (isChanged(changed, 'selected')) fill();
  });
  return made;
}

function details(store: Store, address: string): readonly HTMLElement[] {
  const { before, index } = store;
  const change = store.changes.get(address);
  const changed = change ? [element('p', { class: 'change' }, changeText(change))] : [];
  return [
    element('div', { class: 'title' }, element('h3', {}, address), copyButton(address)),
    ...changed,
    ...(before ? [element('h4', {}, 'Before'), ...stateOf(before, address)] : []),
    ...(before ? [element('h4', {}, 'After')] : []),
    ...stateOf(index, address),
    ...history(index, address, store),
  ];
}

function copyButton(address: string): HTMLElement {
  const made = button('Copy', { 'aria-label': `Copy ${address}` }, () => {
    void copyText(address).then((isCopied) => {
      made.textContent = isCopied ? 'Copied' : 'The browser refuses';
    });
  });
  return made;
}

function stateOf(index: PictureIndex, text: string): readonly HTMLElement[] {
  const record = index.recordOf(text);
  const address = parseAddress(text);
  const space = isAddress(address) ? index.spaceOf(address) : undefined;
  const bare = space && isAddress(address) ? bareState(space, address) : 'outside';
  if (!record) {
    return [
      facts([
        ['State', stateWords[bare]],
        ['Pool', space?.pool.pool],
        ['Zone', space?.pool.zone],
      ]),
      ...(bare === 'free' && space?.pool.state === 'draining'
        ? [element('p', {}, drainingText)]
        : []),
    ];
  }
  const { holder, since, freeFrom, pool } = record.record;
  const isOn = record.state === 'held';
  const sinceWord = isOn ? 'Held since' : 'Was held since';
  return [
    facts([
      ['State', stateText(record)],
      [isOn ? 'Holder' : 'Last holder', holder],
      [sinceWord, since],
      [record.state === 'free' ? 'Free since' : 'Free from', freeFrom],
      ['Cluster', record.holder?.cluster],
      ['Pool', space?.pool.pool ?? `${pool}, which no longer has it`],
      ['Zone', space?.pool.zone],
    ]),
    ...(isOn ? claims(record) : []),
  ];
}

function stateText(record: IndexedRecord): string {
  if (record.state === 'free') return 'free, and still recorded';
  return promisedText(record) ?? stateWords[record.state];
}

function facts(rows: readonly (readonly [string, string | undefined])[]): HTMLElement {
  const shown = rows.filter(([, value]) => value !== undefined && value !== '');
  return element(
    'dl',
    {},
    ...shown.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value ?? '')]),
  );
}

function claims({ holder }: IndexedRecord): readonly HTMLElement[] {
  const all = holder?.claims ?? [];
  if (all.length === 0) return [];
  return [
    element('h4', {}, countText(all.length, 'claim', 'claims')),
    element('ul', { class: 'claims' }, ...all.slice(0, mostRows).map(claim), ...more(all.length)),
  ];
}

function claim(all: ListClaim): HTMLElement {
  const { lease, file, port } = all;
  const pods = port === undefined ? '' : ` → pods' port ${port}`;
  return element(
    'li',
    {},
    `${listedClaimText(all)}${pods}`,
    ...(lease === undefined ? [] : [element('div', { class: 'soft' }, `lease ${lease}`)]),
    element('div', { class: 'soft' }, file),
  );
}

function more(count: number): readonly HTMLElement[] {
  return count > mostRows ? [element('li', { class: 'soft' }, `and ${count - mostRows} more`)] : [];
}

function history(index: PictureIndex, address: string, store: Store): readonly HTMLElement[] {
  const { past } = index.picture;
  if (!past) return [];
  const periods = [...index.periodsOf(address)].reverse();
  const { left = 0 } = past;
  const none = element(
    'p',
    { class: 'soft' },
    left > 0 ? 'It has no history in the periods that this page shows.' : 'It never had a record.',
  );
  return [
    element('h4', {}, 'History'),
    ...(periods.length === 0
      ? [none]
      : [
          element(
            'ol',
            { class: 'history' },
            ...periods.slice(0, mostRows).map((period) => periodItem(period, store)),
            ...more(periods.length),
          ),
        ]),
    ...(left > 0
      ? [
          element(
            'p',
            { class: 'soft' },
            `So that the page stays small, it leaves out the ${amountText(left)} oldest periods of all addresses. leasehold history ${address} has them.`,
          ),
        ]
      : []),
    ...(past.shallow
      ? [element('p', { class: 'soft' }, 'The clone is shallow: earlier history is not available.')]
      : []),
  ];
}

function periodItem({ event, holder, freeFrom, commit }: Period, store: Store): HTMLElement {
  const whose = holder === undefined ? [] : [holderButton(holder, store)];
  const until = freeFrom === undefined ? '' : `, kept until ${freeFrom}`;
  const { at = '', author = '', subject = '', request, commit: id = '' } = commit ?? {};
  const why = `${id.slice(0, 12)} ${subject}${request ? ` (${request})` : ''}, ${author}`;
  return element(
    'li',
    {},
    element('strong', {}, `${at.slice(0, 10)} ${event}${until}`),
    ...whose,
    element('div', { class: 'soft' }, why),
  );
}

function holderButton(holder: string, store: Store): HTMLElement {
  const search = () => store.look({ query: holder, list: 'leases', filters: {}, page: 0 });
  return element(
    'div',
    {},
    button(holderShortText(holder), { title: `Search for ${holder}` }, search),
  );
}
