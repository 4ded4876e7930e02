import { newPoolFile, withPools } from '../../codec/pools-edit.ts';
import { readPools } from '../../codec/pools-file.ts';
import { leasesFolder, poolsPath } from '../../model/folders.ts';
import type {
  ImportAnswer,
  ImportAnswerPool,
  Imported,
  ImportedPool,
  ImportNote,
  ImportSource,
} from '../../model/import.ts';
import { sortedKeys } from '../../model/order.ts';
import type { Layout, Pools } from '../../model/pools.ts';
import type { Outcome, Problem } from '../../model/problem.ts';
import { formatRange } from '../../net/range.ts';
import { type EditedRun, runEdited } from '../operate/edited-run.ts';
import type { History } from '../ports/history.ts';
import type { SourceTree, TargetTree } from '../ports/tree.ts';
import type { SynthOptions } from '../synth/synth.ts';
import { readPoolFile } from '../workspace/declared.ts';
import { lostFiles } from '../workspace/workspace.ts';
import { newFileNotes, poolFileNotes, toldNotes, usual } from './import-notes.ts';
import { type PlacedPools, placedPools } from './placed-pools.ts';

/** What a person says of an import. */
export interface ImportOptions extends SynthOptions {
  readonly source: ImportSource;
  /** The zone of the pools; undefined for the default one of the pool file. */
  readonly zone: string | undefined;
  /** The cluster of the pools; undefined for the default one. */
  readonly cluster: string | undefined;
  /** Of a new pool file. */
  readonly layout: Layout | undefined;
  /** MetalLB's version for a new pool file. */
  readonly metallb: string | undefined;
}

/** What an import did, and what to answer. */
export interface ImportedRun extends EditedRun {
  readonly answer: ImportAnswer;
}

/**
 * Adds imported pools to the pool file, or makes one, and synthesizes: all of it, or nothing. Pools that are declared
 * already stay as they are. Problems: FILE_LOST, those of {@link placedPools}, of the pool file as it is and as it would be, and
 * of a synth.
 */
export async function importPools(
  tree: SourceTree & TargetTree,
  history: History,
  imported: Imported,
  options: ImportOptions,
): Promise<Outcome<ImportedRun>> {
  // A pool file that only the disk lacks is no reason for a new one.
  const lost = await lostFiles(tree, history);
  if (lost.length > 0) return { ok: false, problems: lost };
  const isThere = tree.list(leasesFolder).some(({ path }) => path === poolsPath);
  const declared = isThere ? readPoolFile(tree) : undefined;
  if (declared && !declared.ok) return declared;
  const placed = placedPools(imported.pools, declared?.value);
  if (!placed.ok) return placed;
  const { added } = placed.value;
  const text = declared
    ? extended(tree, added, declared.value, options)
    : newFile(added, imported, options);
  const problems = text === undefined ? [] : problemsOf(text);
  if (problems.length > 0) return { ok: false, problems };
  const writes = new Map(text === undefined ? [] : [[poolsPath, text]]);
  const outcome = await runEdited(
    tree,
    history,
    { writes, removes: [] },
    { ...options, allowingCommand: (count) => `leasehold synth --allow-release ${count}` },
  );
  if (!outcome.ok) return outcome;
  const notes = [
    ...imported.notes,
    ...placed.value.notes,
    ...(declared
      ? poolFileNotes(added, imported, declared.value)
      : newFileNotes(imported, options.metallb)),
  ];
  const answer = answerOf(options.source, imported, placed.value, {
    notes,
    edited: sortedKeys(writes),
  });
  return { ok: true, value: { ...outcome.value, answer } };
}

function newFile(
  pools: readonly ImportedPool[],
  { namespace }: Imported,
  { zone, metallb, layout }: ImportOptions,
): string {
  return newPoolFile(pools, zone ?? usual.zone, {
    version: metallb ?? usual.version,
    namespace: namespace ?? usual.namespace,
    layout: layout ?? 'pool',
  });
}

/** The pool file with the pools that it lacks; undefined when it lacks none. */
function extended(
  tree: SourceTree,
  added: readonly ImportedPool[],
  declared: Pools,
  { zone, cluster }: ImportOptions,
): string | undefined {
  if (added.length === 0) return undefined;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(tree.read(poolsPath));
  const isOne = declared.clusters.length === 1;
  return withPools(text, added, {
    zone: zone ?? declared.defaultZone,
    clusters: isOne ? undefined : [cluster ?? declared.defaultCluster],
  });
}

/** What the pool file would have wrong, said as such: it is not written. */
function problemsOf(text: string): readonly Problem[] {
  const read = readPools(poolsPath, new TextEncoder().encode(text));
  if (read.ok) return [];
  return read.problems.map((problem) => ({
    ...problem,
    hint: `${problem.hint ? `${problem.hint}; ` : ''}the line is of the file as the import would have written it`,
  }));
}

function answerOf(
  source: ImportSource,
  { pools }: Imported,
  { added }: PlacedPools,
  { notes, edited }: { readonly notes: readonly ImportNote[]; readonly edited: readonly string[] },
): ImportAnswer {
  const isAdded = new Set(added);
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Import',
    source,
    pools: pools.map(
      (pool): ImportAnswerPool => ({
        name: pool.name,
        state: isAdded.has(pool) ? 'added' : 'present',
        addresses: pool.ranges.map(({ range }) => formatRange(range)),
        avoidBuggyIPs: pool.avoidBuggyIPs,
        advertise: pool.advertise.kind,
        file: pool.at.file,
        line: pool.at.line,
      }),
    ),
    notes: toldNotes(notes),
    edited,
  };
}
