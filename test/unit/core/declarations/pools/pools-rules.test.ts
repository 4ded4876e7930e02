import { describe, expect, it } from 'vitest';
import { readPools } from '../../../../../src/core/declarations/pools/pools-file.ts';
import type { Problem } from '../../../../../src/core/model/problem.ts';

const head = 'apiVersion: leasehold.dev/v1\nkind: Pools\n';
const file = 'leases/pools.yaml';

function problemsOf(text: string): readonly Problem[] {
  const outcome = readPools(file, new TextEncoder().encode(text));
  return outcome.ok ? [] : outcome.problems;
}

/** The problems of a file whose text follows the two head lines, as `CODE line:column`. */
function problems(text: string): string[] {
  return problemsOf(head + text).map(({ code, at }) => `${code} ${at.line}:${at.column}`);
}

const pool = (extra: string, addresses: string): string =>
  `pools: [{name: a, zone: z, addresses: ${addresses}, ${extra}}]\n`;

describe('checkPools', () => {
  it('names both places of an overlap between pools, the later one first', () => {
    const [problem, ...others] = problemsOf(
      `${head}defaultZone: z\npools:
  - {name: a, zone: z, addresses: [203.0.113.128/25]}
  - {name: b, zone: y, addresses: [192.0.2.0/24, 203.0.113.0/24]}
`,
    );

    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      code: 'POOL_OVERLAP',
      at: { line: 6, column: 50 },
      also: [{ file, line: 5, column: 36 }],
    });
  });

  it('finds every overlap with a wide entry, whatever is between', () => {
    const found = problems(
      pool('state: active', '[10.0.0.0/8, 10.1.0.0/16, 10.2.0.1, 10.3.0.0/16]'),
    );

    expect(found.map((text) => text.split(' ')[0])).toEqual(Array(3).fill('POOL_OVERLAP'));
  });

  it('accepts an IPv4 and an IPv6 pool with the same bits', () => {
    expect(problems(pool('state: active', '[1.0.0.1, "::100:1"]'))).toEqual([]);
  });

  it('refuses two pools with the same name', () => {
    const text = `pools:\n  - {name: a, zone: z, addresses: [192.0.2.1]}\n  - {name: a, zone: z, addresses: [192.0.2.2]}\n`;

    expect(problemsOf(head + text)).toMatchObject([
      { code: 'POOL_DUPLICATE', at: { line: 5 }, also: [{ line: 4 }] },
    ]);
  });

  it('requires a default zone when there are several zones', () => {
    const text = `pools:\n  - {name: a, zone: z, addresses: [192.0.2.1]}\n  - {name: b, zone: y, addresses: [192.0.2.2]}\n`;

    expect(problems(text)).toEqual(['ZONE_MISSING 3:1']);
    expect(problems(`defaultZone: y\n${text}`)).toEqual([]);
  });

  it('requires an aggregation of at least the shortest prefix of every entry, with layout: pool', () => {
    const text = (length: number) =>
      `metallb: {layout: pool}\n${pool(
        `advertise: {bgp: {aggregationLength: ${length}}}`,
        '[203.0.113.0/26, 198.51.100.0-198.51.100.4, 192.0.2.0/28]',
      )}`;

    const codes = (length: number) => problemsOf(head + text(length)).map(({ code }) => code);

    expect(codes(30)).toEqual([]);
    expect(codes(29)).toEqual(['BGP_AGGREGATION']);
    expect(codes(26)).toEqual(['BGP_AGGREGATION', 'BGP_AGGREGATION']);
  });
});
