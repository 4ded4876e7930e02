import { Argument } from '@commander-js/extra-typings';
import { migrateLayout, nextLayoutStep } from '../../features/operate/migrate-layout.ts';
import { layoutMigrationText } from '../../features/operate/operation-text.ts';
import { type LastingLayout, lastingLayouts } from '../../model/pools.ts';
import { reportOption, reportText, stateFields } from '../answer.ts';
import { type CliContext, exit } from '../cli-context.ts';
import type { CommandLine, OptionsOf } from '../command-line.ts';
import { declaredCluster } from '../declared-names.ts';
import { clusterOption, todayOption } from '../option-values.ts';
import { baseOption, dateAheadOption, noBaseOption, recordingOf } from '../recording.ts';
import { tell } from '../tell.ts';
import { runText, withWorkspace } from '../with-tree.ts';

/** `leasehold migrate-layout`. */
export function addMigrateLayoutCommand(line: CommandLine): void {
  layoutCommand(line).action((target, _, self) =>
    line.exitWith(runMigrateLayout(line.context, target, self.optsWithGlobals())),
  );
}

function layoutCommand({ command }: CommandLine) {
  return command
    .addOption(baseOption())
    .addOption(noBaseOption())
    .addArgument(new Argument('<layout>', 'the layout after the last step').choices(lastingLayouts))
    .addOption(clusterOption('the declared cluster; the default one when left out'))
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(reportOption());
}

function runMigrateLayout(
  context: CliContext,
  target: LastingLayout,
  options: OptionsOf<typeof layoutCommand>,
): Promise<number> {
  return withWorkspace(context, options, async (workspace, locked) => {
    const cluster = declaredCluster(workspace.pools, options.cluster);
    const { layout } = cluster.metallb;
    const step = nextLayoutStep(cluster, target);
    const answered = { cluster: cluster.name, from: layout, to: step?.to ?? layout, target };
    const about = { apiVersion: 'leasehold.dev/v1', kind: 'LayoutMigration' } as const;
    if (step) {
      const { tree, repository } = locked;
      const recording = await recordingOf(context, locked, options);
      const outcome = await migrateLayout(
        tree,
        repository.history,
        { workspace, step },
        { ...recording, allowRelease: undefined, progress: context.progress },
      );
      if (!outcome.ok) return outcome;
      const { run, files } = outcome.value;
      tell(context, runText(context, { ...run, files }));
    }
    const state = await stateFields(context, locked.repository, options.output);
    const answer = { ...about, ...state, ...answered };
    context.out(reportText(answer, options.output, layoutMigrationText));
    return exit.fine;
  });
}
