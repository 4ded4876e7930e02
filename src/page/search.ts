import { type Address, isAddress, parseAddress } from '../net/address.ts';
import { isRange, parseRange, rangeHas } from '../net/range.ts';
import type { IndexedRecord } from './picture-index.ts';

type Test = (record: IndexedRecord) => boolean;

/**
 * The records that have every word of a search. A whole address in any spelling, a CIDR block or a range means addresses. A whole
 * number means that one and no longer one, while there is any. Other words stand somewhere in the address, pool, holder, state, or in a
 * claim: lease id, namespace, service, port, file. An empty text means all.
 */
export function searched(
  records: readonly IndexedRecord[],
  text: string,
): readonly IndexedRecord[] {
  let found = records;
  for (const word of text.toLowerCase().split(/\s+/)) {
    if (word !== '') found = wordFound(found, word);
  }
  return found;
}

/** The one address that a search asks for. */
export function searchedAddress(text: string): Address | undefined {
  const address = parseAddress(text.trim());
  return isAddress(address) ? address : undefined;
}

function wordFound(records: readonly IndexedRecord[], word: string): readonly IndexedRecord[] {
  const isIn: Test = ({ text }) => text.includes(word);
  if (!/^\d+$/.test(word)) return records.filter(addressTest(word) ?? isIn);
  const some = records.filter(isIn);
  const whole = new RegExp(`(?<!\\d)${word}(?!\\d)`);
  const exact = some.filter(({ text }) => whole.test(text));
  return exact.length > 0 ? exact : some;
}

/** `parseRange` reads a block, two addresses with a hyphen, or one. */
function addressTest(word: string): Test | undefined {
  const range = parseRange(word);
  return isRange(range) ? ({ address }) => rangeHas(range, address) : undefined;
}
