import { describe, expect, it } from 'vitest';
import { planMarkdown, planMarkdownParts } from '../../../../src/lib/markdown/plan-markdown.ts';
import { aManifest, aPlan, linkOf } from '../../../support/plans/plan-builders.ts';
import { planCases } from '../../../support/plans/plan-cases.ts';

const many = planCases['many-changes'] ?? aPlan();
const one = planCases['one-lease-added'] ?? aPlan();

describe('a plan as comments', () => {
  it('is one comment when it fits', () => {
    const whole = planMarkdown(one, { maxChars: 65_000, linkOf });

    expect(planMarkdownParts(one, { maxChars: 65_000, linkOf })).toEqual([whole]);
  });

  it('has all but the manifests in the first, and every fold in full in the others', () => {
    const parts = planMarkdownParts(many, { maxChars: 65_000, linkOf });
    const [first = '', ...others] = parts;

    expect(parts).toHaveLength(3);
    expect(first).toContain('The manifests of 300 holders are in parts 2 to 3.');
    expect(first).not.toContain('Shortened');
    expect(first).not.toContain('<details><summary><code>');
    expect(others.map((part) => part.split('\n')[0])).toEqual([
      '### Manifests, part 2 of 3',
      '### Manifests, part 3 of 3',
    ]);
    const holders = others.flatMap((part) =>
      [...part.matchAll(/<summary><code>(.*?)<\/code>/g)].map(([, holder]) => holder),
    );
    expect(holders).toEqual(many.manifests.map(({ holder }) => holder));
    expect(others.join('').split('```diff')).toHaveLength(301);
  });

  it('lists in the first part what it leaves out', () => {
    const [first = ''] = planMarkdownParts(many, { maxChars: 12_000, linkOf });

    expect(first).toMatch(/\nand \d+ more new holders\n/);
    expect(first).toMatch(
      /The manifests of 300 holders are in parts 2 to \d+\.\n\nShortened to 12000 /,
    );
  });

  it('shows a holder whose diff alone is too long by the names of its objects, or only counts them', () => {
    const objects = Array.from({ length: 400 }, (_, index) => ({
      action: 'added' as const,
      object: `Service lease/web-${index}`,
    }));
    const plan = aPlan({
      manifests: [
        aManifest({ holder: 'long diff', diff: '+x\n'.repeat(4_000) }),
        aManifest({ holder: 'many objects', objects }),
        aManifest({ holder: 'small' }),
      ],
    });
    const [, second = '', ...rest] = planMarkdownParts(plan, { maxChars: 5_000, linkOf });

    expect(rest).toEqual([]);
    expect(second).toMatch(
      /<code>long diff<\/code>.*\n\n`dist.*\n\n- added .*\n- added .*\n\n<\/details>/,
    );
    expect(second).toContain('`many objects`: 400 objects added; +6 −0 lines; too long to show');
    expect(second).toMatch(/<code>small<\/code>.*```diff/s);
  });

  it('has at most 20 parts, and states what is missing', () => {
    const parts = planMarkdownParts(many, { maxChars: 3_000, linkOf });
    const shown = parts.join('').split('<details><summary><code>').length - 1;

    expect(parts).toHaveLength(20);
    expect(parts[0]).toContain(
      `The manifests of ${shown} holders are in parts 2 to 20; those of ${300 - shown} more are omitted`,
    );
  });

  it('is one comment where the limit leaves no room for a part', () => {
    const parts = planMarkdownParts(many, { maxChars: 150, linkOf });

    expect(parts).toEqual([planMarkdown(many, { maxChars: 150, linkOf })]);
  });
});
