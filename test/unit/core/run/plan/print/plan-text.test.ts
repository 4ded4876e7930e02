import { describe, expect, it } from 'vitest';
import { planText } from '../../../../../../src/core/run/plan/print/plan-text.ts';
import { sanitizedJson } from '../../../../../../src/core/text/print/escape.ts';
import { paintOf } from '../../../../../../src/core/text/print/problems-text.ts';
import { planMarkdown } from '../../../../../../src/lib/markdown/plan-markdown.ts';
import { bob } from '../../../../../support/declarations/pools-and-claims.ts';
import { hostileTexts, planOfTexts } from '../../../../../support/plans/hostile-plan.ts';
import { aChange, aliceShop, aPlan, aSide } from '../../../../../support/plans/plan-builders.ts';
import { planCases } from '../../../../../support/plans/plan-cases.ts';

const added = planCases['one-lease-added'] ?? aPlan();
const bare = { paint: paintOf(false) };

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

  it('counts equal addresses and problems of a long list, and lists each when asked', () => {
    const many = planCases['many-changes'] ?? aPlan();
    const short = planText(many, bare, { manifests: false });
    const all = planText(many, bare, { manifests: false, all: true });

    expect(short).toContain(
      [
        '- 60 addresses  released  default  60 holders',
        '    198.51.100.0 … 198.51.102.95',
        '    leases/team-0/app-0.yaml:4 (before) and 59 more',
        '    web 80/TCP',
        '    free from 2026-11-22',
        '',
      ].join('\n'),
    );
    expect(short).toContain('\n`leasehold plan --all` lists each of them\n');
    expect(all.match(/^[+-] 198/gm)).toHaveLength(300);
    expect(all).not.toContain('--all');
  });

  it('has one line for a move, and begins with what is lost', () => {
    const to = aChange({ address: '203.0.113.9', details: ['moved from 203.0.113.7'] });
    const from = aChange({
      change: 'released',
      before: aSide(),
      after: aSide(aliceShop, '2026-11-28'),
      details: ['free from 2026-11-28'],
    });
    const another = aChange({ address: '198.51.100.1', after: aSide('default/service/a/b') });
    const text = planText(aPlan({ addresses: [another, from, to] }), bare, { manifests: false });

    expect(text.split('\n').slice(2, 11)).toEqual([
      `→ 203.0.113.9  moved  default  ${aliceShop}`,
      '    leases/alice/12345.yaml:7',
      '    web 80/TCP',
      '    moved from 203.0.113.7',
      '    203.0.113.7 free from 2026-11-28',
      '',
      '+ 198.51.100.1  allocated  default  default/service/a/b',
      '    leases/alice/12345.yaml:7',
      '    web 80/TCP',
    ]);
  });

  it.each([80, 100, 120, 160])(
    'fits %i characters, except for files, problems and hashes',
    (width) => {
      const { 'hostile-text': _, ...cases } = planCases;
      const texts = Object.values(cases).map((plan) =>
        planText(plan, { ...bare, width }, { manifests: false }),
      );
      const long = texts.flatMap((text) => text.split('\n')).filter(({ length }) => length > width);

      expect(long.filter((line) => !/^(leases\/\S+:\d+| {2}hint: )/.test(line))).toEqual([]);
    },
  );

  it('says the same in colours', () => {
    for (const plan of Object.values(planCases)) {
      const coloured = planText(plan, { paint: paintOf(true) }, { manifests: true });
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

describe('a holder in a comment', () => {
  const rows = (...holders: readonly string[]) => {
    const addresses = holders.map((holder) => aChange({ after: aSide(holder) }));
    const text = planMarkdown(aPlan({ addresses }), { maxChars: 9_000, linkOf: () => undefined });
    return [...text.matchAll(/^- \*\*\+\*\* `[^`]+` · (.*?) · /gm)].map(([, holder]) => holder);
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
      '`team/app`',
      '`key edge/team/k`',
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
