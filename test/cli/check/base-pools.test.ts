import { describe, expect, it } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { policyHead, tenantsText } from '../../support/declarations/policies.ts';
import { providerPoolsText } from '../../support/declarations/pools-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { begin, found, heldBy, pinned, web } from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';
import { withoutQuotes } from '../../support/run/source-quotes.ts';

const poolFile = 'leases/pools.yaml';
const lines = {
  inet: '  - { name: default, zone: inet, addresses: [203.0.113.0/28], retentionDays: 10 }\n',
  edge: '  - { name: edge, zone: edge, addresses: [198.51.100.0/28], clusters: [east] }\n',
  old: '  - { name: old, zone: inet, addresses: [192.0.2.0/28], state: draining }\n',
};
const pools = providerPoolsText(`clusters: [{ name: east }, { name: west }]
defaultCluster: east
defaultZone: inet
pools:
${lines.inet}${lines.edge}${lines.old}`);

/** Two clusters and three pools on `main`, and the branch `change`. */
async function beginWide(files: Readonly<Record<string, string>> = {}): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout({
    [poolFile]: pools,
    'leases/ann/1.yaml': leaseText('ann', 1, [pinned(1)]),
    ...files,
  });
  checkout.repository.git('checkout', '-q', '-b', 'change');
  return checkout;
}

function lease(checkout: LeaseCheckout, words: Readonly<Record<string, string>>): void {
  checkout.put('leases/ann/2.yaml', leaseText('ann', 2, [{ ...web, name: 'two', ...words }]));
}

/** What of the pool file is replaced by what, the endpoint that then asks, and what it is told. */
type Opened = readonly [
  from: string,
  into: string,
  words: Readonly<Record<string, string>>,
  reason: string,
];

async function messages(checkout: LeaseCheckout): Promise<string> {
  return (await checkout.run('check', '--base', 'main')).out;
}

describe('the pools of the base judge', () => {
  it('a record written by hand out of a draining pool', { tags: 'slow' }, async () => {
    const checkout = await begin();
    checkout.edit(poolFile, 'retentionDays: 10', 'retentionDays: 10\n    state: draining');
    checkout.commit('2026-01-09');
    checkout.repository.git('branch', '-q', '-f', 'main');
    checkout.put('leases/eve.yaml', leaseText('eve', 9, [pinned(5)]));
    heldBy(checkout, '203.0.113.5', 'eve', '2026-01-10');
    await checkout.synth('2026-01-10');
    expect((await checkout.run('check')).status).toBe(0);
    expect(await found(checkout)).toEqual([`BASE_WITHHOLDS ${recordOf('203.0.113.5')}`]);
    expect(withoutQuotes(await messages(checkout))).toContain(
      'in the pools of the base pool default is draining and gives no new addresses\n  also leases/eve.yaml:10:7\n  hint: change leases/pools.yaml in a separate pull request',
    );
  });

  it('a range that the target has removed since, and a merge ends it', async () => {
    const checkout = await begin();
    const { git } = checkout.repository;
    checkout.put('leases/eve.yaml', leaseText('eve', 9, [pinned(12)]));
    await checkout.synth('2026-01-10');
    checkout.put('leases/eve.yaml', leaseText('eve', 9, [web]));
    await checkout.synth('2026-01-10');
    git('checkout', '-q', 'main');
    checkout.edit(poolFile, '203.0.113.0/28', '203.0.113.0/29');
    await checkout.synth('2026-01-11');
    git('checkout', '-q', 'change');
    expect(await found(checkout)).toEqual([`BASE_WITHHOLDS ${recordOf('203.0.113.12')}`]);
    const told = await messages(checkout);
    expect(told).toContain('in the pools of the base it has been removed\n');
    const [, merge = '', resolve = ''] =
      /run `(git merge main)`, then `leasehold (resolve --move \S+)`/.exec(told) ?? [];
    checkout.repository.on('2026-01-12').git(...merge.split(' ').slice(1), '-q', '--no-edit');
    expect(await checkout.run(...resolve.split(' '), '--today', '2026-01-12')).toMatchObject({
      status: 0,
    });
    checkout.commit('2026-01-12');
    expect(await found(checkout)).toEqual([]);
  });

  it('a reserved address that the same pull request frees', { tags: 'slow' }, async () => {
    const checkout = await begin();
    checkout.edit(poolFile, 'retentionDays: 10', 'retentionDays: 10\n    reserved: [203.0.113.5]');
    checkout.commit('2026-01-09');
    checkout.repository.git('branch', '-q', '-f', 'main');
    checkout.edit(poolFile, '\n    reserved: [203.0.113.5]', '');
    checkout.commit('2026-01-10', 'Free it');
    expect(await found(checkout)).toEqual([]);
    checkout.repository.git('branch', '-q', 'freed');
    checkout.put('leases/eve.yaml', leaseText('eve', 9, [pinned(5)]));
    await checkout.synth('2026-01-10');
    expect(await found(checkout)).toEqual([`BASE_WITHHOLDS ${recordOf('203.0.113.5')}`]);
    expect((await checkout.run('check', '--base', 'freed')).status).toBe(0);
  });

  it.each<[string, ...Opened]>([
    ['a pool that drained', ', state: draining', '', { pool: 'old' }, 'pool old is draining'],
    [
      'a pool that was of another cluster',
      'clusters: [east]',
      'clusters: [west, east]',
      { pool: 'edge', cluster: 'west' },
      'pool edge is not announced in cluster west',
    ],
    [
      'a pool that was in another zone',
      'edge, zone: edge',
      'edge, zone: inet',
      { zone: 'inet', address: '198.51.100.3' },
      'it lies in zone edge, but its claims want inet',
    ],
    [
      'the addresses of a pool under another name',
      'name: old, zone: inet, addresses: [192.0.2.0/28], state: draining',
      'name: new, zone: inet, addresses: [192.0.2.0/28]',
      { pool: 'new' },
      'pool old is draining',
    ],
  ])('a lease of %s', async (_, ...opened) => {
    const [from, into, { cluster, ...words }, reason] = opened;
    const checkout = await beginWide();
    checkout.edit(poolFile, from, into);
    lease(checkout, words);
    if (cluster) checkout.edit('leases/ann/2.yaml', 'spec:', `spec:\n  cluster: ${cluster}`);
    await checkout.synth('2026-01-10');
    expect(await found(checkout)).toEqual([expect.stringContaining('BASE_WITHHOLDS')]);
    expect(await messages(checkout)).toContain(reason);
  });

  it('an address that was taken on the way and given back', { tags: 'slow' }, async () => {
    const checkout = await beginWide();
    checkout.edit(poolFile, ', state: draining', '');
    lease(checkout, { address: '192.0.2.3' });
    await checkout.forge('2026-01-10');
    checkout.put('leases/ann/2.yaml', '');
    checkout.edit(poolFile, '192.0.2.0/28]', '192.0.2.0/28], retentionDays: 30');
    await checkout.forge('2026-01-10');
    expect(await found(checkout)).toContain(`BASE_WITHHOLDS ${recordOf('192.0.2.3')}`);
  });
});

describe('the pools of the base let through', () => {
  it.each<[string, string, string, Readonly<Record<string, string>>]>([
    [
      'a lease of a new pool',
      lines.old,
      `${lines.old}  - { name: more, zone: more, addresses: [198.51.100.128/28] }\n`,
      { pool: 'more' },
    ],
    [
      'a lease of addresses that a pool did not have',
      '203.0.113.0/28',
      '203.0.113.0/27',
      { address: '203.0.113.20' },
    ],
    [
      'a lease of a pool that has another name now',
      'name: default, zone: inet',
      'name: main, zone: inet',
      { pool: 'main' },
    ],
  ])('%s', async (_, from, into, words) => {
    const checkout = await beginWide();
    checkout.edit(poolFile, from, into);
    lease(checkout, words);
    await checkout.synth('2026-01-10');
    expect(await found(checkout)).toEqual([]);
  });

  it('a holder that comes back to what a draining pool keeps for it', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    checkout.edit(poolFile, 'retentionDays: 10', 'retentionDays: 10\n    state: draining');
    checkout.commit('2026-01-09');
    checkout.repository.git('branch', '-q', '-f', 'main');
    checkout.put('leases/old.yaml', leaseText('old', 3, [pinned(3)]));
    await checkout.synth('2026-01-10');
    expect(await found(checkout)).toEqual([]);
  });
});

describe('the policy of the base', () => {
  const tenants = tenantsText({ ann: `owners: [${accountOf('ann')}], zones: [inet]` });

  it('is not widened by a pool that changes its zone', { tags: 'slow' }, async () => {
    const checkout = await beginWide({ 'leases/policy.yaml': `${policyHead}${tenants}` });
    checkout.edit(poolFile, 'edge, zone: edge', 'edge, zone: inet');
    lease(checkout, { pool: 'edge' });
    await checkout.synth('2026-01-10');
    expect(await found(checkout)).toEqual(['POLICY_REFUSED leases/ann/2.yaml']);
    expect(await messages(checkout)).toContain(
      'by the policy of the base, tenant ann may take addresses of zone inet only, but web 80/TCP gets one of zone edge',
    );
  });

  it('judges a pool that the base does not have by the head alone', { tags: 'slow' }, async () => {
    const checkout = await beginWide({ 'leases/policy.yaml': `${policyHead}${tenants}` });
    const add = (zone: string) =>
      `${lines.old}  - { name: more, zone: ${zone}, addresses: [10.0.0.0/28] }\n`;
    checkout.edit(poolFile, lines.old, add('inet'));
    lease(checkout, { pool: 'more' });
    await checkout.synth('2026-01-10');
    expect(await found(checkout)).toEqual([]);
  });
});
