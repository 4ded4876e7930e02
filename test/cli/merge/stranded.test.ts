import { describe, expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { serviceText } from '../../support/declarations/service-text.ts';
import { remade } from '../../support/repositories/cached-repository.ts';
import { begin, found, pinned, web } from '../../support/repositories/checked-branches.ts';
import {
  type LeaseCheckout,
  leaseCheckout,
  recordOf,
} from '../../support/repositories/lease-checkout.ts';

/**
 * The branch `change` takes from the pool what main has given to two leases meanwhile. Both give one
 * address that stays, unless main does not.
 */
function shrunk(isApart = false): Promise<LeaseCheckout> {
  return remade(`a pool that shrinks on a branch ${isApart}`, async () => {
    const checkout = await begin();
    const { git } = checkout.repository;
    checkout.edit('leases/pools.yaml', '203.0.113.0/28', '203.0.113.0/29');
    checkout.put('leases/cat.yaml', leaseText('cat', 4, [web]));
    await checkout.synth('2026-01-06');
    const given = git('diff', '--name-only', 'HEAD~1', '--', 'leases/allocations');
    const [, same] = given.match(/\.(\d+)\.yaml$/m) ?? [];
    git('checkout', '-q', 'main');
    const fay = isApart ? {} : { fay: Number(same) };
    const others = Object.entries({ dan: 10, eve: 11, ...fay });
    for (const [who, last] of others) {
      checkout.put(`leases/${who}.yaml`, leaseText(who, last, [pinned(last)]));
    }
    await checkout.synth('2026-01-06');
    for (const [who, last] of others) {
      checkout.put(`leases/${who}.yaml`, leaseText(who, last, [web]));
    }
    await checkout.synth('2026-01-06');
    git('checkout', '-q', 'change');
    return checkout;
  });
}

function dualService(name: string, family = 'dual'): string {
  return serviceText(name, { ipam: { 'ip-family': family } });
}

/** A Service with `layout: lease`; a branch is checked out. */
async function withPair(family = 'dual'): Promise<LeaseCheckout> {
  const checkout = await leaseCheckout({
    'leases/pools.yaml': poolsText(`metallb: { layout: lease }
pools:
  - { name: lan, zone: lan, addresses: [203.0.113.0/28, '2001:db8::/120'], advertise: { l2: {} } }
`),
    'leases/shop/web.yaml': dualService('web', family),
  });
  checkout.repository.git('checkout', '-q', '-b', 'renumber');
  return checkout;
}

describe('an address that the pools of the other side do not have', () => {
  it.each(['merge', 'rebase'] as const)(
    'is given up in a %s by the command of the hint',
    async (how) => {
      const checkout = await shrunk();
      const { git, isDone } = checkout.repository;
      expect(isDone(how, '-q', 'main')).toBe(false);
      const goesOn = how === 'merge' ? ['commit', '-q', '--no-edit'] : ['rebase', '--continue'];
      const day = ['--today', '2026-01-07'];
      do {
        const { status, out } = await checkout.run('resolve', ...day);
        if (status === 0) continue;
        const moves = out.match(
          /(?<=give them other addresses: `leasehold )resolve --move [\d. ]+/g,
        );
        expect(moves).toEqual(['resolve --move 203.0.113.10 203.0.113.11']);
        const command = [...(moves?.[0] ?? '').split(' '), ...day];
        expect(await checkout.run(...command)).toMatchObject({ status: 0 });
      } while (!isDone('-c', 'core.editor=true', ...goesOn));
      expect(git('status', '--porcelain')).toBe('');
      const { out } = await checkout.run('who', '203.0.113.10');
      expect(out).toMatch(/released|kept/);
      expect(await checkout.run('check')).toMatchObject({ status: 0 });
      expect(await found(checkout)).toEqual([]);
    },
  );

  it('is named as resolve moves it by other commands, while the merge is in progress', async () => {
    const checkout = await shrunk();
    expect(checkout.repository.isDone('merge', '-q', 'main')).toBe(false);
    checkout.repository.git('checkout', '--theirs', 'leases/allocations');
    checkout.repository.git('add', 'leases/allocations');
    const { out } = await checkout.run('synth', '--today', '2026-01-07');
    expect(out).toContain(
      'give them other addresses: `leasehold resolve --move 203.0.113.10 203.0.113.11`',
    );
  });

  it('is moved on the branch, as the check of a merge that a forge makes says', async () => {
    const checkout = await shrunk(true);
    const { git, isDone } = checkout.repository;
    git('checkout', '-q', '--detach', 'main');
    git('merge', '-q', '--no-ff', '-m', 'The merge', 'change');
    const { out } = await checkout.run('check', '--base', 'main', '--head', 'HEAD');
    expect(out).toContain(
      'give them other addresses: on the branch, after a `git fetch`, run `git merge main`, then `leasehold resolve --move 203.0.113.10 203.0.113.11`',
    );
    git('checkout', '-q', 'change');
    expect(isDone('merge', '-q', '--no-edit', 'main')).toBe(true);
    const move = ['resolve', '--move', '203.0.113.10', '203.0.113.11', '--today', '2026-01-07'];
    expect(await checkout.run(...move)).toMatchObject({ status: 0 });
    checkout.commit('2026-01-07', 'Moved');
    expect(await found(checkout)).toEqual([]);
  });

  it('is moved by ranges where there are more than eight, and what lies between stays', async () => {
    const checkout = await begin();
    const { git, isDone } = checkout.repository;
    const left = '[203.0.113.0/30, 203.0.113.14/32, 198.51.100.0/27]';
    checkout.edit('leases/pools.yaml', '[203.0.113.0/28]', left);
    await checkout.synth('2026-01-06');
    git('checkout', '-q', 'main');
    const lasts = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    for (const endpointOf of [pinned, () => web]) {
      for (const last of lasts) {
        checkout.put(`leases/t${last}.yaml`, leaseText(`t${last}`, last, [endpointOf(last)]));
      }
      await checkout.synth('2026-01-06');
    }
    git('checkout', '-q', 'change');
    git('merge', '-q', '--no-commit', '--no-ff', 'main');
    const { out } = await checkout.run('resolve', '--today', '2026-01-07');
    const ranges = ['203.0.113.4-203.0.113.13', '203.0.113.15'];
    expect(out).toContain(
      `give them other addresses: \`leasehold resolve --move ${ranges.join(' ')}\`\n`,
    );
    const move = ['resolve', '--move', ...ranges, '--today', '2026-01-07'];
    expect(await checkout.run(...move)).toMatchObject({ status: 0 });
    expect(isDone('commit', '-q', '--no-edit')).toBe(true);
    expect(await found(checkout)).toEqual([]);
    expect((await checkout.run('who', '203.0.113.14')).out).toContain('held');
  });

  it.each(['move', 'resolve --move'])(
    'is moved with its IPv6 address by %s where it names the pool of both',
    async (command) => {
      const checkout = await withPair();
      const { git } = checkout.repository;
      checkout.edit('leases/pools.yaml', '203.0.113.0/28', '198.51.100.0/28');
      checkout.commit('2026-01-06', 'Another block');
      if (command !== 'move') {
        git('checkout', '-q', 'main');
        checkout.put('leases/shop/new.yaml', dualService('new'));
        await checkout.synth('2026-01-06');
        git('checkout', '-q', 'renumber');
        git('merge', '-q', '--no-commit', '--no-ff', 'main');
      }
      const run = command === 'move' ? 'synth' : 'resolve';
      const { out } = await checkout.run(run, '--today', '2026-01-07');
      const [, words = ''] =
        /give (?:it|them) (?:an)?other address(?:es)?: `leasehold (.*)`$/m.exec(out) ?? [];
      expect(words).toMatch(new RegExp(`^${command} 203\\.0\\.113\\.\\S+ .*2001:db8::`));
      const moved = await checkout.run(...words.split(' '), '--today', '2026-01-07');
      expect([moved.status, moved.out]).toEqual([0, expect.any(String)]);
      checkout.commit('2026-01-07', 'Moved');
      expect(await checkout.run('check', '--base', 'main')).toMatchObject({ status: 0 });
    },
  );

  it('is moved where the other side has given the holder a second one: POOL_CHANGED', async () => {
    const checkout = await withPair('ipv4');
    const { git, isDone } = checkout.repository;
    git('checkout', '-q', 'main');
    checkout.put('leases/shop/web.yaml', dualService('web'));
    await checkout.synth('2026-01-06');
    git('checkout', '-q', 'renumber');
    checkout.edit('leases/pools.yaml', '203.0.113.0/28', '198.51.100.0/28');
    const moved = await checkout.run('move', 'shop/web', '--today', '2026-01-06');
    expect(moved.status).toBe(0);
    checkout.commit('2026-01-06', 'Renumber');
    isDone('merge', '-q', '--no-edit', 'main');
    const { out } = await checkout.run('resolve', '--today', '2026-01-07');
    expect(out).toContain('POOL_CHANGED');
    const [, address = ''] = /`leasehold resolve --move (\S+)`;/.exec(out) ?? [];
    const { status } = await checkout.run('resolve', '--move', address, '--today', '2026-01-07');
    expect([address, status]).toEqual([expect.stringContaining('2001:db8::'), 0]);
    checkout.commit('2026-01-07', 'Merged');
    expect(await checkout.run('check', '--base', 'main')).toMatchObject({ status: 0 });
  });

  it('is moved by move also where the branch alone has released it', async () => {
    const checkout = await begin();
    checkout.put('leases/cat.yaml', leaseText('cat', 4, [pinned(10)]));
    await checkout.synth('2026-01-06');
    checkout.put('leases/cat.yaml', leaseText('cat', 4, [web]));
    await checkout.synth('2026-01-06');
    checkout.repository.git('branch', '-f', 'main');
    checkout.edit('leases/pools.yaml', '203.0.113.0/28', '203.0.113.0/29');
    checkout.repository.git('rm', '-q', recordOf('203.0.113.10'));
    checkout.commit('2026-01-06', 'Lost');
    const { out } = await checkout.run('synth', '--today', '2026-01-06');
    expect(out).toMatch(/give it another address: `leasehold move 203\.0\.113\.10`$/m);
    const based = await checkout.run('synth', '--today', '2026-01-06', '--base', 'main');
    expect(based.out).toContain('leasehold move 203.0.113.10 --base main');
    const moved = await checkout.run('move', '203.0.113.10', '--today', '2026-01-06');
    expect(moved).toMatchObject({ status: 0 });
  });
});
