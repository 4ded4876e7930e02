import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { planHtml } from '../../../../src/features/formats/plan-html.ts';
import { hostileTexts, planOfTexts } from '../../../support/plans/hostile-plan.ts';
import { aPlan, linkOf } from '../../../support/plans/plan-builders.ts';
import { planCases } from '../../../support/plans/plan-cases.ts';
import { tagsOf, unbalanced } from '../../../support/plans/rendered-markdown.ts';

const cut = planCases['one-lease-removed'] ?? aPlan();

/** The page without the text of its style sheet, in which nothing is a tag. */
function bodyOf(page: string): string {
  return page.replace(/<style>.*<\/style>/s, '');
}

describe('a plan as a page', () => {
  it.each(Object.entries(planCases))('%s runs no foreign script and loads nothing', (_, plan) => {
    const page = planHtml(plan, { linkOf });
    const style = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');

    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;">`,
    );
    expect(style).not.toMatch(/url\(|@import|</);
    expect(unbalanced(bodyOf(page))).toEqual([]);
  });

  it.each(hostileTexts.map((text) => [text]))(
    'has no tag and no attribute of a text: %j',
    (text) => {
      const tags = (texts: readonly string[]) =>
        tagsOf(bodyOf(planHtml(planOfTexts(texts), { linkOf })));
      const shape = (found: ReturnType<typeof tags>) =>
        found.map(({ name, attributes }) => [name, attributes.replace(/href="[^"]*"/, 'href')]);

      expect(shape(tags([text]))).toEqual(shape(tags([text.replace(/[^\n]+/g, 'x')])));
      for (const { attributes } of tags([text])) {
        const [, href] = /href="([^"]*)"/.exec(attributes) ?? [];
        expect(href ?? 'https://github.com/').toMatch(/^https:\/\/github\.com\/[^\s<>]*$/);
      }
    },
  );

  it('has no link where no forge is known', () => {
    expect(planHtml(cut, { linkOf: () => undefined })).not.toContain('<a ');
  });
});
