// @module-tag counted

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LiveFacts } from '../../src/core/manifests/live-facts.ts';
import { strandedServices } from '../../src/core/manifests/planes/metallb/sharing-changes.ts';
import { type Asking, canShare, SmallMetalLB } from '../support/live/small-metallb.ts';
import { runs } from '../support/run/scope.ts';

/** All Services at one time: sound, so that each has its address in the end, whoever comes first. */
const scene = fc
  .uniqueArray(
    fc.record({
      name: fc.constantFrom('shop/a', 'shop/b', 'shop/c'),
      pins: fc.constantFrom(['203.0.113.7'], ['203.0.113.9']),
      sharingKey: fc.oneof(
        { weight: 4, arbitrary: fc.constant('leasehold-shop') },
        { weight: 1, arbitrary: fc.constant('leasehold-mail') },
      ),
      ports: fc.uniqueArray(fc.constantFrom('80/TCP', '81/TCP', '80/UDP'), { minLength: 1 }),
      backend: fc.oneof(
        { weight: 4, arbitrary: fc.constant('') },
        { weight: 1, arbitrary: fc.constantFrom('    app: x\n', '    app: y\n') },
      ),
    }),
    { selector: ({ name }) => name, minLength: 2, maxLength: 3 },
  )
  .filter((all) =>
    all.every((one, index) =>
      all.slice(index + 1).every((other) => one.pins[0] !== other.pins[0] || canShare(one, other)),
    ),
  );

function factsOf(services: readonly Asking[]): ReadonlyMap<string, LiveFacts> {
  const none = {
    families: new Map(),
    nodePorts: new Map(),
    healthChecks: new Map(),
    classes: new Map(),
    pins: new Map(),
    pools: new Map(),
    layout: undefined,
    plane: undefined,
  };
  return new Map([
    [
      'dist/default/7b/x.yaml',
      { ...none, sharers: new Map(services.map((one) => [one.name, one])) },
    ],
  ]);
}

type Act = (metallb: SmallMetalLB) => void;

/** Who waits at the end, in some order of applying and pruning. */
function waitingAfter(before: readonly Asking[], acts: readonly Act[], looksAgain: boolean) {
  const metallb = new SmallMetalLB(looksAgain);
  for (const one of before) metallb.apply(one);
  expect(metallb.waiting).toEqual([]);
  for (const act of acts) act(metallb);
  return metallb.waiting;
}

function orders<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) =>
    orders(items.toSpliced(at, 1)).map((others) => [item, ...others]),
  );
}

test.each([
  ['0.14.9', false],
  ['0.16.1', true],
])(
  'a change is refused if and only if some order of applying it strands a Service: MetalLB %s',
  (version, looksAgain) => {
    const counts = { sound: 0, refused: 0 };
    fc.assert(
      fc.property(scene, scene, (before, after) => {
        const names = new Set(after.map(({ name }) => name));
        const gone = before.filter(({ name }) => !names.has(name));
        const acts: readonly Act[] = [
          ...after.map(
            (one): Act =>
              (metallb) =>
                metallb.apply(one),
          ),
          ...gone.map(
            ({ name }): Act =>
              (metallb) =>
                metallb.remove(name),
          ),
        ];
        const isStranding = orders(acts).some(
          (order) => waitingAfter(before, order, looksAgain).length > 0,
        );
        const metallb = {
          kind: 'metallb' as const,
          version,
          namespace: 'metallb-system',
          layout: 'lease' as const,
        };
        const found = strandedServices({ before: factsOf(before), after: factsOf(after) }, metallb);
        expect(found.length > 0).toBe(isStranding);
        counts[isStranding ? 'refused' : 'sound'] += 1;
      }),
      { seed: 29, numRuns: runs(5000) },
    );
    expect(counts.refused).toBeGreaterThan(runs(300));
    expect(counts.sound).toBeGreaterThan(runs(300));
  },
);
