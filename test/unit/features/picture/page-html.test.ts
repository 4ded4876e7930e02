import { describe, expect, test } from 'vitest';
import { pageHtml } from '../../../../src/features/picture/page-html.ts';
import { pictured } from '../../../support/pictured.ts';

const pools = [{ pool: 'lab', range: '203.0.113.0/28', held: 3 }];

describe('the file of a page', () => {
  test('has its data as text that ends no element and hides nothing', () => {
    const text = '</script><!--\u2028\u202e"\u0000';
    const page = pageHtml({ picture: pictured(pools, text), script: 'run()' });
    const [, json = ''] =
      /<script type="application\/json" id="picture">([^<]*)<\/script>/.exec(page) ?? [];
    expect(JSON.parse(json)).toEqual(pictured(pools, text));
    expect(page).not.toMatch(/[\p{Zl}\p{Cf}]/u);
  });

  test('without a picture has no data, and none without a script either', () => {
    const page = pageHtml({ script: 'run()' });
    expect(page).not.toContain('application/json');
    expect(page).toContain('<noscript><p>This page needs JavaScript.');
  });

  test('lets its script run by its hash, and connect only when it is served', () => {
    const page = pageHtml({ picture: pictured(pools), script: 'run()' });
    expect(page).toContain('script-src &#39;sha256-');
    expect(page).not.toContain('unsafe');
    expect(page).not.toContain('connect-src');
    expect(pageHtml({ script: '' })).toContain("connect-src 'self'".replaceAll("'", '&#39;'));
  });
});
