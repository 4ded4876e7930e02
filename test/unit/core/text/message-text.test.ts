import { describe, expect, it } from 'vitest';
import { nearest } from '../../../../src/core/model/order.ts';
import { declaredNames, didYouMean } from '../../../../src/core/text/message-text.ts';

describe('nearest', () => {
  it.each([
    ['prot', 'port'],
    ['externalport', 'externalPort'],
    ['servce', 'service'],
    ['zonee', 'zone'],
    ['colour', undefined],
    ['z', undefined],
    ['', undefined],
  ])('takes %j for %j', (word, meant) => {
    expect(nearest(word, ['service', 'port', 'externalPort', 'zone', 'ab'])).toBe(meant);
  });

  it('takes the nearest, and the first of equally near ones', () => {
    expect(nearest('cart', ['part', 'cards', 'cars', 'card'])).toBe('part');
    expect(nearest('cards', ['part', 'cart', 'card'])).toBe('card');
  });

  it('makes a hint, or none', () => {
    expect(didYouMean('prot', ['port'])).toEqual({ hint: "did you mean 'port'?" });
    expect(didYouMean('x', ['port'])).toEqual({});
  });

  it.each([
    ['intet', ['inet', 'edge'], "did you mean 'inet'? The zones are edge, inet"],
    ['moon', ['inet', 'edge'], 'the zones are edge, inet'],
    ['moon', ['inet'], 'the only zone is inet'],
    ['intet', ['inet'], "did you mean 'inet'?"],
    ['moon', [], undefined],
    ['moon', [...'lkjihgfedcba'], 'the zones are a, b, c, d, e, f, g, h, i, j and 2 more'],
  ])('suggests a near name for %j from %j', (word, known, hint) => {
    expect(declaredNames('zone', word, known).hint).toBe(hint);
  });
});
