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
      ({ repository }: LeaseCheckout) => repository.on('2026-01-10').git('rebase', '-q', 'main'),
    ],
    ['squash', squash],
  ] as const)('is one run away from passing: %s', { tags: 'slow' }, async (_, put) => {
    const checkout = await openUntil('2026-01-09');
    put(checkout);
    expect(await found(checkout)).toEqual([`DATE_BEHIND ${ann}`]);
    checkout.repository.git('checkout', '-q', '-B', 'change');
    await mended(checkout, '2026-01-10');
    expect(await found(checkout)).toEqual([]);
  });

  it('is one run away from passing, also with a lease that was new more than a month ago', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    checkout.put('leases/cat.yaml', leaseText('cat', 4, [pinned(4)]));
    await checkout.synth('2026-01-06');
    checkout.repository.git('checkout', '-q', 'main');
    checkout.commit('2026-02-15', 'Meanwhile');
    checkout.repository.git('checkout', '-q', 'change');
    checkout.repository.on('2026-02-15').git('rebase', '-q', 'main');
    expect(await found(checkout)).toEqual([`DATE_BEHIND ${recordOf('203.0.113.4')}`]);
    await mended(checkout, '2026-02-15');
    expect(await found(checkout)).toEqual([]);
  });

  it('passes after one run on the branch as it is', { tags: 'slow' }, async () => {
    const checkout = await openUntil('2026-01-09');
    await checkout.synth('2026-01-10');
    squash(checkout);
    expect(await found(checkout)).toEqual([]);
  });

  it('passes where --merged names the branch', { tags: 'slow' }, async () => {
    const checkout = await openUntil('2026-01-09');
    squash(checkout);
    expect(await found(checkout, '--merged', 'change')).toEqual([]);
  });
});

/** What a merge queue that squashes makes of the branch. */
function squash({ repository }: LeaseCheckout): void {
  repository.git('checkout', '-q', '--detach', 'main');
  repository.git('merge', '-q', '--squash', 'change');
  repository.on('2026-01-10').git('commit', '-q', '-m', 'Squashed');
}

describe('a merge does not allow an earlier day', () => {
  it('of an address that the target has changed since the branch began', {
    tags: 'slow',
  }, async () => {
    const checkout = await openUntil('2026-01-09');
    checkout.repository.git('checkout', '-q', 'main');
    const longer = { ...pinned(2), retentionPeriodDays: 20 };
    checkout.put('leases/bob.yaml', leaseText('bob', 2, [longer]));
    await checkout.synth('2026-01-10');
    mergeRef(checkout, '2026-01-11');
    checkout.put('leases/bob.yaml', '');
    const gone = 'retain: 20\nreleased:\n  on: 2026-01-06\n  freeFrom: 2026-01-26\n';
    checkout.edit(recordOf('203.0.113.2'), 'retain: 20\n', gone);
    checkout.repository.git('add', '-A');
    await checkout.run('synth', '--no-base', '--today', '2026-01-11');
    checkout.repository.git('add', '-A');
    checkout.repository.on('2026-01-11').git('commit', '-q', '--amend', '--no-edit');
    expect(await found(checkout)).toEqual([`DATE_BEHIND ${recordOf('203.0.113.2')}`]);
  });

  it('to before its own branch began', async () => {
    const checkout = await begin();
    checkout.put('leases/ann.yaml', '');
    checkout.edit(
      ann,
      'retain: 10\n',
      'retain: 10\nreleased:\n  on: 2026-01-03\n  freeFrom: 2026-01-13\n',
    );
    await checkout.forge('2026-01-06');
    checkout.repository.git('checkout', '-q', 'main');
    checkout.commit('2026-01-09', 'Meanwhile');
    mergeRef(checkout, '2026-01-10');
    expect(await found(checkout)).toEqual([`DATE_BEHIND ${ann}`]);
  });
});
