import type { SourceTree } from '../../core/interfaces/tree.ts';
import type { History } from '../../core/interfaces/work-tree.ts';
import { planeNames } from '../../core/model/planes.ts';
import { counted, type Outcome, ok } from '../../core/model/problem.ts';
import { sanitize } from '../../core/text/print/escape.ts';
import { changedTree } from '../../core/tree/changed-tree.ts';
import type { AdoptedCluster, AdoptionTerms, ReadCluster } from '../../lib/kubernetes/adoption.ts';
import { readClusterObjects, readLiveCluster } from './cluster/cluster-source.ts';
import type { ImportAnswer } from './import-answer.ts';
import { importPools } from './import-pools.ts';
import type { Imported } from './imported.ts';

/** Reads a live cluster, and declares it in a tree without a pool file. */
export const readCluster: ReadCluster = async (cluster) => {
  const live = await readLiveCluster(cluster, (answers) => readClusterObjects(answers));
  if (!live.ok) return live;
  if (live.value.pools.length === 0) return ok(undefined);
  return ok({ adopt: (tree, history, terms) => adopt(live.value, tree, history, terms) });
};

async function adopt(
  live: Imported,
  tree: SourceTree,
  history: History,
  { metallb, cilium, ...terms }: AdoptionTerms,
): Promise<Outcome<AdoptedCluster>> {
  const adopted = changedTree(tree);
  const run = await importPools(adopted, history, live, {
    ...terms,
    planeVersion: live.plane === 'cilium' ? cilium : metallb,
    source: 'cluster',
    zone: undefined,
    cluster: undefined,
    allowClosedFence: undefined,
  });
  return run.ok ? ok({ tree: adopted, text: foundText(run.value.answer, live) }) : run;
}

function foundText({ pools, declarations, notes }: ImportAnswer, live: Imported): string {
  const services = declarations.filter(({ kind }) => kind !== 'Lease').length;
  const leases = declarations.length - services;
  return [
    `${planeNames[live.plane ?? 'metallb']} ${live.version ?? 'of an unknown version'} in ${live.namespace ?? 'an unknown namespace'}`,
    ...pools.map(({ name, addresses }) => `pool ${name}: ${addresses.join(', ')}`),
    `${counted(services, 'Service')} and ${counted(leases, 'Akash lease')} with addresses of them`,
    ...notes.map(({ effect, subject, message }) => `${effect}: ${subject}: ${message}`),
  ]
    .map(sanitize)
    .join('\n');
}
