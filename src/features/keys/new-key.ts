import { type KeyName, keyPath, printKey, printRepositoryId } from '../../declarations/key-file.ts';
import { keysFolder, repositoryIdPath } from '../../model/folders.ts';
import { keyPairOf } from '../../model/ownership-key.ts';
import type { RandomBytes } from '../../ports/chance.ts';
import type { SourceTree, TreeChanges } from '../../ports/tree.ts';
import { type Answered, refused } from './refusal.ts';

/** A secret of 128 bits: 32 hex digits. */
export function newSecret(randomBytes: RandomBytes): string {
  return Buffer.from(randomBytes(16)).toString('hex');
}

/** The files of a new key, and the id of the repository when it has none. Refused when the key is there. */
export function newKey(
  tree: SourceTree,
  randomBytes: RandomBytes,
  { name, secret }: { readonly name: KeyName; readonly secret: Uint8Array },
): Answered<TreeChanges> {
  const path = keyPath(name);
  const present = new Set(tree.list(keysFolder).map((entry) => entry.path));
  if (present.has(path)) {
    return refused(`${path} is there already; leasehold key rotate gives it another secret`);
  }
  const salt = Buffer.from(randomBytes(16)).toString('base64url');
  const { publicKey } = keyPairOf(secret, salt);
  const writes = new Map([[path, printKey({ salt, publicKey })]]);
  if (!present.has(repositoryIdPath)) {
    const id = Buffer.from(randomBytes(16)).toString('hex');
    writes.set(repositoryIdPath, printRepositoryId(id));
  }
  return { ok: true, value: { writes, removes: [] } };
}
