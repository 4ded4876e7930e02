import { describe, expect, test } from 'vitest';
import type { Picture } from '../../src/features/page/picture-answer.ts';
import { nastyTexts } from '../support/declarations/hostile-scalars.ts';
import { hostnameAt, pictured } from '../support/page/picture.ts';
import { executablePath, pageOpener, seriousOf } from './opening.ts';

const pool = { pool: 'lab', range: '203.0.113.0/24', held: 8 };
const six = { pool: 'six', range: '2001:db8:30::/64', held: 8 };

/** A picture in which every text that somebody else writes is this one. */
function written(text: string): Picture {
  const picture = pictured([pool], text);
  const named = <Item extends { holder: string }>(item: Item, index: number) => ({
    ...item,
    holder: `${text}${index}`,
  });
  return {
    ...picture,
    stale: text,
    revision: { ...picture.revision, ref: text },
    pools: picture.pools.map((one) => ({ ...one, zone: text })),
    records: picture.records.map(named),
    holders: picture.holders.map(named).map((holder) => ({
      ...holder,
      cluster: text,
      claims: holder.claims.map((claim) => ({
        ...claim,
        lease: text,
        namespace: text,
        file: text,
        dns: [text],
      })),
    })),
    hostnames: [
      hostnameAt(text, { holder: text, service: text, port: 80, lease: text, file: text }),
      hostnameAt('shop.example.com', { holder: text, service: text, port: 80, lease: text }),
    ],
    waitingHostnames: [
      { hostname: text, holder: text, service: text, port: 80, lease: text, file: text },
    ],
  };
}

describe.skipIf(!executablePath)('a page with hostile texts', () => {
  const opened = pageOpener();

  test.each([
    ['</script><img src=x onerror=alert(1)>'],
    ['<!--<script>'],
    ['\u202Egnp.exe\u2066'],
    ['\u2028\u2029\u0000\u007f'],
    ['\ud800 alone \udfff'],
    ['__proto__'],
    ['constructor'],
    ['{{a}} &lt;b&gt; javascript:alert(1)'],
    [nastyTexts.join('')],
  ])('shows %j as text and nothing else', async (text) => {
    const { page, faults } = await opened(written(text));
    await page.locator('.grid .cell.held').first().click();
    await page.getByRole('button', { name: 'Hostnames', exact: true }).click();
    await page.getByRole('button', { name: 'shop.example.com' }).click();
    await page.getByRole('button', { name: 'Leases', exact: true }).click();
    expect(await page.locator('img, iframe, a').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(2);
    const shown = await page.locator('body > :not(script)').allTextContents();
    expect(shown.join('')).not.toMatch(/\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}/u);
    await page.fill('#search', '203.0.113.28');
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('is no wider for texts of 64 kB, and shows their beginning', async () => {
    const { page, faults } = await opened(written('x'.repeat(65_536)), { width: 390 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
    await page.locator('.grid .cell.held').first().click();
    await page.fill('#search', 'xxx');
    expect(await page.locator('tbody tr').count()).toBe(8);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(40_000);
    expect(faults).toEqual([]);
  });

  test.each([
    ['#2001:DB8:0030:0:2000::0', '2001:db8:30:0:2000::'],
    ['#2001%3adb8%3a30%3A%3a99', '2001:db8:30::99'],
    ['#203.0.113.28', '203.0.113.28'],
    ['#198.51.100.7', '198.51.100.7'],
  ])('the link %s leads to %s', async (hash, address) => {
    const { page, faults } = await opened(pictured([pool, six]), { hash });
    expect(await page.locator('#address h3').textContent()).toBe(address);
    expect(faults).toEqual([]);
  });

  test.each(['#%', '#%zz', '#__proto__', '#203.0.113.028', '#<img>'])(
    'the link %s leads nowhere and breaks nothing',
    async (hash) => {
      const { page, faults } = await opened(pictured([pool]), { hash });
      expect(await page.locator('#address h3').count()).toBe(0);
      expect(await page.locator('tbody tr').count()).toBe(8);
      expect(faults).toEqual([]);
    },
  );

  test('an address that no pool has is said to be in no pool, as by who', async () => {
    const { page } = await opened(pictured([pool, six]), { hash: '#198.51.100.7' });
    expect(await page.locator('#address').textContent()).toContain('in no pool');
  });

  test('an address without a record is led to', async () => {
    const { page } = await opened(pictured([pool, six]));
    await page.fill('#search', '2001:DB8:30:0:0::99');
    await page.getByRole('button', { name: 'Show 2001:db8:30::99' }).click();
    expect(await page.locator('#address h3').textContent()).toBe('2001:db8:30::99');
    expect(await page.locator('#address').textContent()).toContain('free');
    expect(await seriousOf(page)).toEqual([]);
  });
});
