import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { allocationPath } from '../../../src/core/records/allocation-file.ts';
import { anAddress } from '../declarations/pools-and-claims.ts';
import { type Finished, runInProcess } from '../run/run-in-process.ts';
import { putFile, tempTree } from '../trees/temp-tree.ts';
import { type GitRepository, gitRepository } from './git-repository.ts';

/** A clone in which a person leases addresses: real files, real git, the command line in this process. */
export interface LeaseCheckout {
  readonly root: string;
  readonly repository: GitRepository;
  /** Writes a file; `''` removes it. */
  put(path: string, text: string): void;
  /** Replaces a text that a file has. */
  edit(path: string, from: string, into: string): void;
  read(path: string): string;
  /** Runs `leasehold` with these arguments. */
  run(...argv: readonly string[]): Promise<Finished>;
  /** Synthesizes on a day, and commits all there is with that day. */
  synth(day: string, message?: string): Promise<void>;
  /** The same, and keeps what a forger has written by hand: the run does not ask what the target has. */
  forge(day: string): Promise<void>;
  /** Commits all there is, with a day. */
  commit(day: string, message?: string): void;
  /** The object name of a ref. */
  idOf(ref: string): string;
}

/** A clone of `main` with these files, synthesized and committed on 2026-01-02. */
export async function leaseCheckout(
  files: Readonly<Record<string, string>>,
): Promise<LeaseCheckout> {
  const root = tempTree();
  const repository = gitRepository(root);
  const synthesize = async (day: string, ...options: readonly string[]) => {
    repository.git('add', '-A');
    const { status, out, err } = await checkout.run('synth', '--today', day, ...options);
    if (status !== 0) throw new Error(`${out}${err}`);
  };
  const checkout: LeaseCheckout = {
    root,
    repository,
    put: (path, text) => (text === '' ? rmSync(join(root, path)) : putFile(root, path, text)),
    edit(path, from, into) {
      const text = checkout.read(path);
      if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
      putFile(root, path, text.replace(from, into));
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    run: (...argv) => runInProcess(argv, root),
    async synth(day, message) {
      await synthesize(day);
      checkout.commit(day, message);
    },
    async forge(day) {
      await synthesize(day, '--no-base');
      checkout.commit(day);
    },
    commit(day, message = 'a change') {
      repository.git('add', '-A');
      repository.on(day).git('commit', '-q', '--allow-empty', '-m', message);
    },
    idOf: (ref) => repository.git('rev-parse', ref).trim(),
  };
  for (const [path, text] of Object.entries(files)) putFile(root, path, text);
  await checkout.synth('2026-01-02', 'The beginning');
  return checkout;
}

/** The allocation file of an address. */
export function recordOf(address: string): string {
  return allocationPath(anAddress(address));
}
