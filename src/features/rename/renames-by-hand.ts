import { addressesHeldBy, isHeld } from '../../core/model/allocation.ts';
import { holderParts, movedToNamespace } from '../../core/model/holder.ts';
import { compareText } from '../../core/model/order.ts';
import { formatAddress } from '../../core/net/address.ts';
import { ambiguous } from '../../core/text/short-account.ts';
import { hasName, namedHolders } from '../../lib/edit/named-holders.ts';
import { keyEdits } from './declared-renames.ts';
import {
  type FoundRenames,
  type FromTo,
  inSeveralClusters,
  type RenameContext,
  refused,
} from './rename-file.ts';

/**
 * The renames of a holder, or of what a namespace had, whose declarations have another name already.
 * `reason` says why the former name is not declared.
 */
export function renamesByHand(
  context: RenameContext,
  { from, to }: FromTo,
  reason: string,
): FoundRenames {
  const { workspace, before } = context;
  const known = undeclaredHolders(context);
  const ids = [from, `${workspace.pools.defaultCluster}/service/${from}`];
  const exact = known.filter((id) => ids.includes(id));
  const named = exact.length > 0 ? exact : known.filter((id) => hasName({ id, claims: [] }, from));
  const [former, ...others] = named;
  if (former === undefined) return ofNamespace(context, { from, to }, known) ?? refused(reason);
  if (others.length > 0) return refused(ambiguous(from, named));
  const declared = namedHolders([to], workspace);
  if (!declared.ok)
    return refused(`${former} is no longer declared, and ${declared.reason}: declare it first`);
  const [holder, other] = declared.holders;
  if (other) return refused(`${to} names several holders: write one`);
  const origin = originOf(context, former);
  const was = before.claims.find((claim) => claim.holder === origin);
  const live = was?.sharingKey ?? holderParts(origin).name;
  const edits = keyEdits(workspace, holder.claims, { live, own: holderParts(holder.id).name });
  const holders = [{ from: origin, to: holder.id }];
  return { ok: true, renames: { holders, edits, beside: holder.at.file } };
}

/** The recorded holders that are no longer declared. */
function undeclaredHolders({ workspace, before }: RenameContext): readonly string[] {
  const declared = new Set(workspace.holders.map(({ id }) => id));
  const records = [...workspace.table.values(), ...before.table.values()];
  const ids = new Set(records.map(({ holder }) => holder));
  return [...ids].filter((id) => !declared.has(id)).sort(compareText);
}

/** The renames of what a namespace had whose Services are declared in another one. */
function ofNamespace(
  context: RenameContext,
  words: FromTo,
  undeclared: readonly string[],
): FoundRenames | undefined {
  const { holders, hostnames, hostnameTable } = context.workspace;
  const [from, to] = [namespaceIn(words.from), namespaceIn(words.to)];
  if (!from || !to) return undefined;
  const files = new Map([
    ...hostnames.map((one) => [one.holder, one.at.file] as const),
    ...holders.map(({ id, at }) => [id, at.file] as const),
  ]);
  const routed = [...hostnameTable.values()].filter(isHeld).map(({ holder }) => holder);
  const found = [...undeclared, ...new Set(routed)].flatMap((id) => {
    const isIn = [from, to].every(
      ({ cluster = holderParts(id).cluster }) => holderParts(id).cluster === cluster,
    );
    const target = isIn ? movedToNamespace(id, from.name, to.name) : undefined;
    const beside = target === undefined || files.has(id) ? undefined : files.get(target);
    return target === undefined || beside === undefined ? [] : [{ id, target, beside }];
  });
  const [first] = found;
  if (!first) return undefined;
  const clusters = [...new Set(found.map(({ id }) => holderParts(id).cluster ?? ''))];
  if (clusters.length > 1) return inSeveralClusters(words.from, clusters);
  const renamed = found.map(({ id, target }) => ({ from: originOf(context, id), to: target }));
  return { ok: true, renames: { holders: renamed, edits: [], beside: first.beside } };
}

/** The namespace that a word names, with its cluster if it has one. */
function namespaceIn(word: string) {
  const [, cluster, name] = /^(?:([^/]+)\/namespace\/)?([^/]+)$/.exec(word) ?? [];
  return name === undefined ? undefined : { cluster, name };
}

/** The holder that has the address of another one in the base, where a branch gave it over. */
function originOf({ workspace, before }: RenameContext, holder: string): string {
  const [own] = addressesHeldBy(workspace.table, holder);
  const record = own && before.table.get(formatAddress(own));
  const isDeclared = workspace.holders.some(({ id }) => id === record?.holder);
  return record && isHeld(record) && !isDeclared ? record.holder : holder;
}
