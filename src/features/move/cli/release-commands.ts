import { declaredCluster } from '../../../core/cli/declared-names.ts';
import { UsageError } from '../../../core/cli/failure.ts';
import { command } from '../../../core/cli/feature.ts';
import { allowReleaseOption, releaseTerms } from '../../../core/cli/option-values.ts';
import { recordingOf, recordingOptions } from '../../../core/cli/recording.ts';
import { reportRun, withWorkspace } from '../../../core/cli/with-tree.ts';
import type { Pools } from '../../../core/model/pools.ts';
import { namedClaims } from '../../../lib/edit/named-holders.ts';
import { releaseText } from '../operation-text.ts';
import { releaseClaims, releaseCluster } from '../release.ts';

/** `leasehold release`. */
export const releaseCommand = command(
  (bare) =>
    recordingOptions(
      bare
        .argument(
          '[what...]',
          'an address, a block, a holder, an IP endpoint, a lease as owner/dseq, a Service as namespace/name, a hostname, or all of an Akash account or a namespace',
        )
        .option('--cluster <name>', 'instead: all of a cluster, by its name or id')
        .addOption(allowReleaseOption()),
    ),
  (context, options, [what]) =>
    withWorkspace(context, options, async (workspace, locked) => {
      const { cluster } = options;
      if (what.length > 0 === (cluster !== undefined)) {
        throw new UsageError('release takes names, or --cluster for all of a cluster');
      }
      const named = namedClaims(what, workspace);
      if (!named.ok) throw new UsageError(named.reason);
      const whole = cluster === undefined ? undefined : clusterName(workspace.pools, cluster);
      const recording = await recordingOf(context, locked, options);
      const terms = { ...recording, releases: releaseTerms(context, options) };
      const { tree, repository } = locked;
      const outcome =
        whole === undefined
          ? await releaseClaims(tree, repository.history, { ...named, workspace }, terms)
          : await releaseCluster(tree, repository.history, { cluster: whole, workspace }, terms);
      return outcome.ok ? reportRun(context, locked, outcome.value, releaseText) : outcome;
    }),
);

/** The name of the cluster that has this name or id. No two clusters share one. */
function clusterName(pools: Pools, nameOrId: string): string {
  const byId = pools.clusters.find(({ id }) => id === nameOrId);
  return byId?.name ?? declaredCluster(pools, nameOrId).name;
}
