import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Picture } from '../../src/features/page/picture-answer.ts';
import { hostnameAt, keptUntil, pictured } from '../support/page/picture.ts';
import { executablePath, focused, pageOpener, seriousOf } from './opening.ts';

/** The same picture, with holders that are named as those of leases are: each owner has several. */
function owned(picture: Picture): Picture {
  const named = <Item extends { holder: string }>(item: Item) => ({
    ...item,
    holder: item.holder.replace('lab/', 'lab/akash/'),
  });
  return {
    ...picture,
    records: picture.records.map(named),
    holders: picture.holders.map(named),
  };
}

const three = owned(
  pictured([
    { pool: 'lab', range: '203.0.113.0/24', held: 100, reserved: ['203.0.113.0-203.0.113.1'] },
    { pool: 'big', range: '10.0.0.0/12', held: 200 },
    { pool: 'six', range: '2001:db8:30::/64', held: 20 },
  ]),
);
const small = pictured([
  { pool: 'lab', range: '203.0.113.0/28', held: 9, reserved: ['203.0.113.0'] },
  { pool: 'old', range: '192.0.2.0/28', held: 2 },
]);
/** The second pool gives nothing out. */
const draining: Picture = {
  ...small,
  pools: small.pools.map((pool) =>
    pool.pool === 'old' ? { ...pool, state: 'draining' as const } : pool,
  ),
};

/** Hostnames of the first owner of the addresses, and of a namespace without one. */
const named: Picture = {
  ...three,
  hostnames: [
    hostnameAt('*.apps.example.com', {
      holder: 'lab/akash/akash1owner0',
      service: 'web',
      port: 80,
    }),
    hostnameAt('blog.example.org', keptUntil('2026-12-05')),
    hostnameAt('shop.example.org', { service: 'web', port: 8080, file: 'leases/shop/web.yaml:3' }),
  ],
};

const status = (page: Page) => page.locator('#leases [role=status]').textContent();
const firstRow = (page: Page) => page.locator('#leases tbody tr').first().textContent();

describe.skipIf(!executablePath)('a reader of the page', () => {
  const opened = pageOpener();

  test('sees beside a cell what it is, by pointer and by keyboard', async () => {
    const { page, faults } = await opened(three);
    const tip = page.locator('.tip');
    const cell = page.locator('.grid .cell.held').nth(3);
    await cell.hover();
    expect(await tip.textContent()).toContain('lab/akash/akash1owner');
    const [at, near] = [await cell.boundingBox(), await tip.boundingBox()];
    expect(Math.abs((near?.x ?? 0) - (at?.x ?? 0) - (at?.width ?? 0))).toBeLessThan(20);
    await page.mouse.move(0, 0);
    expect(await tip.isHidden()).toBe(true);
    await page.locator('.grid [tabindex="0"]').focus();
    await page.keyboard.press('ArrowRight');
    expect(await tip.locator('strong').textContent()).toBe((await focused(page)).split(': ')[0]);
    const box = await tip.boundingBox();
    expect((box?.y ?? -1) >= 0 && (box?.y ?? 0) + (box?.height ?? 0) <= 900).toBe(true);
    expect(faults).toEqual([]);
  });

  test('sees all addresses of an owner at once, in the colors of owners too', async () => {
    const { page } = await opened(three);
    await page.getByRole('button', { name: 'By owner' }).click();
    const cell = page.locator('.grid .cell.owner').first();
    const colors = await cell.getAttribute('class');
    await cell.hover();
    const lit = page.locator('.grid .cell.lit');
    expect(await lit.count()).toBe(2);
    const classes = await lit.evaluateAll((all) =>
      all.map((one) => one.className.match(/c\d p\d/)?.[0]),
    );
    expect(new Set(classes).size).toBe(1);
    expect(colors).toContain(classes[0]);
    await page.locator('.legend button').first().focus();
    expect(await lit.count()).toBeGreaterThan(0);
    expect(await seriousOf(page)).toEqual([]);
  });

  test('goes back with Back: to the pool, the filter and the address before', async () => {
    const { page, faults } = await opened(three);
    await page.selectOption('#map-block', { index: 2 });
    await page.getByLabel('Filter by state').selectOption('retained');
    await page.locator('#leases tbody button').first().click();
    const address = await page.locator('#address h3').textContent();
    const link = page.url();
    expect(link).toContain('state=retained');
    await page.goBack();
    expect(await page.locator('#address h3').count()).toBe(0);
    expect(await page.getByLabel('Filter by state').inputValue()).toBe('retained');
    await page.goBack();
    expect(await page.getByLabel('Filter by state').inputValue()).toBe('');
    expect(await page.locator('.grid').getAttribute('class')).toContain('six');
    await page.goForward();
    await page.goForward();
    expect(page.url()).toBe(link);
    const again = await opened(three, { hash: new URL(link).hash });
    expect(await again.page.locator('#address h3').textContent()).toBe(address);
    expect(await firstRow(again.page)).toContain('retained');
    expect([...faults, ...again.faults]).toEqual([]);
  });

  test('finds what is free as a list, without the pool that gives nothing', async () => {
    const { page, faults } = await opened(draining);
    await page.fill('#search', 'free');
    await page.getByRole('button', { name: 'List the free addresses', exact: true }).click();
    expect(await status(page)).toBe('6 addresses are free in 1 pool; draining, so none from old');
    expect(await page.locator('#leases tbody tr').count()).toBe(6);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied 6' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.trim().split('\n').length).toBe(6);
    expect(copied).not.toContain('192.0.2.');
    await page.selectOption('#map-block', { index: 1 });
    expect(await page.locator('#map').textContent()).toContain('no address is given out');
    await page.locator('.grid .cell.drained').first().hover();
    expect(await page.locator('.tip').textContent()).toContain('no address is given out');
    expect(await seriousOf(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('sorts a column, and saves all rows as CSV, with no formula in it', async () => {
    const { page, faults } = await opened({
      ...three,
      records: three.records.map((record) => ({ ...record, holder: `=${record.holder}` })),
    });
    await page.getByRole('button', { name: 'Address: sort' }).click();
    expect(await firstRow(page)).toContain('10.');
    expect(await focused(page)).toBe('Address: sort');
    await page.getByRole('button', { name: 'Address: sort' }).click();
    expect(await firstRow(page)).toContain('2001:db8:');
    expect(await page.locator('th[aria-sort=descending]').count()).toBe(1);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('leasehold-leases-2026-11-20.csv');
    const lines = readFileSync(await saved.path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines[0]).toBe('Address,State,Holder,Claims,Pool,Since');
    expect(lines.length).toBe(321);
    expect(lines[1]).toMatch(/^2001:db8:[^,]*,[^,]*,'=lab/);
    expect(faults).toEqual([]);
  });

  test('sees who has the most, and what is free next', async () => {
    const { page } = await opened(three);
    await page.getByRole('button', { name: 'Owners' }).click();
    expect(await status(page)).toBe('50 owners with 276 held');
    await page.locator('#leases tbody button').first().click();
    expect(page.url()).toContain('owner=');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Expiring' }).click();
    expect(await firstRow(page)).toContain('11 days');
    expect(await seriousOf(page)).toEqual([]);
  });

  test('sees the clusters, and the addresses of one with a click', async () => {
    const alone = await opened(three);
    expect(await alone.page.getByRole('button', { name: 'Clusters' }).count()).toBe(0);
    const far = <Item extends { holder: string }>(item: Item, at: number): Item =>
      at % 4 === 0 ? { ...item, holder: item.holder.replace('lab/', 'edge/') } : item;
    const holders = three.holders
      .map(far)
      .map((holder) => ({ ...holder, cluster: holder.holder.split('/')[0] ?? '' }));
    const { page } = await opened({ ...three, holders, records: three.records.map(far) });
    await page.getByRole('button', { name: 'Clusters' }).click();
    expect(await status(page)).toBe('2 clusters with 276 held');
    expect(await firstRow(page)).toMatch(/^lab2/);
    expect(await seriousOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'edge', exact: true }).click();
    expect(await status(page)).toBe('80 addresses found');
    expect(page.url()).toContain('cluster=edge');
  });

  test('gets in one step what is free in a zone, and who had an address', async () => {
    const { page } = await opened(three, { hash: '#list=owners' });
    await page
      .getByRole('button', { name: 'zone dc1: list the free addresses of zone dc1' })
      .first()
      .click();
    expect(await status(page)).toContain('addresses are free in 3 pools');
    expect(page.url()).toContain('zone=dc1');
    const [{ address } = { address: '' }] = three.records;
    await page.fill('#search', address);
    await page.locator('#search').press('Enter');
    expect(await page.locator('#address h3').textContent()).toBe(address);
    expect(await page.locator('#address .history').textContent()).toContain('2026-01-02');
  });

  test('sees that a block has several owners', async () => {
    const town = owned(pictured([{ pool: 'town', range: '10.0.0.0/20', held: 2000 }]));
    const { page } = await opened(town, { hash: '#color=owner' });
    expect(await page.locator('.legend').textContent()).toContain('several owners');
    expect(await page.locator('.grid .owner.several').count()).toBeGreaterThan(0);
  });

  test('goes to an earlier day: who had an address then', async () => {
    const [first] = three.records;
    if (!first) throw new Error('no records');
    const past: NonNullable<Picture['past']> = {
      shallow: false,
      commits: ['2026-02-01', '2026-06-01'].map((day, at) => ({
        ...{ commit: String(at).repeat(40), at: `${day}T10:00:00Z` },
        ...{ author: 'Ann', subject: 'Lease' },
      })),
      addresses: [
        {
          address: first.address,
          periods: [
            { state: 'held', holder: 'lab/service/shop/then', event: 'given', by: 0 },
            { state: 'held', holder: first.holder, event: 'given', by: 1 },
          ],
        },
      ],
      hostnames: [],
      ...{ pools: [], poolFiles: [] },
    };
    const { page, faults } = await opened({ ...three, past }, { hash: `#${first.address}` });
    const address = page.locator('#address');
    expect(await address.textContent()).not.toContain('Holderlab/service/shop/then');
    await page.locator('#day').fill('0');
    await page.getByText('On 2026-02-01').waitFor();
    expect(await address.textContent()).toContain('Holderlab/service/shop/then');
    expect(await page.locator('.grid .held').count()).toBe(1);
    expect(page.url()).toContain('day=2026-02-01');
    expect(await seriousOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Now' }).click();
    expect(await page.locator('.grid .held').count()).toBeGreaterThan(50);
    expect(faults).toEqual([]);
  });

  test('of before and after sees first the sentence of the plan, and the pool that changed', async () => {
    const records = three.records.filter(({ pool }, at) => pool !== 'six' || at % 2 === 0);
    const before = { ...three, records };
    const plan = { verdict: 'caution', summary: '9 holders get an address.' };
    const { page, faults } = await opened(three, { before, plan });
    expect(await page.locator('.verdict').textContent()).toBe('9 holders get an address.');
    expect(await page.locator('.grid.six').count()).toBe(2);
    expect(await page.locator('#pools li', { hasText: 'six' }).textContent()).toContain('changed');
    expect(faults).toEqual([]);
  });

  test('on a phone has cells for fingers, and the address in sight', async () => {
    const { page } = await opened(three, { width: 390 });
    const sizes = (name: string) =>
      page.locator(name).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    expect(Math.min(...(await sizes('.grid .cell')))).toBeGreaterThanOrEqual(24);
    await page.selectOption('#map-block', { index: 1 });
    expect(await page.locator('.grid .cell').count()).toBe(64);
    expect(Math.min(...(await sizes('.grid .cell')))).toBeGreaterThanOrEqual(24);
    await page.locator('#leases tbody button').nth(9).click();
    const box = await page.locator('#address').boundingBox();
    expect((box?.y ?? 900) < 900 && (box?.y ?? 0) > 0).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await seriousOf(page)).toEqual([]);
  });

  test('on paper has all rows', async () => {
    const { page } = await opened(three);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    expect(await page.locator('#leases tbody tr').count()).toBe(320);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('Holder', { exact: true }).isVisible()).toBe(true);
    expect(await page.locator('.numbers button').first().isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await page.locator('#leases tbody tr').count()).toBe(100);
  });

  test('finds a hostname, who holds it and until when, and links to it', async () => {
    const { page, faults } = await opened(named);
    await page.fill('#search', 'blog.example.org');
    expect(await status(page)).toBe('0 addresses found List 1 hostname');
    await page.getByRole('button', { name: 'List 1 hostname' }).click();
    expect(await firstRow(page)).toContain('retained until 2026-12-05lab/namespace/shop');
    await page.locator('#search').press('Enter');
    const details = page.locator('#address');
    expect(await details.getByRole('heading', { level: 2 }).textContent()).toBe('Hostname');
    expect(await details.locator('dl').textContent()).toContain('Free from2026-12-05');
    expect(await page.locator('tr.selected').count()).toBe(1);
    expect(new URL(page.url()).hash).toBe('#blog.example.org&q=blog.example.org&list=hostnames');
    await page.fill('#search', 'new.apps.example.com');
    expect(await firstRow(page)).toMatch(/^\*\.apps\.example\.com/);
    expect(await seriousOf(page)).toEqual([]);
    const linked = await opened(named, { hash: '#shop.example.org' });
    expect(await linked.page.locator('#address dl').textContent()).toContain('Serviceweb:8080');
    expect([...faults, ...linked.faults]).toEqual([]);
  });

  test('sees the hostnames of an owner beside its addresses', async () => {
    const { page, faults } = await opened(named, { hash: '#*.apps.example.com' });
    await page.locator('#address').getByRole('button', { name: '7 addresses' }).click();
    expect(await status(page)).toBe('7 addresses found List 1 hostname');
    expect(page.url()).toContain('owner=akash1owner0');
    await page.getByRole('button', { name: 'List 1 hostname' }).click();
    expect(await status(page)).toBe('1 hostname found List 7 addresses');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Owners' }).click();
    await page.getByRole('button', { name: 'Hostnames: sort' }).click();
    await page.getByRole('button', { name: 'Hostnames: sort' }).click();
    expect(await firstRow(page)).toMatch(/^lab\/shop002/);
    await page.locator('#leases tbody tr').first().getByRole('button', { name: '2' }).click();
    expect(await status(page)).toBe('2 hostnames found');
    expect(faults).toEqual([]);
  });

  test('sees which declared hostnames have no record yet', async () => {
    const waitingHostnames = Array.from({ length: 12 }, (_, number) => ({
      ...{ hostname: `site${10 + number}.example.org`, holder: 'lab/namespace/shop' },
      ...{ service: 'web', port: 8080, file: `leases/shop/site${10 + number}.yaml:4` },
    }));
    const [taken] = waitingHostnames;
    if (!taken) throw new Error('no hostnames');
    const hostnames = [hostnameAt(taken.hostname, { holder: 'lab/namespace/blog' })];
    const { page, faults } = await opened({ ...three, hostnames, waitingHostnames });
    const note = page.locator('header .note');
    expect(await note.textContent()).toContain('12 declared hostnames have no record yet.');
    expect(await note.textContent()).toContain('site19.example.organd 2 more');
    const facts = page.locator('#address dl');
    await note.getByRole('button', { name: taken.hostname }).click();
    expect(await facts.count()).toBe(2);
    expect(await facts.first().textContent()).toContain('Stateheld');
    expect(await page.locator('#address').textContent()).toContain('Declared, no record yet');
    expect(await facts.last().textContent()).toBe(
      'Holderlab/namespace/shopServiceweb:8080ClusterlabFileleases/shop/site10.yaml:4',
    );
    await page.fill('#search', 'site21.example.org');
    await page.getByRole('button', { name: 'Show site21.example.org' }).click();
    expect(await facts.textContent()).toContain('site21.yaml');
    await page.fill('#search', 'site20.example.org');
    await page.locator('#search').press('Enter');
    expect(await facts.textContent()).toContain('site20.yaml');
    expect(await seriousOf(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('saves the hostnames as CSV', async () => {
    const { page } = await opened(named, { hash: '#list=hostnames' });
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('leasehold-hostnames-2026-11-20.csv');
    expect(
      readFileSync(await saved.path(), 'utf8')
        .split('\n')
        .slice(0, 3),
    ).toEqual([
      'Hostname,State,Holder,Service,Cluster,Since',
      '*.apps.example.com,held,lab/akash/akash1owner0,web:80,lab,2026-02-03',
      'blog.example.org,retained until 2026-12-05,lab/namespace/shop,,lab,2026-02-03',
    ]);
  });

  test('has no list of hostnames where there are none', async () => {
    const { page } = await opened(three);
    expect(await page.getByRole('button', { name: 'Hostnames' }).count()).toBe(0);
  });

  test('finds an address by its public one', async () => {
    const nat = [{ inside: '192.168.4.16/28', outside: '203.0.113.16/28' }];
    const home = pictured([{ pool: 'home', range: '192.168.4.16/28', held: 15, nat }]);
    const { page, faults } = await opened(home, { hash: '#203.0.113.20' });
    await page.getByRole('button', { name: '1 address', exact: true }).click();
    expect(await firstRow(page)).toMatch(/^192\.168\.4\.20203\.0\.113\.20held/);
    await page.locator('#leases tbody button').first().click();
    expect(await page.locator('#address dl').textContent()).toContain('Public203.0.113.20');
    expect(faults).toEqual([]);
  });

  test('sees on the map the public address of an address', async () => {
    const nat = [{ inside: '192.168.4.16/29', outside: '203.0.113.16/29' }];
    const home = pictured([{ pool: 'home', range: '192.168.4.16/28', held: 4, nat }]);
    const { page } = await opened(home);
    const cells = page.locator('.grid .cell');
    const tip = page.locator('.tip');
    await cells.nth(3).hover();
    expect(await tip.textContent()).toMatch(/^192\.168\.4\.19heldPublic address 203\.0\.113\.19/);
    await cells.nth(4).hover();
    expect(await tip.textContent()).toBe('192.168.4.20freePublic address 203.0.113.20');
    await cells.nth(9).hover();
    expect(await tip.textContent()).toContain('192.168.4.25held');
    expect(await tip.textContent()).not.toContain('Public');
  });

  test('sees which hostnames a change takes and gives', async () => {
    const [kept, ...others] = named.hostnames;
    if (!kept) throw new Error('no hostnames');
    const hostnames = [{ ...kept, ...keptUntil('2026-12-20') }, ...others];
    const before = { ...named, hostnames: named.hostnames.slice(0, 2) };
    const { page, faults } = await opened({ ...named, hostnames }, { before });
    const changes = page.locator('#changes');
    expect(await changes.textContent()).toContain('No address changes.');
    expect(await changes.textContent()).toContain('2 hostnames: 1 released, 1 allocated.');
    await changes.getByRole('button', { name: 'shop.example.org' }).click();
    expect(await page.locator('#address').textContent()).toContain('Statenot recordedAfter');
    expect(faults).toEqual([]);
  });

  test('learns which declarations are broken', async () => {
    const problem = { code: 'PORT_TAKEN', message: 'port 443/TCP is declared twice' };
    const firstProblems = [{ ...problem, file: 'leases/shop/api.yaml', line: 12 }];
    const { page } = await opened({ ...three, problems: 3, firstProblems });
    const note = await page.locator('header .note').textContent();
    expect(note).toContain('port 443/TCP is declared twice');
    expect(note).toContain('leases/shop/api.yaml:12, PORT_TAKEN');
    expect(note).toContain('and 2 more: `leasehold check`');
    expect(await page.locator('.verdict').getAttribute('class')).not.toContain('ample');
  });
});
