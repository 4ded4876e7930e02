import { leaseText } from '../declarations/lease-text.ts';
import { begin, pinned } from './checked-branches.ts';
import type { LeaseCheckout } from './lease-checkout.ts';

/** Several merge bases of `main` and `change`, of which git names first the one that the author chose. */
export interface CrissCross extends LeaseCheckout {
  /** The author's older commit, dated ahead. It lacks the record of the rival. */
  readonly chosen: string;
  /** The other merge base, which has it. */
  readonly rivals: string;
}

/**
 * `cat` has .9 on main. The branch `change` starts with a merge of both merge bases that drops cat's lease, then `dan`
 * takes .9: by the chosen merge base it is free. Git merges the branch into main without a conflict.
 */
export async function crissCross(): Promise<CrissCross> {
  const checkout = await begin();
  const { repository } = checkout;
  const { git } = repository;
  git('checkout', '-q', 'main');
  checkout.put('leases/cat.yaml', leaseText('cat', 4, [pinned(9)]));
  await checkout.synth('2026-01-10', 'A rival begins');
  const rivals = checkout.idOf('HEAD');
  git('checkout', '-q', 'change');
  checkout.commit('2026-01-12', 'Harmless');
  const chosen = checkout.idOf('HEAD');
  git('checkout', '-q', 'main');
  repository.on('2026-01-13').git('merge', '-q', '--no-edit', 'change');
  git('checkout', '-q', 'change');
  const parents = ['-p', chosen, '-p', rivals];
  const merge = repository
    .on('2026-01-13')
    .git('commit-tree', ...parents, '-m', 'Merge main', 'HEAD^{tree}');
  git('reset', '-q', '--hard', merge.trim());
  checkout.put('leases/dan.yaml', leaseText('dan', 5, [pinned(9)]));
  await checkout.forge('2026-01-14');
  return { ...checkout, chosen, rivals };
}
