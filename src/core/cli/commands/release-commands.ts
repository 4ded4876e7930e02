import type { Pools } from '../../model/pools.ts';
import { cleanUp } from '../../run/operate/cleanup.ts';
import { namedClaims } from '../../run/operate/named-holders.ts';
import { cleanupNote, cleanupText, releaseText } from '../../run/operate/operation-text.ts';
import { releaseClaims } from '../../run/operate/release.ts';
import { commitFields, reportText } from '../answer.ts';
import { exit } from '../cli-context.ts';
import { declaredCluster } from '../declared-names.ts';
import { UsageError } from '../failure.ts';
import { command } from '../feature.ts';
import { allowReleaseOption, releaseTerms } from '../option-values.ts';
import { recordingOf, recordingOptions } from '../recording.ts';
import { tell } from '../tell.ts';
import { reportRun, runText, withWorkspace } from '../with-tree.ts';

/** `leasehold release`. */
export const releaseCommand = command(
  (bare) =>
    recordingOptions(
      bare
        .argument(
          '<what...>',
          'an address, a block, a holder, an IP endpoint, a lease as owner/dseq, a Service as namespace/name, a hostname, or all of an Akash account or a namespace',
        )
        .addOption(allowReleaseOption()),
    ),
  (context, options, [what]) =>
    withWorkspace(context, options, async (workspace, locked) => {
      const named = namedClaims(what, workspace);
      if (!named.ok) throw new UsageError(named.reason);
      const ended = { ...named, workspace };
      const recording = await recordingOf(context, locked, options);
      const outcome = await releaseClaims(locked.tree, locked.repository.history, ended, {
        ...recording,
        releases: releaseTerms(context, options),
      });
      return outcome.ok ? reportRun(context, locked, outcome.value, releaseText) : outcome;
    }),
);

/** `leasehold cleanup`. */
export const cleanupCommand = command(
  (bare) =>
    recordingOptions(
      bare
        .requiredOption('--cluster <name>', 'the cluster of leases/pools.yaml, by its name or id')
        .addOption(allowReleaseOption()),
    ),
  (context, options) =>
    withWorkspace(context, options, async (workspace, locked) => {
      const cluster = nameOf(workspace.pools, options.cluster);
      const cleaned = { cluster, workspace };
      const recording = await recordingOf(context, locked, options);
      const outcome = await cleanUp(locked.tree, locked.repository.history, cleaned, {
        ...recording,
        releases: releaseTerms(context, options),
      });
      if (!outcome.ok) return outcome;
      const { run, files } = outcome.value;
      const commit = await commitFields(locked.repository, options.output);
      const answer = { ...outcome.value.answer, ...commit };
      context.out(reportText(answer, options.output, cleanupText));
      tell(context, cleanupNote(answer));
      tell(context, runText(context, { ...run, files }));
      return exit.fine;
    }),
);

/** The name of the cluster that has this name or id. No two clusters share one. */
function nameOf(pools: Pools, nameOrId: string): string {
  const byId = pools.clusters.find(({ id }) => id === nameOrId);
  return byId?.name ?? declaredCluster(pools, nameOrId).name;
}
