import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgePage } from '../support/page/forge-page.ts';
import { commentKinds, commentOf } from '../support/plans/comment-kinds.ts';
import { executablePath, startBrowser } from './opening.ts';

describe.skipIf(!executablePath)('the comment on a pull request', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  /** What is wider than its place, other than a diff. */
  async function tooWide(markdown: string, width: number): Promise<readonly string[]> {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.setContent(forgePage(markdown));
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll('.markdown-body, .markdown-body :not(pre, pre *)')]
        .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
        .map(({ tagName, textContent }) => `${tagName} ${textContent?.slice(0, 200)}`),
    );
    await page.close();
    return wide;
  }

  test('a table that is too wide is found: the check can fail', async () => {
    const words = ['203.0.113.187', '2001:db8:4d0a:61f0:c1cf:1ace:47d6:cf0b', 'released'];
    const row = `| ${words.map((word) => `\`${word}\``).join(' | ')} |`;
    expect(await tooWide(`${row}\n| --- | --- | --- |\n${row}\n`, 780)).toEqual([]);
    expect(await tooWide(`${row}\n| --- | --- | --- |\n${row}\n`, 390)).toHaveLength(1);
  });

  test.each(commentKinds)(
    'needs no more than 780 px, and on a phone 390: $name',
    async (kind) => {
      const markdown = await commentOf(kind);
      expect(markdown.length).toBeLessThanOrEqual(65_000);
      for (const width of [780, 390]) expect(await tooWide(markdown, width)).toEqual([]);
      const rows = markdown.match(/^- (\*\*.{1,2}\*\* )?`[\da-z.:]+`/gm) ?? [];
      expect(rows).toHaveLength(kind.rows);
    },
    600_000,
  );
});
