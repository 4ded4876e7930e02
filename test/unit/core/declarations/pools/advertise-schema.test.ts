import { describe, expect, it } from 'vitest';
import { readPools } from '../../../../../src/core/declarations/pools/pools-file.ts';
import type { Problem } from '../../../../../src/core/model/problem.ts';
import { poolsText } from '../../../../support/declarations/pools-text.ts';
import { marked } from '../../text/mark.ts';

/** A pool file with one pool; the argument is its `advertise` field. */
const poolFile = (advertise: string): string =>
  poolsText(`pools: [{name: a, zone: z, addresses: [203.0.113.0/28], ${advertise}}]\n`);

function problemsOf(text: string): readonly Problem[] {
  const outcome = readPools('leases/pools.yaml', new TextEncoder().encode(text));
  return outcome.ok ? [] : outcome.problems;
}

describe('a label selector of a pool', () => {
  it.each([
    ['{key: a, operator: In}', 'FIELD_VALUE'],
    ['{key: a, operator: In, values: []}', 'FIELD_VALUE'],
    ['{key: a, operator: Exists, values: [b]}', 'FIELD_VALUE'],
    ['{key: a, operator: Like, values: [b]}', 'FIELD_VALUE'],
    ['{key: a, operator: NotIn, values: [b, b]}', 'FIELD_VALUE'],
    ['{key: -a, operator: Exists}', 'FIELD_VALUE'],
    ['{operator: Exists}', 'FIELD_MISSING'],
    ['{key: a, operator: DoesNotExist}', undefined],
    ['{key: example.com/a, operator: In, values: ["", b]}', undefined],
  ])('the selector requirement %s: %s', (text, code) => {
    const selector = `advertise: {l2: {nodeSelectors: [{matchExpressions: [${text}]}]}}`;

    expect(problemsOf(poolFile(selector)).map(({ code: found }) => found)).toEqual(
      code === undefined ? [] : [code],
    );
  });

  it.each([
    ['{matchLabels: {a: x, b: y}}', '{matchLabels: {b: y, a: x}}'],
    ['{matchLabels: {a: x}}', '{matchLabels: {a: x}, matchExpressions: []}'],
    [
      '{matchExpressions: [{key: a, operator: Exists}]}',
      '{matchExpressions: [{key: a, operator: Exists, values: []}]}',
    ],
  ])('refuses %s beside %s, which MetalLB considers equal', (first, second) => {
    const selectors = `advertise: {l2: {nodeSelectors: [${first}, ▸${second}]}}`;
    const { text, place } = marked(poolFile(selectors));

    expect(problemsOf(text).map(({ code, at }) => `${code} ${at.line}:${at.column}`)).toEqual([
      `FIELD_VALUE ${place}`,
    ]);
  });
});
