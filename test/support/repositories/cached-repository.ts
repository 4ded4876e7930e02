import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { GitRepository } from './git-repository.ts';
import { type LeaseCheckout, leaseCheckout } from './lease-checkout.ts';
import { twoLeases } from './two-leases.ts';

/** What stands in a folder: paths of folders without bytes, of files with theirs. */
type Image = readonly { path: string; bytes: Uint8Array | undefined; mode: number }[];

interface Made {
  readonly root: string;
}

const known = new Map<string, { readonly made: Made; readonly image: Image }>();

/**
 * What a maker makes in a temporary folder for this test. It makes it once in this process; for later tests the same files
 * are put into the same folder. The key names the maker with its arguments. A second one in one test is made anew.
 */
export async function remade<T extends Made>(key: string, make: () => Promise<T>): Promise<T> {
  const before = known.get(key);
  if (before === undefined) {
    const made = await make();
    known.set(key, { made, image: imageOf(made.root) });
    return made;
  }
  const { root } = before.made;
  if (existsSync(root)) return make();
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(root);
  for (const { path, bytes, mode } of before.image) {
    if (bytes === undefined) mkdirSync(join(root, path));
    else writeFileSync(join(root, path), bytes, { mode });
  }
  return before.made as T;
}

function imageOf(root: string): Image {
  // The hooks that git lays into a new repository are samples: nothing runs them.
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('.git/hooks/'))
    .sort();
  return paths.map((path) => {
    const stats = lstatSync(join(root, path));
    if (!stats.isDirectory() && !stats.isFile())
      throw new Error(`${path} is neither file nor folder`);
    const bytes = stats.isFile() ? readFileSync(join(root, path)) : undefined;
    return { path, bytes, mode: stats.mode };
  });
}

/** A {@link leaseCheckout} of these files, which this process makes once. */
export function remadeCheckout(files: Readonly<Record<string, string>>): Promise<LeaseCheckout> {
  return remade(`checkout ${JSON.stringify(files)}`, () => leaseCheckout(files));
}

/** The repository of {@link twoLeases}, which this process makes once. */
export function remadeTwoLeases(): Promise<GitRepository> {
  return remade('two leases', twoLeases);
}
