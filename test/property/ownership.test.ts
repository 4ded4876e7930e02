// @module-tag counted

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDay } from '../../src/core/model/day.ts';
import { isProven, type Statement, statementText } from '../../src/core/model/ownership.ts';
import { startOf } from '../../src/core/model/problem.ts';
import { keyOf, pairOf } from '../support/allocations/owned-records.ts';
import { runs } from '../support/run/scope.ts';

const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,6}[a-z0-9]$/);
const address = fc.oneof(
  fc.nat(2 ** 32 - 1).map((value) => ({ family: 'ipv4' as const, value: BigInt(value) })),
  fc.bigInt(0n, 2n ** 128n - 1n).map((value) => ({ family: 'ipv6' as const, value })),
);
const statement: fc.Arbitrary<Statement> = fc.record({
  action: fc.constantFrom('reclaim', 'rotate'),
  repository: fc.stringMatching(/^[0-9a-f]{32}$/),
  address,
  holder: fc.oneof(
    fc.tuple(label, label, label).map(([a, b, c]) => `${a}/service/${b}/${c}`),
    fc.tuple(label, label, label).map(([a, b, c]) => `${a}/shared/${b}/${c}`),
    label.map((name) => `anycast/${name}`),
  ),
  generation: fc.oneof(fc.nat(3), fc.nat(999_999_999)),
  newKey: fc.constantFrom(undefined, keyOf('new'), keyOf('third')),
  since: fc
    .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((date) => parseDay(date.toISOString().slice(0, 10))!),
});
const secret = fc.constantFrom('old', 'new', 'third');

const proven = (text: string, by: string, said: Statement): boolean =>
  isProven([{ text, at: startOf('leases/web.yaml') }], keyOf(by), said);

test('a signature proves what was signed, by the key that signed it', () => {
  fc.assert(
    fc.property(statement, secret, (said, by) => {
      expect(proven(pairOf(by).sign(statementText(said)), by, said)).toBe(true);
    }),
    { seed: 1, numRuns: runs(500) },
  );
});

test('any part that differs makes it prove nothing', () => {
  const changed = new Map<string, number>();
  fc.assert(
    fc.property(statement, statement, secret, (said, other, by) => {
      const text = pairOf(by).sign(statementText(said));
      for (const part of Object.keys(said) as (keyof Statement)[]) {
        const mixed = { ...said, [part]: other[part] };
        if (statementText(mixed) === statementText(said)) continue;
        changed.set(part, (changed.get(part) ?? 0) + 1);
        expect([part, proven(text, by, mixed)]).toEqual([part, false]);
      }
    }),
    { seed: 2, numRuns: runs(500) },
  );
  expect(changed.size).toBe(7);
  for (const [part, count] of changed) expect([part, count > runs(100)]).toEqual([part, true]);
});

test('two statements that say different things have different texts', () => {
  fc.assert(
    fc.property(statement, statement, (said, other) => {
      const same = JSON.stringify(plain(said)) === JSON.stringify(plain(other));
      expect(statementText(said) === statementText(other)).toBe(same);
    }),
    { seed: 3, numRuns: runs(2_000) },
  );
});

test('a signature with any bit changed proves nothing', () => {
  fc.assert(
    fc.property(statement, fc.nat(511), (said, bit) => {
      const bytes = Buffer.from(pairOf('old').sign(statementText(said)), 'base64url');
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      expect(proven(bytes.toString('base64url'), 'old', said)).toBe(false);
    }),
    { seed: 4, numRuns: runs(500) },
  );
});

test('no key proves what another one signed', () => {
  fc.assert(
    fc.property(statement, secret, secret, (said, by, other) => {
      const text = pairOf(by).sign(statementText(said));
      expect(proven(text, other, said)).toBe(by === other);
    }),
    { seed: 5, numRuns: runs(500) },
  );
});

function plain(said: Statement): unknown {
  const { address: place } = said;
  return [...Object.entries({ ...said, address: `${place.family} ${place.value}` })].sort();
}
