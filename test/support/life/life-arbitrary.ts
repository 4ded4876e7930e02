import fc from 'fast-check';
import { daysAfter } from '../allocations/naive-rules.ts';
import { clusters, type PlainPool } from './plain-workspace.ts';
import type { Life } from './played-steps.ts';
import { type Step, stepKinds } from './steps.ts';

/** How many steps a life has. One that fails shrinks to one in which most do nothing. */
const stepsOfLife = 50;

const number = fc.noBias(fc.nat(2 ** 31 - 1));

const step: fc.Arbitrary<Step> = fc
  .tuple(fc.noBias(fc.nat(stepKinds.length - 1)), number)
  .map(([kind, seed]) => ({ kind: stepKinds[kind] ?? 'nothing', seed }));

/** This many declarations come first, so that the rest happens with some twenty holders. */
const opening = 14;

const arrival: fc.Arbitrary<Step> = number.map((seed) => ({ kind: 'declare', seed }));

const size = fc.noBias(fc.integer({ min: 3, max: 11 }));

function pool(index: number): fc.Arbitrary<PlainPool> {
  return fc
    .tuple(size, size, fc.noBias(fc.nat(5)), fc.noBias(fc.nat(3)), fc.noBias(fc.nat(7)))
    .map(([ipv4, ipv6, zone, retentionDays, kinds]) => ({
      index,
      zone: index > 0 && zone < 2 ? 'lab' : 'inet',
      ...(index === 2 && kinds < 3 ? { clusters: [clusters[kinds % 2] ?? clusters[0]] } : {}),
      ipv4,
      ipv6: kinds === 7 ? 0 : ipv6,
      reserved: [],
      avoidBuggyIPs: kinds % 2 === 1,
      state: 'active',
      retentionDays,
      strategy: kinds % 4 < 2 ? 'spread' : 'lowest',
    }));
}

/** A life that a failed test can print: without the steps that do nothing. */
export interface DescribedLife extends Life {
  [fc.toStringMethod](): string;
}

function described(life: Life): DescribedLife {
  const steps = life.steps.filter(({ kind }) => kind !== 'nothing');
  return { ...life, [fc.toStringMethod]: () => JSON.stringify({ ...life, steps }) };
}

/** One to three pools, often full, from some day of 2027 or 2028 on: with the ends of two years and a leap day. */
export const lifeArbitrary: fc.Arbitrary<DescribedLife> = fc
  .tuple(
    fc.tuple(pool(0), pool(1), pool(2)),
    fc.noBias(fc.integer({ min: 1, max: 3 })),
    fc.noBias(fc.nat(600)),
    fc.array(arrival, { minLength: opening, maxLength: opening }),
    fc.array(step, { minLength: stepsOfLife - opening, maxLength: stepsOfLife - opening }),
  )
  .map(([pools, count, day, arrivals, steps]) =>
    described({
      pools: pools.slice(0, count),
      start: daysAfter('2027-01-01', day),
      steps: [...arrivals, ...steps],
    }),
  );
