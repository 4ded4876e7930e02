import { InvalidArgumentError } from 'commander';
import type { Account } from '../../features/delivery/bootstrap/access.ts';
import { dnsLabel, objectName } from '../../text/name-fields.ts';

/** `namespace/name` of a ServiceAccount. */
export function accountValue(text: string): Account {
  const [namespace = '', name = '', ...more] = text.split('/');
  const isAccount = dnsLabel.safeParse(namespace).success && objectName.safeParse(name).success;
  if (isAccount && more.length === 0) return { namespace, name };
  throw new InvalidArgumentError('It is not NAMESPACE/NAME of a ServiceAccount.');
}
