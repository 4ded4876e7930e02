import type { SourceTree } from '../../../core/interfaces/tree.ts';
import type { History } from '../../../core/interfaces/work-tree.ts';
import type { Day } from '../../../core/model/day.ts';
import { byPath } from '../../../core/model/order.ts';
import type { Layout } from '../../../core/model/pools.ts';
import { counted, type Outcome, ok } from '../../../core/model/problem.ts';
import { isRecordPath, leasesFolder } from '../../../core/model/repository-paths.ts';
import { sanitize } from '../../../core/text/print/escape.ts';
import { type ChangedTree, changedTree } from '../../../core/tree/changed-tree.ts';
import type { ImportAnswer } from '../../import/import-answer.ts';
import { importPools } from '../../import/import-pools.ts';
import type { Imported } from '../../import/imported.ts';
import type { SetupPlan } from './plan-setup.ts';
import type { SetupFile } from './setup.ts';

/** What a new pool file has that a cluster does not tell. */
export interface AdoptionTerms {
  /** For an Akash provider, its address. */
  readonly provider: string | undefined;
  /** Undefined for that of the MetalLB that runs. */
  readonly metallb: string | undefined;
  readonly layout: Layout | undefined;
  readonly today: Day;
}

/** A live cluster declared in memory. */
export interface AdoptedCluster {
  readonly tree: ChangedTree;
  readonly answer: ImportAnswer;
}

/**
 * Declares the pools of a live cluster, and the Services and leases that have addresses of them, in
 * a tree without a pool file. Nothing is written. Problems: those of an import.
 */
export async function adoptCluster(
  tree: SourceTree,
  history: History,
  live: Imported,
  terms: AdoptionTerms,
): Promise<Outcome<AdoptedCluster>> {
  const adopted = changedTree(tree);
  const run = await importPools(adopted, history, live, {
    ...terms,
    source: 'cluster',
    zone: undefined,
    cluster: undefined,
    allowClosedFence: undefined,
  });
  return run.ok ? ok({ tree: adopted, answer: run.value.answer }) : run;
}

/** A set-up in an adopted tree, with the declarations of the cluster among its files. */
export function withAdopted(plan: SetupPlan, { tree }: AdoptedCluster): SetupPlan {
  const declared = [...tree.changes().writes].filter(
    ([path]) => path.startsWith(`${leasesFolder}/`) && !isRecordPath(path),
  );
  const files = new Map(plan.files.map((file) => [file.path, file]));
  for (const [path, after] of declared) files.set(path, { path, state: 'new', before: '', after });
  const sorted: readonly SetupFile[] = [...files.values()].sort(byPath);
  return { files: sorted, writes: new Map([...declared, ...plan.writes]) };
}

/** What was found in a cluster, for a person who decides whether to take it over. */
export function adoptedText({ answer }: AdoptedCluster, live: Imported): string {
  const services = answer.declarations.filter(({ kind }) => kind !== 'Lease').length;
  const leases = answer.declarations.length - services;
  return [
    `MetalLB ${live.version ?? 'of an unknown version'} in ${live.namespace ?? 'an unknown namespace'}`,
    ...answer.pools.map(({ name, addresses }) => `pool ${name}: ${addresses.join(', ')}`),
    `${counted(services, 'Service')} and ${counted(leases, 'Akash lease')} with addresses of them`,
    ...answer.notes.map(({ effect, subject, message }) => `${effect}: ${subject}: ${message}`),
  ]
    .map(sanitize)
    .join('\n');
}
