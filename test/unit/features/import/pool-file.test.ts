import { describe, expect, it } from 'vitest';
import { readPools } from '../../../../src/core/declarations/pools/pools-file.ts';
import { rangeSetOf } from '../../../../src/core/net/range-set.ts';
import {
  newPoolFile,
  type PoolWithReserve,
  withPools,
  withReserved,
} from '../../../../src/features/import/pool-file.ts';
import { aRange } from '../../../support/declarations/pools-and-claims.ts';

const none = rangeSetOf([]);

function pool(name: string, ...texts: readonly string[]): PoolWithReserve {
  const at = { file: 'm.yaml', line: 1, column: 1 };
  const ranges = texts.map((text) => ({ range: aRange(text), at }));
  const advertise = [{ name, kind: 'l2', interfaces: [], nodeSelectors: [] }] as const;
  return { pool: { name, ranges, avoidBuggyIPs: false, advertise, at }, reserved: none };
}

const place = { zone: 'inet', clusters: undefined, fence: 'closed' } as const;
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

  it('name their clusters and an open fence where they are told', () => {
    const text = newPoolFile(
      [pool('a', '10.0.0.0/24')],
      { zone: 'inet', fence: 'open' },
      { kind: 'metallb', version: '0.14.9', namespace: 'lb', layout: 'pool' },
    );
    expect(withPools(text, [pool('b', '10.1.0.0/24')], { ...place, clusters: ['default'] })).toBe(
      `apiVersion: leasehold.dev/v1
kind: Pools
metallb: { version: 0.14.9, namespace: lb, layout: pool }
emit: { providerLeasedIP: false }
pools:
  - name: a
    zone: inet
    addresses: [10.0.0.0/24]
    fence: open
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

describe('what is reserved of a pool', () => {
  const more = rangeSetOf([aRange('10.0.0.9'), aRange('10.0.0.16/28'), aRange('2001:db8::1')]);

  it('stands in its zone, where the source says one', () => {
    const { pool: own } = pool('a', '10.0.0.0/24', '2001:db8::/64');
    const metallb = {
      kind: 'metallb',
      version: '0.14.9',
      namespace: 'lb',
      layout: 'pool',
    } as const;
    const text = newPoolFile(
      [{ pool: { ...own, zone: 'dmz' }, reserved: more }],
      { zone: 'inet', fence: 'closed' },
      metallb,
    );
    expect(text).toContain(`    zone: dmz
    addresses: [10.0.0.0/24, 2001:db8::/64]
    reserved: [10.0.0.9, 10.0.0.16/28, 2001:db8::1]
`);
  });

  const addresses = '[10.0.0.0/24, 2001:db8::/64]';
  const first = '  - { name: x, zone: inet, addresses: [10.9.0.0/24] } # other\n';

  it.each([
    ['none', `  - name: a # mine\n    zone: inet\n    addresses: ${addresses}\n# end\n`, []],
    [
      'a flow list',
      `  - name: a\n    zone: inet\n    reserved: [10.0.0.1, 10.0.0.2-10.0.0.3, ] # gateways\n    addresses: ${addresses}\n`,
      ['10.0.0.1/32', '10.0.0.2/31'],
    ],
    [
      'an empty list',
      `  - name: a\n    zone: inet\n    reserved: []\n    addresses: ${addresses}\n`,
      [],
    ],
    [
      'a list of lines',
      `  - name: a\n    zone: inet\n    reserved:\n      - 10.0.0.1 # gateway\n      # more\n    addresses: ${addresses}`,
      ['10.0.0.1/32'],
    ],
    [
      'a flow mapping',
      `  - { name: a, zone: inet, reserved: [10.0.0.1], addresses: ${addresses} } # a\n`,
      ['10.0.0.1/32'],
    ],
  ])('comes after %s, and nothing else changes', (_, text, before) => {
    const whole = `${head}pools:\n${first}${text}`;
    const after = withReserved(whole, 1, more);
    const read = readPools('leases/pools.yaml', new TextEncoder().encode(after));
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    expect(read.value.pools[1]?.reserved).toEqual(
      rangeSetOf([...before.map(aRange), ...more.ranges]),
    );
    for (const line of whole.split('\n')) {
      const [start = '', end = ''] = line.split(/(?<=reserved: \[[^\]]*)(?=,? *\])/);
      expect(after).toContain(start);
      expect(after).toContain(end);
    }
  });
});
