// The page of `leasehold serve` and of `leasehold report` in a headless Chromium: time to the first rows, the longest task, frames
// a second while the list and the map are used, bytes, memory and nodes. Medians of several rounds, each in a new browser context.
// Each lease has an address and a hostname.
// Needs a Chromium, in $CHROMIUM or as `chromium` in PATH. Usage: node bench/page.mjs [leases=10000] [rounds=5] [seconds=3]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { measure, median } from './measure.mjs';
import { startServer } from './server.mjs';
import { writeHistory } from './workspace.mjs';

const [leases = 10_000, rounds = 5, seconds = 3] = process.argv.slice(2).map(Number);
const cli = join(import.meta.dirname, '../build/src/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'leasehold-page-'));
const root = join(folder, 'tree');
const report = join(folder, 'page.html');

/** Milliseconds between two zooms of the map. */
const between = 300;

/** What a person does on the page, over and over while frames are counted. */
const uses = {
  'scrolling the page': async ({ session }) => {
    for (const distance of [-3000, 3000]) await scroll(session, distance);
  },
  'zooming the map': async ({ page }) => {
    await page.locator('.grid .cell.held').first().click();
    await pause(between);
    await page.keyboard.press('Escape');
    await pause(between);
  },
  'pointing at the map': async ({ page }) => {
    const { x, y, width, height } = await page.locator('.grid').boundingBox();
    await page.mouse.move(x + 5, y + 5);
    await page.mouse.move(x + width - 5, y + height / 2, { steps: 40 });
  },
  ...(leases > 100 && {
    'paging the list': async ({ page }) => {
      for (const name of ['Next', 'Previous']) await page.click(`.pager >> text=${name}`);
    },
  }),
};
/** Actions that are done once. The longest task of each is printed. */
const acts = {
  'search, first letter': ({ page }) => page.locator('#search').pressSequentially('a'),
  'search, a word': ({ page }) => page.locator('#search').pressSequentially('kash1'),
  'sort by holder': ({ page }) => press(page, 'Holder: sort'),
  'no search': ({ page }) => page.fill('#search', ''),
  'list of owners': ({ page }) => press(page, 'Owners'),
  'list of free addresses': ({ page }) => press(page, 'Free addresses'),
  'list of hostnames': ({ page }) => press(page, 'Hostnames'),
  'list of leases': ({ page }) => press(page, 'Leases'),
  'colors by owner': ({ page }) => press(page, 'By owner'),
};

function press(page, name) {
  return page.getByRole('button', { name, exact: true }).click();
}

const found = new Map();
const take = (name, value, unit) => {
  found.set(name, { unit, values: [...(found.get(name)?.values ?? []), value] });
};

try {
  writeHistory(root, leases, cli, true);
  measure([cli, 'report', '--today', '2026-02-01', '--out', report, '-C', root]);
  await measurePages();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${leases} leases, ${rounds} rounds, load of the machine ${loadavg()[0].toFixed(1)}`);
for (const [name, { values, unit }] of found) {
  const all = values.map((value) => value.toFixed(0)).join(' ');
  console.log(`${name.padEnd(44)} ${median(values).toFixed(0).padStart(8)} ${unit}  (${all})`);
}

async function measurePages() {
  const running = startServer(cli, root, 300_000 + 60_000 * rounds);
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
  try {
    const url = await running.listening;
    while ((await fetch(`${url}/ready`)).status !== 200) await pause(20);
    const began = performance.now();
    await (await fetch(`${url}/api/v1/picture/first`)).arrayBuffer();
    take('serve: the first picture after its start', performance.now() - began, 'ms');
    for (let round = 0; round < rounds; round += 1) {
      await inPage(browser, url, (opened) => visit('serve', opened));
      await inPage(browser, pathToFileURL(report).href, (opened) => visit('report', opened));
    }
  } finally {
    await browser.close();
    await running.stop();
  }
}

function chromiumPath() {
  const { CHROMIUM } = process.env;
  return CHROMIUM || execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
}

/** Opens a URL in a new context, once it has a row, and closes it after the use. */
async function inPage(browser, url, use) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await page.addInitScript(watch);
  await page.goto(url, { waitUntil: 'commit' });
  while (!(await page.evaluate('watched.rows > 0'))) await pause(100);
  await pause(1000);
  await use({ page, session, bytes });
  await context.close();
}

/** In the page: when the first row was painted, the tasks over 50 ms, and the frames. */
function watch() {
  const own = { rows: 0, tasks: [], frames: [] };
  globalThis.watched = own;
  new PerformanceObserver((list) => {
    own.tasks.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'longtask', buffered: true });
  const frame = (at) => {
    own.frames.push(at);
    if (own.rows === 0 && document.querySelector('#leases tbody tr')) {
      setTimeout(() => {
        own.rows = performance.now();
      });
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

async function visit(name, { page, session, bytes }) {
  take(`${name}: first rows`, await page.evaluate('watched.rows'), 'ms');
  take(`${name}: longest task until then`, await longestTask(page), 'ms');
  if (bytes > 0) take(`${name}: transferred`, bytes, 'bytes');
  take(`${name}: nodes`, await page.evaluate(`document.querySelectorAll('*').length`), 'nodes');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  take(`${name}: memory of the script`, usedSize / 2 ** 20, 'MB');
  for (const [use, act] of Object.entries(uses))
    await countFrames(`${name}: ${use}`, page, session, act);
  for (const [what, act] of Object.entries(acts)) {
    await page.evaluate('watched.tasks = []');
    await act({ page, session });
    await pause(300);
    take(`${name}: longest task, ${what}`, await longestTask(page), 'ms');
  }
}

/** The longest task since tasks were last forgotten; 0 when none was over 50 ms. */
function longestTask(page) {
  return page.evaluate('Math.max(0, ...watched.tasks)');
}

async function countFrames(name, page, session, act) {
  // The first time warms up.
  await act({ page, session });
  await page.evaluate('watched.tasks = []; watched.frames = []');
  const end = performance.now() + seconds * 1000;
  do await act({ page, session });
  while (performance.now() < end);
  const frames = await page.evaluate('watched.frames');
  const gaps = frames.slice(1).map((at, before) => at - frames[before]);
  take(
    `${name}: frames a second`,
    ((frames.length - 1) * 1000) / (frames.at(-1) - frames[0]),
    'a s',
  );
  take(`${name}: longest frame`, Math.max(...gaps), 'ms');
  take(`${name}: longest task`, await longestTask(page), 'ms');
}

function scroll(session, yDistance) {
  const speed = 2000;
  return session.send('Input.synthesizeScrollGesture', { x: 300, y: 400, yDistance, speed });
}
