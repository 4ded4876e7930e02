import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Picture } from '../../src/features/page/picture-answer.ts';
import { hostnameAt, pictured } from '../support/page/picture.ts';
import { executablePath, pageOpener } from './opening.ts';

const town = pictured([
  { pool: 'lab', range: '203.0.113.0/24', held: 100 },
  { pool: 'six', range: '2001:db8:30::/64', held: 20 },
]);
const named: Picture = {
  ...town,
  hostnames: [hostnameAt('shop.example.org'), hostnameAt('blog.example.org')],
};

const found = (page: Page) => page.locator('.find [role=status]');
const items = (page: Page) => found(page).locator('li').allInnerTexts();
const titleOfPart = (page: Page) => page.locator('#address h3').textContent();

describe.skipIf(!executablePath)('the search of the page', () => {
  const opened = pageOpener();

  test.each([320, 390, 780, 1920])('is on the first screen, %i pixels wide', async (width) => {
    const { page } = await opened(town, { width });
    const box = await page.locator('header #search').boundingBox();
    expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThan(200);
    expect(box?.width).toBeGreaterThan(width === 320 ? 200 : 250);
    expect(await page.getByLabel('Search').getAttribute('placeholder')).toBe('/ or Ctrl K');
    expect(await page.locator('#search-hint').innerText()).toMatch(/^By address, block, hostname/);
  });

  test.each(['/', 'Control+k', 'Meta+k'])('is reached with %s, from below', async (keys) => {
    const { page } = await opened(town);
    await page.locator('#leases tbody button').last().focus();
    await page.keyboard.press(keys);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('search');
    expect(await page.locator('#search').inputValue()).toBe('');
  });

  test('names the first hits, which open, and reads them aloud once', async () => {
    const { page, faults } = await opened(named);
    await page.fill('#search', 'example.org');
    expect(await found(page).locator('p').innerText()).toBe('0 addresses and 2 hostnames found');
    const texts = await items(page);
    expect(texts.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'shop.example.org lab/namespace/shop',
      'blog.example.org lab/namespace/shop',
    ]);
    expect(await page.locator('#leases [role=status]').getAttribute('aria-live')).toBe('off');
    expect(await page.locator('#search-hint').isHidden()).toBe(true);
    await page.getByRole('button', { name: 'blog.example.org' }).click();
    expect(await titleOfPart(page)).toBe('blog.example.org');
    await page.fill('#search', 'owner7-');
    expect(await items(page)).toHaveLength(3);
    await page.getByRole('button', { name: 'Expiring' }).click();
    expect(await page.locator('#leases [role=status]').getAttribute('aria-live')).toBe('polite');
    expect(faults).toEqual([]);
  });

  test('with Enter opens its only hit, or leads to the list that has them all', async () => {
    const { page } = await opened(named);
    await page.fill('#search', 'shop.example');
    await page.locator('#search').press('Enter');
    expect(await titleOfPart(page)).toBe('shop.example.org');
    await page.fill('#search', 'lab');
    expect((await items(page)).at(-1)).toBe('Show all in the list');
    expect(await items(page)).toHaveLength(6);
    await page.locator('#search').press('Enter');
    await expect
      .poll(async () => (await page.locator('#leases').boundingBox())?.y)
      .toBeLessThan(450);
    await page.fill('#search', 'namespace/shop');
    await page.locator('#search').press('Enter');
    expect(await page.locator('#leases tbody tr').count()).toBe(2);
    expect(page.url()).toContain('list=hostnames');
  });

  test('says that filters are set, and Clear keeps the focus beside them', async () => {
    const { page } = await opened(named, { hash: '#state=retained' });
    await page.fill('#search', 'owner1-');
    expect(await found(page).locator('p').innerText()).toMatch(/found within the filters$/);
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(await page.inputValue('#search')).toBe('');
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Filter by state');
  });
});
