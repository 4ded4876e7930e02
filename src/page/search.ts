import { isRange, parseRange, rangeHas } from '../net/range.ts';
import type { IndexedRecord } from './picture-index.ts';

/**
 * The records that a search means: those of a CIDR block or a range, else those that have every word somewhere in their
 * address, pool, holder, state, or in a claim: lease id, namespace, service, port, file. An empty text means all.
 */
export function searched(
  records: readonly IndexedRecord[],
  text: string,
): readonly IndexedRecord[] {
  const asked = text.trim().toLowerCase();
  if (asked === '') return records;
  const range = /[/-]/.test(asked) ? parseRange(asked) : undefined;
  if (range && isRange(range)) return records.filter(({ address }) => rangeHas(range, address));
  const words = asked.split(/\s+/);
  return records.filter((record) => words.every((word) => record.text.includes(word)));
}
