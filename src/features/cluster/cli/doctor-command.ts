import { reportText, stateFields, tableOption, tableStyle } from '../../../core/cli/answer.ts';
import { exit } from '../../../core/cli/cli-context.ts';
import { declaredCluster } from '../../../core/cli/declared-names.ts';
import { command } from '../../../core/cli/feature.ts';
import { clusterOption } from '../../../core/cli/option-values.ts';
import { openTree, reportTreeProblems } from '../../../core/cli/with-tree.ts';
import { additionsTo } from '../../../core/interfaces/extension.ts';
import { readPoolFile } from '../../../core/tree/declared.ts';
import {
  connectionOf,
  contextOption,
  kubeconfigOption,
} from '../../../lib/kubernetes/cli/connection-options.ts';
import { doctorChecks, type LiveCheck } from '../../../lib/kubernetes/doctor-checks.ts';
import { kubernetesCluster } from '../../../lib/kubernetes/world/kubernetes.ts';
import { writtenPools } from '../desired.ts';
import { diagnose } from '../diagnose.ts';
import { diagnosisTable } from '../diagnosis-text.ts';
import { diagnosisFor } from '../kubectl.ts';

/** `leasehold doctor`. Reads the pool file, what features check, and from `dist/` which pools it has. */
export const doctorCommand = command(
  (bare) =>
    bare
      .addOption(clusterOption())
      .addOption(contextOption())
      .addOption(kubeconfigOption())
      .addOption(tableOption()),
  async (context, options, _, { features }) => {
    const { tree, repository } = openTree(context, options);
    const pools = readPoolFile(tree);
    if (!pools.ok) return reportTreeProblems(context, repository, pools.problems);
    const declared = declaredCluster(pools.value, options.cluster);
    const checks: LiveCheck[] = [];
    for (const added of await additionsTo(doctorChecks, features)) {
      const check = added.of(tree, pools.value, declared);
      if (!check.ok) return reportTreeProblems(context, repository, check.problems);
      if (check.value) checks.push(check.value);
    }
    const connection = connectionOf(options);
    const cluster = await kubernetesCluster(connection, context.cwd);
    const found = await diagnose(cluster, pools.value, declared, {
      written: writtenPools(tree, declared),
      checks,
    });
    const diagnosis = diagnosisFor(found, connection);
    const style = tableStyle(context, options.output);
    const answer = { ...diagnosis, ...(await stateFields(context, repository, options.output)) };
    context.out(reportText(answer, options.output, (shown) => diagnosisTable(shown, style)));
    return diagnosis.ok ? exit.fine : exit.problems;
  },
);
