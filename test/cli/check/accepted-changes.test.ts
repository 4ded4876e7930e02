import { describe, expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { begin, found, pinned, pools, web } from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

describe('check --base accepts', () => {
  it.each<[string, (checkout: LeaseCheckout) => Promise<void> | void]>([
    ['nothing at all', () => {}],
    [
      'a new lease',
      async (checkout) => {
        checkout.put('leases/cat.yaml', leaseText('cat', 4, [web]));
        await checkout.synth('2026-01-10');
      },
    ],
    [
      'a lease that ends',
      async (checkout) => {
        checkout.put('leases/ann.yaml', '');
        await checkout.synth('2026-01-10');
      },
    ],
    [
      'a holder that comes back to what is kept for it',
      async (checkout) => {
        checkout.put('leases/old.yaml', leaseText('old', 3, [web]));
        await checkout.synth('2026-01-10');
      },
    ],
    [
      'a holder that comes back, with a shorter promise',
      async (checkout) => {
        checkout.put('leases/old.yaml', leaseText('old', 3, [web]));
        checkout.edit('leases/pools.yaml', 'retentionDays: 10', 'retentionDays: 0');
        await checkout.synth('2026-01-10');
      },
    ],
    [
      'another holder, once it is free',
      async (checkout) => {
        checkout.put('leases/cat.yaml', leaseText('cat', 4, [pinned(3)]));
        await checkout.synth('2026-01-15');
      },
    ],
    [
      'a longer promise, and a shorter one that keeps the old',
      async (checkout) => {
        checkout.edit('leases/pools.yaml', 'retentionDays: 10', 'retentionDays: 2');
        checkout.put('leases/bob.yaml', leaseText('bob', 2, [{ ...pinned(2), retentionDays: 30 }]));
        await checkout.synth('2026-01-10');
      },
    ],
    [
      'a prune from the free day on',
      async (checkout) => {
        await checkout.run('prune', '--today', '2026-01-15');
        checkout.commit('2026-01-15');
      },
    ],
    [
      'a run of the day after, over the date line',
      async (checkout) => {
        checkout.put('leases/cat.yaml', leaseText('cat', 4, [web]));
        checkout.repository.git('add', '-A');
        await checkout.run('synth', '--today', '2026-01-11');
        checkout.commit('2026-01-10');
      },
    ],
  ])('%s', { tags: 'slow' }, async (_, change) => {
    const checkout = await begin();
    await change(checkout);
    expect(await found(checkout)).toEqual([]);
    expect(await found(checkout, '--head', 'HEAD')).toEqual([]);
  });
});

describe('MASS_RELEASE', () => {
  it('is refused unless a commit of the pull request says the very number, as earlier versions asked', {
    tags: 'slow',
  }, async () => {
    const checkout = await remadeCheckout({ 'leases/pools.yaml': pools, ...leasesOf(5) });
    checkout.repository.git('checkout', '-q', '-b', 'change');
    // In small runs that know no base: none of them is confirmed.
    for (const number of [1, 2, 3, 4]) {
      checkout.put(`leases/l${number}.yaml`, '');
      await checkout.forge('2026-01-10');
    }
    checkout.commit('2026-01-10', 'All go\n\nLeasehold-Allow-Release: 3');
    const [problem] = await found(checkout);
    expect(problem).toMatch(/^MASS_RELEASE leases\/allocations\//);
    expect(await found(checkout, '--allow-release', '4')).toEqual([]);
    expect(await found(checkout, '--allow-release', '5')).toHaveLength(1);
    checkout.commit('2026-01-10', 'Say it\n\nLeasehold-Allow-Release: 4');
    expect(await found(checkout)).toEqual([]);
    const every = Array.from({ length: 9 }, (_, number) => `Leasehold-Allow-Release: ${number}\n`);
    checkout.commit('2026-01-10', `Say every number\n\n${every.join('')}`);
    expect(await found(checkout)).toEqual([problem]);
    checkout.commit(
      '2026-01-10',
      'Say it twice\n\nLeasehold-Allow-Release: 4\nLeasehold-Allow-Release: 4',
    );
    expect(await found(checkout)).toEqual([]);
  });
});

function leasesOf(count: number): Record<string, string> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return Object.fromEntries(
    numbers.map((number) => [`leases/l${number}.yaml`, leaseText(`l${number}`, number, [web])]),
  );
}

it('says that the target has newer commits', async () => {
  const checkout = await begin();
  checkout.put('leases/eve.yaml', leaseText('eve', 5, [web]));
  await checkout.synth('2026-01-10');
  const { git } = checkout.repository;
  expect((await checkout.run('check', '--base', 'main')).out).toMatch(/are allowed\n$/);
  git('checkout', '-q', 'main');
  checkout.put('README.md', 'ours');
  checkout.commit('2026-01-10');
  git('checkout', '-q', 'change');
  const { status, out } = await checkout.run('check', '--base', 'main');
  expect([status, out]).toEqual([
    0,
    expect.stringMatching(/are allowed; main has newer commits, with which it is not checked\n$/),
  ]);
});

describe('a change of live Services', () => {
  it('is looked at again when dist/ was deleted before the run', async () => {
    const checkout = await begin();
    checkout.edit('leases/pools.yaml', 'pools:', 'metallb: { layout: pool }\npools:');
    checkout.repository.git('rm', '-rq', 'dist');
    const { status, out } = await checkout.run('synth', '--today', '2026-01-10');
    expect([status, out]).toEqual([1, expect.stringContaining('LAYOUT_CHANGED')]);
    await checkout.forge('2026-01-10');
    expect((await checkout.run('check')).status).toBe(0);
    expect(await found(checkout)).toEqual(['LAYOUT_CHANGED leases/pools.yaml']);
  });

  it('is another number of shards, when dist/ was deleted before the run', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    const clusters = 'clusters: [{ name: default, shards: 16 }]\npools:';
    checkout.edit('leases/pools.yaml', 'pools:', clusters);
    checkout.repository.git('rm', '-rq', 'dist');
    await checkout.forge('2026-01-10');
    expect((await checkout.run('check')).status).toBe(0);
    expect(await found(checkout)).toEqual(['SHARDS_CHANGED leases/pools.yaml']);
  });

  it('is an allocation that was lost and given anew, in two commits', async () => {
    const checkout = await begin();
    checkout.put(recordOf('203.0.113.1'), '');
    checkout.put('leases/ann.yaml', leaseText('ann', 1, [pinned(7)]));
    checkout.repository.git('rm', '-rq', 'dist');
    await checkout.forge('2026-01-10');
    const codes = (await found(checkout)).map((problem) => problem.split(' ')[0]);
    expect(codes).toEqual(['ALLOCATION_LOST', 'ALLOCATION_FORGED']);
  });
});

describe('a problem of the head itself', () => {
  it('is reported together with invalid changes from the base', async () => {
    const checkout = await begin();
    checkout.put('leases/cat.yaml', leaseText('cat', 4, [web]));
    checkout.put(recordOf('203.0.113.1'), '');
    expect(await found(checkout)).toEqual([
      `ALLOCATION_FORGED ${recordOf('203.0.113.1')}`,
      `FILE_LOST ${recordOf('203.0.113.1')}`,
    ]);
  });

  it('is reported once when a record cannot be read', async () => {
    const checkout = await begin();
    checkout.put(recordOf('203.0.113.3'), 'x: [');
    expect(await found(checkout)).toEqual([`YAML_SYNTAX ${recordOf('203.0.113.3')}`]);
  });
});
