/** Changes of a repository, one step at a time. More kinds of steps go into {@link stepActions}. */

import { change } from './change-steps.ts';
import {
  declare,
  declareAgain,
  end,
  promise,
  redeem,
  share,
  withdraw,
  withoutEnded,
} from './declare-steps.ts';
import {
  addressesOf,
  families,
  largestPool,
  type PlainDeclaration,
  type PlainPool,
  type PlainWorkspace,
} from './plain-workspace.ts';
import type { Entries } from './records.ts';
import type { SeededRandom } from './seeded-random.ts';
import { sign } from './signature-steps.ts';

/** What an edit may look at beside the workspace. */
export interface StepContext {
  readonly random: SeededRandom;
  readonly entries: Entries;
  /** What was declared once and is not any more, the last one last. */
  readonly ended: readonly PlainDeclaration[];
  readonly today: string;
  /** Counts the steps: new things are named by it. */
  readonly step: number;
}

/** What is done in one step, before synth runs or with it. */
interface StepResult {
  /** What is declared then. */
  readonly workspace: PlainWorkspace;
  /** Days that pass. */
  readonly days?: number;
  /** True when the records of what is free are removed first. */
  readonly prunes?: boolean;
  /** The holder that is moved from all its addresses. */
  readonly mover?: string | undefined;
}

type StepAction = (workspace: PlainWorkspace, context: StepContext) => StepResult;

/** The kinds of steps with how often they happen. What cannot be done now leaves the workspace as it is. */
export const stepActions: Readonly<
  Record<StepKind, { readonly weight: number; readonly action: StepAction }>
> = {
  nothing: { weight: 1, action: (workspace) => ({ workspace }) },
  declare: { weight: 28, action: edits(declare) },
  share: { weight: 14, action: edits(share) },
  change: { weight: 24, action: edits(change) },
  release: { weight: 18, action: edits(end) },
  return: { weight: 10, action: edits(declareAgain) },
  expire: { weight: 18, action: (workspace, { random }) => ({ workspace, days: pause(random) }) },
  prune: {
    weight: 4,
    action: (workspace, { today }) => ({ workspace: withoutEnded(workspace, today), prunes: true }),
  },
  promise: { weight: 6, action: edits(promise) },
  redeem: { weight: 5, action: edits(redeem) },
  withdraw: { weight: 2, action: edits(withdraw) },
  move: {
    weight: 6,
    action: (workspace, { random, entries }) => ({ workspace, mover: mover(random, entries) }),
  },
  sign: { weight: 12, action: edits(sign) },
  drain: { weight: 5, action: edits(pool(drain)) },
  shrink: { weight: 6, action: edits(pool(resize)) },
  reserve: { weight: 4, action: edits(pool(reserve)) },
  cool: {
    weight: 3,
    action: edits(pool((words, random) => ({ ...words, retentionDays: random.below(4) }))),
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
  | 'promise'
  | 'redeem'
  | 'withdraw'
  | 'move'
  | 'sign'
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
export const stepKinds: readonly StepKind[] = (Object.keys(stepActions) as StepKind[]).flatMap(
  (kind) => Array.from({ length: stepActions[kind].weight }, () => kind),
);

type Edit = (workspace: PlainWorkspace, context: StepContext) => PlainWorkspace;

function edits(edit: Edit): StepAction {
  return (workspace, context) => ({ workspace: edit(workspace, context) });
}

/** Mostly some days, now and then what takes a retention to its end. */
function pause(random: SeededRandom): number {
  return random.isOnceIn(5) ? 7 + random.below(25) : 1 + random.below(3);
}

/** A holder of an address. */
function mover(random: SeededRandom, entries: Entries): string | undefined {
  return random.of([...entries.values()].filter(({ released }) => !released))?.holder;
}

/** An edit of one of the pools. */
function pool(edit: (words: PlainPool, random: SeededRandom) => PlainPool): Edit {
  return (workspace, { random }) => {
    const chosen = random.below(workspace.pools.length);
    const pools = workspace.pools.map((words, index) =>
      index === chosen ? edit(words, random) : words,
    );
    return { ...workspace, pools };
  };
}

function drain(words: PlainPool, random: SeededRandom): PlainPool {
  const isDrained = words.state === 'active' && random.isOnceIn(4);
  return { ...words, state: isDrained ? 'draining' : 'active' };
}

function resize(words: PlainPool, random: SeededRandom): PlainPool {
  const size = (now: number) => {
    if (now === 0) return 0;
    return Math.min(largestPool, Math.max(2, now + random.one(-1, -1, -2, 1, 2)));
  };
  const resized = { ...words, ipv4: size(words.ipv4), ipv6: size(words.ipv6) };
  // What is reserved and goes is not reserved any more: a pool file that says so is refused for itself.
  const left = families.flatMap((family) => addressesOf(resized, family));
  return { ...resized, reserved: words.reserved.filter((address) => left.includes(address)) };
}

function reserve(words: PlainPool, random: SeededRandom): PlainPool {
  const [first, ...rest] = words.reserved;
  if (first !== undefined && random.isOnceIn(2)) return { ...words, reserved: rest };
  const address = random.of([...addressesOf(words, 'ipv4'), ...addressesOf(words, 'ipv6')]);
  if (address === undefined || words.reserved.includes(address)) return words;
  return { ...words, reserved: [...words.reserved, address].sort() };
}
