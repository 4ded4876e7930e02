import { describe, expect, it } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { called } from '../../support/plans/pull-request-kinds.ts';
import { begin, found, pinned, web } from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

const cat = accountOf('cat');
const file = `leases/${cat}/promise-front.yaml`;

/** Runs `add promise` on 2026-01-10. */
function addPromise(checkout: LeaseCheckout, endpoint: string, until: string) {
  const day = ['--until', until, '--today', '2026-01-10'];
  return checkout.run('add', 'promise', cat, endpoint, ...day);
}

/** A branch on which the endpoint `front` of `cat` has a promise until 2026-01-20. */
async function promised(): Promise<LeaseCheckout> {
  const checkout = await begin();
  await addPromise(checkout, 'front', '2026-01-20');
  await checkout.synth('2026-01-10', 'A promise');
  return checkout;
}

/** The same, merged into main, with a new branch. */
async function merged(): Promise<LeaseCheckout> {
  const checkout = await promised();
  checkout.repository.git('checkout', '-q', 'main');
  checkout.repository.git('merge', '-q', '--ff-only', 'change');
  checkout.repository.git('checkout', '-q', '-b', 'next');
  return checkout;
}

async function addressOf(checkout: LeaseCheckout): Promise<string> {
  const { out } = await checkout.run('who', `${cat}-ip-front`, '-o', 'json');
  return JSON.parse(out).items[0].address;
}

describe('a promise', () => {
  it('is written with a last day, and gets an address without a manifest', async () => {
    const checkout = await promised();
    expect(checkout.read(file)).toContain(
      `kind: Promise\nspec:\n  owner: ${cat}\n  endpoint: front\n  until: 2026-01-20\n`,
    );
    const changed = checkout.repository.git('diff', '--name-only', 'main').split('\n');
    expect(changed.filter((path) => path.startsWith('dist/'))).toEqual([]);
    const address = await addressOf(checkout);
    const { out } = await checkout.run('plan');
    expect(out.split('\n', 1)).toEqual([
      `Routine: ${address} is promised to ${called('cat')} until 2026-01-20.`,
    ]);
    const last = ['--today', '2026-01-20'];
    expect((await checkout.run('list', '--state', 'promised', ...last)).out).toMatch(
      /^\S+ +promised, until 2026-01-20 .*-ip-front$/m,
    );
    const after = ['--today', '2026-01-21'];
    expect((await checkout.run('list', '--state', 'promised', ...after)).out).toMatch(
      /^\S+ +promise ended 2026-01-20 .*-ip-front$/m,
    );
    expect((await checkout.run('who', address)).out).toMatch(
      /^\S+ +promise ended 2026-01-20, since /m,
    );
    expect(await found(checkout)).toEqual([]);
  });

  it('is taken over by the lease that comes, whatever its dseq, and removed', async () => {
    const checkout = await merged();
    const address = await addressOf(checkout);
    checkout.put('leases/cat.yaml', leaseText('cat', 77, [web]));
    const run = await checkout.run('synth', '--today', '2026-01-12');
    expect(run.out).toContain(`removed ${file}: a lease has its address\n`);
    checkout.commit('2026-01-12');
    expect(await addressOf(checkout)).toBe(address);
    expect(checkout.repository.git('ls-files', file)).toBe('');
    expect(checkout.repository.git('diff', '-U0', 'main', '--', '*allocations*')).toMatch(
      /\n@@.*\n-promised: true\n$/,
    );
    const { out } = await checkout.run('plan');
    expect(out.split('\n', 1)[0]).toBe(
      `Routine: ${called('cat')} keeps ${address}: takes over the promise until 2026-01-20, web 80/TCP added.`,
    );
    expect(await found(checkout)).toEqual([]);
  });

  it('is taken over in the commit of what synth has staged, with a lease that git did not know', async () => {
    const checkout = await merged();
    checkout.put('leases/cat.yaml', leaseText('cat', 77, [web]));
    await checkout.run('synth', '--today', '2026-01-12');
    const { git, on } = checkout.repository;
    on('2026-01-12').git('commit', '-q', '-m', 'The lease comes');
    expect(git('status', '--porcelain')).toBe('');
    expect(await found(checkout)).toEqual([]);
  });

  it.each(['ipv6', 'dual'] as const)(
    'of %s is not taken over by a lease that requests only IPv4',
    { tags: 'slow' },
    async (ipFamily) => {
      const checkout = await begin();
      checkout.edit('leases/pools.yaml', '[203.0.113.0/28]', '[203.0.113.0/28, 2001:db8::/124]');
      const options = ['--ip-family', ipFamily, '--until', '2026-01-20', '--today', '2026-01-10'];
      await checkout.run('add', 'promise', cat, 'front', ...options);
      await checkout.synth('2026-01-10', 'A promise');
      checkout.put('leases/cat.yaml', leaseText('cat', 77, [web]));
      checkout.repository.git('add', '-A');
      const { status, out } = await checkout.run('synth', '--today', '2026-01-12');
      expect([status, out]).toEqual([
        1,
        expect.stringContaining(
          'ADDRESS_STRANDED the lease requests only ipv4, but the promise for front until 2026-01-20 includes ipv6\n',
        ),
      ]);
      expect(out).toMatch(/^leases\/cat\.yaml:\d+:\d+ /);
      expect(out).toContain(`also ${file}:`);
      expect(out).toContain(
        `set ipFamily: ${ipFamily} here, or end the promise first: \`git rm ${file}\``,
      );
      expect((await checkout.run('check')).out).toContain(' ADDRESS_STRANDED ');

      checkout.put('leases/cat.yaml', leaseText('cat', 77, [{ ...web, ipFamily }]));
      await checkout.synth('2026-01-12');
      expect((await checkout.run('check')).status).toBe(0);
      expect((await checkout.run('list', '--state', 'released')).out).not.toContain(cat);
      expect(checkout.repository.git('ls-files', file)).toBe('');
    },
  );

  it('ends with its file, and the lease of its endpoint then may have another family', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    checkout.edit('leases/pools.yaml', '[203.0.113.0/28]', '[203.0.113.0/28, 2001:db8::/124]');
    const options = ['--ip-family', 'ipv6', '--until', '2026-01-20', '--today', '2026-01-10'];
    await checkout.run('add', 'promise', cat, 'front', ...options);
    await checkout.synth('2026-01-10', 'A promise');
    checkout.put('leases/cat.yaml', leaseText('cat', 77, [web]));
    checkout.repository.git('rm', '-q', file);
    await checkout.synth('2026-01-12');
    expect((await checkout.run('check')).status).toBe(0);
  });

  it('has no effect after its takeover: the address is released with the lease', {
    tags: 'slow',
  }, async () => {
    const checkout = await merged();
    const address = await addressOf(checkout);
    checkout.put('leases/cat.yaml', leaseText('cat', 77, [web]));
    await checkout.synth('2026-01-12');
    checkout.put('leases/cat.yaml', '');
    checkout.repository.git('add', '-A');
    const { out } = await checkout.run('synth', '--no-base', '--today', '2026-01-13');
    expect(out).toContain(`- ${address}`);
    expect((await checkout.run('check')).status).toBe(0);
  });

  it('for an endpoint with a lease is not needed, and a file of it is stale', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    const ann = accountOf('ann');
    const words = ['add', 'promise', ann, 'front', '--until', '2026-01-20'];
    const { status, out } = await checkout.run(...words, '--today', '2026-01-10');
    expect([status, out]).toEqual([0, expect.stringContaining('203.0.113.1')]);
    expect(checkout.repository.git('status', '--porcelain')).toBe('');
    const path = `leases/${ann}/promise-front.yaml`;
    checkout.put(
      path,
      `apiVersion: leasehold.dev/v1\nkind: Promise\nspec: { owner: ${ann}, endpoint: front, until: 2026-01-20 }\n`,
    );
    checkout.commit('2026-01-10');
    expect((await checkout.run('check')).out).toContain(`${path}:1:1 STALE `);
    await checkout.synth('2026-01-10');
    expect(checkout.repository.git('ls-files', path)).toBe('');
    expect(await found(checkout)).toEqual([]);
  });

  it('whose file was left beside a lease is removed and staged by pin', async () => {
    const checkout = await begin();
    const path = `leases/${accountOf('ann')}/promise-front.yaml`;
    const spec = `{ owner: ${accountOf('ann')}, endpoint: front, until: 2026-01-20 }`;
    checkout.put('leases/ann.yaml', leaseText('ann', 1, [web]));
    checkout.put(path, `apiVersion: leasehold.dev/v1\nkind: Promise\nspec: ${spec}\n`);
    checkout.commit('2026-01-10');
    const { status, out } = await checkout.run('pin', '203.0.113.1');
    expect([status, out.split('\n', 1)]).toEqual([0, [`removed ${path}: a lease has its address`]]);
    expect(checkout.repository.git('ls-files', path)).toBe('');
    expect((await checkout.run('check')).status).toBe(0);
  });

  it.each([
    ['takeover', 'prune'],
    ['prune', 'takeover'],
  ])(
    'with a %s on main and a %s on a branch conflicts in git, and resolve keeps the address',
    { tags: 'slow' },
    async (first, second) => {
      const checkout = await merged();
      const address = await addressOf(checkout);
      const { git, isDone } = checkout.repository;
      git('checkout', '-q', '-b', 'takeover', 'main');
      checkout.put('leases/cat.yaml', leaseText('cat', 77, [web]));
      checkout.put('leases/eve.yaml', leaseText('eve', 78, [web]));
      await checkout.synth('2026-01-21', 'The lease comes');
      git('checkout', '-q', '-b', 'prune', 'main');
      checkout.put('leases/fay.yaml', leaseText('fay', 79, [web]));
      await checkout.synth('2026-01-21', 'Another lease');
      await checkout.run('prune', '--today', '2026-01-21');
      checkout.commit('2026-01-21', 'The promise is over');
      git('checkout', '-q', 'main');
      git('merge', '-q', '--ff-only', first);
      git('checkout', '-q', second);
      expect(isDone('merge', '-q', 'main')).toBe(false);
      expect(git('status', '--porcelain')).toContain(`UU ${recordOf(address)}`);
      expect(await checkout.run('resolve', '--today', '2026-01-21')).toMatchObject({ status: 0 });
      checkout.commit('2026-01-21', 'Merge');
      expect(await addressOf(checkout)).toBe(address);
      expect((await checkout.run('check')).status).toBe(0);
      expect(await found(checkout)).toEqual([]);
    },
  );

  it('and a lease of its endpoint from two branches end as the lease', {
    tags: 'slow',
  }, async () => {
    const checkout = await promised();
    const { git, isDone } = checkout.repository;
    git('checkout', '-q', '-b', 'lease', 'main');
    checkout.put('leases/cat.yaml', leaseText('cat', 77, [web]));
    await checkout.synth('2026-01-10', 'A lease');
    git('branch', '-f', 'main', 'change');
    expect(isDone('merge', '-q', 'main')).toBe(false);
    expect(await checkout.run('resolve', '--today', '2026-01-11')).toMatchObject({ status: 0 });
    expect(git('status', '--porcelain', file)).toBe('');
    checkout.commit('2026-01-11', 'Merge');
    expect(git('ls-files', file)).toBe('');
    expect((await checkout.run('check')).status).toBe(0);
    expect(await found(checkout)).toEqual([]);
  });

  it('is released by prune after its last day, and by nothing before', {
    tags: 'slow',
  }, async () => {
    const checkout = await merged();
    const address = await addressOf(checkout);
    const early = await checkout.run('prune', '--today', '2026-01-20');
    expect([early.status, early.out]).toEqual([0, expect.not.stringContaining(address)]);
    const after = await checkout.run('check', '--base', 'main', '--today', '2026-01-21');
    expect(after).toMatchObject({
      status: 0,
      out: expect.stringContaining(
        'caution: the promise for front until 2026-01-20 is over; `leasehold prune` ends it',
      ),
    });
    expect((await checkout.run('synth', '--today', '2026-01-21')).out).toContain(
      'no address changes',
    );
    expect((await checkout.run('prune', '--today', '2026-01-21')).out).toContain(`- ${address}`);
    checkout.commit('2026-01-21');
    expect((await checkout.run('check')).status).toBe(0);
    expect(await found(checkout)).toEqual([]);
    const { out } = await checkout.run('plan');
    expect(out.split('\n', 1)[0]).toMatch(/^Routine: /);
    expect(out).toContain(`the promise of ${address} to ${called('cat')} ends.\n`);
  });

  it('lasts at most 30 days from the run, and from the commit', { tags: 'slow' }, async () => {
    const checkout = await promised();
    checkout.edit(file, '2026-01-20', '2026-02-12');
    const { status, out } = await checkout.run('synth', '--today', '2026-01-12');
    expect([status, out]).toEqual([
      1,
      expect.stringContaining(
        'PROMISE_TOO_LONG the promise for front lasts until 2026-02-12, expected 2026-02-11 at the latest',
      ),
    ]);
    checkout.edit(file, '2026-02-12', '2026-02-11');
    checkout.commit('2026-01-11');
    expect(await found(checkout)).toEqual([]);
    checkout.edit(file, '2026-02-11', '2026-02-12');
    checkout.commit('2026-01-11');
    expect(await found(checkout)).toEqual([`PROMISE_TOO_LONG ${file}`]);
  });

  it('of another owner cannot be taken over', { tags: 'slow' }, async () => {
    const checkout = await merged();
    const address = await addressOf(checkout);
    checkout.put('leases/dan.yaml', leaseText('dan', 78, [{ ...web, address }]));
    const { status, out } = await checkout.run('synth', '--today', '2026-01-12');
    expect([status, out]).toEqual([1, expect.stringContaining(`PIN_TAKEN ${address} is held by`)]);
  });

  it('conflicts with a promise for the same endpoint on another branch', {
    tags: 'slow',
  }, async () => {
    const checkout = await promised();
    const { repository } = checkout;
    repository.git('checkout', '-q', '-b', 'other', 'main');
    await addPromise(checkout, 'front', '2026-01-25');
    await checkout.synth('2026-01-10', 'Another promise');
    expect(() => repository.git('merge', '-q', 'change')).toThrow();
    expect(repository.git('status', '--porcelain')).toContain(`AA ${file}`);
  });

  it('is ended by release', { tags: 'slow' }, async () => {
    const checkout = await merged();
    const address = await addressOf(checkout);
    const { status, out } = await checkout.run('release', address, '--today', '2026-01-12');
    expect([status, out]).toEqual([0, expect.stringContaining(`removed ${file}`)]);
    checkout.commit('2026-01-12');
    expect(await found(checkout)).toEqual([]);
  });

  it('counts for the quota of its owner, also without a lease', { tags: 'slow' }, async () => {
    const checkout = await promised();
    const quota = (most: number) => `kind: Pools\nquotas: { owners: { ${cat}: ${most} } }\n`;
    checkout.edit('leases/pools.yaml', 'kind: Pools\n', quota(0));
    const { status, out } = await checkout.run('synth', '--today', '2026-01-10');
    expect([status, out]).toEqual([1, expect.stringContaining(`${file}:`)]);
    expect(out).toContain(`QUOTA_EXCEEDED ${cat} needs 1 address, and its quota is 0`);
    checkout.edit('leases/pools.yaml', quota(0), quota(1));
    expect((await checkout.run('synth', '--today', '2026-01-10')).status).toBe(0);
  });

  it('ends with the records that are free, in one run or not at all', {
    tags: 'slow',
  }, async () => {
    const checkout = await merged();
    const address = await addressOf(checkout);
    const { repository } = checkout;
    // The address of old is free from the 15th.
    const free = 'leases/allocations/203.0.113/203.0.113.3.yaml';
    expect(checkout.read(free)).toContain('freeFrom: 2026-01-15');
    checkout.edit('leases/pools.yaml', 'pools:', 'quotas: { default: 0 }\npools:');
    const before = repository.git('status', '--porcelain');
    expect((await checkout.run('prune', '--today', '2026-01-21')).status).toBe(1);
    expect(repository.git('status', '--porcelain')).toBe(before);
    repository.git('checkout', '-q', 'leases/pools.yaml');
    const { out } = await checkout.run('prune', '--today', '2026-01-21', '-o', 'json');
    expect(JSON.parse(out)).toMatchObject({ removed: 2, written: 1 });
    expect(out).toContain(address);
    checkout.commit('2026-01-21');
    expect(await found(checkout)).toEqual([]);
  });

  it('leaves no trace when it began and ended on one branch', { tags: 'slow' }, async () => {
    const checkout = await promised();
    const address = await addressOf(checkout);
    expect((await checkout.run('prune', '--today', '2026-01-21')).status).toBe(0);
    checkout.commit('2026-01-21');
    expect(checkout.repository.git('ls-files', '--', '*allocations*')).not.toContain(address);
    expect(await found(checkout)).toEqual([]);
  });

  it('counts as a release of an address while it lasts, and not when it is over', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    const names = ['one', 'two', 'three', 'four'];
    for (const name of names) await addPromise(checkout, name, '2026-01-20');
    await checkout.synth('2026-01-10', 'Promises');
    checkout.repository.git('checkout', '-q', '-B', 'main');
    checkout.repository.git('checkout', '-q', '-B', 'change');
    for (const name of names) {
      checkout.put(`leases/${cat}/promise-${name}.yaml`, '');
      await checkout.forge('2026-01-12');
    }
    expect(await found(checkout)).toEqual([expect.stringMatching(/^MASS_RELEASE /)]);
    checkout.repository.git('reset', '-q', '--hard', 'main');
    expect((await checkout.run('prune', '--today', '2026-01-21')).status).toBe(0);
    checkout.commit('2026-01-21');
    expect(await found(checkout, '--today', '2026-01-21')).toEqual([]);
  });

  it('that was renewed does not hide that a record is lost', { tags: 'slow' }, async () => {
    const checkout = await merged();
    checkout.edit(file, '2026-01-20', '2026-03-01');
    await checkout.synth('2026-02-01', 'More time');
    checkout.put('leases/bob.yaml', leaseText('bob', 2, [pinned(7)]));
    checkout.put(recordOf('203.0.113.2'), '');
    checkout.repository.git('add', '-A');
    const { status, out } = await checkout.run('check');
    expect([status, out]).toEqual([1, expect.stringContaining(' ALLOCATION_LOST ')]);
    expect(out).not.toContain(' STALE ');
  });

  it('is not written with a last day in the past, and may be repeated after it', {
    tags: 'slow',
  }, async () => {
    const checkout = await merged();
    const { status, out } = await addPromise(checkout, 'mail', '2026-01-09');
    expect([status, out]).toEqual([
      1,
      expect.stringContaining(
        'FIELD_VALUE the last day of the promise for mail is 2026-01-09, and today is 2026-01-10',
      ),
    ]);
    const words = ['add', 'promise', cat, 'front', '--until', '2026-01-20'];
    const again = await checkout.run(...words, '--today', '2026-01-21');
    expect([again.status, again.out]).toEqual([0, expect.stringContaining('is already declared')]);
    expect(checkout.repository.git('status', '--porcelain')).toBe('');
  });
});
