import { describe, expect, test } from 'vitest';
import type { LiveFacts } from '../../../../../src/core/manifests/live-facts.ts';
import {
  compareLivePools,
  livePoolsIn,
  poolMoves,
} from '../../../../../src/core/run/synth/live-pools.ts';

const pools = (path: string, entries: Readonly<Record<string, string>>) => {
  const services = { families: new Map(), nodePorts: new Map(), classes: new Map() };
  const none = {
    ...services,
    healthChecks: new Map(),
    pins: new Map(),
    sharers: new Map(),
    layout: undefined,
    plane: undefined,
  };
  const facts: LiveFacts = { ...none, pools: new Map(Object.entries(entries)) };
  return livePoolsIn(path, facts);
};

const live = [
  ...pools('dist/default/b.yaml', { '203.0.113.16/28': 'b', '2001:db8::/64': 'b' }),
  ...pools('dist/default/a.yaml', { '203.0.113.0-203.0.113.9': 'a', '203.0.113.12/32': 'a' }),
].sort(compareLivePools);

const moves = (name: string, range: string) =>
  pools('dist/default/new.yaml', { [range]: name })
    .flatMap((pool) => poolMoves(live, pool, 'metallb'))
    .map(({ at }) => at.file);

describe('an address that goes from one pool to another', () => {
  test.each([
    ['203.0.113.9/32', 'dist/default/a.yaml'],
    ['203.0.113.10-203.0.113.12', 'dist/default/a.yaml'],
    ['203.0.113.31-203.0.113.40', 'dist/default/b.yaml'],
    ['2001:db8::7/128', 'dist/default/b.yaml'],
  ])('%s is in a live pool of another name', (range, file) => {
    expect(moves('new', range)).toEqual([file]);
  });

  test('can leave its pool without a lease that ends', () => {
    const [move] = pools('dist/default/new.yaml', { '203.0.113.9/32': 'new' }).flatMap((pool) =>
      poolMoves(live, pool, 'metallb'),
    );
    expect(move?.hint).toContain('with holders, make it after `leasehold migrate-layout lease`');
  });

  test('every overlapped live pool is named', () => {
    expect(moves('new', '203.0.113.0/24')).toEqual([
      'dist/default/a.yaml',
      'dist/default/a.yaml',
      'dist/default/b.yaml',
    ]);
  });

  test.each([
    '203.0.113.10/31',
    '203.0.113.13-203.0.113.15',
    '203.0.113.32/32',
    '2001:db8:0:1::/64',
  ])('%s is in no live pool', (range) => {
    expect(moves('new', range)).toEqual([]);
  });

  test('a pool may grow, shrink and keep its name', () => {
    expect(moves('a', '203.0.113.0/28')).toEqual([]);
    expect(moves('b', '203.0.113.16/29')).toEqual([]);
  });
});
