import { UsageError } from '../../../core/cli/failure.ts';
import { command } from '../../../core/cli/feature.ts';
import { allowReleaseOption, releaseTerms } from '../../../core/cli/option-values.ts';
import { recordingOf, recordingOptions } from '../../../core/cli/recording.ts';
import { reportRun, withWorkspace } from '../../../core/cli/with-tree.ts';
import { type AllocationTable, addressesHeldBy } from '../../../core/model/allocation.ts';
import { formatAddress } from '../../../core/net/address.ts';
import { runEdited } from '../../../core/run/operate/edited-run.ts';
import { lostAddresses, renameEdit } from '../rename.ts';
import { type Renaming, renamingText } from '../rename-answer.ts';

/** `leasehold rename`. */
export const renameCommand = command(
  (bare) =>
    recordingOptions(
      bare
        .argument(
          '<old>',
          'a Service as namespace/name, a holder, an IP endpoint, an address, or a namespace',
        )
        .argument('<new>', 'the new name')
        .addOption(allowReleaseOption()),
    ),
  (context, options, [from, to]) =>
    withWorkspace(context, options, async (workspace, locked) => {
      const { tree, repository } = locked;
      const recording = await recordingOf(context, locked, options);
      const before = recording.base?.table ?? new Map();
      const named = renameEdit(tree, workspace, { from, to }, before);
      if (!named.ok) throw new UsageError(named.reason);
      if (!named.edit.ok) return named.edit;
      const edit = named.edit.value;
      const { changes, renamed, edited, written } = edit;
      const outcome = await runEdited(tree, repository.history, changes, {
        ...recording,
        releases: releaseTerms(context, options),
        refusals: ({ table }) => lostAddresses(edit, table),
      });
      if (!outcome.ok) return outcome;
      const answer: Renaming = {
        ...{ apiVersion: 'leasehold.dev/v1', kind: 'Renaming', day: recording.today },
        renamed: renamed.map((one) => withKept(one, outcome.value.run.table)),
        edited,
        ...(written === undefined ? {} : { file: written }),
      };
      return reportRun(context, locked, { ...outcome.value, answer }, renamingText);
    }),
);

/** Only the addresses that the holder has after the run: of several that were kept, one goes over. */
function withKept(
  renamed: Renaming['renamed'][number],
  table: AllocationTable,
): Renaming['renamed'][number] {
  const held = addressesHeldBy(table, renamed.to).map(formatAddress);
  return { ...renamed, addresses: renamed.addresses.filter((address) => held.includes(address)) };
}
