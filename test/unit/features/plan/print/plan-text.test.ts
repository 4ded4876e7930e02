import { describe, expect, it } from 'vitest';
import { planMarkdown } from '../../../../../src/features/plan/print/plan-markdown.ts';
import { planText } from '../../../../../src/features/plan/print/plan-text.ts';
import { sanitizedJson } from '../../../../../src/text/print/escape.ts';
import { paintOf } from '../../../../../src/text/print/problems-text.ts';
import { bob } from '../../../../support/declarations/pools-and-claims.ts';
import { hostileTexts, planOfTexts } from '../../../../support/plans/hostile-plan.ts';
import { aChange, aliceShop, aPlan, aSide } from '../../../../support/plans/plan-builders.ts';
import { planCases } from '../../../../support/plans/plan-cases.ts';

const added = planCases['one-lease-added'] ?? aPlan();
const bare = paintOf(false);

describe('a plan as text', () => {
  it('tells the extent of the manifests, and their diffs only when asked', () => {
    const short = planText(added, bare, { manifests: false });
    const long = planText(added, bare, { manifests: true });

    expect(short).toContain('\nmanifests: 3 objects added; +8 −0 lines\n');
    expect(short).not.toContain('@@');
    expect(long).toContain(`\n${aliceShop}: 2 objects added; +6 −0 lines\n`);
    expect(long).toContain('\n    @@ -0,0 +1,6 @@\n    +apiVersion: v1\n');
  });

  it('shows no control character of user-supplied text', () => {
    const text = planText(planOfTexts(hostileTexts), bare, { manifests: true });

    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  });

  it('says the same in colours', () => {
    for (const plan of Object.values(planCases)) {
      const coloured = planText(plan, paintOf(true), { manifests: true });
      const colour = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');

      expect(coloured).toMatch(colour);
      expect(coloured.replace(colour, '')).toBe(planText(plan, bare, { manifests: true }));
    }
  });
});

describe('a plan as JSON', () => {
  it.each(Object.entries(planCases))('%s prints every entry of the plan on one line', (_, plan) => {
    const json = sanitizedJson(plan);

    expect(JSON.parse(json)).toEqual(plan);
    expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });
});

describe('a holder in a table', () => {
  const rows = (...holders: readonly string[]) => {
    const addresses = holders.map((holder) => aChange({ after: aSide(holder) }));
    const text = planMarkdown(aPlan({ addresses }), { maxChars: 9_000, linkOf: () => undefined });
    return [...text.matchAll(/free → (.*?) \|/g)].map(([, holder]) => holder);
  };

  it('is short', () => {
    expect(rows(aliceShop, `default/akash/${bob}-ip-shop`, aliceShop)).toEqual([
      '`shop of akash1h24f…w3c9h`',
      '`shop of akash15745…fqx27`',
      '`shop of akash1h24f…w3c9h`',
    ]);
  });

  it('is short for a Service, a key and a group too', () => {
    expect(rows('default/service/team/app', 'edge/shared/team/k', 'anycast/dns')).toEqual([
      '`app of namespace team`',
      '`key k of namespace team in edge`',
      '`group dns`',
    ]);
  });

  it('is whole where another one of the plan would look like it', () => {
    const twin = aliceShop.replace('ljt7p0', 'qqqqqq');

    expect(rows(aliceShop, twin, 'default/something/else')).toEqual([
      `\`${aliceShop}\``,
      `\`${twin}\``,
      '`default/something/else`',
    ]);
  });
});
