import { type Address, formatAddress } from '../../net/address.ts';
import { hasKey, hasValue, withEntry, withValue } from '../../text/yaml/yaml-edit.ts';
import { leaseholdKeys } from './service-keys.ts';

const annotation = leaseholdKeys.addresses;

/** The text of a `Lease` with `address` on some of its endpoints that have none, by their indexes. */
export function withEndpointPins(text: string, pins: ReadonlyMap<number, Address>): string {
  return [...pins].reduce(
    (before, [index, address]) =>
      withEntry(before, ['spec', 'endpoints', index], 'address', scalar([address])),
    text,
  );
}

/** The text of a `Reservation` with these addresses, IPv4 first. */
export function withReservationPins(text: string, addresses: readonly Address[]): string {
  const list = `[${addresses.map((address) => scalar([address])).join(', ')}]`;
  return hasKey(text, ['spec', 'addresses'])
    ? withValue(text, ['spec', 'addresses'], list)
    : withEntry(text, ['spec'], 'addresses', list);
}

/** The text of a `Service` whose annotation names these addresses, IPv4 first. */
export function withServicePins(text: string, addresses: readonly Address[]): string {
  const value = scalar(addresses);
  const annotations = ['metadata', 'annotations'];
  if (hasValue(text, [...annotations, annotation])) {
    return withValue(text, [...annotations, annotation], value);
  }
  if (hasValue(text, annotations)) return withEntry(text, annotations, annotation, value);
  return hasKey(text, annotations)
    ? withValue(text, annotations, `{ ${annotation}: ${value} }`)
    : withEntry(text, ['metadata'], 'annotations', `{ ${annotation}: ${value} }`);
}

/** True when a `Service` names addresses in our annotation, and not in MetalLB's words. */
export function isAnnotated(text: string): boolean {
  return hasValue(text, ['metadata', 'annotations', annotation]);
}

/** In quotes where it could be read as something else. */
function scalar(addresses: readonly Address[]): string {
  const text = addresses.map(formatAddress).join(',');
  return /^[\d.]+$/.test(text) ? text : `'${text}'`;
}
