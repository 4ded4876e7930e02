import { expect, test } from 'vitest';
import { holderText } from '../../../../src/core/model/holder.ts';

const owner = 'akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4';

test.each([
  [`default/akash/${owner}-ip-shop`, 'shop of akash17zp8…nkks4'],
  [`edge/akash/${owner}-ip-shop`, 'shop of akash17zp8…nkks4 in edge'],
  ['default/service/shop/web', 'web of namespace shop'],
  ['edge/service/shop/web', 'web of namespace shop in edge'],
  ['default/shared/shop/k', 'key k of namespace shop'],
  ['edge/shared/shop/h.0a1b', 'key h.0a1b of namespace shop in edge'],
  ['anycast/dns', 'group dns'],
  ['what/ever', 'what/ever'],
  ['', ''],
])('a sentence names the holder %s as %s', (holder, text) => {
  expect(holderText(holder)).toBe(text);
});
