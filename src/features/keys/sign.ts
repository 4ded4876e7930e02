import type { KeyName } from '../../declarations/key-file.ts';
import type { Allocation } from '../../model/allocation.ts';
import {
  type DeclaredKey,
  type Keys,
  keyText,
  type OwnershipAction,
  type Statement,
  statementText,
} from '../../model/ownership.ts';
import { keyPairOf } from '../../model/ownership-key.ts';
import { type Address, formatAddress } from '../../net/address.ts';
import type { SourceTree } from '../../ports/tree.ts';
import { holderPattern } from '../../records/allocation-schema.ts';
import { readDeclared } from '../../workspace/declared.ts';
import { type Answered, refused } from './keys.ts';

/** What is to be signed, by whom. */
export interface Signing {
  readonly name: KeyName;
  readonly secret: Uint8Array;
  readonly action: OwnershipAction;
  readonly address: Address;
  /** Who is to have the address; undefined for who has it. */
  readonly holder: string | undefined;
  /** The key that it is to have; undefined for none. */
  readonly newKey: KeyName | undefined;
}

/** A signature, and what it says. */
export interface Signed {
  readonly signature: string;
  readonly statement: Statement;
  /** The record as it is now. */
  readonly record: Allocation;
}

/**
 * Signs what is to happen to an address, as the tree records it now. Refused when the secret is not that of
 * the record's key, or when what is signed could never count.
 */
export function sign(tree: SourceTree, signing: Signing): Answered<Signed> {
  const { keys, table } = readDeclared(tree);
  const { name, address, newKey } = signing;
  const key = keys.byName.get(keyText(name));
  if (!key) return refused(`leases/keys/ has no sound key ${keyText(name)}`);
  const into = newKey && keys.byName.get(keyText(newKey));
  if (newKey && !into) return refused(`leases/keys/ has no sound key ${keyText(newKey)}`);
  const text = formatAddress(address);
  const record = table.get(text);
  if (!record) return refused(`${text} has no sound record in leases/allocations/`);
  if (record.key === undefined) return refused(`${text} has no key, so nothing needs a signature`);
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

/** Why an action can never be taken with a record. */
function unfit(
  { action, address, holder }: Signing,
  record: Allocation,
  into: DeclaredKey | undefined,
): string | undefined {
  const text = formatAddress(address);
  if (holder !== undefined && !holderText.test(holder)) {
    return `${holder} is no holder: <cluster>/service/<namespace>/<name>, <cluster>/shared/<namespace>/<key> or anycast/<group>`;
  }
  if (action === 'reclaim') {
    return holder === undefined
      ? 'who is to have the address has to be said: --holder <cluster>/service/<namespace>/<name>'
      : undefined;
  }
  if (holder !== undefined && holder !== record.holder) {
    return `${text} is ${record.holder}'s, and a rotation leaves it there; --action reclaim signs it over`;
  }
  if (record.released) {
    return `${text} is released: it gets another key with --action reclaim`;
  }
  return into?.publicKey === record.key ? `${text} has that key already` : undefined;
}

function wrongSecret(
  { byName }: Keys,
  {
    key,
    publicKey,
    record,
  }: { readonly key: DeclaredKey; readonly publicKey: string; readonly record: Allocation },
): string {
  if (publicKey !== key.publicKey) return `the secret is not that of the key ${keyText(key)}`;
  const own = [...byName.values()].find((other) => other.publicKey === record.key);
  const found = own ? `it has the key ${keyText(own)}` : 'it has a key that leases/keys/ has not';
  return `${keyText(key)} is not the key of ${formatAddress(record.address)}: ${found}`;
}
