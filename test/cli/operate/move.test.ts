import { describe, expect, it } from 'vitest';
import { moveSchema } from '../../../src/features/move/operation-answer.ts';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { remade } from '../../support/repositories/cached-repository.ts';
import { begin, found } from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

const ann = `default/akash/${accountOf('ann')}-ip-front`;
const bob = `default/akash/${accountOf('bob')}-ip-front`;
const web = { name: 'front', service: 'web', port: 8080, externalPort: 80 };

/** `ann` and `bob` with no pins: everybody may move. */
function unpinned(): Promise<LeaseCheckout> {
  return remade('no pins', async () => {
    const checkout = await begin();
    checkout.put('leases/ann.yaml', leaseText('ann', 1, [web]));
    checkout.put('leases/bob.yaml', leaseText('bob', 2, [web]));
    await checkout.synth('2026-01-10', 'No pins');
    checkout.repository.git('checkout', '-q', '-B', 'main');
    checkout.repository.git('checkout', '-q', '-b', 'moving');
    return checkout;
  });
}

describe('leasehold move', () => {
  it('assigns another address, reports interrupted traffic, and leaves a tree that check accepts', {
    tags: 'slow',
  }, async () => {
    const checkout = await unpinned();
    const { status, out, err } = await checkout.run(
      'move',
      '203.0.113.1',
      '--to',
      '203.0.113.9',
      '--today',
      '2026-01-11',
    );
    expect([status, err]).toEqual([0, '']);
    const [summary = '', moved] = out.split(/(?<=2 held; .*\n)/);
    expect(summary).toContain('1 allocated, 1 released; 2 held');
    expect(moved).toBe(
      `203.0.113.1 -> 203.0.113.9  ${ann}
  cut: web 80/TCP of ${accountOf('ann')}/1/1/1/${accountOf('provider')} (leases/ann.yaml:10)
  203.0.113.1 is free for others from 2026-01-21
`,
    );
    expect(checkout.read(recordOf('203.0.113.9'))).toMatch(
      /since: 2026-01-11\nretain: 10\nmovedFrom: 203\.0\.113\.1\n$/,
    );
    checkout.commit('2026-01-11');
    expect((await checkout.run('check')).status).toBe(0);
    expect(await found(checkout)).toEqual([]);
  });

  it('prints its result as JSON', { tags: 'slow' }, async () => {
    const checkout = await unpinned();
    const { out } = await checkout.run('move', ann, '-o', 'json', '--to', '203.0.113.9');
    expect(moveSchema.parse(JSON.parse(out))).toMatchObject({
      moved: [{ holder: ann, from: '203.0.113.1', to: '203.0.113.9', freeFrom: '2026-11-30' }],
    });
  });

  it('moves all that stand in a block', async () => {
    const checkout = await unpinned();
    const { out } = await checkout.run('move', '203.0.113.0/30', '--today', '2026-01-11');
    expect(out.match(/ -> /g)).toHaveLength(2);
    checkout.commit('2026-01-11');
    expect(await found(checkout)).toEqual([]);
  });

  it('confirms the releases beside the move, with the command that it prints', async () => {
    const checkout = await unpinned();
    for (const name of ['cat', 'dan', 'eve', 'fay', 'gil']) {
      checkout.put(`leases/${name}.yaml`, leaseText(name, 5, [web]));
    }
    await checkout.synth('2026-01-10', 'Five more');
    checkout.repository.git('checkout', '-q', '-B', 'main');
    checkout.repository.git('checkout', '-q', '-b', 'fewer');
    checkout.repository.git(
      'rm',
      '-q',
      ...['cat', 'dan', 'eve', 'fay'].map((name) => `leases/${name}.yaml`),
    );
    const asked = ['move', '203.0.113.1', '--to', '203.0.113.14', '--today', '2026-01-11'];
    const refused = await checkout.run(...asked);
    expect([refused.status, refused.out]).toEqual([
      1,
      expect.stringContaining('MASS_RELEASE 4 of 7'),
    ]);
    const [, printed = ''] = refused.out.match(/if this is intended: `leasehold (.*)`/) ?? [];
    expect(printed.split(' ')).toEqual([...asked, '--allow-release', '4']);
    expect((await checkout.run(...printed.split(' '))).status).toBe(0);
    checkout.commit('2026-01-11');
    expect(await found(checkout)).toEqual([]);
  });

  it('can be done twice on one branch', { tags: 'slow' }, async () => {
    const checkout = await unpinned();
    await checkout.run('move', ann, '--to', '203.0.113.9', '--today', '2026-01-11');
    await checkout.run('move', ann, '--to', '203.0.113.10', '--today', '2026-01-11');
    checkout.commit('2026-01-11');
    expect(await found(checkout)).toEqual([]);
    const { out } = await checkout.run('plan', '--base', 'main');
    expect(out).toContain('moves from 203.0.113.1 to 203.0.113.10');
  });

  it('is told as a move by the plan', { tags: 'slow' }, async () => {
    const checkout = await unpinned();
    await checkout.run('move', ann, '--to', '203.0.113.9', '--today', '2026-01-11');
    checkout.commit('2026-01-11');
    const { out } = await checkout.run('plan', '--base', 'main', '-o', 'json');
    const plan = JSON.parse(out);
    expect(plan.cautions.map(({ code }: { code: string }) => code)).toContain('LEASE_MOVED');
    expect(plan.addresses).toContainEqual(
      expect.objectContaining({
        address: '203.0.113.9',
        details: ['moved from 203.0.113.1 by `leasehold move`'],
      }),
    );
  });

  it('tells which file pins the address, and goes along once that is changed', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    checkout.edit('leases/ann.yaml', '203.0.113.1"', '203.0.113.9"');
    const edited = await checkout.run('synth', '--today', '2026-01-11');
    expect(edited.out).toContain('leasehold move 203.0.113.1 --to 203.0.113.9');
    const to = (address: string) =>
      checkout.run('move', '203.0.113.1', '--to', address, '--today', '2026-01-11');
    const refused = await to('203.0.113.8');
    expect(refused.status).toBe(1);
    expect(refused.out).toMatch(/^leases\/ann\.yaml:10:79 PIN_MOVED 203\.0\.113\.9 is pinned here/);
    expect(refused.out).toContain('hint: pin 203.0.113.8 in leases/ann.yaml');
    expect(checkout.repository.git('status', '--short')).toBe(' M leases/ann.yaml\n');
    expect(await to('203.0.113.9')).toMatchObject({ status: 0 });
    checkout.commit('2026-01-11');
    expect(await found(checkout)).toEqual([]);
  });

  it.each([
    ['to a named one', ['--to', '203.0.113.9']],
    ['to the next free one', []],
  ])('rewrites the pin of the address that is left, %s', { tags: 'slow' }, async (_, to) => {
    const checkout = await begin();
    const words = ['move', '203.0.113.1', ...to, '--today', '2026-01-11', '-o', 'json'];
    const { status, out, err } = await checkout.run(...words);
    expect({ status, err }).toMatchObject({ status: 0 });
    const answer = moveSchema.parse(JSON.parse(out));
    expect(answer.edited).toEqual(['leases/ann.yaml']);
    const [moved] = answer.moved;
    expect(moved?.to).not.toBe('203.0.113.1');
    expect(to.length === 0 || moved?.to === '203.0.113.9').toBe(true);
    const text = checkout.read('leases/ann.yaml');
    expect(text).toContain(`address: ${moved?.to}`);
    expect(text).not.toContain('203.0.113.1"');
    expect(await checkout.run('check')).toMatchObject({ status: 0 });
    checkout.commit('2026-01-11');
    expect(await found(checkout)).toEqual([]);
  });

  it.each([
    ['ipam.vitistack.io/addresses', '  annotations: { ipam.vitistack.io/addresses: PIN }\n', ''],
    ['loadBalancerIPs', '  annotations: { metallb.universe.tf/loadBalancerIPs: PIN }\n', ''],
    ['spec.loadBalancerIP', '', '  loadBalancerIP: PIN # ours\n'],
  ])('rewrites the pin of a Service in %s', { tags: 'slow' }, async (_, annotations, field) => {
    const checkout = await begin();
    const file = 'leases/web.yaml';
    const pinning = (address: string): string =>
      `apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
${annotations}spec:
  type: LoadBalancer
${field}  ports: [{ name: a, port: 80 }, { name: b, port: 81 }]
`.replace('PIN', address);
    checkout.put(file, pinning('203.0.113.5'));
    expect(await checkout.run('synth', '--today', '2026-01-11')).toMatchObject({ status: 0 });
    const words = ['move', 'shop/web', '--to', '203.0.113.9', '--today', '2026-01-11'];
    const { status, out, err } = await checkout.run(...words);
    expect({ status, err }).toMatchObject({ status: 0 });
    expect(out).toContain(`edited ${file}: its pin is the new address\n`);
    expect(checkout.read(file)).toBe(pinning('203.0.113.9'));
    expect(await checkout.run('check')).toMatchObject({ status: 0 });
  });

  it('is the way out for all leases of a pool that shrinks', { tags: 'slow' }, async () => {
    const checkout = await unpinned();
    checkout.edit('leases/pools.yaml', '203.0.113.0/28', '203.0.113.8/29');
    const { out } = await checkout.run('synth', '--today', '2026-01-11');
    expect(out.match(/ADDRESS_STRANDED 203/g)).toHaveLength(2);
    expect(out).toMatch(/`leasehold move 203\.0\.113\.1 203\.0\.113\.2`$/m);
    const one = await checkout.run('move', '203.0.113.1', '--today', '2026-01-11');
    expect([one.status, one.out.match(/ADDRESS_STRANDED 203\.0\.113\.2/g)?.length]).toEqual([1, 1]);
    const all = await checkout.run('move', '203.0.113.0/29', '--today', '2026-01-11');
    expect(all.status).toBe(0);
    checkout.commit('2026-01-11');
    expect(await found(checkout)).toEqual([]);
  });
});

it('leasehold move takes no words that name nothing, or more than they may', async () => {
  const checkout = await unpinned();
  const refused: readonly (readonly [readonly string[], string])[] = [
    [['203.0.113.7'], '203.0.113.7 is not held'],
    [['203.0.113.8/29'], 'no address of 203.0.113.8/29 is held'],
    [
      ['nobody'],
      'no declared holder or lease has the name or address nobody; `leasehold list -o wide` shows all holders',
    ],
    [['Shop.example.com'], 'the name or address Shop.example.com; write shop.example.com'],
    [['203.0.113.999'], "'203.0.113.999' is not a valid name"],
    [[ann, '--pool', 'none'], 'declares no pool none'],
    [[ann, '--to', '2001:db8::1'], 'has no ipv6 address to move to 2001:db8::1'],
    [[ann, '--family', 'ipv6'], 'has no such address yet'],
    [[ann, bob, '--to', '203.0.113.9'], '--to is for one holder'],
    [
      [ann, '--to', '203.0.113.9', '--to', '203.0.113.8'],
      'Only one address of a family is allowed',
    ],
    [[ann, '--to', 'here'], 'It is not an IP address'],
  ];
  for (const [words, reason] of refused) {
    const { status, out, err } = await checkout.run('move', ...words);
    expect([words, status, out]).toEqual([words, 64, '']);
    expect(err).toContain(reason);
  }
  expect(checkout.repository.git('status', '--short')).toBe('');
});

describe('a holder that changes its address by hand', () => {
  it('is found out, and told the way out', { tags: 'slow' }, async () => {
    const checkout = await unpinned();
    checkout.put('leases/ann.yaml', '');
    await checkout.synth('2026-01-11', 'Ann ends');
    checkout.put('leases/ann.yaml', leaseText('ann', 1, [{ ...web, address: '203.0.113.9' }]));
    await checkout.forge('2026-01-11');
    expect(await found(checkout)).toContain(`ALLOCATION_FORGED ${recordOf('203.0.113.9')}`);
    const { out } = await checkout.run('check', '--base', 'main');
    expect(out).toContain('was not moved from there by `leasehold move`');
  });

  it('is found out when the record says that it was moved from elsewhere', async () => {
    const checkout = await unpinned();
    await checkout.run('move', ann, '--to', '203.0.113.9', '--today', '2026-01-11');
    checkout.edit(recordOf('203.0.113.9'), 'movedFrom: 203.0.113.1', 'movedFrom: 203.0.113.2');
    checkout.commit('2026-01-11');
    expect(await found(checkout)).toContain(`ALLOCATION_FORGED ${recordOf('203.0.113.9')}`);
  });
});

describe('a move on a branch', () => {
  it('stays when leasehold resolve brings in what the target did meanwhile', {
    tags: 'slow',
  }, async () => {
    const checkout = await unpinned();
    await checkout.run('move', ann, '--to', '203.0.113.9', '--today', '2026-01-11');
    checkout.commit('2026-01-11', 'Ann moves');
    checkout.repository.git('checkout', '-q', 'main');
    checkout.edit('leases/ann.yaml', '8080', '9090');
    await checkout.synth('2026-01-11', 'Another target port');
    checkout.repository.git('checkout', '-q', 'moving');
    checkout.repository.tried('merge', '-q', 'main');
    const words = ['--onto', 'main', '--today', '2026-01-12', '-o', 'json'];
    const { out, err } = await checkout.run('resolve', ...words);
    expect(JSON.parse(out)).toMatchObject({ kind: 'Resolution', reassigned: [] });
    expect(err).toBe('');
    checkout.commit('2026-01-12', 'Merge');
    expect(checkout.read(recordOf('203.0.113.9'))).toContain('movedFrom: 203.0.113.1');
    expect(checkout.read(recordOf('203.0.113.1'))).toContain('released:');
    expect(await found(checkout)).toEqual([]);
  });
});
