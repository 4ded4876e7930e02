// @module-tag counted

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Allocation } from '../../src/core/model/allocation.ts';
import { addDays, type Day } from '../../src/core/model/day.ts';
import { type Address, formatAddress } from '../../src/core/net/address.ts';
import {
  allocationPath,
  printAllocation,
  readAllocation,
} from '../../src/core/records/allocation-file.ts';
import { readYaml } from '../../src/core/text/yaml/yaml-document.ts';
import { runs } from '../support/run/scope.ts';

const anyAddress: fc.Arbitrary<Address> = fc
  .oneof(
    fc.record({ family: fc.constant('ipv4' as const), value: fc.bigInt(0n, 2n ** 32n - 1n) }),
    fc.record({ family: fc.constant('ipv6' as const), value: fc.bigInt(0n, 2n ** 128n - 1n) }),
    fc.record({
      family: fc.constant('ipv6' as const),
      value: fc
        .array(fc.constantFrom(0n, 0n, 0n, 1n, 0xdb8n), { minLength: 8, maxLength: 8 })
        .map((parts) => parts.reduce<bigint>((value, part) => (value << 16n) | part, 0n)),
    }),
  )
  .filter(({ family, value }) => family === 'ipv4' || value >> 32n !== 0xffffn);
const name = fc.oneof(
  fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,10}[a-z0-9])?$/),
  fc.constantFrom('true', 'no', 'null', '1e3', '0x1f', '0o7', '12', '1-2', 'y'),
);
const anyDay = fc
  .integer({ min: 0, max: 30_000 })
  .map((days) => addDays('1990-01-01' as Day, days));
const days = fc.integer({ min: 0, max: 365 });

const anyAllocation: fc.Arbitrary<Allocation> = fc
  .record({
    address: anyAddress,
    pool: name,
    holder: fc.oneof(
      fc
        .tuple(name, fc.stringMatching(/^[a-z0-9]{38}$/), name)
        .map(([cluster, owner, endpoint]) => `${cluster}/akash/akash1${owner}-ip-${endpoint}`),
      fc.tuple(name, name, name).map(([cluster, ...of]) => `${cluster}/service/${of.join('/')}`),
      fc
        .tuple(name, name, fc.constantFrom('', 'h.'), name)
        .map(([cluster, space, hashed, key]) => `${cluster}/shared/${space}/${hashed}${key}`),
      name.map((group) => `anycast/${group}`),
    ),
    key: fc.option(fc.stringMatching(/^[A-Za-z0-9_-]{43}$/), { nil: undefined }),
    generation: fc.nat({ max: 999_999_999 }),
    movedFrom: fc.option(anyAddress, { nil: undefined }),
    since: anyDay,
    retain: days,
    several: fc.boolean(),
    promised: fc.boolean(),
    kept: fc.option(days, { nil: undefined }),
    released: fc.option(fc.tuple(days, days), { nil: undefined }),
  })
  .map(({ since, retain, kept, released, movedFrom, several, promised, ...rest }) => {
    const on = released && addDays(since, released[0]);
    const { family, value } = rest.address;
    const isMove = movedFrom?.family === family && movedFrom.value !== value;
    return {
      ...rest,
      movedFrom: isMove ? movedFrom : undefined,
      shared: several && rest.key !== undefined && !released,
      promised: promised && !released,
      since,
      retain,
      keepUntil: kept !== undefined && !released ? addDays(since, kept) : undefined,
      released: on && released ? { on, freeFrom: addDays(on, retain + released[1]) } : undefined,
      at: { file: allocationPath(rest.address), line: 1, column: 1 },
    };
  });

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('an allocation file', () => {
  it('gives back the allocation that was printed', () => {
    fc.assert(
      fc.property(anyAllocation, (allocation) => {
        const text = printAllocation(allocation);
        const file = allocationPath(allocation.address);

        expect(readAllocation(file, bytes(text))).toEqual({ ok: true, value: allocation });
      }),
      { seed: 1, numRuns: runs(2000) },
    );
  });

  it('says the same to readers of YAML 1.1 and 1.2', () => {
    fc.assert(
      fc.property(anyAllocation, (allocation) => {
        const { address, pool, holder, retain } = allocation;
        const text = printAllocation(allocation);

        for (const version of ['1.1', '1.2'] as const) {
          expect(parse(text, { version })).toMatchObject({
            address: formatAddress(address),
            pool,
            holder,
            retain,
          });
        }
        const file = allocationPath(address);
        expect(readAllocation(file, bytes(`# a comment\n${text}`))).toEqual({
          ok: true,
          value: allocation,
        });
      }),
      { seed: 2, numRuns: runs(500) },
    );
  });

  it('means the same when it is read as YAML, whatever edit was made to it', () => {
    const edit = fc.tuple(
      fc.nat(400),
      fc.constantFrom(
        '',
        ' ',
        "'",
        '\n',
        ':',
        '0',
        '9',
        '-',
        'x',
        '#',
        '\t',
        '\r',
        'é',
        '&a ',
        '!',
      ),
      fc.nat(2),
    );
    fc.assert(
      fc.property(anyAllocation, edit, (allocation, [place, inserted, removed]) => {
        const text = printAllocation(allocation);
        const start = place % text.length;
        const edited = text.slice(0, start) + inserted + text.slice(start + removed);
        const file = allocationPath(allocation.address);
        const outcome = readAllocation(file, bytes(edited));
        const asYaml = readAllocation(file, bytes(`# not canonical\n${edited}`));

        expect(outcome.ok).toBe(asYaml.ok);
        if (outcome.ok) expect(outcome).toEqual(asYaml);
        else expect(outcome.problems).not.toEqual([]);
      }),
      { seed: 3, numRuns: runs(3000) },
    );
  });

  it('has a path of its own for every address', () => {
    fc.assert(
      fc.property(anyAddress, anyAddress, (left, right) => {
        const same = formatAddress(left) === formatAddress(right);

        expect(allocationPath(left) === allocationPath(right)).toBe(same);
        expect(allocationPath(left)).toMatch(
          /^leases\/allocations\/[0-9a-f.-]+(\/[0-9a-f]{2})?\/[0-9a-f.-]+\.yaml$/,
        );
      }),
      { seed: 4, numRuns: runs(2000) },
    );
  });
});

describe('readYaml', () => {
  it('gives a document or problems for any bytes, and never throws', () => {
    const pieces = fc.array(
      fc.constantFrom(
        'a',
        ': ',
        '\n',
        '  ',
        '- ',
        '[',
        ']',
        '{',
        '}',
        ',',
        '"',
        "'",
        '|',
        '>',
        '&x ',
        '*x ',
        '!t ',
        '? ',
        '#',
        '%',
        '---\n',
        '...\n',
        '<<',
        '1',
        '~',
        '\t',
        '\\',
        '\u0000',
        '\ud83c',
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          pieces.map((list) => bytes(list.join(''))),
          fc.uint8Array({ maxLength: 80 }),
        ),
        (input) => {
          for (const aliases of ['refused', 100] as const) {
            const outcome = readYaml('a.yaml', input, aliases);
            if (outcome.ok) expect(outcome.value.at(['a', 0])).toMatchObject({ file: 'a.yaml' });
            else expect(outcome.problems.length).toBeGreaterThan(0);
          }
        },
      ),
      { seed: 5, numRuns: runs(4000) },
    );
  });
});
