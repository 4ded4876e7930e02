import {
  type KeyName,
  keyPath,
  printKey,
  printRepositoryId,
} from '../../core/declarations/key-file.ts';
import type { RandomBytes } from '../../core/interfaces/random.ts';
import type { SourceTree, TreeChanges } from '../../core/interfaces/tree.ts';
import type { Allocation } from '../../core/model/allocation.ts';
import { keyPairOf, keyText } from '../../core/model/ownership.ts';
import { ok } from '../../core/model/problem.ts';
import { keysFolder, repositoryIdPath } from '../../core/model/repository-paths.ts';
import { serviceIdText } from '../../core/model/service.ts';
import { byAddress, formatAddress } from '../../core/net/address.ts';
import { readDeclared } from '../../core/tree/declared.ts';
import type { KeyedAddress, KeyUsage } from './key-answer.ts';

/** The result, or one sentence with the reason why the command line does not fit the tree. */
export type KeyOutcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

export function refused(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

/** A secret of 128 bits: 32 hex digits. */
export function newSecret(randomBytes: RandomBytes): string {
  return Buffer.from(randomBytes(16)).toString('hex');
}

/**
 * The files of a new key, and the id of the repository when it has none. Refused when the key
 * exists.
 */
export function newKey(
  tree: SourceTree,
  randomBytes: RandomBytes,
  { name, secret }: { readonly name: KeyName; readonly secret: Uint8Array },
): KeyOutcome<TreeChanges> {
  const path = keyPath(name);
  const present = new Set(tree.list(keysFolder).map((entry) => entry.path));
  if (present.has(path)) {
    return refused(`${path} already exists; \`leasehold key rotate\` gives it a new secret`);
  }
  const salt = Buffer.from(randomBytes(16)).toString('base64url');
  const { publicKey } = keyPairOf(secret, salt);
  const writes = new Map([[path, printKey({ salt, publicKey })]]);
  if (!present.has(repositoryIdPath)) {
    const id = Buffer.from(randomBytes(16)).toString('hex');
    writes.set(repositoryIdPath, printRepositoryId(id));
  }
  return ok({ writes, removes: [] });
}

/** The use of a key of the tree, in all valid declarations and records. */
export function usageOf(
  tree: SourceTree,
  name: KeyName,
): KeyOutcome<Pick<KeyUsage, 'key' | 'publicKey' | 'namedBy' | 'addresses'>> {
  const { keys, services, table } = readDeclared(tree);
  const key = keys.byName.get(keyText(name));
  if (!key) return refused(`leases/keys/ has no valid key ${keyText(name)}`);
  const naming = services.filter(
    ({ namespace, secret }) => namespace === name.namespace && secret?.name === name.name,
  );
  const records = [...table.values()].filter((record) => record.key === key.publicKey);
  return ok({
    key: keyText(key),
    publicKey: key.publicKey,
    namedBy: naming.map((service) => ({ service: serviceIdText(service), file: service.at.file })),
    addresses: records.sort(byAddress).map(keyedAddress),
  });
}

function keyedAddress({ address, released, since, generation, holder }: Allocation): KeyedAddress {
  return {
    address: formatAddress(address),
    state: released ? 'released' : 'held',
    ...(released && { freeFrom: released.freeFrom }),
    since,
    generation,
    holder,
  };
}
