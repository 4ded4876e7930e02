import { formatAddress, isAddress, parseAddress } from '../../../../core/net/address.ts';
import type { ListClaim } from '../../../../lib/list/list-answer.ts';
import type { PictureHostname } from '../../picture-answer.ts';
import { changeText } from '../comparison.ts';
import { button, element, refill, section } from '../dom.ts';
import { copyText } from '../export.ts';
import { holderShortText } from '../owners.ts';
import {
  type AddressState,
  bareState,
  clusterOf,
  type IndexedHostname,
  type IndexedRecord,
  type Period,
  type PictureIndex,
  type Space,
} from '../picture-index.ts';
import { isChanged, type Store } from '../store.ts';
import type { ListName } from '../view.ts';
import {
  amountText,
  announcedText,
  countText,
  drainingText,
  listedClaimText,
  promisedText,
  publicText,
  serviceText,
  stateWords,
} from '../words.ts';

/** Most claims and periods shown; an address can have any number. */
const mostRows = 50;

/**
 * The selected address or hostname: its holder, claims or route, and history. It stays in sight of
 * map and lists.
 */
export function detailsView(store: Store): HTMLElement {
  const body = element('div', { class: 'details', 'aria-live': 'polite' });
  const fill = () => {
    const { selected } = store.view;
    made.classList.toggle('empty', selected === undefined);
    title.textContent = selected === undefined || isOfAddress(selected) ? 'Address' : 'Hostname';
    refill(
      body,
      ...(selected === undefined
        ? [element('p', { class: 'soft' }, 'Select an address on the map or in a list.')]
        : details(store, selected)),
    );
  };
  const close = button('Close', { class: 'close' }, () => store.look({ selected: undefined }));
  const made = section('address', 'Address', close, body);
  const title = made.querySelector('h2') ?? made;
  fill();
  store.listen((changed) => {
    if (isChanged(changed, 'selected')) fill();
  });
  return made;
}

function isOfAddress(selected: string): boolean {
  return isAddress(parseAddress(selected));
}

function details(store: Store, selected: string): readonly HTMLElement[] {
  const { before, index } = store;
  const stateOf = isOfAddress(selected) ? stateOfAddress : stateOfHostname;
  const change = store.changeOf(selected);
  const changed = change ? [element('p', { class: 'change' }, changeText(change))] : [];
  return [
    element('div', { class: 'title' }, element('h3', {}, selected), copyButton(selected)),
    ...changed,
    ...(before ? [element('h4', {}, 'Before'), ...stateOf(before, selected)] : []),
    ...(before ? [element('h4', {}, 'After')] : []),
    ...stateOf(index, selected),
    ...insideOf(store, selected),
    ...ofOwner(store, selected),
    ...history(index, selected, store),
  ];
}

function copyButton(selected: string): HTMLElement {
  const made = button('Copy', { 'aria-label': `Copy ${selected}` }, () => {
    void copyText(selected).then((isCopied) => {
      made.textContent = isCopied ? 'Copied' : 'The browser refuses';
    });
  });
  return made;
}

function stateOfAddress(index: PictureIndex, text: string): readonly HTMLElement[] {
  const record = index.recordOf(text);
  const address = parseAddress(text);
  const space = isAddress(address) ? index.spaceOf(address) : undefined;
  const beyond = isAddress(address) ? index.publicAddressOf(address) : undefined;
  const publicFact: Fact = ['Public', beyond && formatAddress(beyond)];
  const bare = space && isAddress(address) ? bareState(space, address) : 'outside';
  if (!record) return bareFacts(space, bare, publicFact);
  return [
    facts([
      ...recordFacts(record, promisedText(record)),
      publicFact,
      ['Cluster', record.holder?.cluster],
      ['Pool', space?.pool.pool ?? `${record.record.pool}, which no longer has it`],
      ['Zone', space?.pool.zone],
      ['Announced', announcedText(record.holder?.announced ?? space?.pool.announced)],
    ]),
    ...(record.state === 'held' ? claims(record) : []),
  ];
}

/** The facts of an address without a record. */
function bareFacts(
  space: Space | undefined,
  bare: AddressState,
  publicFact: Fact,
): readonly HTMLElement[] {
  const isDraining = bare === 'free' && space?.pool.state === 'draining';
  const state = isDraining ? 'draining' : stateWords[bare];
  return [
    facts([
      ['State', space ? state : 'in no pool'],
      publicFact,
      ['Pool', space?.pool.pool],
      ['Zone', space?.pool.zone],
    ]),
    ...(isDraining ? [element('p', {}, drainingText)] : []),
  ];
}

function stateOfHostname(index: PictureIndex, hostname: string): readonly HTMLElement[] {
  const found = index.hostnameOf(hostname);
  const waiting = index.waitingFor(hostname);
  const recorded = found
    ? [facts([...recordFacts(found, undefined), ...routeFacts(found.record)])]
    : [];
  const declared = waiting.flatMap((one) => [
    element('h4', {}, 'Declared, no record yet'),
    facts([['Holder', one.holder], ...routeFacts(one)]),
  ]);
  const shown = [...recorded, ...declared];
  return shown.length > 0 ? shown : [facts([['State', 'not recorded']])];
}

function routeFacts(
  route: Pick<PictureHostname, 'holder' | 'service' | 'port' | 'lease' | 'file'> &
    Pick<PictureHostname, 'routedBy' | 'addresses'>,
): readonly Fact[] {
  return [
    ['Service', serviceText(route)],
    ['Routed by', route.routedBy],
    ['Address', route.addresses?.join(', ')],
    ['Lease', route.lease],
    ['Cluster', clusterOf(route.holder)],
    ['File', route.file],
  ];
}

type Fact = readonly [name: string, value: string | undefined];

function recordFacts(
  { state, record: { holder, since, freeFrom } }: IndexedRecord | IndexedHostname,
  promised: string | undefined,
): readonly Fact[] {
  const isOn = state === 'held';
  return [
    ['State', state === 'free' ? 'free, and still recorded' : (promised ?? stateWords[state])],
    [isOn ? 'Holder' : 'Last holder', holder],
    [isOn ? 'Held since' : 'Was held since', since],
    [state === 'free' ? 'Free since' : 'Free from', freeFrom],
  ];
}

/** A button to the addresses that a public address leads to. */
function insideOf(store: Store, selected: string): readonly HTMLElement[] {
  const inside = store.index.records.filter((record) => publicText(record) === selected);
  if (inside.length === 0) return [];
  const search = () => store.look({ list: 'leases', query: selected, filters: {}, page: 0 });
  const text = countText(inside.length, 'address', 'addresses');
  return [element('p', { class: 'numbers' }, 'Public address of', button(text, {}, search))];
}

/** Buttons to all addresses and all hostnames of the owner; nothing for a picture of addresses. */
function ofOwner(store: Store, selected: string): readonly HTMLElement[] {
  const { index } = store;
  const { owner } = index.recordOf(selected) ?? index.hostnameOf(selected) ?? {};
  if (owner === undefined || index.hostnames.length === 0) return [];
  const usedBy = (all: readonly (IndexedRecord | IndexedHostname)[]) =>
    all.filter((one) => one.owner === owner && one.state !== 'free').length;
  const opener = (list: 'leases' | 'hostnames', text: string) =>
    button(text, { title: owner }, () =>
      store.look({ list, query: '', filters: { owner }, sort: undefined, page: 0 }),
    );
  const parts = [
    'Its owner has',
    opener('leases', countText(usedBy(index.records), 'address', 'addresses')),
    'and',
    opener('hostnames', countText(usedBy(index.hostnames), 'hostname', 'hostnames')),
  ];
  return [element('p', { class: 'numbers' }, ...parts)];
}

function facts(rows: readonly Fact[]): HTMLElement {
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
  const { lease, file, port, dns = [] } = all;
  const pods = port === undefined ? '' : ` → pods' port ${port}`;
  return element(
    'li',
    {},
    `${listedClaimText(all)}${pods}`,
    ...(dns.length === 0 ? [] : [element('div', {}, dns.join(', '))]),
    ...(lease === undefined ? [] : [element('div', { class: 'soft' }, `lease ${lease}`)]),
    element('div', { class: 'soft' }, file),
  );
}

function more(count: number): readonly HTMLElement[] {
  return count > mostRows ? [element('li', { class: 'soft' }, `and ${count - mostRows} more`)] : [];
}

function history(index: PictureIndex, selected: string, store: Store): readonly HTMLElement[] {
  const { past } = index.picture;
  if (!past) return [];
  const list = isOfAddress(selected) ? 'leases' : 'hostnames';
  const periods = [...index.periodsOf(selected)].reverse();
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
            ...periods.slice(0, mostRows).map((period) => periodItem(period, list, store)),
            ...more(periods.length),
          ),
        ]),
    ...(left > 0
      ? [
          element(
            'p',
            { class: 'soft' },
            `So that the page stays small, it leaves out the ${amountText(left)} oldest periods of all records. \`leasehold history ${selected}\` has them.`,
          ),
        ]
      : []),
    ...(past.shallow
      ? [element('p', { class: 'soft' }, 'The clone is shallow: earlier history is not available.')]
      : []),
  ];
}

function periodItem(
  { event, holder, freeFrom, commit }: Period,
  list: ListName,
  store: Store,
): HTMLElement {
  const whose = holder === undefined ? [] : [holderButton(holder, list, store)];
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

function holderButton(holder: string, list: ListName, store: Store): HTMLElement {
  const search = () => store.look({ query: holder, list, filters: {}, page: 0 });
  return element(
    'div',
    {},
    button(holderShortText(holder), { title: `Search for ${holder}` }, search),
  );
}
