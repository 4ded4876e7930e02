import { type Address, formatAddress } from '../../net/address.ts';

/** A live sharing key where it is a plain name: one that a sharing key or a group here may have. */
export function plainNames(sharingKey = ''): readonly string[] {
  return /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(sharingKey) ? [sharingKey] : [];
}

/** A name that tells addresses: `ip-192-0-2-65`. */
export function addressName(addresses: readonly Address[]): string {
  const text = addresses.map(formatAddress).join('-');
  return `ip-${text.replaceAll(/[^0-9a-f]+/g, '-')}`;
}
