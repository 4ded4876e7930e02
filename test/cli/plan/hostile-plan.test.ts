import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type EndpointText, leaseText } from '../../support/declarations/lease-text.ts';
import { providerPoolsText } from '../../support/declarations/pools-text.ts';
import { remade } from '../../support/repositories/cached-repository.ts';
import { type LeaseCheckout, leaseCheckout } from '../../support/repositories/lease-checkout.ts';

const pools = providerPoolsText(`pools:
  - name: left
    zone: inet
    addresses: [203.0.113.0/28]
    retentionDays: 5
  - name: right
    zone: inet
    addresses: [198.51.100.0/28]
    retentionDays: 5
`);

const web: EndpointText = { name: 'front', service: 'web', port: 8080, externalPort: 80 };

function pinned(last: number): EndpointText {
  return { ...web, address: `203.0.113.${last}` };
}

/** `ann` holds .1; `old` gave .3 back on 2026-01-05, and it is free from the 10th; `change` is checked out. */
function begin(): Promise<LeaseCheckout> {
  return remade('a release under plan', async () => {
    const checkout = await leaseCheckout({
      'leases/pools.yaml': pools,
      'leases/ann.yaml': leaseText('ann', 1, [pinned(1)]),
      'leases/old.yaml': leaseText('old', 3, [pinned(3)]),
    });
    checkout.put('leases/old.yaml', '');
    await checkout.synth('2026-01-05');
    checkout.repository.git('checkout', '-q', '-b', 'change');
    return checkout;
  });
}

interface Planned {
  readonly summary: string;
  readonly cautions: readonly { readonly code: string }[];
  readonly addresses: readonly { readonly change: string; readonly details: readonly string[] }[];
  readonly digest: string;
}

async function planned(checkout: LeaseCheckout, ...options: string[]): Promise<Planned> {
  const { out, err } = await checkout.run('plan', '-o', 'json', ...options);
  expect(err).toBe('');
  return JSON.parse(out) as Planned;
}

describe('the digest', () => {
  it('is another one for another pool file, also when only the order of the pools differs', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    checkout.commit('2026-01-10');
    const before = await planned(checkout, '--base', 'main');
    const [head = '', left = '', right = ''] = pools.split(/^(?= {2}- name)/m);
    checkout.put('leases/pools.yaml', head + right + left);
    await checkout.synth('2026-01-10');
    const after = await planned(checkout, '--base', 'main');
    expect(after.digest).not.toBe(before.digest);
    expect(after.cautions).toEqual([
      expect.objectContaining({
        code: 'POOLS_CHANGED',
        message: 'order of the pools left, right → right, left',
      }),
    ]);
  });
});

describe('an address that was free again', () => {
  it('that another holder got and released in the pull request was never live, and is refused', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    checkout.put('leases/cat.yaml', leaseText('cat', 4, [pinned(3)]));
    await checkout.synth('2026-01-10');
    checkout.put('leases/cat.yaml', '');
    await checkout.forge('2026-01-11');
    const { summary, addresses, cautions } = await planned(checkout, '--base', 'main');
    expect(summary).toMatch(/^This must not be merged: 203\.0\.113\.3 is released and free /);
    expect(addresses).toMatchObject([
      {
        change: 'released',
        details: ['allocated and released within this change', 'free from 2026-01-16'],
      },
    ]);
    expect(cautions).toEqual([]);
  });
});

describe('a broken repository', () => {
  it('is reported as a broken base, not as a change of the pool file', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    checkout.put('leases/notes.txt', 'x');
    checkout.commit('2026-01-10');
    checkout.repository.git('branch', '-f', 'main');
    checkout.put('leases/notes.txt', '');
    checkout.commit('2026-01-11');
    const { summary, cautions } = await planned(checkout, '--base', 'main');
    expect(summary).toBe('No address, pool or manifest changes.');
    expect(cautions.map(({ code }) => code)).toEqual(['BASE_BROKEN']);
  });

  it('is reported in one sentence when git has lost a file', async () => {
    const checkout = await begin();
    const { git } = checkout.repository;
    const listed = git('ls-tree', 'HEAD:leases');
    const lost = `${listed}100644 blob ${'12'.repeat(20)}\tzoe.yaml\n`;
    const treeOf = (input: string) => {
      const options = { cwd: checkout.root, input, encoding: 'utf8' } as const;
      return spawnSync('git', ['mktree', '--missing'], options).stdout.trim();
    };
    const root = git('ls-tree', 'HEAD').replace(/[0-9a-f]{40}\tleases/, `${treeOf(lost)}\tleases`);
    const commit = git('commit-tree', '-p', 'main', '-m', 'Lost', treeOf(root)).trim();
    const { status, err } = await checkout.run('plan', '--base', 'main', '--head', commit);
    expect([status, err]).toEqual([74, expect.stringContaining('leases/zoe.yaml')]);
  });

  it('is reported in one sentence when git has lost a folder', async () => {
    const checkout = await begin();
    const lost = checkout.idOf('HEAD:leases/allocations');
    rmSync(join(checkout.root, '.git/objects', lost.slice(0, 2), lost.slice(2)));
    const { status, err } = await checkout.run('plan', '--base', 'main', '--head', 'HEAD');
    expect([status, err]).toEqual([74, expect.stringContaining('`git fsck` shows what is wrong')]);
    const history = await checkout.run('history', '203.0.113.1');
    expect([history.status, history.err]).toEqual([
      74,
      'leasehold: git cannot read a commit or its files; `git fsck` shows what is wrong\n',
    ]);
  });

  it('does not take a branch named like the target as the base', { tags: 'slow' }, async () => {
    const checkout = await begin();
    const { git } = checkout.repository;
    git('update-ref', 'refs/remotes/origin/main', 'main');
    git('remote', 'add', 'origin', checkout.root);
    checkout.put('leases/ann.yaml', '');
    await checkout.synth('2026-01-10');
    git('checkout', '-q', '-b', 'origin/main');
    const { summary } = await planned(checkout);
    expect(summary).toMatch(/ loses 203\.0\.113\.1\.$/);
  });
});
