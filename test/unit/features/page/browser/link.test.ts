import { describe, expect, test } from 'vitest';
import { formatAddress, isAddress, parseAddress } from '../../../../../src/core/net/address.ts';
import { linkedView, linkText } from '../../../../../src/features/page/browser/link.ts';
import { sheetText } from '../../../../../src/features/page/browser/map/blocks.ts';
import { PictureIndex } from '../../../../../src/features/page/browser/picture-index.ts';
import { Store } from '../../../../../src/features/page/browser/store.ts';
import { pictured } from '../../../../support/page/picture.ts';

function aStore(): Store {
  const pools = [
    { pool: 'lab', range: '203.0.113.0/24', held: 9 },
    { pool: 'big/one', range: '10.0.0.0/12', held: 200 },
    { pool: 'six', range: '2001:db8:30::/64', held: 20 },
  ];
  return new Store(new PictureIndex(pictured(pools)), undefined);
}

/** The store of a page that is opened with this fragment. */
function opened(fragment: string): Store {
  const store = aStore();
  store.look(linkedView(store, fragment));
  return store;
}

describe('a link', () => {
  test('of the first view is empty', () => {
    expect(linkText(aStore())).toBe('');
  });

  test.each([
    ['203.0.113.7'],
    ['2001:db8:30:0:2000::'],
    ['map=six/ipv6&block=2001:db8:30::/64'],
    ['203.0.113.7&q=web%20443&state=held&zone=dc1&list=expiring&sort=-free-from&page=3'],
    ['color=owner'],
    ['list=free'],
    ['shop.example.com'],
    ['*.shop.example.com&owner=lab/shop&list=hostnames'],
  ])('with %s leads to itself', (fragment) => {
    expect(linkText(opened(fragment))).toBe(fragment);
  });

  test('to the name of a pool shows the pool, and to another name selects a hostname', () => {
    const pools = [{ pool: 'pool.example', range: '192.0.2.0/28', held: 1 }];
    const store = new Store(new PictureIndex(pictured(pools)), undefined);
    expect(linkedView(store, 'pool.example').selected).toBeUndefined();
    expect(linkedView(store, 'other.example').selected).toBe('other.example');
  });

  test('has the part of the map that is shown', () => {
    const store = aStore();
    const address = parseAddress('10.3.0.9');
    if (!isAddress(address)) throw new Error('no address');
    store.show(address, formatAddress(address));
    const { trail } = store.view;
    expect(trail.map(sheetText)).toEqual(['10.0.0.0/12', '10.3.0.0/22']);
    expect(linkText(store)).toBe('10.3.0.9');
    store.look({ trail: trail.slice(0, 1) });
    const fragment = linkText(store);
    expect(opened(fragment).view).toEqual(store.view);
    store.look({ selected: undefined });
    expect(opened(linkText(store)).view).toEqual(store.view);
  });

  test.each([
    ['six', 'six', '2001:db8:30::/64'],
    ['10.3.0.0/22', 'big/one', '10.3.0.0/22'],
    ['10.3.0.0/16', 'big/one', '10.3.0.0/16'],
    ['203.0.113.0/26', 'lab', '203.0.113.0/26'],
  ])('to %s shows %s, %s', (fragment, pool, block) => {
    const { view } = opened(fragment);
    expect(view.space?.pool).toBe(pool);
    expect(sheetText(view.trail.at(-1) ?? [])).toBe(block);
  });

  test.each([
    '%',
    '%zz',
    '__proto__',
    '=',
    'map=none',
    'map=lab&block=1',
    'page=x',
    'day=1',
    'sort=',
  ])('with %s shows the first view', (fragment) => {
    const store = opened(fragment);
    expect(store.view).toEqual(aStore().view);
  });
});
