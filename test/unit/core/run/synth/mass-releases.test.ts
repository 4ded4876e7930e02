import { describe, expect, it } from 'vitest';
import { massRelease } from '../../../../../src/core/run/synth/mass-releases.ts';

const none = { held: 0, files: [], confirmed: 0 };

/** Files of so many released records. */
function filesOf(count: number, folder = 'allocations'): readonly string[] {
  return Array.from({ length: count }, (_, number) => `leases/${folder}/${number}.yaml`);
}

/** Returns the problem code of a release of so many of the held addresses. */
function codeOf(held: number, released: number) {
  const addresses = { held, files: filesOf(released), confirmed: 0 };
  return massRelease({ addresses, hostnames: none }, (count) => `confirm ${count}`)?.code;
}

describe('massRelease', () => {
  it.each([
    [3, 3],
    [39, 3],
    [40, 4],
    [49, 4],
    [50, 5],
  ])('of %i held addresses allows %i releases', (held, most) => {
    expect(codeOf(held, 0)).toBeUndefined();
    expect(codeOf(held, most)).toBeUndefined();
    expect(codeOf(held, most + 1)).toBe('MASS_RELEASE');
  });

  it('counts addresses and hostnames each by their own number', () => {
    const addresses = { held: 6, files: filesOf(5), confirmed: 1 };
    const hostnames = { held: 90, files: filesOf(2, 'hostnames'), confirmed: 0 };
    expect(massRelease({ addresses, hostnames }, (count) => `confirm ${count}`)).toMatchObject({
      message: '5 of 6 held addresses and 2 of 90 held hostnames would be released',
      hint: 'if this is intended: confirm 7',
    });
    const many = { held: 12, files: filesOf(4, 'hostnames'), confirmed: 0 };
    const onlyNames = { addresses: { ...none, held: 1000 }, hostnames: many };
    expect(massRelease(onlyNames, () => '')?.message).toBe(
      '4 of 12 held hostnames would be released',
    );
  });

  it('names the first file, and how to confirm the number', () => {
    const files = ['a.yaml', 'b.yaml', 'c.yaml', 'd.yaml'];
    const addresses = { held: 4, files, confirmed: 0 };
    expect(massRelease({ addresses, hostnames: none }, (count) => `confirm ${count}`)).toEqual({
      code: 'MASS_RELEASE',
      message: '4 of 4 held addresses would be released',
      at: { file: 'a.yaml', line: 1, column: 1 },
      hint: 'if this is intended: confirm 4',
    });
  });
});
