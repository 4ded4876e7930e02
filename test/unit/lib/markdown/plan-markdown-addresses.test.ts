import { describe, expect, it } from 'vitest';
import type { AddressChange, Plan } from '../../../../src/core/run/plan/plan-answer.ts';
import { planMarkdown } from '../../../../src/lib/markdown/plan-markdown.ts';
import { aChange, anOccupancy, aPlan, aTotal } from '../../../support/plans/plan-builders.ts';

const web = 'prod-eu/service/shop/web';
const held = (holder: string, ...claims: string[]) => ({ holder, state: 'held' as const, claims });
const kept = (holder: string) => ({
  ...{ holder, state: 'released' as const, freeFrom: '2026-11-28', claims: [] },
});
const both = (changes: Partial<AddressChange>) => [
  aChange({ address: '203.0.113.7', ...changes }),
  aChange({ address: '2001:db8::7', ...changes }),
];

/** The lines of the comment that begin with a sign, without links. */
function linesOf(changes: Partial<Plan>): readonly string[] {
  const text = planMarkdown(aPlan(changes), { maxChars: 65_000, linkOf: () => undefined });
  return text.split('\n').filter((line) => line.startsWith('- **'));
}

const at = { side: 'base', file: 'leases/shop/web.yaml', line: 4 } as const;

describe('a changed holder has one row', () => {
  it.each<[string, readonly AddressChange[], string]>([
    [
      'with both of its addresses, its ports and the file of its author',
      both({ after: held(web, 'web 80/TCP', 'web 443/TCP') }),
      '- **+** `203.0.113.7`, `2001:db8::7`<br>`prod-eu/shop/web` · `80, 443/TCP`<br>allocated · `leases/alice/12345.yaml:7`',
    ],
    [
      'with what a release means',
      both({
        ...{ change: 'released', before: held(web, 'web 80/TCP'), after: kept(web), at },
        details: ['free from 2026-11-28'],
      }),
      '- **−** `203.0.113.7`, `2001:db8::7`<br>`prod-eu/shop/web` · `80/TCP`<br>released · free from 2026-11-28 · `leases/shop/web.yaml:4` (before)',
    ],
    [
      'with the services of a group, ranges of ports, and what only one address has',
      both({ after: held('default/shared/shop/k', 'a 80/TCP', 'b 9000/UDP', 'b 9001/UDP') }).map(
        (change, index) =>
          index === 0 ? { ...change, details: ['free since 2026-11-01'] } : change,
      ),
      '- **+** `203.0.113.7`, `2001:db8::7`<br>`key shop/k` · a `80/TCP` · b `9000-9001/UDP`<br>allocated · `203.0.113.7` free since 2026-11-01 · `leases/alice/12345.yaml:7`',
    ],
    [
      'with both names of a renamed one, whose own name no detail repeats',
      [
        aChange({
          ...{ change: 'updated', before: held('default/service/shop/a', 'a 80/TCP') },
          after: held('default/service/shop/b', 'b 80/TCP'),
          details: ['renamed from shop/a'],
        }),
      ],
      '- **\\~** `203.0.113.7` · `shop/a` → `shop/b` · `80/TCP`<br>renamed · `leases/alice/12345.yaml:7`',
    ],
    [
      'with both addresses of a move, each family on a line',
      [
        ...both({
          ...{ change: 'released', before: held(web, 'web 80/TCP'), after: kept(web) },
          details: ['free from 2026-11-28'],
        }),
        ...['203.0.113.9', '2001:db8::9'].map((address, index) =>
          aChange({
            address,
            after: held(web, 'web 80/TCP'),
            details: [`moved from ${['203.0.113.7', '2001:db8::7'][index]} by \`leasehold move\``],
          }),
        ),
      ],
      '- **→** `203.0.113.7` → `203.0.113.9`<br>`2001:db8::7` → `2001:db8::9`<br>`prod-eu/shop/web` · `80/TCP`<br>moved by `leasehold move` · old address free from 2026-11-28 · `leases/alice/12345.yaml:7`',
    ],
  ])('%s', (_, addresses, line) => {
    expect(linesOf({ addresses })).toEqual([line]);
  });

  it('for each hostname, and for each of two addresses of one family', () => {
    const {
      address: _,
      pool: __,
      ...fields
    } = aChange({
      after: held('default/namespace/shop', 'routed to web:80'),
    });
    const hostnames = ['a.example.com', 'b.example.com'].map((hostname) => ({
      hostname,
      ...fields,
    }));
    const removed = ['203.0.113.8', '203.0.113.9'].map((address) => {
      const { after: ___, ...change } = aChange({ address, change: 'removed', before: kept(web) });
      return change;
    });

    expect(linesOf({ hostnames, addresses: removed })).toEqual([
      '- **+** `a.example.com` · `namespace shop`<br>allocated · routed to `web:80` · `leases/alice/12345.yaml:7`',
      '- **+** `b.example.com` · `namespace shop`<br>allocated · routed to `web:80` · `leases/alice/12345.yaml:7`',
      ...removed.map(
        ({ address }) =>
          `- **−** \`${address}\` · \`prod-eu/shop/web\` (released) → no record<br>removed · \`leases/alice/12345.yaml:7\``,
      ),
    ]);
  });
});

describe('pools', () => {
  it('that do not change are folded, and one that drains is not among them', () => {
    const drained = { ...anOccupancy(), free: '0', draining: '50' };
    const pools = [
      aTotal([12, 12]),
      aTotal([12, 12], { pool: 'old', before: anOccupancy(), after: drained }),
    ];
    const text = planMarkdown(aPlan({ pools }), { maxChars: 65_000, linkOf: () => undefined });
    const [shown = '', folded = ''] = text.split(
      '<details><summary>The use of 1 pool does not change</summary>',
    );

    expect(shown).toContain('pool `old`, IPv4: 12 of 62 in use (19 %); 50 → 0 free; draining\n');
    expect(folded).toContain('pool `default`, IPv4: 12 of 62 in use (19 %); 50 free\n');
  });
});
