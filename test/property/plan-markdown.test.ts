// @module-tag counted

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/core/run/plan/plan-answer.ts';
import { planMarkdown, planMarkdownParts } from '../../src/lib/markdown/plan-markdown.ts';
import { hostileTexts, planOfTexts } from '../support/plans/hostile-plan.ts';
import { aManifest, aPlan, linkOf } from '../support/plans/plan-builders.ts';
import { planCases } from '../support/plans/plan-cases.ts';
import { renderedMarkdown, tagsOf, unbalanced } from '../support/plans/rendered-markdown.ts';
import { runs, scope } from '../support/run/scope.ts';

const piece = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.constantFrom(...'`~|\\<>&@#[]()!*_-+=:$%"\'\n\r\t /🦊'),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
const several = fc.array(text, { minLength: 0, maxLength: 5 });

const plans: fc.Arbitrary<Plan> = fc
  .record({
    summary: text,
    verdict: fc.constantFrom('no change', 'routine', 'caution', 'blocked'),
    pools: several,
    addresses: several,
    cautions: several,
    problems: several,
    manifests: several,
    repeat: fc.constantFrom(1, 1, 30),
  })
  .map(({ summary, verdict, repeat, ...lists }) => {
    const of = (texts: readonly string[]) =>
      planOfTexts(Array.from({ length: repeat }, () => texts).flat());
    return planOfTexts([], {
      summary,
      verdict,
      pools: of(lists.pools).pools,
      addresses: of(lists.addresses).addresses,
      cautions: of(lists.cautions).cautions,
      problems: of(lists.problems).problems,
      manifests: of(lists.manifests).manifests,
    });
  });

const limits = fc.oneof(fc.nat(300), fc.nat(5_000), fc.nat(70_000));

const ours = new Set('h3 h4 p strong code ul li br details summary pre sub a'.split(' '));

function expectSound(markdown: string): void {
  const page = renderedMarkdown(markdown);
  expect(unbalanced(page)).toEqual([]);
  expect(tagsOf(page).filter(({ name }) => !ours.has(name.replace('/', '')))).toEqual([]);
  expect(markdown).not.toMatch(/\p{Cs}/u);
  // A fence that is open would take the footer in.
  const hasFooter = markdown.includes('<sub>leasehold plan');
  expect(page.trimEnd().endsWith('</sub></p>')).toBe(hasFooter);
}

describe('Markdown of any plan', () => {
  it('is whole and never too long', () => {
    fc.assert(
      fc.property(plans, limits, (plan, maxChars) => {
        const markdown = planMarkdown(plan, { maxChars, linkOf });

        expect(markdown.length).toBeLessThanOrEqual(maxChars);
        expectSound(markdown);
      }),
      { seed: 1, numRuns: runs(150) },
    );
  }, 120_000);

  it('is whole and never too long in parts, each found by its marker', () => {
    const marker = (part: number) => `<!-- leasehold:plan:default:${part} -->`;
    fc.assert(
      fc.property(plans, limits, (plan, more) => {
        const maxChars = 200 + more;
        const parts = planMarkdownParts(plan, { maxChars, linkOf, marker });

        expect(parts.length).toBeLessThanOrEqual(20);
        for (const [index, part] of parts.entries()) {
          expect(part.length).toBeLessThanOrEqual(maxChars);
          const [first, ...rest] = part.split('\n');
          expect(first).toBe(marker(index + 1));
          expectSound(rest.join('\n'));
        }
      }),
      { seed: 2, numRuns: runs(80) },
    );
  }, 120_000);
});

describe('a plan as Markdown that would be too long', () => {
  it('is as long as any limit allows, and never longer', () => {
    const manifests = ['a', 'b', 'c'].map((holder) => aManifest({ holder }));
    const plan = { ...(planCases['every-caution'] ?? aPlan()), manifests };
    const shortened = (maxChars: number) => planMarkdown(plan, { maxChars, linkOf });
    const all = shortened(Number.MAX_SAFE_INTEGER).length;

    // Every limit in a full run, else some: neighbours differ by a character.
    const step = { quick: 37, usual: 5, full: 1 }[scope];
    for (let maxChars = 0; maxChars <= all; maxChars += step) {
      expect(shortened(maxChars).length).toBeLessThanOrEqual(maxChars);
    }
  });
});
