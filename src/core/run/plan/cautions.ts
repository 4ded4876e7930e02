import { liveFacts } from '../../manifests/live-facts.ts';
import { planes } from '../../manifests/planes/planes.ts';
import type { Day } from '../../model/day.ts';
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
import {
  noAddressCautions,
  objectCautions,
  otherBalancerCautions,
  pruneCautions,
  redeployCautions,
  reservedSharerCautions,
  takenOverCautions,
} from './objects/object-cautions.ts';
import type { ChangedObjects } from './objects/object-groups.ts';
import { redeploysOf } from './objects/redeploys.ts';
import type {
  AddressChange,
  Caution,
  ChangedHostname,
  ManifestChange,
  PoolTotals,
} from './plan-answer.ts';
import { policyCautions, tenantCautions } from './policy-cautions.ts';
import {
  fenceCautions,
  fillingCautions,
  poolFileCautions,
  rangeCautions,
  shortCautions,
} from './pool-changes.ts';
import { keyCautions, nameCautions, neverLiveCautions, recordCautions } from './record-cautions.ts';
import { engineCautions, layoutCautions } from './scale-cautions.ts';
import {
  cutCautions,
  type MovedClaim,
  moveCautions,
  publicPortCautions,
  replacedCautions,
} from './serving-cautions.ts';
import { supplyCautions } from './supply-cautions.ts';

/** The changes that cautions are derived from. */
interface Changes {
  readonly addresses: readonly AddressChange[];
  readonly hostnames: readonly ChangedHostname[];
  readonly moved: readonly MovedClaim[];
  readonly pools: readonly PoolTotals[];
  readonly manifests: readonly ManifestChange[];
  readonly changed: ChangedObjects;
}

/** The cautions of a pull request, in the order of the codes. */
export function cautionsOf(
  review: Review,
  { addresses, hostnames, moved, pools, manifests, changed }: Changes,
): Caution[] {
  const { base, head, comparison } = review;
  const found = [
    ...cutCautions(addresses, head, moved),
    ...moveCautions(moved),
    ...routeCautions(hostnames),
    ...endedServiceCautions(base, head),
    ...routesMovedCautions(base, head),
    ...keptHostnameCautions(base, head),
    ...proofCautions(base, head),
    ...objectCautions(review, changed),
    ...redeployCautions(review),
    ...replacedCautions(base, head),
    ...fenceCautions(base, head),
    ...recordCautions(base, head),
    ...nameCautions(base, head),
    ...overCautions(head.promises, comparison.day),
    ...neverLiveCautions(addresses),
    ...metallbCautions(review),
    ...layoutSteps(review),
    ...droppedCautions(review),
    ...poolFileCautions(base, head),
    ...rangeCautions(base, head),
    ...publicPortCautions(base, head),
    ...policyCautions(base.policy, head.policy),
    ...tenantCautions(review),
    ...keyCautions(base, head, comparison.day),
    ...noAddressCautions(review),
    ...otherBalancerCautions(review),
    ...takenOverCautions(review),
    ...reservedSharerCautions(review),
    ...shortCautions(addresses, head),
    ...supplyCautions(base, head, { pools, day: comparison.day }),
    ...fillingCautions(pools, head),
    ...layoutCautions(review),
    ...engineCautions(review),
    ...pruneCautions(manifests, redeploysOf(review), moved),
    ...baseCautions(review),
  ];
  const order = Object.keys(cautionCodes);
  return found.sort((left, right) => order.indexOf(left.code) - order.indexOf(right.code));
}

/**
 * METALLB_CHANGED for each cluster whose declared version of MetalLB changes, and for each whose
 * live Services get annotations that old versions ignore: what must happen first. PLANE_STEP for each
 * that goes to another plane.
 */
function metallbCautions({ base, head, manifests }: Review): Caution[] {
  const before = new Map(base.pools?.clusters.map(({ name, plane }) => [name, plane]));
  return (head.pools?.clusters ?? []).flatMap(({ name, plane }): Caution[] => {
    const was = before.get(name);
    if (!was) return [];
    const live = manifests
      .filter(({ path }) => path.split('/')[1] === name)
      .flatMap(({ before: text = '' }) => [...liveFacts(text).sharers.keys()]);
    const at = { side: 'head', file: poolsPath, line: 1 } as const;
    if (was.kind !== plane.kind) {
      const message = `cluster ${name}: the change stops nothing by itself: merge it only when \`leasehold migrate-plane ${plane.kind} --cluster ${name}\` finds the cluster ready`;
      return [{ code: 'PLANE_STEP', message, at }];
    }
    return planes[plane.kind].changeSteps(was, plane, live).map((message) => ({
      code: 'METALLB_CHANGED',
      message: `cluster ${name}: ${message}`,
      at,
    }));
  });
}

/** LAYOUT_STEP for each cluster that gets or loses the pools of both layouts: what must be true before. */
function layoutSteps({ base, head }: Review): Caution[] {
  const before = new Map(base.pools?.clusters.map(({ name, plane }) => [name, plane.layout]));
  return (head.pools?.clusters ?? []).flatMap(({ name, plane: { layout } }): Caution[] => {
    const was = before.get(name);
    if (was === undefined || was === layout || ![was, layout].includes('both')) return [];
    const verified = `leasehold verify --timeout 10m --cluster ${name}`;
    const message =
      layout === 'both'
        ? `cluster ${name}: MetalLB will reject the pools of both layouts and keep what it has. Before the merge, run the \`kubectl patch\` that \`leasehold migrate-layout\` printed; until the second step is applied, no speaker may restart and no node reboot`
        : `cluster ${name}: merge this only after \`${verified}\` ended with 0; after it, run the second \`kubectl patch\` of \`leasehold migrate-layout\``;
    return [{ code: 'LAYOUT_STEP', message, at: { side: 'head', file: poolsPath, line: 1 } }];
  });
}

/** PROMISE_OVER for each promise whose last day is over on a day. */
export function overCautions(promises: readonly AddressPromise[], day: Day): Caution[] {
  const over = promises.filter((promise) => isPromiseOver(promise, day));
  return cautionsFor(over, {
    one: (promise): Caution => ({
      code: 'PROMISE_OVER',
      message: `${promiseText(promise)} is over; \`leasehold prune\` ends it`,
      at: planPlace('head', promise.at),
    }),
    many: (shown, count): Caution => ({
      code: 'PROMISE_OVER',
      message: `${count} promises are over, including ${shown.map(promiseText).join('; ')}; \`leasehold prune\` ends them`,
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
