import { type Address, isAddress, parseAddress } from '../../../core/net/address.ts';
import { dnsNameFault, domainsAbove } from '../../../core/net/dns-name.ts';
import { type AddressRange, isRange, parseRange, rangeHas } from '../../../core/net/range.ts';
import type { IndexedHostname, IndexedRecord, PictureIndex } from './picture-index.ts';
import { promisedText, publicText, serviceText } from './words.ts';

type Test<Item> = (item: Item) => boolean;

/** How a word finds items. */
interface Finder<Item> {
  /** The texts that the page shows of an item, in lower case. */
  searchedText(item: Item): string;
  /** A test for a word that does not match a part of the text. */
  testOf(word: string): Test<Item> | undefined;
}

/**
 * The records that match every word of a search. An address in any spelling, a CIDR block or a
 * range matches addresses, also public ones. A whole number matches only itself, if any record contains it. Other
 * words match parts of what the page shows of an address: its state, pool, zone, cluster, holder,
 * dates, claims, and the authors, dates and subjects of its history. An empty text matches all.
 */
export function searched(index: PictureIndex, text: string): readonly IndexedRecord[] {
  return allWordsFound(index.records, text, {
    searchedText: (record) => searchedText(record, () => recordText(index, record)),
    testOf: addressTest,
  });
}

/**
 * The hostnames that match every word of a search, as {@link searched} finds addresses. A name also
 * matches the wildcards that answer for it. An address, block or range matches none.
 */
export function searchedHostnames(index: PictureIndex, text: string): readonly IndexedHostname[] {
  const textIn = (hostname: IndexedHostname) =>
    searchedText(hostname, () => hostnameText(index, hostname));
  return allWordsFound(index.hostnames, text, {
    searchedText: textIn,
    testOf(word) {
      if (searchedRange(word)) return () => false;
      if (dnsNameFault(word)) return undefined;
      const wildcards = domainsAbove(word).map((domain) => `*.${domain}`);
      return (one) => wildcards.includes(one.record.hostname) || textIn(one).includes(word);
    },
  });
}

/** The hostname that a search consists of; undefined for other searches. */
export function searchedHostname(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  return dnsNameFault(name) ? undefined : name;
}

/** The address that a search consists of; undefined for other searches. */
export function searchedAddress(text: string): Address | undefined {
  const address = parseAddress(text.trim());
  return isAddress(address) ? address : undefined;
}

/** The block or range that a search consists of; undefined for other searches. */
export function searchedRange(text: string): AddressRange | undefined {
  const range = parseRange(text.trim());
  return isRange(range) ? range : undefined;
}

function allWordsFound<Item>(
  items: readonly Item[],
  text: string,
  finder: Finder<Item>,
): readonly Item[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.reduce((found, word) => wordFound(found, word, finder), items);
}

function wordFound<Item>(
  items: readonly Item[],
  word: string,
  { searchedText: textIn, testOf }: Finder<Item>,
): readonly Item[] {
  const isIn: Test<Item> = (item) => textIn(item).includes(word);
  if (!/^\d+$/.test(word)) return items.filter(testOf(word) ?? isIn);
  const some = items.filter(isIn);
  const whole = new RegExp(`(?<!\\d)${word}(?!\\d)`);
  const exact = some.filter((item) => whole.test(textIn(item).replace(dates, '')));
  return exact.length > 0 ? exact : some;
}

/** The parts of a date are no numbers of their own. */
const dates = /\d{4}-\d{2}-\d{2}/g;

/** `parseRange` accepts a block, two addresses with a hyphen, or one address. */
function addressTest(word: string): Test<IndexedRecord> | undefined {
  const range = searchedRange(word);
  if (!range) return undefined;
  return ({ address, publicAddress }) =>
    rangeHas(range, address) || (publicAddress !== undefined && rangeHas(range, publicAddress));
}

/** The texts of items for searches, in lower case. They are made for the first search. */
const texts = new WeakMap<object, string>();

function searchedText(item: object, parts: () => readonly string[]): string {
  const known = texts.get(item);
  if (known !== undefined) return known;
  const text = parts().join(' ').toLowerCase();
  texts.set(item, text);
  return text;
}

function recordText(index: PictureIndex, indexed: IndexedRecord): readonly string[] {
  const { record, holder, state } = indexed;
  const beyond = publicText(indexed);
  const claims = (holder?.claims ?? []).map(
    ({ lease = '', cluster = '', namespace, service, dns = [], file, protocol, externalPort }) =>
      `${lease} ${cluster} ${namespace}/${service} ${externalPort}/${protocol} ${dns.join(' ')} ${file}`,
  );
  const days = [record.since, record.freeFrom ?? ''];
  const named = [record.address, beyond, record.pool, index.zoneOf(indexed), record.holder];
  const own = [...named, record.state, promisedText(indexed) ?? ''];
  const past = pastTexts(index, record.address);
  return [...own, state, ...days, holder?.cluster ?? '', ...claims, ...past];
}

function hostnameText(index: PictureIndex, { record, state }: IndexedHostname): readonly string[] {
  const { hostname, holder, since, freeFrom = '', lease = '', file = '' } = record;
  const namespace = holder.slice(holder.lastIndexOf('/') + 1);
  const route = `${namespace}/${serviceText(record)}`;
  const own = [hostname, holder, record.state, state, since, freeFrom, route, lease, file];
  return [...own, ...pastTexts(index, hostname)];
}

function pastTexts(index: PictureIndex, name: string): readonly string[] {
  return index.periodsOf(name).map(({ commit }) => {
    const { at = '', author = '', subject = '', request = '' } = commit ?? {};
    return `${at.slice(0, 10)} ${author} ${subject} ${request}`;
  });
}
