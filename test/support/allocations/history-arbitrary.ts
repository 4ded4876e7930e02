import fc from 'fast-check';
import type { Pool, Pools } from '../../../src/core/model/pools.ts';
import { poolsWith, poolWith } from './tables.ts';

/** What a random holder asks for; numbers choose among what the pools have, whatever that is. */
export interface HolderPlan {
  readonly families: 'ipv4' | 'ipv6' | 'dual';
  readonly from: 'default' | 'zone' | 'pool' | 'pin';
  readonly choice: number;
  readonly retain: number;
  /** How many claims stand on the address. */
  readonly claims: number;
}

/** One edit of a history; every one ends in a run of the allocator. */
export type Step =
  | { readonly kind: 'add'; readonly plans: readonly HolderPlan[] }
  /** Fills a zone up to `spare` addresses, as far as `plans` reach. */
  | { readonly kind: 'crowd'; readonly plans: readonly HolderPlan[]; readonly spare: number }
  | { readonly kind: 'change'; readonly choice: number; readonly plan: HolderPlan }
  | { readonly kind: 'remove'; readonly choices: readonly number[] }
  /** A holder that was removed comes back, as it was or asking for something else. */
  | { readonly kind: 'return'; readonly choice: number; readonly plan: HolderPlan | undefined }
  | { readonly kind: 'days'; readonly count: number }
  | { readonly kind: 'drain'; readonly choice: number };

/** Pools and what happens to them. */
export interface History {
  readonly pools: Pools;
  readonly steps: readonly Step[];
}

const zones = ['inet', 'lab', 'edge'];

/** A pool of 4 to 32 addresses of each family it has, most of them few; `index` keeps pools apart. */
function poolArbitrary(index: number): fc.Arbitrary<Pool> {
  const size = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 4, max: 7 }) },
    { weight: 1, arbitrary: fc.integer({ min: 8, max: 32 }) },
  );
  return fc
    .record({
      zone: fc.integer({ min: 0, max: 2 }).map((zone) => zones[Math.min(zone, index)]),
      has: fc.oneof(
        { weight: 6, arbitrary: fc.constant('both') },
        { weight: 1, arbitrary: fc.constantFrom('ipv4', 'ipv6') },
      ),
      shape: fc.constantFrom<Shape[]>('cidr', 'range', 'mixed'),
      sizes: fc.tuple(size, size),
      reserved: fc.integer({ min: 0, max: 2 }),
      avoidBuggyIPs: fc.boolean(),
      state: fc.oneof(
        { weight: 9, arbitrary: fc.constant('active' as const) },
        { weight: 1, arbitrary: fc.constant('draining' as const) },
      ),
      retentionDays: fc.integer({ min: 0, max: 3 }),
      strategy: fc.constantFrom('spread' as const, 'lowest' as const),
    })
    .map(({ zone, has, shape, sizes, reserved, ...rest }) => {
      const v4 = has === 'ipv6' ? [] : ipv4Texts(index, shape, sizes[0]);
      const v6 = has === 'ipv4' ? [] : ipv6Texts(index, shape, sizes[1]);
      const gateways = [
        ...(has === 'ipv6' ? [] : [`10.${index}.0.254`]),
        ...(has === 'ipv4' ? [] : [`fd00:${index}::100`]),
      ];
      return poolWith({
        name: `pool-${index}`,
        ...(zone === undefined ? {} : { zone }),
        addresses: [...v4, ...v6],
        reserved: gateways.slice(0, reserved),
        ...rest,
      });
    });
}

type Shape = 'cidr' | 'range' | 'mixed';

/** Always around 10.x.0.255 and 10.x.1.0, which avoidBuggyIPs leaves out, and with 10.x.0.254. */
function ipv4Texts(index: number, shape: Shape, size: number): readonly string[] {
  const net = `10.${index}`;
  const blocks: readonly (readonly [number, number])[] = [
    [4, 30],
    [8, 29],
    [16, 28],
    [32, 27],
  ];
  const [block, length] = blocks.findLast(([addresses]) => addresses <= size) ?? [4, 30];
  if (shape === 'cidr') return [`${net}.0.${256 - block}/${length}`];
  if (shape === 'range') return [`${net}.0.254-${net}.1.${size - 3}`];
  const singles = Array.from({ length: Math.min(size - 3, 3) }, (_, at) => `${net}.1.${at * 2}`);
  const rest = size - 2 - singles.length;
  const tail = rest > 1 ? [`${net}.1.100-${net}.1.${98 + rest}`] : [];
  return [`${net}.0.254/31`, ...singles, ...tail, `${net}.2.0/32`];
}

function ipv6Texts(index: number, shape: Shape, size: number): readonly string[] {
  const net = `fd00:${index}::1`;
  if (shape === 'cidr') return [`${net}00/${size < 8 ? 126 : 125}`];
  if (shape === 'range') return [`${net}00-${net}${(size - 1).toString(16).padStart(2, '0')}`];
  return [`${net}00/127`, `${net}10`, `${net}20-${net}${(0x20 + size - 4).toString(16)}`];
}

/** One to four pools in one to three zones. */
const poolsArbitrary: fc.Arbitrary<Pools> = fc
  .integer({ min: 1, max: 4 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => poolArbitrary(index))))
  .map((pools) => poolsWith(...pools));

const choice = fc.nat(1_000_000);

/** A holder: every second one dual, because some zones have no pool of both families. */
export const planArbitrary: fc.Arbitrary<HolderPlan> = fc.record({
  families: fc.constantFrom('ipv4', 'ipv6', 'dual', 'dual'),
  from: fc.constantFrom('default', 'default', 'zone', 'zone', 'pool', 'pin'),
  choice,
  retain: fc.integer({ min: 0, max: 5 }),
  claims: fc.integer({ min: 1, max: 3 }),
});

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    plans: fc.array(planArbitrary, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant('change' as const), choice, plan: planArbitrary }),
  fc.record({
    kind: fc.constant('remove' as const),
    choices: fc.array(choice, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('return' as const),
    choice,
    plan: fc.option(planArbitrary, { nil: undefined, freq: 2 }),
  }),
  fc.record({ kind: fc.constant('days' as const), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('drain' as const), choice }),
);

const firstStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('crowd' as const),
      plans: fc.array(planArbitrary, { minLength: 24, maxLength: 24 }),
      spare: fc.integer({ min: 0, max: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      plans: fc.array(planArbitrary, { minLength: 2, maxLength: 8 }),
    }),
  },
);

/** Pools, a first batch of holders that often fills a zone, and then up to seven edits. */
export const historyArbitrary: fc.Arbitrary<History> = fc
  .tuple(poolsArbitrary, firstStep, fc.array(stepArbitrary, { maxLength: 7 }))
  .map(([pools, first, rest]) => ({ pools, steps: [first, ...rest] }));
