import { InvalidArgumentError } from 'commander';
import { type KeyName, parseKeyName } from '../declarations/key-file.ts';
import { type Address, isAddress, parseAddress } from '../net/address.ts';

/** `NAMESPACE/NAME` of a key. */
export function keyValue(text: string): KeyName {
  const name = parseKeyName(text);
  if (name) return name;
  throw new InvalidArgumentError(
    text.endsWith('/default')
      ? 'default means no key, so no key has that name.'
      : 'It is not NAMESPACE/NAME, such as shop/web.',
  );
}

/** One IP address. */
export function addressValue(text: string): Address {
  const address = parseAddress(text);
  if (isAddress(address)) return address;
  throw new InvalidArgumentError('It is not an IP address.');
}
