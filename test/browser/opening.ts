import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axeCore from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { pageHtml } from '../../src/features/page/page-html.ts';
import type { Picture } from '../../src/features/page/picture-answer.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** The browser of the machine: $CHROMIUM, or one that is found in PATH; undefined when there is none. */
function browserPath(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env;
  const folders = PATH.split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...(CHROMIUM ? [CHROMIUM] : []), ...found].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The browser of the machine; without one, no page is tested. */
export const executablePath = browserPath();
if (!executablePath)
  console.log(
    'no Chromium, so the page is not tested: apt-get install chromium, or set CHROMIUM to the path of one',
  );

/** Starts a browser, which whoever asks closes. */
export function startBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: executablePath ?? '', args });
}

/** A page that was opened, and all that it did and must not: errors, breaches of its policy, requests. */
export interface Opened {
  readonly page: Page;
  readonly faults: string[];
}

/** How a page is opened. */
export interface Opening {
  /** What is shown before the whole picture. */
  readonly first?: Picture;
  readonly before?: Picture;
  readonly plan?: { readonly verdict: string; readonly summary: string };
  readonly dark?: boolean;
  readonly width?: number;
  /** What stands behind the file's name. */
  readonly hash?: string;
}

/** Opens pages of files, in one browser for a group of tests. */
export function pageOpener(): (picture: Picture, more?: Opening) => Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-page-'));
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return async (picture, more = {}) => {
    const script = readFileSync('build/page/page.js', 'utf8');
    const { first, before, plan, dark = false, width = 1280, hash = '' } = more;
    const file = join(folder, 'page.html');
    writeFileSync(
      file,
      pageHtml({
        picture,
        script,
        ...(first && { first }),
        ...(before ? { before } : {}),
        ...(plan ? { plan } : {}),
      }),
    );
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
      addEventListener('securitypolicyviolation', (event) =>
        console.error(event.violatedDirective),
      );
    });
    await page.goto(`${pathToFileURL(file).href}${hash}`);
    return { page, faults };
  };
}

/** What axe calls serious or critical. It is put in by the debugger, which no policy binds. */
export async function seriousOf(page: Page): Promise<unknown> {
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

/** What the element with the focus is called. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
}
