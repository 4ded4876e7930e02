import { describe, expect, test } from 'vitest';
import type { Picture } from '../../src/features/page/picture-answer.ts';
import { hostnameAt, pictured } from '../support/page/picture.ts';
import { executablePath, pageOpener } from './opening.ts';

const long = 'a-pool-whose-name-says-where-it-is-and-what-it-is-for';
const made = pictured([
  { pool: long, range: '203.0.113.0/24', held: 60, reserved: ['203.0.113.0-203.0.113.1'] },
  { pool: 'six', range: '2001:db8:30::/64', held: 20 },
]);
const name = `${'a-long-label.'.repeat(8)}example.org`;
const picture: Picture = {
  ...made,
  repository: 'infra/addresses-of-all-our-clusters',
  hostnames: [hostnameAt(name)],
};
const lists = ['leases', 'hostnames', 'free', 'owners', 'expiring'];

describe.skipIf(!executablePath)('the page', () => {
  const opened = pageOpener();

  test.each([320, 390, 780, 1280, 1920])(
    '%i pixels wide is not scrolled sideways',
    async (width) => {
      for (const list of lists) {
        const { page } = await opened(picture, { width, hash: `#${name}&list=${list}&q=a` });
        const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
        expect([list, await wide()]).toEqual([list, width]);
        await page.getByRole('button', { name: 'By owner' }).click();
        expect([list, 'owners', await wide()]).toEqual([list, 'owners', width]);
        await page.context().close();
      }
      const compared = await opened(picture, { width, before: { ...picture, records: [] } });
      expect(await compared.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    },
  );

  test.each([1920, 3000])('%i pixels wide uses all of it', async (width) => {
    const { page } = await opened(picture, { width });
    const box = await page.locator('#pools').boundingBox();
    expect(box?.width).toBeGreaterThan(width - 100);
    const parts = await page.locator('.beside > section').all();
    const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
    const right = Math.max(...boxes.map((one) => (one?.x ?? 0) + (one?.width ?? 0)));
    expect(right).toBeGreaterThan(width - 100);
  });

  test('has the forecast of a pool beside the pool', async () => {
    const { page } = await opened(picture);
    const first = page.locator('#pools li').first();
    expect(await first.locator('.chart').isVisible()).toBe(true);
    expect(await first.locator('summary').textContent()).toContain('none from 2027-07-05');
    await first.locator('summary').click();
    expect(await first.locator('.chart').isVisible()).toBe(false);
  });

  test('prints the map with its names', async () => {
    const { page } = await opened(picture);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 718, height: 900 });
    expect(await page.locator('.map-name').textContent()).toBe(`${long}: 203.0.113.0/24`);
    expect(await page.locator('.map-name').isVisible()).toBe(true);
    expect(await page.locator('.rowhead').last().isVisible()).toBe(true);
    expect(await page.locator('.colhead').last().isVisible()).toBe(true);
    expect(await page.locator('.legend').isVisible()).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(718);
  });
});
