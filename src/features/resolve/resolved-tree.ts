import type { SourceTree, TreeChanges, TreeEntry } from '../../core/interfaces/tree.ts';
import type { History } from '../../core/interfaces/work-tree.ts';
import { isManifestPath } from '../../core/manifests/paths.ts';
import type { AllocationTable } from '../../core/model/allocation.ts';
import type { HostnameTable } from '../../core/model/hostname.ts';
import type { Problem } from '../../core/model/problem.ts';
import {
  allocationsFolder,
  distFolder,
  isRecordPath,
  leasesFolder,
  recordFolders,
} from '../../core/model/repository-paths.ts';
import { readAllocation } from '../../core/records/allocation-file.ts';
import { readHostnameRecord } from '../../core/records/hostname-file.ts';
import { changesTo, hostnameTexts, recordTexts } from '../../core/run/synth/generated-files.ts';
import type { PlannedRun } from '../../core/run/synth/planned-run.ts';
import { classifyLeaseFiles } from '../../core/tree/lease-files.ts';
import { TreeReader, textIn } from '../../core/tree/tree-reader.ts';

/** The inputs of {@link resolvedTree}. */
export interface ResolvedFrom {
  /** The working tree, with the declarations. */
  readonly disk: SourceTree;
  readonly table: AllocationTable;
  readonly hostnameTable: HostnameTable;
  /** The tree with the live manifests. */
  readonly live: SourceTree;
}

/** Returns the tree for synth: declarations of the working tree, merged records, live manifests. */
export function resolvedTree({ disk, table, hostnameTable, live }: ResolvedFrom): SourceTree {
  const texts = new Map([...recordTexts(table), ...hostnameTexts(hostnameTable)]);
  const records = [...texts].map(([path, text]): TreeEntry => {
    return { path, kind: 'file', size: Buffer.byteLength(text, 'utf8') };
  });
  return {
    list(folder) {
      if (recordFolders.includes(folder)) {
        return records.filter(({ path }) => path.startsWith(`${folder}/`));
      }
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
  return entries.filter(({ path }) => !isRecordPath(path));
}

/** The manifests of a tree, without files of other tools. */
function manifestEntries(tree: SourceTree): TreeEntry[] {
  return tree.list(distFolder).filter(({ path, kind }) => kind === 'file' && isManifestPath(path));
}

/** Returns the changes of the disk for a run over the {@link resolvedTree}. */
export function diskChanges(disk: SourceTree, live: SourceTree, run: PlannedRun): TreeChanges {
  const wanted = new Map([...recordTexts(run.table), ...hostnameTexts(run.hostnames.table)]);
  const removed = new Set(run.files.removes);
  for (const { path } of manifestEntries(live)) {
    if (!removed.has(path)) wanted.set(path, textIn(live, path));
  }
  for (const [path, text] of run.files.writes) wanted.set(path, text);
  const entries = [...recordFolders, distFolder].flatMap((folder) => disk.list(folder));
  const { writes, removes } = changesTo(wanted, disk, entries);
  const promises = declarationEntries(disk).filter(({ path }) => removed.has(path));
  return { writes, removes: [...removes, ...promises.map(({ path }) => path)] };
}

/**
 * Problems for files among the records that leasehold did not write and must not remove: they are
 * no records, and no commit has them (`known` paths).
 */
export function strayRecords(disk: SourceTree, known: ReadonlySet<string>): readonly Problem[] {
  const files = classifyLeaseFiles(recordFolders.flatMap((folder) => disk.list(folder)));
  const reading = new TreeReader(disk);
  const unread = [...files.allocations, ...files.hostnames].filter(({ path }) => !known.has(path));
  return [
    ...files.problems,
    ...files.misplaced,
    ...unread.flatMap((entry) => {
      const { path } = entry;
      const read = path.startsWith(`${allocationsFolder}/`) ? readAllocation : readHostnameRecord;
      const record = reading.read<unknown>(entry, (bytes) => read(path, bytes));
      return record.ok ? [] : record.problems;
    }),
  ];
}

/** Returns the history without records, which may be missing or unmerged in a merge. Asks git once. */
export function declarationHistory(history: History): History {
  const answers = new Map<string, ReturnType<History['tracked']>>();
  return {
    ...history,
    async tracked(folders) {
      const answer = answers.get(folders.join('\n')) ?? history.tracked(folders);
      answers.set(folders.join('\n'), answer);
      return (await answer)?.filter((path) => !isRecordPath(path));
    },
    // The merge of the declarations is checked before.
    unmerged: async () => [],
  };
}
