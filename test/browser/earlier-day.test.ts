import { describe, expect, test } from 'vitest';
import type { Picture } from '../../src/features/page/picture-answer.ts';
import { pictured } from '../support/page/picture.ts';
import { executablePath, pageOpener, seriousOf } from './opening.ts';

const now = pictured([{ pool: 'lab', range: '203.0.113.0/24', held: 5 }]);
const then = pictured([
  { pool: 'lab', range: '203.0.113.0/28', held: 0 },
  { pool: 'gone', range: '192.0.2.0/28', held: 0 },
]);
const picture: Picture = {
  ...now,
  past: {
    ...(now.past as NonNullable<Picture['past']>),
    pools: [...then.pools, ...now.pools],
    poolFiles: [
      { from: '2026-01-01', pools: [0, 1] },
      { from: '2026-05-01', pools: [2] },
    ],
  },
};

describe.skipIf(!executablePath)('an earlier day', () => {
  const opened = pageOpener();

  test('has its pools: a smaller one, and one that is gone now', async () => {
    const { page, faults } = await opened(picture, { hash: '#192.0.2.7' });
    const pools = page.locator('#pools li');
    expect(await page.locator('#address dl').textContent()).toBe('Statein no pool');
    expect(await page.locator('.grid .cell').count()).toBe(256);
    await page.locator('#day').fill('1');
    await page.getByText('On 2026-01-02').waitFor();
    expect(await page.locator('.grid .cell').count()).toBe(16);
    expect(await pools.allInnerTexts()).toEqual([
      expect.stringMatching(/^lab IPv4[\s\S]*of 16 in use/),
      expect.stringMatching(/^gone IPv4[\s\S]*0 of 16 in use/),
    ]);
    expect(await page.locator('#address dl').textContent()).toBe('StatefreePoolgoneZonedc1');
    expect(await seriousOf(page)).toEqual([]);
    await page.locator('#day').fill('2');
    await page.getByText('On 2026-05-01').waitFor();
    expect(await pools.count()).toBe(1);
    expect(await page.locator('.grid .cell').count()).toBe(256);
    await page.getByRole('button', { name: 'Now' }).click();
    expect(await page.locator('.verdict').textContent()).not.toContain('On ');
    expect(faults).toEqual([]);
  });
});
