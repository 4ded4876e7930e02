import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from '../../../src/core/world/git/git-signatures.ts';
import { putFile, tempTree } from '../trees/temp-tree.ts';
import { type GitRepository, gitRepository } from './git-repository.ts';

/** A repository whose commits can be signed, in a temporary folder; alice is an allowed signer. */
export interface SigningRepository extends GitRepository {
  /** ssh-keygen's file, beside the repository. */
  readonly allowedSigners: string;
  /** Commits files, signed by somebody, or unsigned. */
  commit(subject: string, files: Readonly<Record<string, string>>, signer?: string): void;
  /** Merges a ref with a commit of its own, signed or not. */
  merge(ref: string, options?: readonly string[], signer?: string): void;
  /** Replaces the checked out commit by one whose raw text is another, with the same tree. */
  rewrite(pattern: RegExp, replacement: string): void;
}

/** Makes the repository, and keys of alice and mallory; others are allowed signers too. */
export function signingRepository(others: readonly string[] = []): SigningRepository {
  const folder = tempTree({ 'repository/.gitkeep': '' });
  const repository = gitRepository(join(folder, 'repository'));
  const keyOf = (signer: string): string => join(folder, signer);
  const keygen = programPath('ssh-keygen', process.env.PATH) ?? 'ssh-keygen';
  for (const signer of ['alice', 'mallory', ...others]) {
    execFileSync(keygen, ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', keyOf(signer)]);
  }
  const allowed = ['alice', ...others].map((signer) => {
    const key = readFileSync(`${keyOf(signer)}.pub`, 'utf8');
    return `${signer}@example.com namespaces="git" ${key}`;
  });
  putFile(folder, 'allowed', allowed.join(''));
  const signed = (command: readonly string[], signer?: string): void => {
    if (signer === undefined) repository.git(...command);
    else {
      const key = ['-c', 'gpg.format=ssh', '-c', `user.signingKey=${keyOf(signer)}`];
      repository.git(...key, ...command, '-S');
    }
  };
  return {
    ...repository,
    allowedSigners: join(folder, 'allowed'),
    commit(subject, files, signer) {
      for (const [path, text] of Object.entries(files)) putFile(repository.root, path, text);
      repository.git('add', '-A');
      signed(['commit', '-q', '--allow-empty', '-m', subject], signer);
    },
    merge(ref, options = [], signer) {
      signed(['merge', '-q', '--no-ff', '-m', `merge ${ref}`, ...options, ref], signer);
    },
    rewrite(pattern, replacement) {
      const raw = repository.git('cat-file', 'commit', 'HEAD').replace(pattern, replacement);
      putFile(folder, 'raw', raw);
      const id = repository.git('hash-object', '-t', 'commit', '-w', join(folder, 'raw')).trim();
      repository.git('reset', '-q', '--hard', id);
    },
  };
}
