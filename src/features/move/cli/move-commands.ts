import { Argument, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Move } from '../../../core/allocate/move.ts';
import { commitFields, reportOption, reportText, stateFields } from '../../../core/cli/answer.ts';
import { type CliContext, exit } from '../../../core/cli/cli-context.ts';
import type { NewCommand, OptionsOf } from '../../../core/cli/command-line.ts';
import { declaredPool, metallbCluster } from '../../../core/cli/declared-names.ts';
import { UsageError } from '../../../core/cli/failure.ts';
import { command } from '../../../core/cli/feature.ts';
import {
  addressesValue,
  allowReleaseOption,
  clusterOption,
  rangeValue,
  releaseTerms,
} from '../../../core/cli/option-values.ts';
import { recordingOf, recordingOptions } from '../../../core/cli/recording.ts';
import { tell } from '../../../core/cli/tell.ts';
import { reportRun, runText, withWorkspace } from '../../../core/cli/with-tree.ts';
import type { AllocationTable } from '../../../core/model/allocation.ts';
import type { Holder } from '../../../core/model/holder.ts';
import { lastingLayouts } from '../../../core/model/planes.ts';
import {
  type Address,
  bothFamilies,
  type Family,
  formatAddress,
} from '../../../core/net/address.ts';
import {
  type AddressRange,
  formatShortRange,
  rangeHas,
  rangeSize,
  withHostPart,
} from '../../../core/net/range.ts';
import { unaskedMoves } from '../../../core/run/review/unasked-moves.ts';
import { takenPromisesText } from '../../../core/run/synth/changes-text.ts';
import { leaseFileChanges } from '../../../core/tree/file-changes.ts';
import type { Workspace } from '../../../core/tree/workspace.ts';
import { leaseForm, leaseValue } from '../../../lib/edit/cli/claim-options.ts';
import { joinedTable, type NamedHolders, namedHolders } from '../../../lib/edit/named-holders.ts';
import { migrateLayout, nextLayoutStep } from '../migrate-layout.ts';
import { hostnamesToMove, moveHostnames } from '../move-hostnames.ts';
import { begunTable, moveWithPins } from '../move-pins.ts';
import { layoutMigrationText, movesAskedText, moveText, pinText } from '../operation-text.ts';
import { pinHolders } from '../pin.ts';

/** `leasehold move`. */
export const moveCommand = command(moveOptions, (context, options, [what]) =>
  runMove(context, what, options),
);

function moveOptions(bare: NewCommand) {
  return recordingOptions(
    bare
      .argument(
        '<what...>',
        'an address, a block, a holder, an IP endpoint, a Service as namespace/name, or with --to-lease a hostname',
      )
      .option(
        '--to <address>',
        'the new address; may be given once for each family',
        addressesValue,
        [],
      )
      .option(
        '--to-lease <lease>',
        `the lease of the same owner that gets the hostnames, ${leaseForm}`,
        leaseValue,
      )
      .option(
        '--keep-host <block>',
        'the CIDR block of the new addresses, which keep the host part of the old ones; may be given once for each family',
        blocksValue,
        [],
      )
      .option('--pool <name>', 'the pool that the new address comes from')
      .addOption(
        new Option(
          '--family <family>',
          'only the address of this family, or both addresses of each holder',
        ).choices([...bothFamilies, 'both']),
      )
      .addOption(allowReleaseOption()),
  );
}

type MoveOptions = OptionsOf<typeof moveOptions>;

function runMove(
  context: CliContext,
  what: readonly string[],
  options: MoveOptions,
): Promise<number> {
  const { toLease } = options;
  if (toLease) return runMoveHostnames(context, { names: what, to: toLease }, options);
  return withWorkspace(context, options, async (workspace, locked) => {
    const recording = await recordingOf(context, locked, options);
    const begun = { ...workspace, table: begunTable(workspace, recording) };
    const known = namedHolders(what, begun).ok ? begun : workspace;
    const moves = movesOf(what, options, known);
    const moved = { moves, workspace };
    const outcome = await moveWithPins(locked.tree, locked.repository.history, moved, {
      ...recording,
      releases: releaseTerms(context, options),
    });
    if (!outcome.ok) return outcome;
    const { run, files } = outcome.value;
    const commit = await commitFields(locked.repository, options.output);
    const answer = { ...outcome.value.answer, ...commit };
    const base = workspace.policy && (await recording.base?.tree());
    const earlier = base ? leaseFileChanges(base, locked.tree) : [];
    const approval = approvalText(workspace, run.table, [...earlier, ...answer.edited]);
    tell(context, `${runText(context, { ...run, files })}${approval}`);
    context.out(reportText(answer, options.output, moveText));
    return exit.fine;
  });
}

/** `leasehold move` with `--to-lease`. */
function runMoveHostnames(
  context: CliContext,
  { names, to }: { readonly names: readonly string[]; readonly to: ReturnType<typeof leaseValue> },
  options: MoveOptions,
): Promise<number> {
  const { keepHost, pool, family } = options;
  const isOfAddresses = options.to.length > 0 || keepHost.length > 0 || pool !== undefined;
  if (isOfAddresses || family !== undefined) {
    throw new UsageError(
      '--to, --keep-host, --pool and --family are for addresses, --to-lease is for hostnames',
    );
  }
  return withWorkspace(context, options, async (workspace, locked) => {
    const named = hostnamesToMove(names, to, workspace);
    if (!named.ok) throw new UsageError(named.reason);
    const outcome = await moveHostnames(locked.tree, locked.repository.history, named, {
      ...(await recordingOf(context, locked, options)),
      releases: releaseTerms(context, options),
    });
    return outcome.ok ? reportRun(context, locked, outcome.value, moveText) : outcome;
  });
}

/** The approvals that the policy requires for the pull request, which has changed these files. */
function approvalText(
  workspace: Workspace,
  table: AllocationTable,
  changed: readonly string[],
): string {
  const claims = workspace.holders.flatMap((holder) => holder.claims);
  const base = { ...workspace, claims };
  const head = { ...base, table };
  const { policy } = workspace;
  return movesAskedText(unaskedMoves({ policy, base, head, changedFiles: () => changed }));
}

function movesOf(what: readonly string[], options: MoveOptions, workspace: Workspace): Move[] {
  const { to, keepHost, pool } = options;
  if (pool !== undefined) declaredPool(workspace.pools, pool);
  const named = namedHolders(what, workspace);
  if (!named.ok) throw new UsageError(named.reason);
  if (to.length > 0 && named.holders.length > 1) {
    throw new UsageError('--to is for one holder: name one, or leave it out');
  }
  if (keepHost.length > 0 && to.length > 0) {
    throw new UsageError('--to names the whole address, --keep-host a block: give one of them');
  }
  assertHostsFit(keepHost, named.ranges);
  const moves = named.holders.flatMap((holder) => {
    const moved = addressesToMove(holder, options, named, workspace);
    if (moved.length === 0) return [];
    const kept = moved.flatMap((address) =>
      keepHost
        .filter(({ from }) => from.family === address.family)
        .map((block) => withHostPart(block, address)),
    );
    const families = moved.map(({ family }) => family);
    return [{ holder: holder.id, families, to: [...to, ...kept], pool, outOf: named.ranges }];
  });
  const targets = keepHost.length > 0 ? moves.flatMap((move) => move.to.map(formatAddress)) : [];
  const twice = targets.find((text, index) => targets.indexOf(text) < index);
  if (twice !== undefined) {
    throw new UsageError(`two of the named addresses have the host part of ${twice}`);
  }
  if (moves.length > 0) return moves;
  const blocks = keepHost.map(formatShortRange).join(' and ');
  throw new UsageError(
    `nothing to move: no named address has the family of ${blocks} and is outside of it`,
  );
}

/** Throws a UsageError for a block that is smaller than a named one: some host parts would change. */
function assertHostsFit(keepHost: readonly AddressRange[], ranges: readonly AddressRange[]): void {
  for (const block of keepHost) {
    const larger = ranges.find(
      (range) => range.from.family === block.from.family && rangeSize(range) > rangeSize(block),
    );
    if (!larger) continue;
    const [old, own] = [larger, block].map(formatShortRange);
    throw new UsageError(`${own} is smaller than ${old}: not all host parts fit into it`);
  }
}

/**
 * The addresses that a holder leaves: both of one that is named as a whole, else those that are
 * named. With `--keep-host`, those of the families of its blocks that are not in them already.
 */
function addressesToMove(
  { id, families }: Holder,
  { family, to, keepHost }: MoveOptions,
  { ranges, whole }: Extract<NamedHolders, { ok: true }>,
  workspace: Workspace,
): readonly Address[] {
  const held = [...joinedTable(workspace).values()].flatMap(({ holder, address, released }) =>
    holder === id && !released && families.includes(address.family) ? [address] : [],
  );
  const isNamed = (address: Address): boolean =>
    family === 'both' || whole.has(id) || ranges.some((range) => rangeHas(range, address));
  const isAsked = (own: Family): boolean => [undefined, 'both', own].includes(family);
  const moved = held.filter((address) => isAsked(address.family) && isNamed(address));
  const missing = (wanted: Family, otherwise: string): string =>
    held.some((address) => address.family === wanted)
      ? `the ${wanted} address of ${id} is not named: name the holder, or add --family both`
      : otherwise;
  if (moved.length === 0) {
    const none = `${id} has no such address yet; run \`leasehold synth\``;
    throw new UsageError(family && family !== 'both' ? missing(family, none) : none);
  }
  const stray = to.find((address) => moved.every((own) => own.family !== address.family));
  if (stray) {
    const none = `${id} has no ${stray.family} address to move to ${formatAddress(stray)}`;
    throw new UsageError(missing(stray.family, none));
  }
  if (keepHost.length === 0) return moved;
  return moved.filter((address) => {
    const block = keepHost.find(({ from }) => from.family === address.family);
    return block ? !rangeHas(block, address) : family === 'both';
  });
}

/** `leasehold pin`. */
export const pinCommand = command(
  (bare) =>
    bare
      .argument(
        '<what...>',
        'an address, a block, a holder, an IP endpoint, or a Service as namespace/name',
      )
      .addOption(reportOption()),
  (context, options, [what]) =>
    withWorkspace(context, options, async (workspace, { tree, repository }) => {
      const named = namedHolders(what, workspace);
      if (!named.ok) throw new UsageError(named.reason);
      const outcome = await pinHolders(tree, repository.history, {
        holders: named.holders,
        workspace,
        progress: context.progress,
      });
      if (!outcome.ok) return outcome;
      const state = await stateFields(context, repository, options.output);
      const answer = { ...outcome.value.answer, ...state };
      if (!context.quiet) tell(context, takenPromisesText(outcome.value.takenPromises));
      context.out(reportText(answer, options.output, pinText));
      return exit.fine;
    }),
);

/** `leasehold migrate-layout`. */
export const migrateLayoutCommand = command(
  (bare) =>
    recordingOptions(
      bare
        .addArgument(
          new Argument('<layout>', 'the layout after the last step').choices(lastingLayouts),
        )
        .addOption(clusterOption('the declared cluster; the default one when left out')),
    ),
  (context, options, [target]) =>
    withWorkspace(context, options, async (workspace, locked) => {
      const cluster = metallbCluster(workspace.pools, options.cluster);
      const { layout } = cluster.plane;
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
          recording,
        );
        if (!outcome.ok) return outcome;
        const { run, files } = outcome.value;
        tell(context, runText(context, { ...run, files }));
      }
      const state = await stateFields(context, locked.repository, options.output);
      const answer = { ...about, ...state, ...answered };
      context.out(reportText(answer, options.output, layoutMigrationText));
      return exit.fine;
    }),
);

/** A CIDR block of an option that may be given once for each family. */
function blocksValue(text: string, before: readonly AddressRange[]): readonly AddressRange[] {
  const block = rangeValue(text);
  if (!text.includes('/')) throw new InvalidArgumentError('It is not a CIDR block.');
  if (before.some(({ from }) => from.family === block.from.family)) {
    throw new InvalidArgumentError('Only one block of a family is allowed.');
  }
  return [...before, block];
}
