import { resolve } from 'node:path';
import { writtenPools } from '../../features/cluster/desired.ts';
import { diagnose } from '../../features/cluster/diagnose.ts';
import { diagnosisJson, diagnosisTable } from '../../features/cluster/diagnosis-text.ts';
import { readPoolFile } from '../../workspace/declared.ts';
import { openForReading } from '../../world/disk/disk-tree.ts';
import { kubernetesCluster } from '../../world/kubernetes/kubernetes.ts';
import { declaredCluster, type LiveOptions } from '../live-options.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import { exit, type World } from '../world.ts';

/** `leasehold doctor`: reads the pool file, and of `dist/` which pools it has. */
export async function runDoctor(world: World, options: LiveOptions): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const tree = openForReading(root);
  const pools = readPoolFile(tree);
  if (!pools.ok) return reportTreeProblems(world, root, pools.problems);
  const declared = declaredCluster(pools.value, options.cluster);
  const cluster = await kubernetesCluster(options, world.cwd);
  const diagnosis = await diagnose(cluster, pools.value, declared, writtenPools(tree, declared));
  const print = options.output === 'json' ? diagnosisJson : diagnosisTable;
  world.out(print(diagnosis));
  return diagnosis.ok ? exit.fine : exit.problems;
}
