import { describe, expect, it } from 'vitest';
import { massRelease } from '../../../../src/features/synth/mass-release.ts';

/** The code of what a release of so many of the held addresses is refused with. */
function codeOf(held: number, released: number, allowed: readonly number[] = []) {
  const files = Array.from(
    { length: released },
    (_, number) => `leases/allocations/${number}.yaml`,
  );
  return massRelease({ held, files, allowed }, (count) => `say ${count}`)?.code;
}

describe('a release of many addresses', () => {
  it.each([
    [3, 3],
    [39, 3],
    [40, 4],
    [49, 4],
    [50, 5],
  ])('of %i held ones is told from the one after %i on', (held, most) => {
    expect(codeOf(held, 0)).toBeUndefined();
    expect(codeOf(held, most)).toBeUndefined();
    expect(codeOf(held, most + 1)).toBe('MASS_RELEASE');
  });

  it('is let through when its very number was said', () => {
    expect(codeOf(5, 4, [3, 4])).toBeUndefined();
    expect(codeOf(5, 5, [3, 4])).toBe('MASS_RELEASE');
  });

  it('names the first file, and how to say the number', () => {
    const files = ['a.yaml', 'b.yaml', 'c.yaml', 'd.yaml'];
    expect(massRelease({ held: 4, files, allowed: [] }, (count) => `say ${count}`)).toEqual({
      code: 'MASS_RELEASE',
      message: '4 of 4 held addresses would be released',
      at: { file: 'a.yaml', line: 1, column: 1 },
      hint: 'if it is meant: say 4',
    });
  });
});
