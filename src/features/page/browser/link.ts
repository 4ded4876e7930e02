import { formatAddress, isAddress, parseAddress } from '../../../core/net/address.ts';
import { blockText } from './map/blocks.ts';
import { firstMap } from './map/trail.ts';
import { searchedHostname, searchedRange } from './search.ts';
import type { Store } from './store.ts';
import {
  type FilterName,
  filterNames,
  listNames,
  plainView,
  type Sort,
  type View,
} from './view.ts';

/**
 * The view as the fragment of a URL: the selected address or hostname, then what differs from the first view,
 * such as `203.0.113.7&map=edge/ipv4&block=203.0.113.0/28&q=web&state=held&sort=-since`.
 */
export function linkText(store: Store): string {
  const { view } = store;
  const { selected, query, filters, list, sort, page, colors, day } = view;
  const rest: readonly (readonly [string, string | undefined])[] = [
    ...mapParts(store),
    ['q', query],
    ...filterNames.map((name) => [name, filters[name]] as const),
    ['list', list === plainView.list ? undefined : list],
    ['sort', sort && `${sort.isDescending ? '-' : ''}${sort.column}`],
    ['page', page === 0 ? undefined : String(page + 1)],
    ['color', colors === plainView.colors ? undefined : colors],
    ['day', day],
  ];
  const parts = rest.flatMap(([name, value]) => (value ? [`${name}=${encoded(value)}`] : []));
  return [...(selected === undefined ? [] : [selected]), ...parts].join('&');
}

/** The map, unless it is the one that the selected address, or no choice at all, leads to. */
function mapParts(store: Store): readonly (readonly [string, string])[] {
  const { space, trail, selected } = store.view;
  const address = selected === undefined ? undefined : parseAddress(selected);
  const implied =
    (address && isAddress(address) ? store.mapOf(address) : undefined) ?? store.firstView;
  if (!space || mapText(implied) === mapText(store.view)) return [];
  const block = trail.at(-1)?.[0];
  return [
    ['map', `${space.pool}/${space.family}`],
    ...(block ? [['block', blockText(block)] as const] : []),
  ];
}

function mapText({ space, trail }: Pick<View, 'space' | 'trail'>): string {
  const blocks = trail.map((sheet) => sheet.map(blockText).join());
  return `${space?.pool}/${space?.family} ${blocks.at(-1) ?? ''}`;
}

/** Keeps the characters of addresses and dates readable. */
function encoded(value: string): string {
  return encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%3A', ':');
}

/**
 * The view that a fragment names, over the first view. What is not valid is left out. Its first
 * part may also be a block, or the name of a pool, which goes before a hostname.
 */
export function linkedView(store: Store, fragment: string): View {
  const [place = '', ...others] = fragment.split('&');
  const parts = new Map((place.includes('=') ? [place, ...others] : others).map(part));
  const selected = place.includes('=') ? {} : placed(store, decoded(place));
  const filters = filterNames.flatMap((name): [FilterName, string][] => {
    const value = parts.get(name);
    return value ? [[name, value]] : [];
  });
  const list = listNames.find((name) => name === parts.get('list')) ?? plainView.list;
  const day = parts.get('day');
  return {
    ...store.firstView,
    ...selected,
    ...mapNamed(store, parts),
    query: parts.get('q') ?? '',
    filters: Object.fromEntries(filters),
    list,
    sort: sortNamed(parts.get('sort')),
    page: Math.max(1, Number.parseInt(parts.get('page') ?? '1', 10) || 1) - 1,
    colors: parts.get('color') === 'owner' ? 'owner' : 'state',
    day: day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : undefined,
  };
}

function part(text: string): [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), decoded(text.slice(at + 1))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function placed(store: Store, text: string): Partial<View> {
  const address = parseAddress(text);
  if (isAddress(address)) return { selected: formatAddress(address), ...store.mapOf(address) };
  const range = searchedRange(text);
  if (range) return store.mapOfRange(range) ?? {};
  const space = store.spaces.find(({ pool }) => pool.pool === text);
  if (space) return firstMap(space);
  const hostname = searchedHostname(text);
  return hostname === undefined ? {} : { selected: hostname };
}

function mapNamed(store: Store, parts: ReadonlyMap<string, string>): Partial<View> {
  const text = parts.get('map') ?? '';
  const [name, family] = [
    text.slice(0, text.lastIndexOf('/')),
    text.slice(text.lastIndexOf('/') + 1),
  ];
  const space = store.spaces.find((one) => one.pool.pool === name && one.family === family);
  if (!space) return {};
  const range = searchedRange(parts.get('block') ?? '');
  const view = range && store.mapOfRange(range);
  return view && view.space?.pool === name ? view : firstMap(space);
}

function sortNamed(text: string | undefined): Sort | undefined {
  if (!text) return undefined;
  const isDescending = text.startsWith('-');
  return { column: isDescending ? text.slice(1) : text, isDescending };
}

/**
 * Keeps the view in the fragment of the page's URL. Each step can be undone with Back; typing and
 * scrubbing are one step.
 */
export function keepInLink(store: Store): void {
  let isFollowing = false;
  const follow = () => {
    const fragment = location.hash.slice(1);
    if (fragment === linkText(store)) return;
    isFollowing = true;
    store.look(linkedView(store, fragment));
    isFollowing = false;
  };
  if (location.hash.length > 1) follow();
  addEventListener('popstate', follow);
  store.listen((changed) => {
    if (changed === 'light' || isFollowing) return;
    const next = linkText(store);
    if (next === location.hash.slice(1)) return;
    const isFleeting = changed === 'picture' || 'query' in changed;
    if (isFleeting) history.replaceState(null, '', `#${next}`);
    else history.pushState(null, '', `#${next}`);
  });
}
