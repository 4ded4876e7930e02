// @module-tag counted

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Family, formatAddress } from '../../src/core/net/address.ts';
import { blockEnd, spaceSheets } from '../../src/features/page/browser/map/blocks.ts';
import { type Cell, sheetCells } from '../../src/features/page/browser/map/cells.ts';
import { hilbertPlace, type Place } from '../../src/features/page/browser/map/curve.ts';
import { PictureIndex, type Space } from '../../src/features/page/browser/picture-index.ts';
import { pictured } from '../support/page/picture.ts';
import { runs } from '../support/run/scope.ts';

/**
 * All places of a curve in order, by its drawing: in the upper left the smaller curve mirrored on one diagonal, below it the smaller
 * curve twice, one beside the other, and in the upper right the smaller curve mirrored on the other diagonal.
 */
function drawn(order: number): readonly Place[] {
  if (order === 0) return [{ x: 0, y: 0 }];
  const small = drawn(order - 1);
  const side = 1 << (order - 1);
  return [
    ...small.map(({ x, y }) => ({ x: y, y: x })),
    ...small.map(({ x, y }) => ({ x, y: y + side })),
    ...small.map(({ x, y }) => ({ x: x + side, y: y + side })),
    ...small.map(({ x, y }) => ({ x: 2 * side - 1 - y, y: side - 1 - x })),
  ];
}

/** A pool of one range somewhere in 10.0.0.0/8 or 2001:db8::/32, ragged or a block, with some leases. */
const pools = fc
  .record({
    family: fc.constantFrom<Family>('ipv4', 'ipv6'),
    from: fc.integer({ min: 0, max: 2 ** 22 }),
    size: fc.oneof(
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 0, max: 20 }).map((bits) => 2 ** bits),
    ),
    isAligned: fc.boolean(),
    held: fc.integer({ min: 1, max: 60 }),
    reserved: fc.integer({ min: 0, max: 40 }),
  })
  .map(({ family, from, size, isAligned, held, reserved }) => {
    const base = family === 'ipv4' ? 10n << 24n : 0x2001_0db8n << 96n;
    const first = base + BigInt(isAligned ? from - (from % size) : from);
    const text = (value: bigint) => formatAddress({ family, value });
    const last = first + BigInt(size) - 1n;
    const kept = Math.min(reserved, size - 1);
    return {
      pool: 'any',
      range: `${text(first)}-${text(last)}`,
      held: Math.min(held, size - 1),
      reserved: kept === 0 ? [] : [`${text(first)}-${text(first + BigInt(kept) - 1n)}`],
    };
  });

function spaceOf(pool: Parameters<typeof pictured>[0][number]): Space {
  const [space] = new PictureIndex(pictured([pool])).spaces;
  if (!space) throw new Error('no space');
  return space;
}

/** What a cell says, counted address by address. */
function countedIn(space: Space, cell: Cell): Pick<Cell, 'held' | 'retained'> {
  const own = space.records.filter(
    ({ address }) => address.value >= cell.block.from && address.value <= blockEnd(cell.block),
  );
  const held = own.filter(({ state }) => state === 'held').length;
  return { held, retained: own.filter(({ state }) => state === 'retained').length };
}

function isIn(ranges: Space['ranges'], value: bigint): boolean {
  return ranges.some(({ from, to }) => from.value <= value && value <= to.value);
}

function usableIn({ ranges, reserved }: Space, { block }: Cell): bigint {
  let usable = 0n;
  for (let value = block.from; value <= blockEnd(block); value += 1n) {
    if (isIn(ranges, value) && !isIn(reserved, value)) usable += 1n;
  }
  return usable;
}

describe('the Hilbert curve', () => {
  test.each([0, 1, 2, 3, 4, 5])('of order %d lies as it is drawn', (order) => {
    const numbers = Array.from({ length: 4 ** order }, (_, number) => number);
    expect(numbers.map((number) => hilbertPlace(order, number))).toEqual(drawn(order));
  });

  test.each([1, 2, 5])('of order %d is one line, and each aligned block a square', (order) => {
    const places = drawn(order);
    for (const [index, { x, y }] of places.slice(1).entries()) {
      const last = places[index] ?? { x: -1, y: -1 };
      expect(Math.abs(x - last.x) + Math.abs(y - last.y)).toBe(1);
    }
    for (let size = 4; size <= places.length; size *= 4) {
      for (let from = 0; from < places.length; from += size) {
        const part = places.slice(from, from + size);
        const [xs, ys] = [part.map(({ x }) => x), part.map(({ y }) => y)];
        const spread = (all: readonly number[]) => Math.max(...all) - Math.min(...all) + 1;
        expect([spread(xs), spread(ys)]).toEqual([Math.sqrt(size), Math.sqrt(size)]);
      }
    }
  });
});

describe('the maps of a pool', () => {
  test('have each address in use in one cell, at its place, and count what is in each', () => {
    fc.assert(
      fc.property(pools, (pool) => {
        const space = spaceOf(pool);
        const cells = spaceSheets(space).flatMap((sheet) => {
          const { rows, columns, isCurve } = sheetCells(space, sheet, 'fine');
          const first = sheet[0]?.from ?? 0n;
          rows.forEach((row, y) => {
            row.forEach((cell, x) => {
              const number = Number((cell.block.from - first) >> BigInt(cell.block.bits));
              const order = Math.log2(columns);
              const place = isCurve
                ? drawn(order)[number]
                : { x: number % columns, y: Math.floor(number / columns) };
              expect(place).toEqual({ x, y });
            });
          });
          return rows.flat();
        });
        expect(cells.reduce((sum, { held }) => sum + held, 0)).toBe(
          space.records.filter(({ state }) => state === 'held').length,
        );
        for (const cell of cells) {
          expect({ held: cell.held, retained: cell.retained }).toEqual(countedIn(space, cell));
          if (cell.block.bits < 8) expect(cell.usable).toBe(usableIn(space, cell));
        }
      }),
      { seed: 1, numRuns: runs(60) },
    );
  });
});
