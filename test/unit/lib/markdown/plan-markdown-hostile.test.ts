import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../../src/core/run/plan/plan-answer.ts';
import { planMarkdown } from '../../../../src/lib/markdown/plan-markdown.ts';
import { hostileTexts, planOfTexts } from '../../../support/plans/hostile-plan.ts';
import { aManifest, linkOf } from '../../../support/plans/plan-builders.ts';
import {
  looseText,
  renderedMarkdown,
  tagsOf,
  unbalanced,
} from '../../../support/plans/rendered-markdown.ts';

const ours = new Set('h3 h4 p strong code ul li br details summary pre sub a'.split(' '));

/** What GitHub or GitLab would make more of than text: mentions, references, addresses, shortcodes. */
const alive =
  /[@#!~&$^*_`<>[\]{}|\\]|https?:|www\.|\b[A-Za-z]+-\d+\b|:[a-z]+:|\b[0-9a-f]{7,40}\b|%\S*\d/;

function rendered(plan: Plan): string {
  return renderedMarkdown(planMarkdown(plan, { maxChars: 1_000_000, linkOf }));
}

/** Fails when a text of a plan becomes markup, a link, a mention or a command of a forge. */
function letsNothingLive(...texts: readonly string[]): void {
  const page = rendered(planOfTexts(texts));

  expect(tagsOf(page).filter(({ name }) => !ours.has(name.replace('/', '')))).toEqual([]);
  expect(unbalanced(page)).toEqual([]);
  for (const { name, attributes } of tagsOf(page)) {
    if (name === 'a')
      expect(attributes).toMatch(
        /^href="https:\/\/github\.com\/example\/leases\/blob\/(base|head)\/[^"]*"$/,
      );
    else if (name === 'code') expect(attributes).toMatch(/^(class="language-diff")?$/);
    else expect(attributes, name).toBe('');
  }
  expect(looseText(page)).not.toMatch(alive);
}

describe('a plan as Markdown', () => {
  it.each([hostileTexts, ...hostileTexts.map((text) => [text])])(
    'lets nothing of a text come to life: %j',
    letsNothingLive,
  );

  it.each(hostileTexts.map((text) => [text]))(
    'lets nothing come to life of 25 equal texts, which are counted: %j',
    { tags: 'slow' },
    (text) => letsNothingLive(...Array<string>(25).fill(text)),
  );

  it.each(hostileTexts.map((text) => [text]))(
    'has a row for each address, and a fold for each holder: %j',
    (text) => {
      const plan = planOfTexts([text, `${text} again`]);
      const page = rendered(plan);
      const count = (tag: string) => page.split(tag).length - 1;

      expect(count('<details>')).toBe(2);
      expect(count('<pre>')).toBe(2);
      // Pools, addresses, cautions, problems, and the objects with their fields.
      expect(count('<li>')).toBe(2 + 2 + 2 + 2 + 2 + 2);
      expect(page.trimEnd().endsWith('</sub></p>')).toBe(true);
    },
  );

  it('shows no character that a terminal or the direction of writing obeys', () => {
    const markdown = planMarkdown(planOfTexts(hostileTexts), { maxChars: 1_000_000, linkOf });

    expect(markdown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  });

  it('has no link for an unknown forge or an invalid URL', () => {
    for (const url of [
      undefined,
      'javascript:alert(1)',
      'http://a.example',
      'https://a b',
      '//a',
    ]) {
      const page = renderedMarkdown(
        planMarkdown(planOfTexts(['a']), { maxChars: 100_000, linkOf: () => url }),
      );

      expect(tagsOf(page).filter(({ name }) => name === 'a')).toEqual([]);
    }
  });

  it('keeps a link whole, whatever stands in it', () => {
    const url = 'https://a.example/x?y=1&copy=2#(a)"<b>|`[c]\\';
    const page = renderedMarkdown(
      planMarkdown(planOfTexts(['a']), { maxChars: 100_000, linkOf: () => url }),
    );
    const links = tagsOf(page).filter(({ name }) => name === 'a');

    expect(new Set(links.map(({ attributes }) => attributes))).toEqual(
      new Set(['href="https://a.example/x?y=1&amp;copy=2#%28a%29%22%3Cb%3E%7C%60%5Bc%5D%5C"']),
    );
  });

  it('lets no diff end its own block', () => {
    const diff = '@@ -1,3 +1,3 @@\n ```\n </details>\n    ~~~\n   `````\n # Approved\n';
    const page = rendered(planOfTexts(['a'], { manifests: [aManifest({ diff }), aManifest()] }));

    expect(unbalanced(page)).toEqual([]);
    expect(page.split('<pre>')).toHaveLength(3);
    expect(page).not.toContain('<h1>');
  });

  it('has no line that begins with a GitLab quick action, even in a malformed diff', () => {
    const texts = ['/close', ' /approve', 'a\n/merge', '```\n/label ~x'];
    const diffs = texts.map((diff) => aManifest({ diff }));
    const plan = planOfTexts(texts, { manifests: [...planOfTexts(texts).manifests, ...diffs] });

    expect(planMarkdown(plan, { maxChars: 1_000_000, linkOf })).not.toMatch(/^\//m);
  });
});
