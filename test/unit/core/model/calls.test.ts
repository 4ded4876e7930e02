import { describe, expect, it } from 'vitest';
import { mapAtOnce } from '../../../../src/core/model/calls.ts';

describe('mapAtOnce', () => {
  it('has at most the given number of calls at a time, and the values in the order of the items', async () => {
    let running = 0;
    let most = 0;
    const ends: (() => void)[] = [];
    const made = mapAtOnce([1, 2, 3, 4, 5], 2, async (item) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((done) => ends.push(done));
      running -= 1;
      return item * 10;
    });
    let ended = 0;
    while (ended < 5) {
      // The newest call ends first.
      ends.pop()?.();
      ended += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await made).toEqual([10, 20, 30, 40, 50]);
    expect(most).toBe(2);
  });

  it('rejects with the first error', async () => {
    const failing = mapAtOnce([1, 2], 1, async (item) => {
      if (item === 2) throw new Error('two');
      return item;
    });
    await expect(failing).rejects.toThrow('two');
  });
});
