import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { commitLeases, holderOf, twoLeases } from '../support/repositories/two-leases.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { type ServedProgram, startServe } from '../support/serve/served-program.ts';
import { putFile } from '../support/trees/temp-tree.ts';
import { executablePath, seriousOf, startBrowser } from './opening.ts';

let browser: Browser;
let program: BuiltProgram;

/** `leasehold serve` as a process, once it has something to serve. */
async function serve(root: string, listen: string, ...options: string[]): Promise<ServedProgram> {
  const served = await listening(root, listen, ...options);
  await served.ready();
  return served;
}

/** `leasehold serve` as a process, once it listens. */
function listening(root: string, listen: string, ...options: string[]): Promise<ServedProgram> {
  return startServe(program.cli, root, '--listen', listen, ...options);
}

/** What waits until it is opened. */
function gate(): { readonly isOpen: Promise<void>; open(): void } {
  let open = (): void => {};
  const isOpen = new Promise<void>((opened) => {
    open = opened;
  });
  return { isOpen, open };
}

/** A page, the breaches of its policy with what it asked for elsewhere, and the paths that it asked its server for. */
async function opened(
  url: string,
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<{ page: Page; breaches: string[]; asked: string[] }> {
  const page = await (await browser.newContext()).newPage();
  await prepare(page);
  onTestFinished(() => page.context().close());
  const breaches: string[] = [];
  const paths: string[] = [];
  page.on('console', (message) => {
    if (message.text().startsWith('breach')) breaches.push(message.text());
  });
  page.on('pageerror', (error) => breaches.push(error.message));
  page.on('request', (request) => {
    const asked = new URL(request.url());
    paths.push(asked.pathname);
    if (asked.protocol !== 'data:' && asked.origin !== url) breaches.push(request.url());
  });
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) =>
      console.error(`breach of ${event.violatedDirective}`),
    );
  });
  await page.goto(url);
  return { page, breaches, asked: paths };
}

const patient = { timeout: 30_000 };

describe.skipIf(!executablePath)('the served page', () => {
  beforeAll(async () => {
    program = buildProgram();
    browser = await startBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    program?.remove();
  });

  test('shows what is new and keeps the search, marks what is stale and a server that is gone', async () => {
    const repository = await twoLeases();
    repository.git('remote', 'add', 'origin', 'https://me:word@git.example.com/infra/ips.git/');
    const running = await serve(repository.root, '127.0.0.1:0');
    const { page, breaches } = await opened(running.url);
    const stale = page.locator('header .note.stale');
    const lost = page.locator('.server .note.stale');
    const rows = page.locator('#leases tbody tr');
    await rows.first().waitFor(patient);
    expect(await rows.count()).toBe(1);
    await page.getByText(/\(UTC\)$/).waitFor(patient);
    await page.fill('#search', 'akash');
    const cell = page.locator('.grid [tabindex="0"]');
    await cell.focus();
    await page.keyboard.press('End');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    const last = await focused();
    expect(last).toMatch(/^203\.0\.113\.15: /);

    await rows.getByRole('button').first().click();
    await cell.focus();
    await page.keyboard.press('End');
    const readAloud = await page.evaluateHandle(() => {
      const places: string[] = [];
      const spy = new MutationObserver((changes) => {
        for (const { target } of changes) places.push((target as Element).className);
      });
      for (const part of document.querySelectorAll('[aria-live=polite], .server [role=status]'))
        spy.observe(part, { childList: true, subtree: true, characterData: true });
      return places;
    });
    await commitLeases(repository, 'dan');
    await rows.nth(1).waitFor(patient);
    expect(await page.inputValue('#search')).toBe('akash');
    expect(await focused()).toBe(last);
    expect(await readAloud.jsonValue(), 'nothing is read aloud that did not change').toEqual([]);
    const ofDan = page.locator('#leases tr.arrived', {
      has: page.locator(`[title="${holderOf('dan')}"]`),
    });
    expect(await ofDan.count()).toBe(1);
    const arrived = page.locator('header .note.arrived');
    expect(await arrived.textContent()).toContain('New: 1 allocated');
    expect(await page.locator('.grid .cell.changed').count()).toBe(1);
    await arrived.getByRole('button', { name: 'Clear the marks' }).click();
    expect(await page.locator('.grid .cell.changed').count()).toBe(0);

    putFile(repository.root, 'leases/pools.yaml', 'kind: Pools\n');
    await stale.waitFor(patient);
    expect(await stale.textContent()).toMatch(/since .*leases\/pools\.yaml:\d+, [A-Z_]+/);
    expect(await rows.count()).toBe(2);
    repository.git('checkout', '-q', '--', 'leases/pools.yaml');
    await stale.waitFor({ state: 'detached', ...patient });

    expect(await lost.isHidden()).toBe(true);
    const state = await page.title();
    expect(state).toMatch(/^default IPv4 \d+ % · ips – leasehold$/);
    await running.stop();
    await lost.waitFor(patient);
    expect(await page.title()).toBe(`connection lost · ${state}`);
    expect(await lost.textContent()).toMatch(
      /is lost since \d\d:\d\d:\d\d: what is shown may be old/,
    );
    await serve(repository.root, new URL(running.url).host);
    await lost.waitFor({ state: 'hidden', ...patient });
    expect(await page.title()).toBe(state);
    expect(await page.inputValue('#search')).toBe('akash');
    expect(breaches).toEqual([]);
  });

  test('shows the first rows of a large picture before the rest and the histories are there', async () => {
    const repository = await twoLeases();
    const { url } = await serve(repository.root, '127.0.0.1:0');
    const gates = { rest: gate(), past: gate() };
    const { page, breaches } = await opened(url, async (page) => {
      await page.route('**/api/v1/picture/first', async (route) => {
        const answer = await route.fetch();
        const json = { ...(await answer.json()), holders: [], partial: true };
        await route.fulfill({ json, headers: { etag: '"first"' } });
      });
      for (const [path, waits] of [
        ['picture', gates.rest],
        ['picture/past', gates.past],
      ] as const)
        await page.route(`**/api/v1/${path}`, async (route) => {
          await waits.isOpen;
          await route.continue();
        });
    });
    const row = page.locator('#leases tbody tr');
    const head = page.locator('header .state');
    await row.waitFor(patient);
    expect(await head.textContent()).toContain('The rest is loading');
    expect(await page.locator('.pools').textContent()).toContain('no forecast without the history');
    expect(await page.locator('.verdict.ample').count()).toBe(0);
    await row.getByRole('button').first().click();
    await page.fill('#search', 'akash');
    expect(await seriousOf(page)).toEqual([]);
    gates.rest.open();
    await row.getByText('web').waitFor(patient);
    expect(await head.textContent()).toContain('The rest is loading');
    gates.past.open();
    await page.locator('.history li').waitFor(patient);
    expect(await head.textContent()).not.toContain('loading');
    expect(await page.locator('.verdict.ample').count()).toBe(1);
    expect(await page.locator('tr.arrived').count()).toBe(0);
    expect(await page.inputValue('#search')).toBe('akash');
    expect(breaches).toEqual([]);
  });

  test('says why there is nothing yet, and fills itself with one load of the data when it comes', async () => {
    const repository = await twoLeases();
    putFile(repository.root, 'leases/pools.yaml', 'kind: Pools\n');
    const { url } = await listening(repository.root, '127.0.0.1:0');
    const { page, breaches, asked } = await opened(url);
    await page.getByText('Nothing to show yet').waitFor(patient);
    await page.locator('.problems li').first().waitFor(patient);
    expect(await page.locator('.problems').textContent()).toMatch(
      /leases\/pools\.yaml:\d+:\d+, [A-Z_]+/,
    );
    expect(await page.locator('h1').count()).toBe(1);
    expect(await seriousOf(page)).toEqual([]);
    repository.git('checkout', '-q', '--', 'leases/pools.yaml');
    await page.locator('#leases tbody tr').first().waitFor(patient);
    expect(await page.getByText('Nothing to show yet').count()).toBe(0);
    expect(await page.locator('h1').count()).toBe(1);
    expect(asked.filter((path) => path === '/api/v1/picture')).toEqual(['/api/v1/picture']);
    expect(breaches).toEqual([]);
  });

  test('of a server with listeners enough shows what there is all the same', async () => {
    const repository = await twoLeases();
    const { url } = await serve(repository.root, '127.0.0.1:0');
    const { page, breaches } = await opened(url, (page) =>
      page.route('**/api/v1/events', (route) => route.fulfill({ status: 503 })),
    );
    await page.locator('#leases tbody tr').first().waitFor(patient);
    expect(await page.locator('.server').textContent()).toBe('');
    await commitLeases(repository, 'dan');
    await page.locator('#leases tbody tr').nth(1).waitFor(patient);
    expect(await page.locator('.server').textContent()).toBe('');
    expect(breaches).toEqual([]);
  });

  test('asks for the token again when the server has another one, and goes on where it was', async () => {
    const repository = await twoLeases();
    const file = join(repository.root, '.leasehold-token');
    writeFileSync(file, 'a-secret-of-ours\n');
    const running = await serve(repository.root, '127.0.0.1:0', '--token-file', file);
    const { page, breaches } = await opened(running.url);
    await page.fill('#token', 'a-secret-of-ours');
    await page.keyboard.press('Enter');
    await page.locator('#leases tbody tr').first().waitFor(patient);
    await page.fill('#search', 'akash');
    await running.stop();
    writeFileSync(file, 'the-next-secret\n');
    await serve(repository.root, new URL(running.url).host, '--token-file', file);
    await page.getByText('The server no longer accepts the token of this page').waitFor(patient);
    expect(await page.locator('#leases tbody tr').count()).toBe(1);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('search');
    expect(await seriousOf(page)).toEqual([]);
    await page.fill('#token', 'the-next-secret');
    await page.keyboard.press('Enter');
    await page.locator('#token').waitFor({ state: 'detached', ...patient });
    expect(await page.locator('.server .note').count()).toBe(0);
    expect(await page.inputValue('#search')).toBe('akash');
    await page.reload();
    await page.locator('#leases tbody tr').first().waitFor(patient);
    expect(breaches).toEqual([]);
  });

  test('of a guarded server says nothing until it has the token, and keeps it in its tab', async () => {
    const repository = await twoLeases();
    const file = join(repository.root, '.leasehold-token');
    writeFileSync(file, 'a-secret-of-ours\n');
    const { url } = await serve(repository.root, '127.0.0.1:0', '--token-file', file);
    const { page, breaches } = await opened(url);
    expect(await page.content()).not.toContain('203.0.113');
    await page.fill('#token', 'another-one');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('The server does not accept this token.').waitFor(patient);
    await page.fill('#token', 'a-secret-of-ours');
    await page.keyboard.press('Enter');
    await page.locator('#leases tbody tr').first().waitFor(patient);
    await commitLeases(repository, 'dan');
    await page.locator('#leases tbody tr').nth(1).waitFor(patient);
    await page.reload();
    await page.locator('#leases tbody tr').nth(1).waitFor(patient);
    expect(page.url()).not.toContain('secret');
    expect(breaches).toEqual([]);
    const other = await opened(url);
    await other.page.locator('#token').waitFor(patient);
    expect(await other.page.locator('#leases').count()).toBe(0);
  });
});
