import { type Former, type Holder, type Rename, renamesTo } from '../model/holder.ts';
import { type Hostname, withFormerHolders } from '../model/hostname.ts';
import { groupBy } from '../model/order.ts';

/** The changes of a tree by renames. */
interface Named {
  readonly holders: readonly Holder[];
  readonly hostnames: readonly Hostname[];
}

/**
 * Returns a tree in which renames of the base are taken back, as after git revert: a holder that is
 * declared under its former name again, and not under the new one, goes on with what it has.
 */
export function withRenamesTakenBack<Tree extends Named>(
  tree: Tree,
  ofBase: readonly Rename[],
): Tree {
  if (ofBase.length === 0) return tree;
  const declared = new Set([...tree.holders.map(({ id }) => id), ...hostnameHolders(tree)]);
  const back = ofBase
    .filter(({ to }) => !declared.has(to))
    .map(({ from, to, at }): Rename => ({ from: to, to: from, at }));
  if (back.length === 0) return tree;
  const byTarget = groupBy(back, ({ to }) => to);
  const holders = tree.holders.map((holder) => {
    const own = renamesTo(holder.id, byTarget).map(
      ({ from, at }): Former => ({ id: from, renamedAt: at }),
    );
    return own.length === 0 ? holder : { ...holder, formerly: [...holder.formerly, ...own] };
  });
  return { ...tree, holders, hostnames: withFormerHolders(tree.hostnames, back) };
}

/** The holders of the hostnames of a tree. */
export function hostnameHolders({ hostnames }: Pick<Named, 'hostnames'>): readonly string[] {
  return hostnames.map(({ holder }) => holder);
}
