import type { Pools } from '../../model/pools.ts';
import { namedClaims } from '../../run/operate/named-holders.ts';
import { releaseText } from '../../run/operate/operation-text.ts';
import { releaseClaims, releaseCluster } from '../../run/operate/release.ts';
import { declaredCluster } from '../declared-names.ts';
import { UsageError } from '../failure.ts';
import { command } from '../feature.ts';
import { allowReleaseOption, releaseTerms } from '../option-values.ts';
import { recordingOf, recordingOptions } from '../recording.ts';
import { reportRun, withWorkspace } from '../with-tree.ts';

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
      const whole = cluster === undefined ? undefined : nameOf(workspace.pools, cluster);
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
function nameOf(pools: Pools, nameOrId: string): string {
  const byId = pools.clusters.find(({ id }) => id === nameOrId);
  return byId?.name ?? declaredCluster(pools, nameOrId).name;
}
