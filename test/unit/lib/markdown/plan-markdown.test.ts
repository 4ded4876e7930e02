import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../../src/core/run/plan/plan-answer.ts';
import { planMarkdown } from '../../../../src/lib/markdown/plan-markdown.ts';
import { aChange, aPlan, aSide, aTotal, linkOf } from '../../../support/plans/plan-builders.ts';
import { planCases } from '../../../support/plans/plan-cases.ts';

const many = planCases['many-changes'] ?? aPlan();

function counts(markdown: string): Readonly<Record<string, number>> {
  const count = (pattern: RegExp) => [...markdown.matchAll(pattern)].length;
  return {
    rows: count(/^- (\*\*[−+]\*\* )?`198/gm),
    links: count(/^- .*`198.*\]\(https/gm),
    folds: count(/^<details><summary><code>/gm),
    diffs: count(/^```diff/gm),
    cautions: count(/^- .* `LEASE_CUT`/gm),
    pools: count(/^- `[█░+-]+` pool/gm),
  };
}

const shortened = (plan: Plan, maxChars: number) => planMarkdown(plan, { maxChars, linkOf });

describe('a plan as Markdown that would be too long', () => {
  const whole = shortened(many, Number.MAX_SAFE_INTEGER);

  it('has everything while there is room, to the last character', () => {
    expect(counts(whole)).toEqual({
      ...{ rows: 300, links: 300, folds: 300, diffs: 300, cautions: 1, pools: 1 },
    });
    expect(shortened(many, whole.length)).toBe(whole);
    expect(whole).not.toContain('Shortened');
  });

  it('first leaves out diffs, of as few holders as it can', () => {
    const text = shortened(many, whole.length - 1);

    const { diffs = 0, ...others } = counts(text);

    expect(others).toEqual({ rows: 300, links: 300, folds: 300, cautions: 1, pools: 1 });
    expect(diffs).toBeGreaterThan(290);
    expect(diffs).toBeLessThan(300);
    expect(text).toContain(`The diffs of ${300 - diffs} holders are omitted.`);
    expect(text).toContain(
      `For the full plan, see plan.html in the artifact of the run, or run \`leasehold plan --base ${many.base.commit} --head ${many.head.commit}\`\n`,
    );
  });

  it('leaves out a diff that is too long, and none of the others', () => {
    const [first, ...rest] = many.manifests;
    const long = { ...many, manifests: [{ ...first!, diff: '+x\n'.repeat(40_000) }, ...rest] };
    const text = shortened(long, whole.length + 500);

    expect(counts(text)).toMatchObject({ folds: 300, diffs: 299 });
    expect(text).toContain('The diffs of 1 holder are omitted.');
  });

  it('then names of objects', () => {
    const text = shortened(many, 80_000);
    const { rows, folds = 0, diffs = 0 } = counts(text);

    expect(text.length).toBeLessThanOrEqual(80_000);
    expect(text.length).toBeGreaterThan(79_000);
    expect([rows, folds > 0 && folds < 300, diffs < 5]).toEqual([300, true, true]);
    expect(text).toContain(`and ${300 - folds} more holders\n`);
    expect(text).toContain(`The diffs of ${300 - diffs} holders are omitted.`);
  });

  it('then links and ports of folded rows, and names every holder', () => {
    const text = shortened(many, 30_000);
    const { rows, links = 0, folds, cautions } = counts(text);

    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text.length).toBeGreaterThan(29_500);
    expect([rows, folds, cautions]).toEqual([300, 0, 1]);
    expect(links).toBeGreaterThan(100);
    expect(text).toMatch(/\n- `198.51.102.99` `team-5\/app-299`\n/);
    expect(text).toContain(
      '300 holders: 240 objects added, 60 removed; +240 −60 lines; not shown\n',
    );
  });

  it('shows in 65,000 characters who loses what, of a thousand holders', () => {
    const addresses = Array.from({ length: 1_000 }, (_, index) =>
      aChange({
        address: `10.20.${Math.floor(index / 250)}.${index % 250}`,
        change: 'released',
        before: aSide(`prod-eu/service/team-${index % 17}/application-${index}`),
        after: aSide(`prod-eu/service/team-${index % 17}/application-${index}`, '2026-11-22'),
        details: [`free from 2026-11-2${index % 3}`],
      }),
    );
    const text = shortened(aPlan({ verdict: 'caution', addresses }), 65_000);

    for (const [index, { address }] of addresses.entries()) {
      expect(text).toMatch(`\`${address}\``);
      expect(text).toMatch(`\`prod-eu/team-${index % 17}/application-${index}\``);
    }
    expect(text).toContain('<details><summary>and 980 more losses, moves and cuts</summary>');
    expect(
      text.match(/^\*\*−\*\* 32\d holders · released · free from 2026-11-2\d$/gm),
    ).toHaveLength(3);
  });

  it.each([
    [12_000, { rows: 131, cautions: 1, pools: 1 }, 'and 169 more new holders\n\n</details>'],
    [6_500, { rows: 58, cautions: 1, pools: 0 }, '240 new holders not shown\n\n1 pool not shown\n'],
    [5_000, { rows: 20, cautions: 0, pools: 0 }, '1 kind of caution not shown'],
    [2_000, { rows: 6, cautions: 0, pools: 0 }, 'and 54 more losses, moves and cuts\n'],
    [800, { rows: 0, cautions: 0, pools: 0 }, '60 losses, moves and cuts not shown'],
  ])(
    'at last what is new, the totals, the cautions and what is lost: %i characters',
    (maxChars, shown, said) => {
      const text = shortened(many, maxChars);

      expect(text.length).toBeLessThanOrEqual(maxChars);
      expect(counts(text)).toMatchObject({ folds: 0, diffs: 0, ...shown });
      expect(text).toContain(said);
      expect(text).toContain('Shortened to');
      expect(text).toContain('<sub>leasehold plan');
    },
  );

  it('keeps verdict and sentence, and at last a part of them', () => {
    const sentence = '60 holders lose their addresses, 240 holders get an address';

    expect(shortened(many, 250)).toBe(
      `### ⚠️ Caution\n\n**${sentence}; no other address changes.**\n`,
    );
    expect(shortened(many, 60)).toBe(
      '### ⚠️ Caution\n\n**60 holders lose their addresses, 240 h…**\n',
    );
    expect(shortened(many, 5)).toBe('Cauti');
    expect(shortened(many, 0)).toBe('');
  });

  it('cuts no character and no name in half', () => {
    const plan = aPlan({ summary: `${'🦊'.repeat(30)} gets \`203.0.113.7\`.` });

    for (let maxChars = 0; maxChars < 160; maxChars += 1) {
      const text = shortened(plan, maxChars);
      expect(text.length).toBeLessThanOrEqual(maxChars);
      expect(text).not.toMatch(/\p{Cs}/u);
    }
  });

  it('counts thousands of problems of one code, and lists as many as it can in a fold', () => {
    const problems = Array.from({ length: 5_000 }, (_, index) => ({
      code: 'FIELD_VALUE' as const,
      message: `'port' is the number ${index}, expected at least 1`,
      of: index < 4_000 ? ('tree' as const) : ('change' as const),
      file: `leases/${index}.yaml`,
      line: 3,
      column: 5,
      also: [],
    }));
    const plan = aPlan({ verdict: 'blocked', summary: 'This must not be merged.', problems });
    const text = shortened(plan, 65_000);
    const [, tree, change = ''] = text.split('####');

    expect(text.length).toBeGreaterThan(64_000);
    expect(text.length).toBeLessThanOrEqual(65_000);
    expect(tree).toMatch(
      /^ Problems in the tree\n\n- \*\*4000 ×\*\* .* 0, .*<br>.* 2, .*<br>and 3997 more in 3997 files `FIELD_VALUE`<br>→ write what the message expects, then run `leasehold check`\n\n$/,
    );
    expect(change).toMatch(
      /^ Problems in the change\n\n- \*\*1000 ×\*\* .* 4000, .* `FIELD_VALUE`<br>→ .*\n/,
    );
    expect(change).toMatch(
      /<details><summary>Each of 5000 × <code>FIELD_VALUE<\/code><\/summary>\n\n(- .* `FIELD_VALUE`\n){300,}\nand \d+ more problems\n\n<\/details>\n/,
    );
  });

  it('lists as many as it can of problems that all have their own hint, first those of the tree', () => {
    const problems = Array.from({ length: 1_000 }, (_, index) => ({
      code: 'FIELD_VALUE' as const,
      message: `'port' is the number ${index}, expected at least 1`,
      of: index < 800 ? ('tree' as const) : ('change' as const),
      file: `leases/${index}.yaml`,
      line: 3,
      column: 5,
      hint: `use ${index + 1}`,
      also: [],
    }));
    const plan = aPlan({ verdict: 'blocked', summary: 'This must not be merged.', problems });
    const text = shortened(plan, 65_000);
    const [, tree, change] = text.split('####');

    expect(text.length).toBeGreaterThan(64_000);
    expect(text.length).toBeLessThanOrEqual(65_000);
    expect(tree).toMatch(/^ Problems in the tree\n\n- .* `FIELD_VALUE`<br>→ /);
    expect(tree).toMatch(/\nand \d+ more kinds of problem\n/);
    expect(change).toMatch(
      /^ Problems in the change\n\n(- .* `FIELD_VALUE`<br>→ .*\n){40}\nand 160 more kinds of problem\n/,
    );
  });

  it('folds the manifests of many holders into one', () => {
    const first = (count: number) => ({ ...many, manifests: many.manifests.slice(0, count) });

    expect(shortened(first(5), 65_000)).not.toContain('5 holders: ');
    expect(shortened(first(6), 65_000)).toContain(
      '#### Manifests\n\n<details><summary>6 holders: 4 objects added, 2 removed; +4 −2 lines</summary>\n\n<details><summary><code>',
    );
  });

  it('links to the artifacts of the run in its last line, and in the notice', () => {
    const report = 'https://forge.example/runs/7?a=1&b=2#(x)';
    const text = planMarkdown(many, { maxChars: 3_000, linkOf, report });

    expect(text).toContain(
      'see [plan.html](https://forge.example/runs/7?a=1&amp;b=2#%28x%29), or run',
    );
    expect(text).toContain(
      ' · [plan and map as pages](https://forge.example/runs/7?a=1&amp;b=2#%28x%29)</sub>\n',
    );
    expect(planMarkdown(many, { maxChars: 3_000, linkOf, report: 'javascript:x' })).not.toContain(
      'javascript',
    );
  });

  it('obeys the limit too when nothing changes but thousands of pools are there', () => {
    const pools = Array.from({ length: 5_000 }, (_, index) =>
      aTotal([1, 2], { pool: `p${index}` }),
    );
    const text = shortened(aPlan({ pools }), 2_000);

    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(text).toMatch(/\nand 49\d\d more pools\n/);
  });

  it('begins with the marker, and counts it', () => {
    const marker = (part: number) => `<!-- leasehold:plan:default:${part} -->`;
    const text = planMarkdown(many, { maxChars: 3_000, linkOf, marker });

    expect(text.startsWith('<!-- leasehold:plan:default:1 -->\n### ⚠️ Caution\n')).toBe(true);
    expect(text.length).toBeLessThanOrEqual(3_000);
  });

  it('does not name a head that is not committed as one to compare', () => {
    const plan = { ...many, head: { ...many.head, uncommitted: true as const } };

    expect(shortened(plan, 5_000)).toContain(`\`leasehold plan --base ${many.base.commit}\`\n`);
  });
});
