import { type Day, laterDay } from '../../model/day.ts';
import { type AddressPromise, isPromiseOver, promiseText } from '../../model/lease.ts';
import { counted } from '../../model/problem.ts';
import { poolsPath } from '../../model/repository-paths.ts';
import type { Review } from '../review/review.ts';
import { planPlace } from './address-changes.ts';
import { cautionCodes } from './caution-codes.ts';
import { cautionsFor } from './caution-text.ts';
import {
  endedServiceCautions,
  keptHostnameCautions,
  proofCautions,
  routeCautions,
  routesMovedCautions,
} from './hostname-cautions.ts';
import { prunedObjects } from './manifest-plan.ts';
import type { AddressChange, Caution, ChangedHostname, PoolTotals } from './plan-answer.ts';
import { policyCautions, tenantCautions } from './policy-cautions.ts';
import {
  cooldownCautions,
  fenceCautions,
  fillingCautions,
  poolFileCautions,
  rangeCautions,
} from './pool-changes.ts';
import { keyCautions, neverLiveCautions, recordCautions } from './record-cautions.ts';
import { engineCautions, layoutCautions } from './scale-cautions.ts';
import {
  cutCautions,
  type MovedClaim,
  moveCautions,
  publicPortCautions,
  replacedCautions,
} from './serving-cautions.ts';

/** The changes that cautions are derived from. */
interface Changes {
  readonly addresses: readonly AddressChange[];
  readonly hostnames: readonly ChangedHostname[];
  readonly moved: readonly MovedClaim[];
  readonly pools: readonly PoolTotals[];
}

/** The cautions of a pull request, in the order of the codes. */
export function cautionsOf(
  review: Review,
  { addresses, hostnames, moved, pools }: Changes,
): Caution[] {
  const { base, head, comparison } = review;
  const found = [
    ...cutCautions(addresses, head),
    ...moveCautions(moved),
    ...routeCautions(hostnames),
    ...endedServiceCautions(base, head),
    ...routesMovedCautions(base, head),
    ...keptHostnameCautions(base, head),
    ...proofCautions(base, head),
    ...replacedCautions(base, head),
    ...fenceCautions(base, head),
    // A commit's date can be wrong and too early. Its base's date is a lower bound.
    ...recordCautions(base, head, laterDay(comparison.day, comparison.base.day)),
    ...overCautions(head.promises, comparison.day),
    ...neverLiveCautions(addresses),
    ...droppedCautions(review),
    ...poolFileCautions(base, head),
    ...rangeCautions(base, head),
    ...publicPortCautions(base, head),
    ...policyCautions(base.policy, head.policy),
    ...tenantCautions(review),
    ...keyCautions(base, head, comparison.day),
    ...cooldownCautions(addresses, head),
    ...fillingCautions(pools, head),
    ...layoutCautions(review),
    ...engineCautions(review),
    ...pruneCautions(review),
    ...baseCautions(review),
  ];
  const order = Object.keys(cautionCodes);
  return found.sort((left, right) => order.indexOf(left.code) - order.indexOf(right.code));
}

/** ENGINE_PRUNES, without Namespaces, which are never pruned: docs/manifests.md. */
function pruneCautions({ manifests }: Review): Caution[] {
  const pruned = prunedObjects(manifests).filter((name) => !name.startsWith('Namespace '));
  if (pruned.length === 0) return [];
  const counts = new Map<string, number>();
  for (const name of pruned) {
    const kind = name.slice(0, name.indexOf(' '));
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const kinds = [...counts].map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`);
  const message = `Argo CD or Flux will delete ${kinds.join(', ')}`;
  return [{ code: 'ENGINE_PRUNES', message }];
}

/** PROMISE_OVER for each promise whose last day is over on a day. */
export function overCautions(promises: readonly AddressPromise[], day: Day): Caution[] {
  const over = promises.filter((promise) => isPromiseOver(promise, day));
  return cautionsFor(over, {
    one: (promise): Caution => ({
      code: 'PROMISE_OVER',
      message: `${promiseText(promise)} is over; leasehold prune ends it`,
      at: planPlace('head', promise.at),
    }),
    many: (shown, count): Caution => ({
      code: 'PROMISE_OVER',
      message: `${count} promises are over, including ${shown.map(promiseText).join('; ')}; leasehold prune ends them`,
    }),
  });
}

/** EDIT_DROPPED for each edit of the base that the branch takes back in a merge. */
export function droppedCautions({ dropped }: Pick<Review, 'dropped'>): Caution[] {
  return cautionsFor(dropped, {
    one: ({ text, at, isGone }): Caution => ({
      code: 'EDIT_DROPPED',
      message: `a merge on the branch takes back an edit of the base: ${text}`,
      at: planPlace(isGone ? 'base' : 'head', at),
    }),
    many: (shown, count): Caution => ({
      code: 'EDIT_DROPPED',
      message: `merges on the branch take back ${count} edits of the base, including ${shown.map(({ text }) => text).join('; ')}`,
    }),
  });
}

/** BASE_BROKEN. A base without a pool file does not use leasehold yet, and is not broken. */
export function baseCautions({ base, comparison }: Review): Caution[] {
  const hasPools = comparison.baseTree.idOf(poolsPath) !== undefined;
  const [first] = base.problems;
  if (!first || !hasPools) return [];
  const { file, line } = first.at;
  const count = counted(base.problems.length, 'problem');
  return [
    {
      code: 'BASE_BROKEN',
      message: `the base itself has ${count}, such as ${first.code} in ${file}:${line}`,
    },
  ];
}
