import { UsageError } from '../../../core/cli/failure.ts';
import { command } from '../../../core/cli/feature.ts';
import { allowReleaseOption, releaseTerms } from '../../../core/cli/option-values.ts';
import { recordingOf, recordingOptions } from '../../../core/cli/recording.ts';
import { reportRun, withWorkspace } from '../../../core/cli/with-tree.ts';
import {
  type Allocation,
  type AllocationTable,
  addressesHeldBy,
} from '../../../core/model/allocation.ts';
import { holderParts } from '../../../core/model/holder.ts';
import { formatAddress } from '../../../core/net/address.ts';
import { runEdited } from '../../../core/run/synth/edited-run.ts';
import type { RunBase } from '../../../core/run/synth/run-base.ts';
import { readDeclared } from '../../../core/tree/declared.ts';
import type { Workspace } from '../../../core/tree/workspace.ts';
import { foundRenames, lostAddresses } from '../rename.ts';
import { type Renaming, renamingText } from '../rename-answer.ts';
import { type RenameBase, renameEditOf } from '../rename-file.ts';

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
      const before = await beforeRename(recording.base, workspace);
      const renaming = { tree, workspace, before };
      const found = foundRenames(renaming, { from, to });
      if (!found.ok) throw new UsageError(found.reason);
      const planned = renameEditOf(renaming, found.renames);
      if (!planned.ok) return planned;
      const { changes, renamed, edited, written } = planned.value;
      const { removes } = changes;
      const outcome = await runEdited(tree, repository.history, changes, {
        ...recording,
        releases: releaseTerms(context, options),
        refusals: ({ table }) => lostAddresses(planned.value, table),
      });
      if (!outcome.ok) return outcome;
      const answer: Renaming = {
        ...{ apiVersion: 'leasehold.dev/v1', kind: 'Renaming', day: recording.today },
        renamed: renamed.map((one) => withKept(one, outcome.value.run.table)),
        edited,
        ...(removes.length === 0 ? {} : { removed: [...removes] }),
        ...(written === undefined ? {} : { file: written }),
      };
      return reportRun(context, locked, { ...outcome.value, answer }, renamingText);
    }),
);

/** The start of the branch; its claims only where an IP endpoint may have been renamed by hand. */
async function beforeRename(
  base: RunBase | undefined,
  { holders }: Workspace,
): Promise<RenameBase> {
  const table: AllocationTable = base?.table ?? new Map();
  const declared = new Set(holders.map(({ id }) => id));
  const isGone = ({ holder }: Allocation): boolean =>
    holderParts(holder).kind === 'akash' && !declared.has(holder);
  const tree = [...table.values()].some(isGone) ? await base?.tree() : undefined;
  return { table, claims: tree ? readDeclared(tree).claims : [] };
}

/** Only the addresses that the holder has after the run: of several that were kept, one goes over. */
function withKept(
  renamed: Renaming['renamed'][number],
  table: AllocationTable,
): Renaming['renamed'][number] {
  const held = addressesHeldBy(table, renamed.to).map(formatAddress);
  return { ...renamed, addresses: renamed.addresses.filter((address) => held.includes(address)) };
}
