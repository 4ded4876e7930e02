import { expect, test } from 'vitest';
import { holderText } from '../../../../src/core/model/holder.ts';

const owner = 'akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4';

test.each([
  [`default/akash/${owner}-ip-shop`, 'shop of akash17zp8…nkks4'],
  [`edge/akash/${owner}-ip-shop`, 'shop of akash17zp8…nkks4 in edge'],
  ['default/service/shop/web', 'shop/web'],
  ['edge/service/shop/web', 'edge/shop/web'],
  ['default/shared/shop/k', 'key shop/k'],
  ['edge/shared/shop/h.0a1b', 'key edge/shop/h.0a1b'],
  ['anycast/dns', 'group dns'],
  ['what/ever', 'what/ever'],
  ['', ''],
])('a sentence names the holder %s as %s', (holder, text) => {
  expect(holderText(holder)).toBe(text);
});
