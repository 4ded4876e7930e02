import { describe, expect, test } from 'vitest';
import type { Picture } from '../../src/features/page/picture-answer.ts';
import { hostnameAt, pictured } from '../support/page/picture.ts';
import { executablePath, type Opening, pageOpener, seriousOf } from './opening.ts';

const made = pictured([
  { pool: 'lab', range: '203.0.113.0/24', held: 60, reserved: ['203.0.113.0-203.0.113.1'] },
  { pool: 'six', range: '2001:db8:30::/64', held: 20 },
]);
const usual: Picture = {
  ...made,
  repository: 'ips',
  hostnames: [hostnameAt('shop.example.org')],
  past: {
    ...(made.past as NonNullable<Picture['past']>),
    pools: pictured([{ pool: 'lab', range: '203.0.113.0/28', held: 0 }]).pools,
    poolFiles: [{ from: '2026-01-01', pools: [0] }],
  },
};
const problem = { code: 'PORT_TAKEN', message: 'port 443/TCP is declared twice' };
const firstProblems = [{ ...problem, file: 'leases/shop/api.yaml', line: 12 }];
const full = pictured([{ pool: 'lab', range: '203.0.113.0/28', held: 16 }]);
/** More is in use than the pool has: it was shrunk. */
const overfull: Picture = {
  ...full,
  pools: full.pools.map((pool) => ({
    ...pool,
    families: pool.families.map((usage) => ({ ...usage, ranges: ['203.0.113.0/29'], total: '8' })),
  })),
};

const states: readonly (readonly [name: string, picture: Picture, opening?: Opening])[] = [
  ['in light', usual],
  ['in dark', usual, { dark: true }],
  ['of an empty workspace', pictured([])],
  ['with problems', { ...usual, problems: 3, firstProblems, stale: 'since yesterday' }],
  ['with a search that has hits', usual, { hash: '#q=owner1' }],
  ['with a search that has none', usual, { hash: '#q=nowhere', dark: true }],
  ['with an opened holder', usual, { hash: `#${made.records[1]?.address}` }],
  ['on an earlier day', usual, { hash: '#203.0.113.4&day=2026-01-02' }],
  ['of an overfull pool', overfull, { dark: true }],
  ['on a narrow phone', usual, { width: 320, hash: `#${made.records[1]?.address}&q=a` }],
];

describe.skipIf(!executablePath)('axe finds nothing serious on the page', () => {
  const opened = pageOpener();

  test('of which ten states are played', () => {
    expect(new Set(states.map(([name]) => name)).size).toBe(10);
  });

  test.each(states.map(([name]) => name))('%s', async (name) => {
    const [, picture, opening] = states.find(([own]) => own === name) ?? ['', usual];
    const { page, faults } = await opened(picture, opening);
    expect(await seriousOf(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('and it can fail: a button without a name is found', async () => {
    const { page } = await opened(usual);
    await page.evaluate(() => document.body.append(document.createElement('button')));
    expect(await seriousOf(page)).toEqual([expect.stringMatching(/^button-name: /)]);
  });
});
