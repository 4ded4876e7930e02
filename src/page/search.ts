import { type Address, isAddress, parseAddress } from '../net/address.ts';
import { type AddressRange, isRange, parseRange, rangeHas } from '../net/range.ts';
import type { IndexedRecord, PictureIndex } from './picture-index.ts';
import { promisedText } from './words.ts';

type Test = (record: IndexedRecord) => boolean;

/**
 * The records that match every word of a search. An address in any spelling, a CIDR block or a
 * range matches addresses. A whole number matches only itself, if any record contains it. Other
 * words match parts of what the page shows of an address: its state, pool, zone, cluster, holder,
 * dates, claims, and the authors, dates and subjects of its history. An empty text matches all.
 */
export function searched(index: PictureIndex, text: string): readonly IndexedRecord[] {
  let found = index.records;
  for (const word of text.toLowerCase().split(/\s+/)) {
    if (word !== '') found = wordFound(index, found, word);
  }
  return found;
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

function wordFound(
  index: PictureIndex,
  records: readonly IndexedRecord[],
  word: string,
): readonly IndexedRecord[] {
  const isIn: Test = (record) => textOf(index, record).includes(word);
  if (!/^\d+$/.test(word)) return records.filter(addressTest(word) ?? isIn);
  const some = records.filter(isIn);
  const whole = new RegExp(`(?<!\\d)${word}(?!\\d)`);
  const exact = some.filter((record) => whole.test(textOf(index, record).replace(dates, '')));
  return exact.length > 0 ? exact : some;
}

/** The parts of a date are no numbers of their own. */
const dates = /\d{4}-\d{2}-\d{2}/g;

/** `parseRange` accepts a block, two addresses with a hyphen, or one address. */
function addressTest(word: string): Test | undefined {
  const range = searchedRange(word);
  return range && (({ address }) => rangeHas(range, address));
}

/** The texts of records for searches, in lower case. They are made for the first search. */
const texts = new WeakMap<IndexedRecord, string>();

function textOf(index: PictureIndex, indexed: IndexedRecord): string {
  const known = texts.get(indexed);
  if (known !== undefined) return known;
  const { record, holder, state } = indexed;
  const claims = (holder?.claims ?? []).map(
    ({ lease = '', cluster = '', namespace, service, file, protocol, externalPort }) =>
      `${lease} ${cluster} ${namespace}/${service} ${externalPort}/${protocol} ${file}`,
  );
  const past = index.periodsOf(record.address).map(({ commit }) => {
    const { at = '', author = '', subject = '', request = '' } = commit ?? {};
    return `${at.slice(0, 10)} ${author} ${subject} ${request}`;
  });
  const days = [record.since, record.freeFrom ?? ''];
  const named = [record.address, record.pool, index.zoneOf(indexed), record.holder];
  const own = [...named, record.state, promisedText(indexed) ?? ''];
  const text = [...own, state, ...days, holder?.cluster ?? '', ...claims, ...past]
    .join(' ')
    .toLowerCase();
  texts.set(indexed, text);
  return text;
}
