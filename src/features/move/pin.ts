import type { SourceTree, TargetTree, TreeChanges } from '../../core/interfaces/tree.ts';
import type { History } from '../../core/interfaces/work-tree.ts';
import { addressesHeldBy } from '../../core/model/allocation.ts';
import { type Claim, isLeaseClaim, wantsFamily } from '../../core/model/claim.ts';
import type { Holder } from '../../core/model/holder.ts';
import { leaseIdText } from '../../core/model/lease.ts';
import { sortedKeys } from '../../core/model/order.ts';
import {
  comparePositions,
  fail,
  type Outcome,
  ok,
  type Problem,
} from '../../core/model/problem.ts';
import {
  type Address,
  byAddress,
  compareAddresses,
  formatAddress,
} from '../../core/net/address.ts';
import { type PlannedRun, planRun, type RunOptions } from '../../core/run/synth/planned-run.ts';
import { commitStaged } from '../../core/run/synth/synth.ts';
import type { Stateless } from '../../core/text/answer.ts';
import { changedTree } from '../../core/tree/changed-tree.ts';
import { textIn } from '../../core/tree/tree-reader.ts';
import type { Workspace } from '../../core/tree/workspace.ts';
import { leaseOf } from '../../core/tree/workspace.ts';
import {
  isAnnotated,
  withEndpointPins,
  withReservationPins,
  withServicePins,
} from '../../lib/edit/declaration-edits.ts';
import type { PinAnswer } from './operation-answer.ts';

/** The holders whose addresses are pinned. */
interface AskedPins {
  readonly holders: readonly Holder[];
  readonly workspace: Workspace;
  readonly progress?: RunOptions['progress'];
}

/** The answer of a pin, and the run that it includes. */
interface PinnedRun extends Pick<PlannedRun, 'takenPromises'> {
  readonly answer: Stateless<PinAnswer>;
}

/**
 * Writes the addresses of holders into their declarations, so that they get them again if
 * `leases/allocations/` is lost. Existing pins, comments and layout stay. No address changes and no
 * date is used; manifests are written where a Service shows its annotation. Problems:
 * SDL_NOT_EDITED for endpoints of an SDL, those of a frozen run.
 */
export async function pinHolders(
  tree: SourceTree & TargetTree,
  history: History,
  { holders, workspace, progress }: AskedPins,
): Promise<Outcome<PinnedRun>> {
  const edit = editOf(tree, holders, workspace);
  if (!edit.ok) return edit;
  const edited = changedTree(tree);
  await edited.commit(edit.value);
  const planned = await planRun(edited, history, undefined, { progress });
  if (!planned.ok) return planned;
  const { writes } = edited.changes();
  await edited.commit(planned.value.files);
  await commitStaged(tree, edited.changes(), planned.value);
  const names = new Set(holders.map(({ id }) => id));
  const after = planned.value.workspace.holders.filter(({ id }) => names.has(id));
  const pinned = after
    .flatMap((holder) =>
      addressesHeldBy(workspace.table, holder.id).map((address) => ({
        address,
        holder: holder.id,
        places: placesOf(holder, address),
      })),
    )
    .sort(byAddress)
    .map(({ address, ...rest }) => ({ address: formatAddress(address), ...rest }));
  const { takenPromises } = planned.value;
  const about = { apiVersion: 'leasehold.dev/v1', kind: 'Pin' } as const;
  return ok({ answer: { ...about, pinned, edited: sortedKeys(writes) }, takenPromises });
}

function placesOf({ claims }: Holder, address: Address): readonly string[] {
  const pins = claims.flatMap((claim) => claim.pins);
  const own = pins.filter((pin) => compareAddresses(pin.address, address) === 0);
  const places = own.map(({ at }) => at).sort(comparePositions);
  return [...new Set(places.map(({ file, line }) => `${file}:${line}`))];
}

function editOf(
  tree: SourceTree,
  holders: readonly Holder[],
  workspace: Workspace,
): Outcome<TreeChanges> {
  const endpoints = new Map<string, Map<number, Address>>();
  const writes = new Map<string, string>();
  const problems: Problem[] = [];
  for (const holder of holders) {
    const held = addressesHeldBy(workspace.table, holder.id);
    for (const [claim, address] of openClaims(holder, held)) {
      const lease = leaseOf(workspace, claim);
      const { file } = lease.at;
      if (claim.at.file !== file) problems.push(inSdl(claim, leaseIdText(lease.id)));
      const pins = endpoints.get(file) ?? new Map<number, Address>();
      endpoints.set(
        file,
        pins.set(
          lease.endpoints.findIndex(({ at }) => at === claim.at),
          address,
        ),
      );
    }
    for (const [file, text] of serviceTexts(tree, holder, held)) writes.set(file, text);
  }
  if (problems.length > 0) return fail(problems);
  for (const [file, pins] of endpoints)
    writes.set(file, withEndpointPins(textIn(tree, file), pins));
  return ok({ writes, removes: [] });
}

/** The endpoints without a pin, each with its address: of two, the one that no claim pins yet. */
function openClaims({ claims }: Holder, held: readonly Address[]) {
  const named = new Set(
    claims.flatMap(({ pins }) => pins.map(({ address }) => formatAddress(address))),
  );
  return claims.filter(isLeaseClaim).flatMap((claim) => {
    if (claim.pins.length > 0) return [];
    const own = held.filter(({ family }) => wantsFamily(claim, family));
    const address = own.find((one) => !named.has(formatAddress(one))) ?? own[0];
    if (!address) return [];
    named.add(formatAddress(address));
    return [[claim, address] as const];
  });
}

/** The new texts of Services and Reservations that do not pin all their addresses yet. */
function serviceTexts(tree: SourceTree, { claims }: Holder, held: readonly Address[]) {
  return claims.flatMap((claim): (readonly [file: string, text: string])[] => {
    if (claim.kind === 'Lease') return [];
    const { declared } = claim;
    const own = held.filter(({ family }) => wantsFamily(claim, family));
    const isPinned = (address: Address) =>
      declared.pins.some((pin) => compareAddresses(pin.address, address) === 0);
    if (own.every(isPinned)) return [];
    const text = textIn(tree, declared.at.file);
    // A pin in MetalLB's own annotation or field stays as it is.
    const isForeign = declared.pins.length > 0 && !isAnnotated(text);
    if (declared.kind === 'Service') {
      return isForeign ? [] : [[declared.at.file, withServicePins(text, own)]];
    }
    return [[declared.at.file, withReservationPins(text, own)]];
  });
}

function inSdl({ at }: Claim, lease: string): Problem {
  return {
    code: 'SDL_NOT_EDITED',
    message: `the endpoints of lease ${lease} are in its SDL, which belongs to the tenant and has no field for an address`,
    at,
    hint: 'write the endpoints into the declaration in place of spec.sdl, and pin them there',
  };
}
