import { keyNameOf, keyPath, readKey, readRepositoryId } from '../declarations/key-file.ts';
import { repositoryIdPath } from '../model/folders.ts';
import { type DeclaredKey, type Keys, keyText, parseSignatures } from '../model/ownership.ts';
import { type Problem, startOf } from '../model/problem.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';
import type { LeaseFiles } from './lease-files.ts';
import type { TreeReading } from './tree-reading.ts';

/** What `leases/keys/` declares. FILE_MISSING when there is a key, and no id of the repository. */
export function readKeys(
  reading: TreeReading,
  files: LeaseFiles,
  found: (readonly Problem[])[],
): Keys {
  const byName = new Map<string, DeclaredKey>();
  for (const entry of files.keys) {
    const name = keyNameOf(entry.path);
    if (!name) continue;
    const key = reading.read(entry, (bytes) => readKey(entry.path, name, bytes));
    if (key.ok) byName.set(keyText(name), key.value);
    else found.push(key.problems);
  }
  return { repository: readRepository(reading, files, found), byName };
}

function readRepository(
  reading: TreeReading,
  files: LeaseFiles,
  found: (readonly Problem[])[],
): string | undefined {
  const entry = files.repositoryId;
  if (!entry) {
    if (files.keys.length > 0) found.push([repositoryMissing()]);
    return undefined;
  }
  const id = reading.read(entry, (bytes) => readRepositoryId(entry.path, bytes));
  if (id.ok) return id.value;
  found.push(id.problems);
  return undefined;
}

function repositoryMissing(): Problem {
  return {
    code: 'FILE_MISSING',
    message: 'there are keys, and no id of the repository that signatures are made for',
    at: startOf(repositoryIdPath),
    hint: 'restore it with git; leasehold key new writes it when there is none',
  };
}

/**
 * What is wrong with the keys that Services name: FILE_MISSING for one that there is no file of, FIELD_VALUE for
 * a signature that can be none.
 */
export function namedKeyProblems(
  services: readonly (DeclaredService | Reservation)[],
  files: LeaseFiles,
): Problem[] {
  const present = new Set(files.keys.map(({ path }) => path));
  return services.flatMap((declared): Problem[] => {
    const { namespace, secret, signature } = declared;
    const problems: Problem[] = [];
    if (secret !== undefined && !present.has(keyPath({ namespace, name: secret.name }))) {
      problems.push({
        code: 'FILE_MISSING',
        message: `there is no key ${keyPath({ namespace, name: secret.name })}`,
        at: secret.at,
        hint: `make it: leasehold key new ${namespace}/${secret.name}; or name the one that there is`,
      });
    }
    if (signature !== undefined && parseSignatures(signature.text) === undefined) {
      problems.push({
        code: 'FIELD_VALUE',
        message:
          'the signature is not one, expected 86 characters of base64url, several with commas between them',
        at: signature.at,
        hint: 'copy what leasehold key sign prints',
      });
    }
    return problems;
  });
}
