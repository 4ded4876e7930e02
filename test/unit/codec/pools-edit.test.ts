import { describe, expect, it } from 'vitest';
import { newPoolFile, withPools } from '../../../src/codec/pools-edit.ts';
import { readPools } from '../../../src/codec/pools-file.ts';
import type { ImportedPool } from '../../../src/model/import.ts';
import { isRange, parseRange } from '../../../src/net/range.ts';

function pool(name: string, ...texts: readonly string[]): ImportedPool {
  const at = { file: 'm.yaml', line: 1, column: 1 };
  const ranges = texts.map((text) => {
    const range = parseRange(text);
    if (!isRange(range)) throw new Error(range.reason);
    return { range, at };
  });
  const advertise = { kind: 'l2', interfaces: [], nodeSelectors: [] } as const;
  return { name, ranges, avoidBuggyIPs: false, advertise, at };
}

const place = { zone: 'inet', clusters: undefined };
const head = 'apiVersion: leasehold.dev/v1\nkind: Pools\n';

describe('pools that are added to a pool file', () => {
  it.each([
    [
      'a list of blocks',
      `${head}pools: # all\n  - name: a # first\n    zone: inet\n    addresses:\n      - 10.0.0.0/24 # last\n  # the end\nnaming: akash\n`,
    ],
    [
      'a list without indent',
      `${head}pools:\n- name: a\n  zone: inet\n  addresses: [10.0.0.0/24]\n# the end\n`,
    ],
    [
      'a file without a last line break',
      `${head}pools:\n  - { name: a, zone: inet, addresses: [10.0.0.0/24] }`,
    ],
    ['a flow list', `${head}pools: [{ name: a, zone: inet, addresses: [10.0.0.0/24] }] # all\n`],
    [
      'a flow list over lines',
      `${head}pools: [\n  { name: a, zone: inet, addresses: [10.0.0.0/24] }, # a\n]\n`,
    ],
    [
      'the line ends of Windows',
      `${head}pools:\n  - name: a\n    zone: inet\n    addresses: [10.0.0.0/24]\nnaming: akash\n`.replaceAll(
        '\n',
        '\r\n',
      ),
    ],
  ])('come after its own in %s, and nothing else changes', (_, text) => {
    const after = withPools(text, [pool('b', '10.1.0.0/24'), pool('on', '2001:db8::/64')], place);
    const read = readPools('leases/pools.yaml', new TextEncoder().encode(after));
    expect(read).toMatchObject({
      value: { pools: [{ name: 'a' }, { name: 'b' }, { name: 'on', zone: 'inet' }] },
    });
    let rest = after;
    for (const part of text.split(/(?<=\n)/)) {
      // Each line of before is there, in order; a flow list grows within its line.
      const [start = '', end = ''] = part.split(/(?<=\}(?=[\],]))/);
      expect(rest).toContain(start);
      rest = rest.slice(rest.indexOf(start) + start.length);
      expect(rest).toContain(end);
      rest = rest.slice(rest.indexOf(end) + end.length);
    }
    expect(after.replaceAll('\r\n', '').includes('\n')).toBe(!text.includes('\r\n'));
  });

  it('name their clusters where they are told', () => {
    const text = newPoolFile([pool('a', '10.0.0.0/24')], 'inet', {
      version: '0.14.9',
      namespace: 'lb',
      layout: 'pool',
    });
    expect(withPools(text, [pool('b', '10.1.0.0/24')], { ...place, clusters: ['default'] })).toBe(
      `apiVersion: leasehold.dev/v1
kind: Pools
metallb: { version: 0.14.9, namespace: lb, layout: pool }
emit: { providerLeasedIP: false }
pools:
  - name: a
    zone: inet
    addresses: [10.0.0.0/24]
    advertise: { l2: {} }
  - name: b
    zone: inet
    clusters: [default]
    addresses: [10.1.0.0/24]
    advertise: { l2: {} }
`,
    );
  });
});
