import { describe, expect, test } from 'vitest';
import type { Picture } from '../../src/features/page/picture-answer.ts';
import { pictured } from '../support/page/picture.ts';
import { runInProcess } from '../support/run/run-in-process.ts';
import { executablePath, focused, pageOpener, seriousOf } from './opening.ts';

const three = pictured([
  { pool: 'lab', range: '203.0.113.0/24', held: 100, reserved: ['203.0.113.0-203.0.113.1'] },
  { pool: 'big', range: '10.0.0.0/12', held: 200 },
  { pool: 'six', range: '2001:db8:30::/64', held: 20 },
]);
/** The picture of the shipped example. */
async function shippedExample(): Promise<Picture> {
  const argv = ['report', '-o', 'json', '--no-history', '--today', '2026-11-21'];
  return JSON.parse((await runInProcess(argv, process.cwd())).out);
}
const town = pictured([{ pool: 'big', range: '10.0.0.0/12', held: 10_000 }]);

describe.skipIf(!executablePath)('the page', () => {
  const opened = pageOpener();

  test('loads without an error, a breach of its policy, or a request', async () => {
    const { page, faults } = await opened(three);
    expect(await page.locator('.pools li').count()).toBe(3);
    expect(await page.locator('.grid .cell').count()).toBe(256);
    expect(faults).toEqual([]);
  });

  test('of a large picture that comes in parts has in the end all of it', async () => {
    const first: Picture = { ...town, holders: [], partial: true };
    const { page, faults } = await opened(town, { first });
    await page.locator('#leases tbody tr').first().getByText('web').waitFor();
    await page.locator('#leases tbody').getByRole('button').first().click();
    await page.locator('.history li').first().waitFor();
    expect(await page.locator('header .state').textContent()).not.toContain('loading');
    expect(faults).toEqual([]);
  });

  test('an injected script is blocked and reported: the check for faults can fail', async () => {
    const { page, faults } = await opened(three);
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.isIn = true';
      document.body.append(script);
    });
    expect(await page.evaluate(() => 'isIn' in globalThis)).toBe(false);
    expect(faults.join()).toContain('script-src');
  });

  test('is walked by keys: in to a block, to an address, and out again', async () => {
    const { page, faults } = await opened(three);
    await page.selectOption('#map-block', { index: 1 });
    await page.locator('.grid [tabindex="0"]').focus();
    await page.keyboard.press('Control+Home');
    expect(await focused(page)).toMatch(/^10\.0\.0\.0\/22: /);
    await page.keyboard.press('ArrowRight');
    const block = await focused(page);
    expect(block).not.toMatch(/^10\.0\.0\.0\/22: /);
    await page.keyboard.press('Enter');
    expect(await page.locator('.grid .cell').count()).toBe(1024);
    expect(await focused(page)).toMatch(/^10\.\d+\.\d+\.\d+: /);
    await page.keyboard.press('Enter');
    expect(await page.locator('#address h3').textContent()).toMatch(/^10\./);
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe(block);
    expect(faults).toEqual([]);
  });

  test('the address of a link has a ring on the map, and so has one that is selected after it', async () => {
    const { page } = await opened(three, { hash: '#203.0.113.7' });
    const ringed = page.locator('.grid [aria-selected=true]');
    const ring = () =>
      ringed.evaluateAll((all) => all.map((one) => getComputedStyle(one).boxShadow));
    expect(await ringed.getAttribute('aria-label')).toMatch(/^203\.0\.113\.7: /);
    expect(await ring()).toEqual([expect.stringContaining('rgb')]);
    await page.locator('.grid .cell.held').nth(9).click();
    expect(await ringed.getAttribute('aria-label')).not.toMatch(/^203\.0\.113\.7: /);
    expect(await ring()).toEqual([expect.stringContaining('rgb')]);
  });

  test('the selected cell of a curve is above the names of its blocks', async () => {
    const { page } = await opened(town, { hash: '#10.0.0.104' });
    const cell = page.locator('.grid [aria-selected=true]');
    const level = (name: string) =>
      page.locator(name).evaluate((one) => Number(getComputedStyle(one).zIndex));
    expect(await cell.getAttribute('aria-label')).toMatch(/^10\.0\.0\.104: /);
    expect(await level('.grid [aria-selected=true]')).toBeGreaterThan(await level('.lines'));
  });

  test('only one cell of a map is in the order of Tab', async () => {
    const { page } = await opened(three);
    await page.locator('.grid .cell').nth(40).click();
    expect(await page.locator('.grid [tabindex="0"]').count()).toBe(1);
  });

  test('an IPv6 map goes from what is used to one address in two steps', async () => {
    const { page } = await opened(three);
    await page.selectOption('#map-block', { index: 2 });
    await page.locator('.grid .cell.held').first().click();
    expect(await page.locator('.grid .cell.held').count()).toBeGreaterThan(0);
    await page.locator('.grid .cell.held').first().click();
    expect(await page.locator('#address h3').textContent()).toMatch(/^2001:db8:30:/);
  });

  test.each([
    ['203.0.113.0/28', /^\d found Show 203\.0\.113\.0\/28 on the map 203\.0\.113\.2 /],
    ['akash1owner7-', /found/],
    ['tenant-203011316/web', /^1 address found 203\.0\.113\.16 lab\/akash1owner/],
    ['no such thing', /^0 addresses found$/],
  ])('a search for %s finds what it means', async (text, found) => {
    const { page } = await opened(three);
    await page.fill('#search', text);
    const said = (await page.locator('.find [role=status]').innerText()).replace(/\s+/g, ' ');
    expect(
      said.replace(/addresses found/, (words) => (said.startsWith('0') ? words : 'found')),
    ).toMatch(found);
  });

  test('10,000 leases stay few nodes, at the start and while somebody types', async () => {
    const { page, faults } = await opened(town);
    const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);
    expect(await nodes()).toBeLessThan(3000);
    await page.locator('#search').pressSequentially('owner7');
    expect(await page.locator('tbody tr').count()).toBe(100);
    expect(await nodes()).toBeLessThan(3000);
    expect(faults).toEqual([]);
  });

  test('a map of as many cells keeps their nodes: zoomed, in other colors, and back', async () => {
    const { page, faults } = await opened(town);
    const cells = page.locator('.grid .cell');
    const labels = () => cells.evaluateAll((all) => all.map((one) => one.ariaLabel));
    const whole = await labels();
    await cells.evaluateAll((all) => {
      for (const one of all) one.setAttribute('data-kept', '');
    });
    const kept = page.locator('.grid .cell[data-kept]');
    await page.locator('.grid .cell.held').first().click();
    expect(await kept.count()).toBe(1024);
    expect((await labels())[0]).toMatch(/^10\.0\.\d+\.\d+: /);
    expect(await focused(page)).toMatch(/^10\.0\.\d+\.\d+: held by /);
    expect(await page.locator('.tip strong').textContent()).toMatch(/^10\.0\.\d+\.\d+$/);
    await page.getByRole('button', { name: 'By owner' }).click();
    expect(await kept.count()).toBe(1024);
    await page.getByRole('button', { name: 'By state' }).click();
    await page.locator('.grid [tabindex="0"]').focus();
    await page.keyboard.press('Escape');
    expect(await kept.count()).toBe(1024);
    expect(await labels()).toEqual(whole);
    expect(await page.locator('.grid [tabindex="0"]').count()).toBe(1);
    expect(await page.locator('.lines').count()).toBe(1);
    expect(faults).toEqual([]);
  });

  test('a cell that is pointed at changes at once: a transition paints the map for every frame', async () => {
    const { page } = await opened(three);
    const cell = page.locator('.grid .cell.held').first();
    await cell.hover();
    expect(await page.locator('.tip').isVisible()).toBe(true);
    expect(await cell.evaluate((one) => getComputedStyle(one).transitionDuration)).toBe('0s');
  });

  test('the buttons between pages of a list keep the focus', async () => {
    const { page } = await opened(pictured([{ pool: 'lab', range: '10.0.0.0/20', held: 250 }]));
    const text = () => page.evaluate(() => document.activeElement?.textContent);
    await page.getByRole('button', { name: 'Next' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('#leases [role=status]').textContent()).toContain('page 2 of 3');
    expect(await text()).toBe('Next');
    await page.keyboard.press('Enter');
    expect(await text(), 'there is no page after the last one').toBe('Previous');
    await page.fill('#search', 'nothing');
    expect(await page.locator('.pager').isVisible()).toBe(false);
  });

  test.each([false, true])('axe finds nothing serious; dark: %s', async (dark) => {
    const { page } = await opened(three, { dark });
    expect(await seriousOf(page)).toEqual([]);
    await page.locator('.grid .cell.held').first().click();
    await page.fill('#search', 'owner7');
    expect(await seriousOf(page)).toEqual([]);
    await page.selectOption('#map-block', { index: 1 });
    expect(await seriousOf(page)).toEqual([]);
  });

  test.each([false, true])(
    'axe finds nothing serious in the shipped example; dark: %s',
    async (dark) => {
      const example = await shippedExample();
      const { page } = await opened(example, { dark });
      expect(await seriousOf(page)).toEqual([]);
      const before = { ...example, records: example.records.slice(1) };
      const compared = await opened(example, { before, dark });
      expect(await compared.page.locator('.changes li').count()).toBe(1);
      expect(await seriousOf(compared.page)).toEqual([]);
    },
  );

  test('the button turns light into dark and back', async () => {
    const { page } = await opened(three);
    const color = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await color();
    await page.getByRole('button', { name: 'Dark' }).click();
    expect(await color()).not.toBe(light);
    const text = () => page.evaluate(() => getComputedStyle(document.body).color);
    const onScreen = await text();
    await page.emulateMedia({ media: 'print' });
    expect(await text(), 'dark text on paper').not.toBe(onScreen);
    await page.emulateMedia({ media: null });
    await page.getByRole('button', { name: 'Light' }).click();
    expect(await color()).toBe(light);
  });

  test('the map is walked to its edges and not over them, and Tab leads out of it', async () => {
    const { page } = await opened(three);
    await page.locator('.grid [tabindex="0"]').focus();
    for (const [key, at] of [
      ['Control+End', '203.0.113.255'],
      ['ArrowRight', '203.0.113.255'],
      ['ArrowDown', '203.0.113.255'],
      ['Home', '203.0.113.240'],
      ['ArrowLeft', '203.0.113.240'],
      ['PageUp', '203.0.113.0'],
      ['ArrowUp', '203.0.113.0'],
      ['End', '203.0.113.15'],
      ['PageDown', '203.0.113.255'],
      ['Control+Home', '203.0.113.0'],
      ['Escape', '203.0.113.0'],
    ] as const) {
      await page.keyboard.press(key);
      expect([key, (await focused(page)).split(': ')[0]]).toEqual([key, at]);
    }
    expect(await focused(page)).toBe('203.0.113.0: reserved');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[role=grid]'))).toBeNull();
  });

  test('a phone needs no scrolling to the side', async () => {
    const { page } = await opened(three, { width: 320 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      320,
    );
    const table = page.locator('#leases .scroll');
    expect(await table.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0);
    expect(await seriousOf(page)).toEqual([]);
  });

  test('before and after stand side by side, and what changed is marked and listed', async () => {
    const before = { ...three, records: three.records.slice(2) };
    const { page, faults } = await opened(three, { before });
    expect(await page.locator('[role=grid]').count()).toBe(2);
    expect(await page.locator('.changes li').count()).toBe(2);
    expect(await page.locator('.grid .changed').count()).toBe(4);
    expect(await seriousOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Dark' }).click();
    expect(await seriousOf(page), 'in the dark').toEqual([]);
    expect(faults).toEqual([]);
  });

  test('a pool that is removed has a map on both sides, on paper beside each other', async () => {
    const gone = pictured([{ pool: 'gone', range: '192.0.2.0/28', held: 3 }]);
    const { page, faults } = await opened(three, { before: gone });
    await page.selectOption('#map-block', { label: 'gone: 192.0.2.0/28 (3 changed)' });
    const [before, after] = [
      page.locator('[role=grid]').first(),
      page.locator('[role=grid]').nth(1),
    ];
    expect(await before.locator('.held').count()).toBe(3);
    expect(await after.locator('.outside').count()).toBe(16);
    expect(await page.locator('#changes').textContent()).toContain(
      'Pool gone is removed (192.0.2.0/28)',
    );
    expect(await page.locator('#pools').textContent()).toContain('removed');
    expect(await page.locator('.changed[data-sign="−"]').count()).toBe(6);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 718, height: 900 });
    const [left, right] = [await before.boundingBox(), await after.boundingBox()];
    expect(left?.y).toBe(right?.y);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide, 'nothing is cut off on paper').toBeLessThanOrEqual(718);
    expect(faults).toEqual([]);
  });

  test('with no pool, with no lease, and stale says so', async () => {
    const empty = await opened({ ...pictured([]), forecasts: [] });
    expect(await empty.page.locator('.verdict').textContent()).toBe('No pool is declared');
    expect(await empty.page.locator('#map').isVisible()).toBe(false);
    expect(await seriousOf(empty.page)).toEqual([]);
    const fresh = await opened(pictured([{ pool: 'lab', range: '203.0.113.0/24', held: 0 }]));
    await fresh.page.getByText('No address is recorded yet.').waitFor();
    expect(await seriousOf(fresh.page)).toEqual([]);
    const stale = await opened({ ...three, stale: 'since yesterday; a fault' }, { dark: true });
    expect(await stale.page.locator('.note.stale').textContent()).toMatch(
      /^Stale since yesterday; a fault\. /,
    );
    expect(await stale.page.locator('.verdict').textContent()).toMatch(/^Last known: /);
    expect(await seriousOf(stale.page)).toEqual([]);
    expect([...empty.faults, ...fresh.faults, ...stale.faults]).toEqual([]);
  });
});
