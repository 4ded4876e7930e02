import { describe, expect, test } from 'vitest';
import { pageHtml } from '../../../../src/features/page/page-html.ts';
import { pictured } from '../../../support/page/picture.ts';

const pools = [{ pool: 'lab', range: '203.0.113.0/28', held: 3 }];

describe('pageHtml', () => {
  test('escapes its data, so that it cannot end an element or hide text', () => {
    const text = '</script><!--\u2028\u202e"\u0000';
    const page = pageHtml({ picture: pictured(pools, text), script: 'run()' });
    const [, json = ''] =
      /<script type="application\/json" id="picture">([^<]*)<\/script>/.exec(page) ?? [];
    expect(JSON.parse(json)).toEqual(pictured(pools, text));
    expect(page).not.toMatch(/[\p{Zl}\p{Cf}]/u);
  });

  test('of a large picture has what is shown first before the script, and the rest behind it', () => {
    const picture = pictured(pools);
    const first = { ...picture, holders: [], hostnames: [], partial: true as const };
    const page = pageHtml({ picture, first, script: 'run()' });
    const jsonOf = (id: string) => page.split(`id="${id}">`)[1]?.split('</script>')[0] ?? '';
    expect(JSON.parse(jsonOf('picture'))).toEqual(first);
    const places = ['id="picture"', '<script>run()', 'id="other"'].map((text) =>
      page.indexOf(text),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    const { partial: _, ...now } = first;
    expect({ ...now, ...JSON.parse(jsonOf('other')) }).toEqual(picture);
  });

  test('has no data without a picture, also for clients without JavaScript', () => {
    const page = pageHtml({ script: 'run()' });
    expect(page).not.toContain('application/json');
    expect(page).toContain('<noscript><p>This page needs JavaScript.');
  });

  test('allows its script by hash, and connections only when it is served', () => {
    const page = pageHtml({ picture: pictured(pools), script: 'run()' });
    expect(page).toContain('script-src &#39;sha256-');
    expect(page).not.toContain('unsafe');
    expect(page).not.toContain('connect-src');
    expect(pageHtml({ script: '' })).toContain("connect-src 'self'".replaceAll("'", '&#39;'));
  });
});
