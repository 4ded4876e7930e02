import { describe, expect, test } from 'vitest';
import { type Address, isAddress, parseAddress } from '../../../../../../src/core/net/address.ts';
import { isRange, parseRange, rangeSize } from '../../../../../../src/core/net/range.ts';
import { type Block, enclosing } from '../../../../../../src/features/page/browser/map/blocks.ts';
import {
  type Cell,
  cellsOf,
  partOf,
} from '../../../../../../src/features/page/browser/map/cells.ts';
import {
  PictureIndex,
  type Space,
} from '../../../../../../src/features/page/browser/picture-index.ts';
import type {
  PicturePool,
  PictureRecord,
} from '../../../../../../src/features/page/picture-answer.ts';
import { keptUntil, pictured, recordAt } from '../../../../../support/page/picture.ts';

interface Made {
  readonly range: string;
  readonly reserved?: readonly string[];
  readonly records?: readonly PictureRecord[];
  readonly avoidBuggyIPs?: boolean;
  readonly nat?: PicturePool['nat'];
}

function spaceOf({ range, reserved, records = [], avoidBuggyIPs = false, nat }: Made): Space {
  const own = { ...(reserved && { reserved }), ...(nat && { nat }) };
  const picture = pictured([{ pool: 'lab', range, held: 0, ...own }]);
  const pools = picture.pools.map((pool): PicturePool => ({ ...pool, avoidBuggyIPs }));
  const [space] = new PictureIndex({ ...picture, pools, records }).spaces;
  if (!space) throw new Error('no space');
  return space;
}

function addressOf(text: string): Address {
  const address = parseAddress(text);
  if (!isAddress(address)) throw new Error(text);
  return address;
}

function blockOf(text: string): Block {
  const range = parseRange(text);
  if (!isRange(range)) throw new Error(text);
  return enclosing(range.from, range.to.value, 0);
}

/** The cell that begins with an address, on the map of a block. */
function cellAt(made: Made, block: string, address: string): Cell {
  const { value } = addressOf(address);
  const cells = cellsOf(spaceOf(made), blockOf(block), 'fine').rows.flat();
  const cell = cells.find(({ block: { from } }) => from === value);
  if (!cell) throw new Error(`no cell ${address}`);
  return cell;
}

/** That many addresses from the beginning of a block on, with what is said of their records. */
function recordsFrom(network: string, count: number, more: Partial<PictureRecord> = {}) {
  return Array.from({ length: count }, (_, number) => {
    const last = network.includes(':') ? number.toString(16) : String(number);
    return recordAt(`${network}${last}`, more);
  });
}

describe('an address of a map', () => {
  const range = '203.0.113.0/24';
  const reserved = ['203.0.113.7', '203.0.113.9'];
  const records = [
    recordAt('203.0.113.1', keptUntil('2026-11-21')),
    recordAt('203.0.113.2', keptUntil('2026-11-20')),
    recordAt('203.0.113.7'),
    recordAt('203.0.113.9', keptUntil('2026-11-20')),
  ];

  test.each([
    ['203.0.113.1', 'retained', 1n],
    ['203.0.113.2', 'free', 1n],
    ['203.0.113.7', 'held', 0n],
    ['203.0.113.9', 'reserved', 0n],
    ['203.0.113.0', 'free', 1n],
  ])('%s is %s: a record counts until its free day', (address, state, usable) => {
    expect(cellAt({ range, reserved, records }, range, address)).toMatchObject({ state, usable });
  });

  test.each([
    ['203.0.113.0/24', '203.0.113.0', 'reserved'],
    ['203.0.113.0/24', '203.0.113.1', 'free'],
    ['203.0.113.0/24', '203.0.113.254', 'free'],
    ['203.0.113.0/24', '203.0.113.255', 'reserved'],
    ['2001:db8::/120', '2001:db8::', 'free'],
    ['2001:db8::/120', '2001:db8::ff', 'free'],
  ])('with avoidBuggyIPs of %s %s is %s', (range, address, state) => {
    expect(cellAt({ range, avoidBuggyIPs: true }, range, address).state).toBe(state);
  });
});

test.each([
  ['192.168.4.16', '203.0.113.16'],
  ['192.168.4.23', '203.0.113.23'],
  ['192.168.4.24', undefined],
  ['192.168.4.8', undefined],
])('%s of a pool behind a NAT has the public address %s', (address, text) => {
  const nat = [{ inside: '192.168.4.8-192.168.4.23', outside: '203.0.113.8-203.0.113.23' }];
  const made = { range: '192.168.4.16-192.168.4.31', nat };
  const { publicAddress } = cellAt(made, '192.168.4.0/27', address);
  expect(publicAddress).toEqual(text && addressOf(text));
});

describe('a block of a map', () => {
  const range = '10.0.0.0-10.0.8.0';
  const reserved = ['10.0.0.16-10.0.0.31', '10.0.0.33-10.0.0.47', '10.0.1.0', '10.0.3.15'];
  const cell = (address: string, more: Partial<Made> = {}) =>
    cellAt({ range, reserved, ...more }, '10.0.0.0/20', address);

  test.each([
    ['10.0.0.0', 'free', 16n],
    ['10.0.0.16', 'reserved', 0n],
    ['10.0.0.32', 'free', 1n],
    ['10.0.1.0', 'free', 15n],
    ['10.0.3.0', 'free', 15n],
    ['10.0.8.0', 'free', 1n],
    ['10.0.8.16', 'outside', 0n],
  ])('%s without records is %s, with %d to give out', (address, state, usable) => {
    expect(cell(address)).toMatchObject({ state, usable, held: 0, retained: 0 });
  });

  test.each([
    ['10.0.0.0', 'free', 15n],
    ['10.0.0.240', 'free', 15n],
    ['10.0.1.0', 'free', 15n],
    ['10.0.1.16', 'free', 16n],
    ['10.0.8.0', 'reserved', 0n],
  ])('%s with avoidBuggyIPs is %s, with %d to give out', (address, state, usable) => {
    expect(cell(address, { avoidBuggyIPs: true })).toMatchObject({ state, usable });
  });

  test('of IPv6 leaves no address out with avoidBuggyIPs', () => {
    const made = { range: '2001:db8::/116', avoidBuggyIPs: true };
    expect(cellAt(made, made.range, '2001:db8::').usable).toBe(16n);
  });

  const kept = keptUntil('2026-11-21');
  test.each([
    ['one of sixteen', recordsFrom('10.0.2.', 1), { state: 'held', held: 1, retained: 0 }],
    ['fifteen of sixteen', recordsFrom('10.0.2.', 15), { state: 'held', held: 15, retained: 0 }],
    ['all', recordsFrom('10.0.2.', 16), { state: 'held', held: 16, retained: 0 }],
    [
      'half of it retained',
      recordsFrom('10.0.2.', 8, kept),
      { state: 'retained', held: 0, retained: 8 },
    ],
    [
      'one of either',
      [recordAt('10.0.2.1'), recordAt('10.0.2.2', kept)],
      { state: 'held', held: 1, retained: 1 },
    ],
    [
      'what is free again',
      recordsFrom('10.0.2.', 8, keptUntil('2026-11-20')),
      { state: 'free', held: 0, retained: 0, owners: [] },
    ],
  ])('shows %s', (_, records, shown) => {
    expect(cell('10.0.2.0', { records })).toMatchObject(shown);
  });

  test('has its owners, the largest first', () => {
    const records = [
      recordAt('10.0.2.1', { holder: 'lab/akash/akash1b-ip-web' }),
      recordAt('10.0.2.2', { holder: 'lab/akash/akash1a-ip-web' }),
      recordAt('10.0.2.3', { holder: 'lab/akash/akash1c-ip-web' }),
      recordAt('10.0.2.4', { holder: 'lab/akash/akash1c-ip-dns', ...kept }),
      recordAt('10.0.2.5', { holder: 'lab/akash/akash1d-ip-web', ...keptUntil('2026-11-20') }),
    ];
    expect(cell('10.0.2.0', { records }).owners).toEqual([
      ['akash1c', 2],
      ['akash1a', 1],
      ['akash1b', 1],
    ]);
  });

  test('is larger on a map with few cells for fingers', () => {
    const { value } = addressOf('10.0.0.37');
    const cells = cellsOf(spaceOf({ range: '10.0.0.0/12' }), blockOf('10.0.0.0/12'), 'coarse');
    expect([cells.columns, cells.rows.flat().length]).toEqual([8, 64]);
    expect(partOf(blockOf('10.0.0.0/20'), value, 'coarse')).toEqual(blockOf('10.0.0.0/26'));
    expect(partOf(blockOf('10.0.0.0/24'), value, 'coarse')).toBeUndefined();
  });

  test('opens in detail where a cell is more than one address', () => {
    const { value } = addressOf('10.0.0.37');
    expect(partOf(blockOf('10.0.0.0/23'), value, 'fine')).toBeUndefined();
    expect(partOf(blockOf('10.0.0.0/22'), value, 'fine')).toBeUndefined();
    expect(partOf(blockOf('10.0.0.0/21'), value, 'fine')).toEqual(blockOf('10.0.0.32/27'));
    expect(partOf(blockOf('10.0.0.0/20'), value, 'fine')).toEqual(blockOf('10.0.0.32/28'));
  });

  test('has as many addresses as its range', () => {
    const range = parseRange('10.0.0.0/12');
    const cells = cellsOf(
      spaceOf({ range: '10.0.0.0/12' }),
      blockOf('10.0.0.0/12'),
      'fine',
    ).rows.flat();
    const usable = cells.reduce((sum, one) => sum + one.usable, 0n);
    expect(usable).toBe(isRange(range) && rangeSize(range));
  });
});
