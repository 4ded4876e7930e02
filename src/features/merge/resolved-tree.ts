import { isManifestPath } from '../../manifests/paths.ts';
import type { AllocationTable } from '../../model/allocation.ts';
import type { Problem } from '../../model/problem.ts';
import { allocationsFolder, distFolder, leasesFolder } from '../../model/repository-paths.ts';
import type { SourceTree, TreeChanges, TreeEntry } from '../../ports/tree.ts';
import type { History } from '../../ports/work-tree.ts';
import { readAllocation } from '../../records/allocation-file.ts';
import { classifyLeaseFiles } from '../../workspace/lease-files.ts';
import { TreeReader, textIn } from '../../workspace/tree-reader.ts';
import { changesTo, recordTexts } from '../synth/generated-files.ts';
import type { PlannedRun } from '../synth/planned-run.ts';

/** The inputs of {@link resolvedTree}. */
export interface ResolvedFrom {
  /** The working tree, with the declarations. */
  readonly disk: SourceTree;
  readonly table: AllocationTable;
  /** The tree with the live manifests. */
  readonly live: SourceTree;
}

/** Returns the tree for synth: declarations of the working tree, merged records, live manifests. */
export function resolvedTree({ disk, table, live }: ResolvedFrom): SourceTree {
  const texts = recordTexts(table);
  const records = [...texts].map(([path, text]): TreeEntry => {
    return { path, kind: 'file', size: Buffer.byteLength(text, 'utf8') };
  });
  return {
    list(folder) {
      if (folder === allocationsFolder) return records;
      if (folder === leasesFolder) return [...declarationEntries(disk), ...records];
      return folder === distFolder ? manifestEntries(live) : disk.list(folder);
    },
    read(path) {
      const text = texts.get(path);
      if (text !== undefined) return Buffer.from(text, 'utf8');
      return path.startsWith(`${distFolder}/`) ? live.read(path) : disk.read(path);
    },
  };
}

/** The hand-written files below `leases/`. */
function declarationEntries(tree: SourceTree): TreeEntry[] {
  const entries = tree.list(leasesFolder);
  return entries.filter(({ path }) => !path.startsWith(`${allocationsFolder}/`));
}

/** The manifests of a tree, without files of other tools. */
function manifestEntries(tree: SourceTree): TreeEntry[] {
  return tree.list(distFolder).filter(({ path, kind }) => kind === 'file' && isManifestPath(path));
}

/** Returns the changes of the disk for a run over the {@link resolvedTree}. */
export function diskChanges(disk: SourceTree, live: SourceTree, run: PlannedRun): TreeChanges {
  const wanted = new Map(recordTexts(run.table));
  const removed = new Set(run.files.removes);
  for (const { path } of manifestEntries(live)) {
    if (!removed.has(path)) wanted.set(path, textIn(live, path));
  }
  for (const [path, text] of run.files.writes) wanted.set(path, text);
  const entries = [allocationsFolder, distFolder].flatMap((folder) => disk.list(folder));
  const { writes, removes } = changesTo(wanted, disk, entries);
  const promises = declarationEntries(disk).filter(({ path }) => removed.has(path));
  return { writes, removes: [...removes, ...promises.map(({ path }) => path)] };
}

/**
 * Problems for files among the allocation files that leasehold did not write and must not remove:
 * they are not allocations, and no commit has them (`known` paths).
 */
export function strayRecords(disk: SourceTree, known: ReadonlySet<string>): readonly Problem[] {
  const { allocations, problems } = classifyLeaseFiles(disk.list(allocationsFolder));
  const reading = new TreeReader(disk);
  const unread = allocations.filter(({ path }) => !known.has(path));
  return [
    ...problems,
    ...unread.flatMap((entry) => {
      const allocation = reading.read(entry, (bytes) => readAllocation(entry.path, bytes));
      return allocation.ok ? [] : allocation.problems;
    }),
  ];
}

/** Returns the history without allocation files, which may be missing in a merge. Asks git once. */
export function declarationHistory(history: History): History {
  const answers = new Map<string, ReturnType<History['tracked']>>();
  return {
    ...history,
    async tracked(folders) {
      const answer = answers.get(folders.join('\n')) ?? history.tracked(folders);
      answers.set(folders.join('\n'), answer);
      return (await answer)?.filter((path) => !path.startsWith(`${allocationsFolder}/`));
    },
  };
}
