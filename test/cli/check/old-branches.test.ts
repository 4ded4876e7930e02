import { describe, expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { begin, found, mended, pinned, web } from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

const ann = recordOf('203.0.113.1');

/** The branch `change` ends ann's lease and begins cat's on 2026-01-06; main goes on until a day. */
async function openUntil(day: string): Promise<LeaseCheckout> {
  const checkout = await begin();
  checkout.put('leases/ann.yaml', '');
  checkout.put('leases/cat.yaml', leaseText('cat', 4, [web]));
  await checkout.synth('2026-01-06');
  checkout.repository.git('checkout', '-q', 'main');
  checkout.put('leases/dan.yaml', leaseText('dan', 5, [pinned(9)]));
  await checkout.synth(day, 'Meanwhile');
  checkout.repository.git('checkout', '-q', 'change');
  return checkout;
}

/** What a forge checks out for a pull request: a merge of the target's newest commit and of the branch. */
function mergeRef({ repository }: LeaseCheckout, day: string, branch = 'change'): void {
  repository.git('checkout', '-q', '--detach', 'main');
  repository.on(day).git('merge', '-q', '--no-ff', '-m', 'The merge', branch);
}

describe('a pull request that was open for days', () => {
  it.each(['2026-01-08', '2026-01-15'])(
    'passes as the merge that the forge makes on %s',
    { tags: 'slow' },
    async (day) => {
      const checkout = await openUntil(day);
      mergeRef(checkout, day);
      expect(await found(checkout, '--head', 'HEAD')).toEqual([]);
    },
  );

  it('is refused when its promised retention is over, and one run fixes it', {
    tags: 'slow',
  }, async () => {
    const checkout = await openUntil('2026-02-15');
    mergeRef(checkout, '2026-02-15');
    expect(await found(checkout, '--head', 'HEAD')).toEqual([`DATE_BEHIND ${ann}`]);
    checkout.repository.git('checkout', '-q', 'change');
    await mended(checkout, '2026-02-15');
    expect(checkout.read(ann)).toContain('on: 2026-02-15\n  freeFrom: 2026-02-25');
    mergeRef(checkout, '2026-02-15');
    expect(await found(checkout, '--head', 'HEAD')).toEqual([]);
  });

  it('keeps the first day of its new lease in a merge, for more than a month', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    checkout.put('leases/cat.yaml', leaseText('cat', 4, [web]));
    await checkout.synth('2026-01-06');
    checkout.repository.git('checkout', '-q', 'main');
    checkout.commit('2026-02-15', 'Meanwhile');
    mergeRef(checkout, '2026-02-15');
    expect(await found(checkout)).toEqual([]);
  });

  it('passes in a merge queue behind another one', { tags: 'slow' }, async () => {
    const checkout = await openUntil('2026-01-09');
    checkout.repository.git('checkout', '-q', '-b', 'first', 'main');
    checkout.put('leases/eve.yaml', leaseText('eve', 6, [pinned(12)]));
    await checkout.synth('2026-01-09');
    mergeRef(checkout, '2026-01-10', 'first');
    checkout.repository.on('2026-01-10').git('merge', '-q', '--no-ff', '-m', 'Second', 'change');
    expect(await found(checkout)).toEqual([]);
  });

  it('passes after it has merged the target', { tags: 'slow' }, async () => {
    const checkout = await openUntil('2026-01-09');
    checkout.repository.on('2026-01-10').git('merge', '-q', '-m', 'Main', 'main');
    expect(await found(checkout)).toEqual([]);
  });
});

describe('a rebase or a squash of a branch that was open for days', () => {
  it.each([
    [
      'rebase',
      ({ repository }: LeaseCheckout, day: string) =>
        repository.on(day).git('rebase', '-q', 'main'),
    ],
    ['squash', squash],
  ] as const)(
    'passes as the branch does, and is one run away from it when a retention is over: %s',
    {
      tags: 'slow',
    },
    async (_, put) => {
      for (const [day, problems] of [
        ['2026-01-15', []],
        ['2026-01-16', [`DATE_BEHIND ${ann}`]],
      ] as const) {
        const checkout = await openUntil(day);
        expect(await found(checkout)).toEqual(problems);
        put(checkout, day);
        expect(await found(checkout)).toEqual(problems);
        checkout.repository.git('checkout', '-q', '-B', 'change');
        if (problems.length > 0) await mended(checkout, day);
        expect(await found(checkout)).toEqual([]);
      }
    },
  );

  it('passes on the target, whatever has landed since its own check', {
    tags: 'slow',
  }, async () => {
    const checkout = await openUntil('2026-01-16');
    squash(checkout, '2026-01-16');
    const before = checkout.repository.git('rev-parse', 'main').trim();
    expect(await found(checkout, '--base', before)).toEqual([`DATE_BEHIND ${ann}`]);
    checkout.repository.git('branch', '-f', 'main');
    expect(await found(checkout, '--base', before)).toEqual([]);
  });
});

/** What a merge queue that squashes makes of the branch. */
function squash({ repository }: LeaseCheckout, day: string): void {
  repository.git('checkout', '-q', '--detach', 'main');
  repository.git('merge', '-q', '--squash', 'change');
  repository.on(day).git('commit', '-q', '-m', 'Squashed');
}
