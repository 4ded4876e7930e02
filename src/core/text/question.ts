import { type Address, isAddress, parseAddress } from '../net/address.ts';
import { type AddressRange, isRange, parseRange } from '../net/range.ts';

/** The subject of a query: an address, all addresses of a range, or a name. */
export type Question =
  | { readonly kind: 'address'; readonly address: Address }
  | { readonly kind: 'range'; readonly range: AddressRange }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'nothing'; readonly reason: string };

/**
 * Parses the subject of a query. Addresses as in logs and URLs are accepted: in brackets, or IPv4
 * mapped into IPv6. A text that looks like an address or a range but is not valid gives `nothing`
 * with a reason.
 */
export function parseQuestion(text: string): Question {
  const bare = text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i, '$1');
  if (bare === '') return { kind: 'nothing', reason: 'it is empty' };
  if (!isLikeAddress(bare)) return { kind: 'name', name: bare };
  if (/[/-]/.test(bare)) {
    const range = parseRange(bare);
    if (isRange(range)) return { kind: 'range', range };
    return { kind: 'nothing', reason: range.reason };
  }
  const address = parseAddress(bare);
  if (isAddress(address)) return { kind: 'address', address };
  return { kind: 'nothing', reason: address.reason };
}

/** True for a text of the characters of addresses. One with letters has a colon: `cafe.de` is a name. */
function isLikeAddress(text: string): boolean {
  if (!/^[\da-f.:]*[.:][\da-f.:/-]*$/i.test(text)) return false;
  return text.includes(':') || !/[a-f]/i.test(text);
}
