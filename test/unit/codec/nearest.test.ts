import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from '../../../src/codec/nearest.ts';

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
});
