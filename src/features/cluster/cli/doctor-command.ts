import { reportText, stateFields, tableOption, tableStyle } from '../../../core/cli/answer.ts';
import { type CliContext, exit } from '../../../core/cli/cli-context.ts';
import type { OptionsOf } from '../../../core/cli/command-line.ts';
import { declaredCluster } from '../../../core/cli/declared-names.ts';
import type { CommandLine } from '../../../core/cli/feature.ts';
import {
  clusterOption,
  connectionOf,
  contextOption,
  kubeconfigOption,
} from '../../../core/cli/option-values.ts';
import { openTree, reportTreeProblems } from '../../../core/cli/with-tree.ts';
import { readInventoryFile, readPoolFile } from '../../../core/tree/declared.ts';
import { kubernetesCluster } from '../../../lib/kubernetes/world/kubernetes.ts';
import { writtenPools } from '../desired.ts';
import { diagnose } from '../diagnose.ts';
import { diagnosisTable } from '../diagnosis-text.ts';

/** `leasehold doctor`. */
export function addDoctorCommand(line: CommandLine): void {
  doctorCommand(line).action((_, self) =>
    line.exitWith(runDoctor(line.context, self.optsWithGlobals())),
  );
}

function doctorCommand({ command }: CommandLine) {
  return command
    .addOption(clusterOption())
    .addOption(contextOption())
    .addOption(kubeconfigOption())
    .addOption(tableOption());
}

/** Reads the pool file, the inventory file, and from `dist/` which pools it has. */
async function runDoctor(
  context: CliContext,
  options: OptionsOf<typeof doctorCommand>,
): Promise<number> {
  const { tree, repository } = openTree(context, options);
  const pools = readPoolFile(tree);
  if (!pools.ok) return reportTreeProblems(context, repository, pools.problems);
  const inventories = readInventoryFile(tree, pools.value);
  if (!inventories.ok) return reportTreeProblems(context, repository, inventories.problems);
  const declared = declaredCluster(pools.value, options.cluster);
  const cluster = await kubernetesCluster(connectionOf(options), context.cwd);
  const diagnosis = await diagnose(cluster, pools.value, declared, {
    written: writtenPools(tree, declared),
    inventory: inventories.value.find((one) => one.cluster === declared.name),
  });
  const style = tableStyle(context, options.output);
  const answer = { ...diagnosis, ...(await stateFields(context, repository, options.output)) };
  context.out(reportText(answer, options.output, (shown) => diagnosisTable(shown, style)));
  return diagnosis.ok ? exit.fine : exit.problems;
}
