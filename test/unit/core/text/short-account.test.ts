import { describe, expect, test } from 'vitest';
import {
  accountShortener,
  accountsIn,
  meantName,
  wholeNames,
} from '../../../../src/core/text/short-account.ts';
import { accountOf } from '../../../support/declarations/lease-text.ts';

const [alice, bob] = [accountOf('alice'), accountOf('bob')] as const;
const texts = [`default/akash/${alice}-ip-web`, `east/akash/${bob}`, 'default/service/shop/web'];

test('accounts are found in texts', () => {
  expect(accountsIn(texts)).toEqual(new Set([alice, bob]));
});

describe('a shortened account', () => {
  test('stands for the account that it was made of', () => {
    const shortened = accountShortener(accountsIn(texts));
    for (const text of texts) expect(wholeNames(shortened(text), texts)).toEqual([text]);
    expect(shortened(texts[0] ?? '')).toHaveLength((texts[0]?.length ?? 0) - 28);
  });

  test('keeps accounts apart that begin and end alike', () => {
    const twin = `${alice.slice(0, 16)}${alice.slice(16, 22).replaceAll(/./g, 'q')}${alice.slice(22)}`;
    const all = accountsIn([alice, twin]);
    const shortened = accountShortener(all);
    expect(new Set([alice, twin].map(shortened)).size).toBe(2);
    for (const one of all) expect(wholeNames(shortened(one), all)).toEqual([one]);
  });

  test('may have three dots, and any length', () => {
    expect(wholeNames(`akash1...${alice.slice(-7)}-ip-web`, texts)).toEqual([`${alice}-ip-web`]);
    expect(wholeNames(`${alice.slice(0, 20)}…${alice.slice(-1)}`, texts)).toEqual([alice]);
  });

  test('stands for nothing, for several, or for itself', () => {
    expect(wholeNames('akash1…nobody', texts)).toEqual([]);
    const twins = [alice, `${alice.slice(0, 30)}qqqqqqqqqqqqq${alice.slice(-1)}`];
    expect(wholeNames(`${alice.slice(0, 9)}…${alice.slice(-1)}`, twins)).toEqual([...twins].sort());
    expect(wholeNames('shop…', texts)).toEqual(['shop…']);
    expect(wholeNames(alice, [])).toEqual([alice]);
  });
});

test('a Service may be named as sentences name it, or as a table does without its cluster', () => {
  expect(wholeNames('default/shop/web', texts)).toEqual(['default/service/shop/web']);
  expect(wholeNames('service/shop/web', texts)).toEqual(['default/service/shop/web']);
  for (const name of ['east/shop/web', 'shop/web', 'a/default/shop/web']) {
    expect(wholeNames(name, texts)).toEqual([name]);
  }
});

test('a holder may be named as plans name it', () => {
  const ids = [
    ...texts,
    'east/shared/shop/own',
    'default/shared/shop/own',
    'default/namespace/shop',
  ];
  const said: readonly (readonly [string, string])[] = [
    [`web of ${alice.slice(0, 10)}…${alice.slice(-5)}`, `default/akash/${alice}-ip-web`],
    ['key shop/own', 'default/shared/shop/own'],
    ['key east/shop/own', 'east/shared/shop/own'],
    ['namespace shop', 'default/namespace/shop'],
  ];
  for (const [words, id] of said) expect(wholeNames(words, ids)).toEqual([id]);
  expect(wholeNames('key shop/none', ids)).toEqual(['key shop/none']);
});

test.each([
  ['shop/wbe', "; did you mean 'shop/web'?"],
  ['service/shop/wep', "; did you mean 'service/shop/web'?"],
  ['wep', "; did you mean 'web'?"],
  ['somebody', ''],
])('%s is told the nearest name, a part of one or an endpoint: %s', (typed, meant) => {
  expect(meantName(typed, texts)).toBe(meant);
});
