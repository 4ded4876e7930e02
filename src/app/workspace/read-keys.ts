import { keyNameOf, keyPath, readKey, readRepositoryId } from '../../codec/key-file.ts';
import { repositoryIdPath } from '../../model/folders.ts';
import { type DeclaredKey, type Keys, keyText, parseSignatures } from '../../model/ownership.ts';
import { type Problem, startOf } from '../../model/problem.ts';
import type { DeclaredService, Reservation } from '../../model/service.ts';
import type { SourceTree } from '../ports/tree.ts';
import { contentOf } from './content.ts';
import type { LeaseFiles } from './lease-files.ts';

/** What `leases/keys/` declares. FILE_MISSING when there is a key, and no id of the repository. */
export function readKeys(tree: SourceTree, files: LeaseFiles, found: (readonly Problem[])[]): Keys {
  const byName = new Map<string, DeclaredKey>();
  for (const entry of files.keys) {
    const name = keyNameOf(entry.path);
    const content = contentOf(tree, entry);
    if (!name || !content.ok) {
      found.push(content.ok ? [] : content.problems);
      continue;
    }
    const key = readKey(entry.path, name, content.value);
    if (key.ok) byName.set(keyText(name), key.value);
    else found.push(key.problems);
  }
  return { repository: readRepository(tree, files, found), byName };
}

function readRepository(
  tree: SourceTree,
  files: LeaseFiles,
  found: (readonly Problem[])[],
): string | undefined {
  const entry = files.repositoryId;
  if (!entry) {
    if (files.keys.length > 0) found.push([repositoryMissing()]);
    return undefined;
  }
  const content = contentOf(tree, entry);
  const id = content.ok ? readRepositoryId(entry.path, content.value) : content;
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
