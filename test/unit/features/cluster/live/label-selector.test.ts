import { describe, expect, it } from 'vitest';
import { anySelects, selects } from '../../../../../src/features/cluster/live/label-selector.ts';

const labels = { rack: 'one', 'example.com/empty': '' };
const on = (key: string, operator: string, values?: readonly string[]) => ({
  matchExpressions: [{ key, operator, ...(values ? { values } : {}) }],
});

describe('selects', () => {
  it.each([
    [{}, true],
    [{ matchLabels: { rack: 'one' } }, true],
    [{ matchLabels: { rack: 'one', zone: 'a' } }, false],
    [on('rack', 'In', ['two', 'one']), true],
    [on('rack', 'In', ['two']), false],
    [on('zone', 'In', ['a']), false],
    [on('rack', 'NotIn', ['two']), true],
    [on('rack', 'NotIn', ['one']), false],
    [on('zone', 'NotIn', ['a']), true],
    [on('example.com/empty', 'Exists'), true],
    [on('zone', 'Exists'), false],
    [on('rack', 'DoesNotExist'), false],
    [on('zone', 'DoesNotExist'), true],
    [on('rack', 'Near', ['one']), false],
    [{ matchLabels: { rack: 'one' }, ...on('zone', 'Exists') }, false],
  ])('with %j is %s', (selector, expected) => {
    expect(selects(selector, labels)).toBe(expected);
  });

  it('matches an object without labels like one with none of them', () => {
    expect(selects({ matchLabels: { rack: 'one' } }, undefined)).toBe(false);
    expect(selects(on('rack', 'NotIn', ['one']), undefined)).toBe(true);
  });
});

describe('anySelects', () => {
  it('needs one match, or no selector', () => {
    const [one, two] = [{ matchLabels: { rack: 'one' } }, { matchLabels: { rack: 'two' } }];
    expect([[], [two, one], [two]].map((all) => anySelects(all, labels))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
