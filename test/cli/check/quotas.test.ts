import { describe, expect, it } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { remade } from '../../support/repositories/cached-repository.ts';
import { begin, found, web } from '../../support/repositories/checked-branches.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';
import { withoutQuotes } from '../../support/run/source-quotes.ts';

const ann = accountOf('ann');

/** `ann` may have two addresses and has one; so on `main`. */
function limited(): Promise<LeaseCheckout> {
  return remade('a quota', async () => {
    const checkout = await begin();
    checkout.edit(
      'leases/pools.yaml',
      'kind: Pools\n',
      `kind: Pools\nquotas: { owners: { ${ann}: 2 } }\n`,
    );
    await checkout.synth('2026-01-06', 'A quota');
    checkout.repository.git('checkout', '-q', '-B', 'main');
    return checkout;
  });
}

/** One more lease of `ann`, with an endpoint of its own. */
function another(name: string, dseq: number): string {
  return leaseText('ann', dseq, [{ ...web, name }]);
}

describe('a quota', () => {
  it('is kept by synth, which names every declaration of the owner', { tags: 'slow' }, async () => {
    const checkout = await limited();
    checkout.put('leases/two.yaml', another('two', 11));
    checkout.put('leases/three.yaml', another('three', 12));
    const { status, out } = await checkout.run('synth', '--today', '2026-01-10');
    expect(status).toBe(1);
    expect(withoutQuotes(out)).toMatch(
      new RegExp(
        `QUOTA_EXCEEDED ${ann} needs 3 addresses \\(1 held and 2 new\\), and its quota is 2\n  also`,
      ),
    );
    for (const file of ['ann', 'two', 'three']) expect(out).toContain(`leases/${file}.yaml:`);
    checkout.put('leases/three.yaml', '');
    expect((await checkout.run('synth', '--today', '2026-01-10')).status).toBe(0);
  });

  it('is exceeded by two merges together, and check names both files', {
    tags: 'slow',
  }, async () => {
    const checkout = await limited();
    const { repository } = checkout;
    for (const [name, dseq] of [
      ['two', 11],
      ['three', 12],
    ] as const) {
      repository.git('checkout', '-q', '-b', name, 'main');
      checkout.put(`leases/${name}.yaml`, another(name, dseq));
      await checkout.synth('2026-01-10', name);
      expect(await found(checkout)).toEqual([]);
    }
    repository.git('merge', '-q', '-m', 'Both', 'two');
    const { status, out } = await checkout.run('check');
    expect(status).toBe(1);
    expect(out.match(/^\S+ QUOTA_EXCEEDED /gm)).toHaveLength(1);
    expect(out).toContain('leases/two.yaml:');
    expect(out).toContain('leases/three.yaml:');
    checkout.put('leases/three.yaml', '');
    repository.git('add', '-A');
    expect((await checkout.run('synth', '--today', '2026-01-10')).out).toContain('1 removed');
  });

  it('cannot be raised by the pull request that needs it', { tags: 'slow' }, async () => {
    const checkout = await limited();
    checkout.repository.git('checkout', '-q', '-b', 'raise');
    checkout.edit('leases/pools.yaml', `${ann}: 2`, `${ann}: 9`);
    checkout.put('leases/two.yaml', another('two', 11));
    checkout.put('leases/three.yaml', another('three', 12));
    await checkout.synth('2026-01-10');
    expect((await checkout.run('check')).status).toBe(0);
    const { out } = await checkout.run('check', '--base', 'main');
    expect(out).toContain(
      `QUOTA_EXCEEDED ${ann} needs 3 addresses, and its quota is 2 in the base`,
    );
    expect(out).toContain('hint: have the quota raised first, in a separate change');
  });

  it('is reported once when base and head exceed it alike', { tags: 'slow' }, async () => {
    const checkout = await limited();
    checkout.repository.git('checkout', '-q', '-b', 'merged');
    checkout.edit('leases/pools.yaml', ` quotas: { owners: { ${ann}: 2 } }`.trim(), '');
    for (const name of ['two', 'three'])
      checkout.put(`leases/${name}.yaml`, another(name, name.length));
    await checkout.synth('2026-01-10');
    checkout.edit(
      'leases/pools.yaml',
      'kind: Pools\n',
      `kind: Pools\nquotas: { owners: { ${ann}: 2 } }\n`,
    );
    checkout.commit('2026-01-10');
    expect((await found(checkout)).map((problem) => problem.split(' ')[0])).toEqual([
      'QUOTA_EXCEEDED',
    ]);
  });

  it('refuses only new addresses of an owner that already exceeds it', {
    tags: 'slow',
  }, async () => {
    const checkout = await limited();
    checkout.repository.git('checkout', '-q', '-b', 'base-lowers', 'main');
    checkout.put('leases/two.yaml', another('two', 11));
    await checkout.synth('2026-01-10', 'Two');
    checkout.repository.git('checkout', '-q', '-B', 'main');
    checkout.put('leases/two.yaml', '');
    await checkout.synth('2026-01-11', 'One again');
    checkout.edit('leases/pools.yaml', `${ann}: 2`, `${ann}: 1`);
    expect((await checkout.run('synth', '--today', '2026-01-12')).status).toBe(0);
    checkout.put('leases/three.yaml', another('three', 12));
    const { out } = await checkout.run('synth', '--today', '2026-01-12');
    expect(out).toContain(
      'needs 3 addresses (1 held, 1 new and 1 kept after release), and its quota is 1',
    );
  });

  it('counts retained addresses of an owner that gets more', { tags: 'slow' }, async () => {
    const checkout = await limited();
    checkout.put('leases/ann.yaml', '');
    await checkout.synth('2026-01-10', 'Ann ends');
    checkout.put('leases/two.yaml', another('two', 11));
    await checkout.synth('2026-01-10', 'Two');
    checkout.repository.git('checkout', '-q', '-B', 'main');
    checkout.repository.git('checkout', '-q', '-b', 'more');
    const raise = (from: number, to: number) =>
      checkout.edit('leases/pools.yaml', `${ann}: ${from}`, `${ann}: ${to}`);
    raise(2, 9);
    checkout.put('leases/three.yaml', another('three', 12));
    expect((await checkout.run('synth', '--today', '2026-01-12')).status).toBe(0);
    raise(9, 2);
    for (const [day, status] of [
      ['2026-01-18', 1],
      ['2026-01-19', 0],
    ] as const) {
      checkout.commit(day);
      const { status: found, out } = await checkout.run('check', '--base', 'main');
      expect([day, found]).toEqual([day, status]);
      if (status === 0) continue;
      expect(out).toContain('(2 held and 1 kept after release), and its quota is 2 in the base');
      expect(out).toContain(
        'hint: wait until 2026-01-20, when enough released addresses are free, or have the quota raised',
      );
    }
  });

  it('lets an owner at its limit move, and return to a retained address', {
    tags: 'slow',
  }, async () => {
    const checkout = await limited();
    const { git } = checkout.repository;
    checkout.put('leases/ann.yaml', leaseText('ann', 1, [web]));
    checkout.put('leases/two.yaml', another('two', 11));
    await checkout.synth('2026-01-10', 'Two');
    git('checkout', '-q', '-B', 'main');
    git('checkout', '-q', '-b', 'moves');
    expect((await checkout.run('move', '203.0.113.1', '--today', '2026-01-12')).status).toBe(0);
    checkout.commit('2026-01-12');
    expect(await found(checkout)).toEqual([]);
    checkout.put('leases/two.yaml', '');
    await checkout.synth('2026-01-13', 'One');
    git('checkout', '-q', '-B', 'main');
    git('checkout', '-q', '-b', 'returns');
    checkout.put('leases/two.yaml', another('two', 11));
    await checkout.synth('2026-01-14', 'Two again');
    expect(await found(checkout)).toEqual([]);
  });
});
