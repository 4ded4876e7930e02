/** What people do to a repository, one step at a time. More kinds of steps go into {@link doings}. */

import { change } from './change-steps.ts';
import { declare, end, giveBack, share } from './declare-steps.ts';
import {
  addressesOf,
  families,
  largestPool,
  type PoolWords,
  type Town,
  type Words,
} from './plain-workspace.ts';
import type { Entries } from './records.ts';
import type { Dice } from './seeded-choices.ts';
import { prove } from './signature-steps.ts';

/** What an edit may look at beside the town. */
export interface Surroundings {
  readonly dice: Dice;
  readonly entries: Entries;
  /** What was declared once and is not any more, the last one last. */
  readonly ended: readonly Words[];
  /** Counts the steps: new things are named by it. */
  readonly step: number;
}

/** What is done in one step, before synth runs or with it. */
interface Deed {
  /** What is declared then. */
  readonly town: Town;
  /** Days that pass. */
  readonly days?: number;
  /** True when the records of what is free are removed first. */
  readonly prunes?: boolean;
  /** The holder that is moved from all its addresses. */
  readonly mover?: string | undefined;
}

type Doing = (town: Town, around: Surroundings) => Deed;

/** The kinds of steps with how often they happen. What cannot be done now leaves the town as it is. */
export const doings: Readonly<Record<StepKind, { readonly weight: number; readonly does: Doing }>> =
  {
    nothing: { weight: 1, does: (town) => ({ town }) },
    declare: { weight: 28, does: edits(declare) },
    share: { weight: 14, does: edits(share) },
    change: { weight: 24, does: edits(change) },
    release: { weight: 18, does: edits(end) },
    return: { weight: 10, does: edits(giveBack) },
    expire: { weight: 18, does: (town, { dice }) => ({ town, days: pause(dice) }) },
    prune: { weight: 4, does: (town) => ({ town, prunes: true }) },
    move: { weight: 6, does: (town, { dice, entries }) => ({ town, mover: mover(dice, entries) }) },
    prove: { weight: 12, does: edits(prove) },
    drain: { weight: 5, does: edits(pool(drain)) },
    shrink: { weight: 6, does: edits(pool(resize)) },
    reserve: { weight: 4, does: edits(pool(reserve)) },
    cool: {
      weight: 3,
      does: edits(pool((words, dice) => ({ ...words, cooldownDays: dice.below(4) }))),
    },
  };

/** A kind of step. */
export type StepKind =
  | 'nothing'
  | 'declare'
  | 'share'
  | 'change'
  | 'release'
  | 'return'
  | 'expire'
  | 'prune'
  | 'move'
  | 'prove'
  | 'drain'
  | 'shrink'
  | 'reserve'
  | 'cool';

/** One step of a history: what is done, and the number that makes its choices. */
export interface Step {
  readonly kind: StepKind;
  readonly seed: number;
}

/** Every kind as often as it weighs, so that a number below its length chooses one. */
export const stepKinds: readonly StepKind[] = (Object.keys(doings) as StepKind[]).flatMap((kind) =>
  Array.from({ length: doings[kind].weight }, () => kind),
);

type Edit = (town: Town, around: Surroundings) => Town;

function edits(edit: Edit): Doing {
  return (town, around) => ({ town: edit(town, around) });
}

/** Mostly some days, now and then what takes a retention to its end. */
function pause(dice: Dice): number {
  return dice.isOnceIn(5) ? 7 + dice.below(25) : 1 + dice.below(3);
}

/** Somebody who holds an address. */
function mover(dice: Dice, entries: Entries): string | undefined {
  return dice.of([...entries.values()].filter(({ released }) => !released))?.holder;
}

/** An edit of one of the pools. */
function pool(edit: (words: PoolWords, dice: Dice) => PoolWords): Edit {
  return (town, { dice }) => {
    const chosen = dice.below(town.pools.length);
    const pools = town.pools.map((words, index) => (index === chosen ? edit(words, dice) : words));
    return { ...town, pools };
  };
}

function drain(words: PoolWords, dice: Dice): PoolWords {
  const isDrained = words.state === 'active' && dice.isOnceIn(4);
  return { ...words, state: isDrained ? 'draining' : 'active' };
}

function resize(words: PoolWords, dice: Dice): PoolWords {
  const size = (now: number) => {
    if (now === 0) return 0;
    return Math.min(largestPool, Math.max(2, now + dice.one(-1, -1, -2, 1, 2)));
  };
  const resized = { ...words, ipv4: size(words.ipv4), ipv6: size(words.ipv6) };
  // What is reserved and goes is not reserved any more: a pool file that says so is refused for itself.
  const left = families.flatMap((family) => addressesOf(resized, family));
  return { ...resized, reserved: words.reserved.filter((address) => left.includes(address)) };
}

function reserve(words: PoolWords, dice: Dice): PoolWords {
  const [first, ...rest] = words.reserved;
  if (first !== undefined && dice.isOnceIn(2)) return { ...words, reserved: rest };
  const address = dice.of([...addressesOf(words, 'ipv4'), ...addressesOf(words, 'ipv6')]);
  if (address === undefined || words.reserved.includes(address)) return words;
  return { ...words, reserved: [...words.reserved, address].sort() };
}
