import type { Address } from './address.ts';
import { type AddressRange, rangeHas, rangeSize } from './range.ts';

/**
 * A static translation (NAT). `outside` has the family of `inside` and as many addresses, each for
 * the one at its place; or one address for all, whose ports are forwarded.
 */
export interface NatRule {
  readonly inside: AddressRange;
  readonly outside: AddressRange;
}

/**
 * The address by which clients beyond a NAT reach an address: the address itself when no rule has
 * it.
 */
export function publicAddress(rules: readonly NatRule[], address: Address): Address {
  const rule = rules.find(({ inside }) => rangeHas(inside, address));
  if (!rule) return address;
  const { inside, outside } = rule;
  const place = rangeSize(outside) === 1n ? 0n : address.value - inside.from.value;
  return { family: address.family, value: outside.from.value + place };
}
