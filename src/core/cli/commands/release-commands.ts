import type { Pools } from '../../model/pools.ts';
import { cleanUp } from '../../run/operate/cleanup.ts';
import { namedClaims } from '../../run/operate/named-holders.ts';
import { cleanupNote, cleanupText, releaseText } from '../../run/operate/operation-text.ts';
import { releaseClaims } from '../../run/operate/release.ts';
import { commitFields, reportOption, reportText } from '../answer.ts';
import { type CliContext, exit } from '../cli-context.ts';
import type { OptionsOf } from '../command-line.ts';
import { declaredCluster } from '../declared-names.ts';
import { UsageError } from '../failure.ts';
import type { CommandLine } from '../feature.ts';
import { allowReleaseOption, releaseTerms, todayOption } from '../option-values.ts';
import { baseOption, dateAheadOption, noBaseOption, recordingOf } from '../recording.ts';
import { tell } from '../tell.ts';
import { runText, withWorkspace } from '../with-tree.ts';

/** `leasehold release`. */
export function addReleaseCommand(line: CommandLine): void {
  releaseCommand(line).action((what, _, self) =>
    line.exitWith(runRelease(line.context, what, self.optsWithGlobals())),
  );
}

function releaseCommand({ command }: CommandLine) {
  return command
    .addOption(baseOption())
    .addOption(noBaseOption())
    .argument(
      '<what...>',
      'an address, a block, a holder, an IP endpoint, a lease as owner/dseq, a Service as namespace/name, or a hostname',
    )
    .addOption(allowReleaseOption())
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(reportOption());
}

function runRelease(
  context: CliContext,
  what: readonly string[],
  options: OptionsOf<typeof releaseCommand>,
): Promise<number> {
  return withWorkspace(context, options, async (workspace, locked) => {
    const named = namedClaims(what, workspace);
    if (!named.ok) throw new UsageError(named.reason);
    const ended = { ...named, workspace };
    const recording = await recordingOf(context, locked, options);
    const outcome = await releaseClaims(locked.tree, locked.repository.history, ended, {
      ...recording,
      releases: releaseTerms(context, options),
      progress: context.progress,
    });
    if (!outcome.ok) return outcome;
    const { run, files } = outcome.value;
    const commit = await commitFields(locked.repository, options.output);
    const answer = { ...outcome.value.answer, ...commit };
    tell(context, runText(context, { ...run, files }));
    context.out(reportText(answer, options.output, releaseText));
    return exit.fine;
  });
}

/** `leasehold cleanup`. */
export function addCleanupCommand(line: CommandLine): void {
  cleanupCommand(line).action((_, self) =>
    line.exitWith(runCleanup(line.context, self.optsWithGlobals())),
  );
}

function cleanupCommand({ command }: CommandLine) {
  return command
    .addOption(baseOption())
    .addOption(noBaseOption())
    .requiredOption('--cluster <name>', 'the cluster of leases/pools.yaml, by its name or id')
    .addOption(allowReleaseOption())
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(reportOption());
}

function runCleanup(
  context: CliContext,
  options: OptionsOf<typeof cleanupCommand>,
): Promise<number> {
  return withWorkspace(context, options, async (workspace, locked) => {
    const cluster = nameOf(workspace.pools, options.cluster);
    const cleaned = { cluster, workspace };
    const recording = await recordingOf(context, locked, options);
    const outcome = await cleanUp(locked.tree, locked.repository.history, cleaned, {
      ...recording,
      releases: releaseTerms(context, options),
      progress: context.progress,
    });
    if (!outcome.ok) return outcome;
    const { run, files } = outcome.value;
    const commit = await commitFields(locked.repository, options.output);
    const answer = { ...outcome.value.answer, ...commit };
    context.out(reportText(answer, options.output, cleanupText));
    tell(context, cleanupNote(answer));
    tell(context, runText(context, { ...run, files }));
    return exit.fine;
  });
}

/** The name of the cluster that has this name or id. No two clusters share one. */
function nameOf(pools: Pools, nameOrId: string): string {
  const byId = pools.clusters.find(({ id }) => id === nameOrId);
  return byId?.name ?? declaredCluster(pools, nameOrId).name;
}
