import type { KeyName } from '../../core/declarations/key-file.ts';
import type { SourceTree } from '../../core/interfaces/tree.ts';
import type { Allocation } from '../../core/model/allocation.ts';
import {
  type DeclaredKey,
  type Keys,
  keyPairOf,
  keyText,
  type OwnershipAction,
  type Statement,
  statementText,
} from '../../core/model/ownership.ts';
import { type Address, formatAddress } from '../../core/net/address.ts';
import { holderPattern } from '../../core/text/common-fields.ts';
import { readDeclared } from '../../core/tree/declared.ts';
import { type KeyOutcome, refused } from './keys.ts';

/** A request for a signature. */
export interface Signing {
  readonly name: KeyName;
  readonly secret: Uint8Array;
  readonly action: OwnershipAction;
  readonly address: Address;
  /** The new holder; undefined for the present one. */
  readonly holder: string | undefined;
  /** The new key of the address; undefined for none. */
  readonly newKey: KeyName | undefined;
}

/** A signature and its statement. */
export interface Signed {
  readonly signature: string;
  readonly statement: Statement;
  /** The present record. */
  readonly record: Allocation;
}

/**
 * Signs an action on an address, based on its present record. Refused when the secret does not
 * match the record's key, or when the signature could never be valid.
 */
export function sign(tree: SourceTree, signing: Signing): KeyOutcome<Signed> {
  const { keys, table } = readDeclared(tree);
  const { name, address, newKey } = signing;
  const key = keys.byName.get(keyText(name));
  if (!key) return refused(`leases/keys/ has no valid key ${keyText(name)}`);
  const into = newKey && keys.byName.get(keyText(newKey));
  if (newKey && !into) return refused(`leases/keys/ has no valid key ${keyText(newKey)}`);
  const text = formatAddress(address);
  const record = table.get(text);
  if (!record) return refused(`${text} has no valid record in leases/allocations/`);
  if (record.key === undefined) return refused(`${text} has no key, so it needs no signature`);
  const reason = unfit(signing, record, into);
  if (reason !== undefined) return refused(reason);
  if (keys.repository === undefined) return refused('the repository has no id');
  const pair = keyPairOf(signing.secret, key.salt);
  if (pair.publicKey !== record.key) {
    return refused(wrongSecret(keys, { key, publicKey: pair.publicKey, record }));
  }
  const statement: Statement = {
    action: signing.action,
    repository: keys.repository,
    address,
    holder: signing.holder ?? record.holder,
    generation: record.generation,
    newKey: into?.publicKey,
    since: record.since,
  };
  return { ok: true, value: { signature: pair.sign(statementText(statement)), statement, record } };
}

const holderText = new RegExp(`^${holderPattern}$`);

/** The reason why an action on a record can never be valid. */
function unfit(
  { action, address, holder }: Signing,
  record: Allocation,
  into: DeclaredKey | undefined,
): string | undefined {
  const text = formatAddress(address);
  if (holder !== undefined && !holderText.test(holder)) {
    return `${holder} is not a valid holder: use <cluster>/service/<namespace>/<name>, <cluster>/shared/<namespace>/<key> or anycast/<group>`;
  }
  if (action === 'reclaim') {
    return holder === undefined
      ? 'the new holder is missing: use --holder <cluster>/service/<namespace>/<name>'
      : undefined;
  }
  if (holder !== undefined && holder !== record.holder) {
    return `${text} belongs to ${record.holder}, and a rotation does not change the holder; use --action reclaim`;
  }
  if (record.released) {
    return `${text} is released: use --action reclaim to give it another key`;
  }
  return into?.publicKey === record.key ? `${text} already has that key` : undefined;
}

function wrongSecret(
  { byName }: Keys,
  {
    key,
    publicKey,
    record,
  }: { readonly key: DeclaredKey; readonly publicKey: string; readonly record: Allocation },
): string {
  if (publicKey !== key.publicKey) return `the secret does not match the key ${keyText(key)}`;
  const own = [...byName.values()].find((other) => other.publicKey === record.key);
  const found = own ? `its key is ${keyText(own)}` : 'its key is not in leases/keys/';
  return `${keyText(key)} is not the key of ${formatAddress(record.address)}: ${found}`;
}
