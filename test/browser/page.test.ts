import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axeCore from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Picture } from '../../src/model/picture.ts';
import { pageHtml } from '../../src/report/page/page-html.ts';
import { browserPath } from '../support/browser.ts';
import { nastyTexts } from '../support/nasty-texts.ts';
import { pictured } from '../support/pictured.ts';

const executablePath = browserPath();
if (!executablePath)
  console.log(
    'no Chromium, so the page is not tested: apt-get install chromium, or set CHROMIUM to the path of one',
  );
const folder = mkdtempSync(join(tmpdir(), 'leasehold-page-'));
let browser: Browser;

const three = pictured([
  { pool: 'lab', range: '203.0.113.0/24', held: 100, reserved: ['203.0.113.0-203.0.113.1'] },
  { pool: 'big', range: '10.0.0.0/12', held: 200 },
  { pool: 'six', range: '2001:db8:30::/64', held: 20 },
]);
const town = pictured([{ pool: 'big', range: '10.0.0.0/12', held: 10_000 }]);

/** A page that was opened, and all that it did and must not: errors, breaches of its policy, requests. */
interface Opened {
  readonly page: Page;
  readonly faults: string[];
}

async function opened(
  picture: Picture,
  more: { before?: Picture; dark?: boolean; width?: number } = {},
): Promise<Opened> {
  const script = readFileSync('build/page/page.js', 'utf8');
  const { before, dark = false, width = 1280 } = more;
  const file = join(folder, 'page.html');
  writeFileSync(file, pageHtml({ picture, script, ...(before ? { before } : {}) }));
  const context = await browser.newContext({
    colorScheme: dark ? 'dark' : 'light',
    viewport: { width, height: 900 },
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) faults.push(request.url());
  });
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => console.error(event.violatedDirective));
  });
  await page.goto(pathToFileURL(file).href);
  return { page, faults };
}

/** What axe calls serious or critical. It is put in by the debugger, which no policy binds. */
async function seriousOf(page: Page): Promise<unknown> {
  await page.evaluate(axeCore.source);
  return page.evaluate(async () => {
    const { axe: run } = globalThis as unknown as {
      axe: {
        run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations } = await run.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');

describe.skipIf(!executablePath)('the page', () => {
  beforeAll(async () => {
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    browser = await chromium.launch({ executablePath: executablePath ?? '', args });
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('loads without an error, a breach of its policy, or a request', async () => {
    const { page, faults } = await opened(three);
    expect(await page.locator('.pools li').count()).toBe(3);
    expect(await page.locator('.grid .cell').count()).toBe(256);
    expect(faults).toEqual([]);
  });

  test('a script that somebody puts in is stopped, and told of: the check of faults can fail', async () => {
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
    ['203.0.113.0/28', /^\d found$/],
    ['akash1owner7-', /found/],
    ['tenant-203011316/web', /^1 address found$/],
    ['no such thing', /^0 addresses found$/],
  ])('a search for %s finds what it means', async (text, found) => {
    const { page } = await opened(three);
    await page.fill('#search', text);
    const said = (await page.locator('#leases [role=status]').textContent()) ?? '';
    expect(
      said.replace(/addresses found$/, (words) => (said.startsWith('0') ? words : 'found')),
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

  test.each([false, true])('axe finds nothing serious; dark: %s', async (dark) => {
    const { page } = await opened(three, { dark });
    expect(await seriousOf(page)).toEqual([]);
    await page.locator('.grid .cell.held').first().click();
    await page.fill('#search', 'owner7');
    expect(await seriousOf(page)).toEqual([]);
    await page.selectOption('#map-block', { index: 1 });
    expect(await seriousOf(page)).toEqual([]);
  });

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
    expect(faults).toEqual([]);
  });

  test('what a tenant wrote is text, whatever it is', async () => {
    const hostile = [
      '</script><img src=x onerror=alert(1)>',
      '<!--<script>',
      '\u202Egnp.exe',
      '\u2028',
    ];
    for (const text of [...hostile, nastyTexts.join('')]) {
      const { page, faults } = await opened(
        pictured([{ pool: 'lab', range: '203.0.113.0/24', held: 8 }], text),
      );
      await page.locator('.grid .cell.held').first().click();
      expect(await page.locator('img').count()).toBe(0);
      expect(await page.locator('.claims li').first().textContent()).not.toMatch(/\p{Cf}|\p{Zl}/u);
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });
});
