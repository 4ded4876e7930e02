import { describe, expect, test } from 'vitest';
import type { Picture } from '../../src/features/page/picture-answer.ts';
import { pictured } from '../support/page/picture.ts';
import { executablePath, pageOpener } from './opening.ts';

const two = pictured([
  { pool: 'lab', range: '203.0.113.0/24', held: 9 },
  { pool: 'edge', range: '198.51.100.0/28', held: 15 },
]);
const ips: Picture = { ...two, repository: 'infra-ips' };

describe.skipIf(!executablePath)('the title of the tab', () => {
  const opened = pageOpener();

  test('names the fullest pool and the repository', async () => {
    const { page } = await opened(ips);
    expect(await page.title()).toBe('edge IPv4 93 % · infra-ips – leasehold');
    expect(await page.locator('h1').textContent()).toBe('Leased addresses of infra-ips');
    const nameless = await opened(two);
    expect(await nameless.page.title()).toBe('edge IPv4 93 % · leased addresses – leasehold');
  });

  test('begins with what is most urgent', async () => {
    const held = ips.records.slice(1);
    const urgent: Picture = { ...ips, records: held, problems: 2, stale: 'since yesterday' };
    expect(await (await opened(urgent)).page.title()).toBe(
      'stale · 2 problems · 1 waiting · edge IPv4 93 % · infra-ips – leasehold',
    );
    const pools = ips.pools.map((pool) => ({ ...pool, state: 'draining' as const }));
    expect(await (await opened({ ...ips, pools })).page.title()).toBe(
      'zone dc1 draining · infra-ips – leasehold',
    );
  });

  test('says the verdict of a comparison, and the earlier day that is shown', async () => {
    const plan = { verdict: 'blocked', summary: '1 holder loses an address.' };
    const compared = await opened(ips, { before: ips, plan });
    expect(await compared.page.title()).toMatch(/^blocked · before and after · edge /);
    const { page } = await opened(ips, { hash: '#day=2026-01-02' });
    expect(await page.title()).toMatch(/^on 2026-01-02 · .* · infra-ips – leasehold$/);
    await page.getByRole('button', { name: 'Now' }).click();
    expect(await page.title()).toBe('edge IPv4 93 % · infra-ips – leasehold');
  });
});
