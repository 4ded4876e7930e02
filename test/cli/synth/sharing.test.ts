import { describe, expect, it } from 'vitest';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { type ServiceTextWords, serviceText } from '../../support/declarations/service-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';

const poolsOf = (version: string): string =>
  poolsText(`metallb: { version: ${version} }
emit: { providerLeasedIP: false }
pools:
  - { name: public, zone: inet, addresses: [203.0.113.0/28], strategy: lowest }
`);

const ipam = { 'allow-local-shared-ip': 'duo' };
const portsOf = (...ports: readonly number[]) => ({
  ports: ports.map((port) => ({ name: `p${port}`, port })),
});

/** A Service on the address of two, with some ports. */
function sharer(name: string, ports: readonly number[], words: ServiceTextWords = {}): string {
  const spec = { selector: { app: 'duo' }, ...portsOf(...ports), ...words.spec };
  return serviceText(name, { ipam, ...words, spec });
}

const [a, b] = ['leases/a.yaml', 'leases/b.yaml'] as const;

/** A repository with these declarations, on a branch `change` of its own. */
async function shop(
  files: Readonly<Record<string, string>>,
  version = '0.14.9',
): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout({ 'leases/pools.yaml': poolsOf(version), ...files });
  checkout.repository.git('checkout', '-q', '-b', 'change');
  return checkout;
}

async function synthed(checkout: LeaseCheckout, files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) checkout.put(path, text);
  checkout.repository.git('add', '-A');
  return checkout.run('synth', '--today', '2026-01-10');
}

const both = { [a]: sharer('a', [80, 443]), [b]: sharer('b', [81]) };
const handed = { [a]: sharer('a', [80]), [b]: sharer('b', [81, 443]) };
const stranded =
  'SHARING_STRANDED Service shop/b would wait for 203.0.113.0, since the live Service shop/a gives up 443/TCP there in the same change\n' +
  '  hint: take 443/TCP from shop/a in one commit, and give it to shop/b in the next, once the first is applied\n';

describe('the first Service to share the address of a live one', () => {
  it('joins in the same commit, and the live one keeps the fields that MetalLB compares', {
    tags: 'slow',
  }, async () => {
    const checkout = await shop({ [a]: sharer('a', [80], { ipam: {} }) });
    const live = await checkout.run('list', '-o', 'json');
    const { status, out } = await synthed(checkout, { ...both });

    expect([status, out]).toEqual([0, expect.stringContaining('default/shared/shop/duo')]);
    const [item] = JSON.parse((await checkout.run('list', '-o', 'json')).out).items;
    expect(item.addresses).toEqual(JSON.parse(live.out).items[0].addresses);
    checkout.commit('2026-01-10');
    const keys = checkout.repository.git(
      'grep',
      '-h',
      'allow-shared-ip:',
      'main',
      'HEAD',
      '--',
      'dist',
    );
    expect(keys.match(/allow-shared-ip: \S+/g)).toEqual(
      Array(3).fill('allow-shared-ip: leasehold-shop'),
    );
    expect((await checkout.run('check', '--base', 'main')).status).toBe(0);
  });
});

describe('a port that goes from one Service to another on their address', () => {
  it.each(['0.14.9', '0.16.1'])(
    'is refused in one commit, and goes in two: MetalLB %s',
    { tags: 'slow' },
    async (version) => {
      const checkout = await shop(both, version);
      const { status, out } = await synthed(checkout, handed);
      expect([status, out]).toEqual([1, expect.stringContaining(stranded)]);

      expect((await synthed(checkout, { [a]: handed[a] ?? '', [b]: both[b] ?? '' })).status).toBe(
        0,
      );
      checkout.commit('2026-01-10');
      expect((await checkout.run('check', '--base', 'main')).status).toBe(0);
      checkout.repository.git('branch', '-f', 'main', 'HEAD');
      expect((await synthed(checkout, handed)).status).toBe(0);
      expect((await synthed(checkout, handed)).out).toContain('all files up to date');
      checkout.commit('2026-01-10');
      expect((await checkout.run('check', '--base', 'main')).status).toBe(0);
    },
  );

  it('is refused over two commits of one pull request too, and a plan says so', {
    tags: 'slow',
  }, async () => {
    const checkout = await shop(both);
    checkout.put(a, handed[a] ?? '');
    await checkout.synth('2026-01-10');
    const { status, out } = await synthed(checkout, { [b]: handed[b] ?? '' });
    expect([status, out]).toEqual([1, expect.stringContaining(stranded)]);

    await checkout.forge('2026-01-10');
    expect((await checkout.run('check')).status).toBe(0);
    const judged = await checkout.run('check', '--base', 'main');
    expect([judged.status, judged.out]).toEqual([1, expect.stringContaining(stranded)]);
    const plan = await checkout.run('plan', '--base', 'main');
    expect(plan.status).toBe(3);
    expect(plan.out).toContain('SHARING_STRANDED');
    expect(plan.out).not.toContain('Routine');
  });

  it('goes in one commit when the one that has it ends', async () => {
    const checkout = await shop(both);
    const { status } = await synthed(checkout, { [a]: '', [b]: sharer('b', [81, 443]) });
    expect(status).toBe(0);
  });

  it('does not go with one that gets another address', { tags: 'slow' }, async () => {
    const checkout = await shop(both);
    const apart = { [a]: sharer('a', [80, 443], { ipam: {} }), [b]: sharer('b', [81, 443]) };
    const { status, out } = await synthed(checkout, apart);
    const leave =
      'hint: let shop/a leave in one commit, and give 443/TCP to shop/b in the next, once the first is applied\n';
    expect([status, out]).toEqual([1, expect.stringContaining(leave)]);

    expect((await synthed(checkout, { ...apart, [b]: both[b] ?? '' })).status).toBe(0);
  });
});

describe('the traffic policy of sharers', () => {
  const local = { spec: { externalTrafficPolicy: 'Local' } };
  const changed = { [a]: sharer('a', [80, 443], local), [b]: sharer('b', [81], local) };

  it('does not change in both at once where MetalLB looks at a Service once', async () => {
    const checkout = await shop(both);
    const { status, out } = await synthed(checkout, changed);
    expect([status, out]).toEqual([
      1,
      expect.stringMatching(
        /SHARING_STRANDED Service shop\/a would wait for 203\.0\.113\.0, since the live Service shop\/b gets another traffic policy or other pods in the same change\n {2}hint: remove shop\/a in one commit, and declare it again in the next, once the first is applied\n/,
      ),
    ]);
  });

  it('changes in both at once from 0.15 on', async () => {
    const checkout = await shop(both, '0.15.0');
    expect((await synthed(checkout, changed)).status).toBe(0);
  });

  it('does not change along with the version that would allow it', { tags: 'slow' }, async () => {
    const checkout = await shop(both);
    checkout.put('leases/pools.yaml', poolsOf('0.15.0'));
    expect((await synthed(checkout, changed)).status).toBe(0);
    checkout.commit('2026-01-10');
    const { status, out } = await checkout.run('check', '--base', 'main');
    expect([status, out]).toEqual([1, expect.stringContaining('SHARING_STRANDED')]);
  });
});
