import { expect } from 'vitest';
import { type ImportAnswer, importSchema } from '../../../src/features/import/import-answer.ts';
import { gitRepository } from '../repositories/git-repository.ts';
import { runInProcess } from '../run/run-in-process.ts';
import { tempTree } from '../trees/temp-tree.ts';
import { exportedList } from './exported-cluster.ts';

/** A new repository beside an export, `live.yaml`. */
export function beside(
  objects: readonly object[],
  files: Readonly<Record<string, string>> = {},
): string {
  const root = tempTree({ 'live.yaml': exportedList(...objects), ...files });
  gitRepository(root);
  return root;
}

/** What an import of the export prints; it must go well. */
export async function importedBy(
  source: 'cluster' | 'vitistack',
  root: string,
  ...words: readonly string[]
): Promise<ImportAnswer> {
  const args = ['import', source, 'live.yaml', '-o', 'json', ...words];
  const { status, out, err } = await runInProcess(args, root);
  expect(`${status} ${err}`).toMatch(/^0 /);
  return importSchema.parse(JSON.parse(out));
}

/** Each declaration as a line. */
export function told({ declarations }: ImportAnswer): readonly string[] {
  return declarations.map(({ kind, name, state, addresses }) =>
    [kind, name, state, addresses.join(',')].join(' '),
  );
}

/** What is told of the export, each as a line. */
export function notesOf({ notes }: ImportAnswer): readonly string[] {
  return notes
    .filter(({ file }) => file === 'live.yaml')
    .map(({ effect, subject, message }) => `${effect} ${subject}: ${message}`);
}

/** Who holds what, in a tree that must be whole. */
export async function heldIn(root: string): Promise<readonly string[]> {
  expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
  const { out } = await runInProcess(['list', '-o', 'json'], root);
  const items: readonly { holder: string; addresses: readonly string[] }[] = JSON.parse(out).items;
  return items.map(({ holder, addresses }) => `${addresses.join(',')} ${holder}`);
}

/** That the tree is whole, holds these addresses, and that a second import of the cluster adds nothing. */
export async function expectSettled(root: string, held: readonly string[]): Promise<void> {
  expect(await heldIn(root)).toEqual(held);
  const again = await importedBy('cluster', root);
  expect(again.edited).toEqual([]);
  expect(again.declarations.map(({ state }) => state)).not.toContain('added');
}
