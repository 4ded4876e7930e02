import { describe, expect, it } from 'vitest';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { serviceText } from '../../support/declarations/service-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';

const pools = (metallb: string, clusters = ''): string =>
  poolsText(`metallb: { ${metallb} }
${clusters}emit: { providerLeasedIP: false }
pools:
  - { name: public, zone: inet, addresses: [203.0.113.0/28], strategy: lowest }
`);
const path = 'leases/pools.yaml';
const shared = (name: string, port: number): string =>
  serviceText(name, {
    ipam: { 'allow-local-shared-ip': 'duo' },
    spec: { ports: [{ name: 'web', port }] },
  });

/** Two live Services on one address, on a branch of its own. */
async function sharing(metallb: string, clusters?: string): Promise<LeaseCheckout> {
  const files = { [path]: pools(metallb, clusters), 'leases/a.yaml': shared('a', 80) };
  const checkout = await remadeCheckout({ ...files, 'leases/b.yaml': shared('b', 81) });
  checkout.repository.git('checkout', '-q', '-b', 'change');
  return checkout;
}

/** `leasehold synth` with this pool file. */
async function synthed(checkout: LeaseCheckout, text: string) {
  checkout.put(path, text);
  return checkout.run('synth', '--today', '2026-01-10');
}

/** Commits all, and tells what the pull request says: the status of `check`, and the cautions. */
async function reviewed(checkout: LeaseCheckout, base = 'main') {
  checkout.commit('2026-01-10');
  const { status, out } = await checkout.run('check', '--base', base);
  const plan = await checkout.run('plan', '--base', base, '-o', 'json');
  const cautions: readonly { code: string; message: string }[] = JSON.parse(plan.out).cautions;
  const told = cautions.filter(({ code }) => code === 'METALLB_CHANGED');
  return { status, out, told: told.map(({ message }) => message) };
}

const prefixes = (checkout: LeaseCheckout): ReadonlySet<string> =>
  new Set(
    checkout.repository
      .git('grep', '-h', 'allow-shared-ip:', '--', 'dist')
      .match(/metallb\.[a-z.]+/g),
  );

describe('metallb.version of a cluster with live Services', () => {
  it('goes past 0.14.9 only with the annotations that the older version reads', async () => {
    const checkout = await sharing('version: 0.13.9');
    const refused = await synthed(checkout, pools('version: 0.14.9'));
    expect([refused.status, refused.out]).toEqual([
      1,
      expect.stringContaining(
        'ANNOTATIONS_UNREAD the annotations of 2 live Services of cluster default, such as shop/a, would get the prefix metallb.io/, which MetalLB before 0.14.9 ignores',
      ),
    ]);
    const kept = 'version: 0.14.9, annotationPrefix: metallb.universe.tf';
    expect((await synthed(checkout, pools(kept))).status).toBe(0);
    expect(checkout.repository.git('status', '--porcelain', '--', 'dist')).toBe('');
    expect(await reviewed(checkout)).toMatchObject({
      status: 0,
      told: ['cluster default: upgrade MetalLB to 0.14.9 first, and merge this afterwards'],
    });
  });

  it('names the order for Reservations too, whose values have the annotations', async () => {
    const files = {
      [path]: pools('version: 0.13.9'),
      'leases/chart.yaml': `apiVersion: leasehold.dev/v1
kind: Reservation
spec: { namespace: shop, service: chart, ports: [{ port: 80 }] }
`,
    };
    const checkout = await remadeCheckout(files);
    checkout.repository.git('checkout', '-q', '-b', 'change');
    const values = async (metallb: string): Promise<string> => {
      expect((await synthed(checkout, pools(metallb))).status).toBe(0);
      return (await checkout.run('list', '-o', 'values')).out;
    };
    const kept = 'version: 0.14.9, annotationPrefix: metallb.universe.tf';
    expect(await values(kept)).toBe(await values('version: 0.13.9'));
    expect(await values('version: 0.14.9')).toContain('metallb.io/allow-shared-ip');
    expect((await reviewed(checkout)).told).toEqual([
      'cluster default: upgrade MetalLB to 0.14.9 first, and merge this afterwards',
      expect.stringMatching(/^cluster default: .* ignores the new annotations of Reservations: /),
    ]);
  });

  it('cannot pass the gate with both steps in one change', async () => {
    const checkout = await sharing('version: 0.13.9');
    await synthed(checkout, pools('version: 0.14.9, annotationPrefix: metallb.io'));
    const { status, out } = await reviewed(checkout);
    expect([status, out]).toEqual([1, expect.stringContaining('ANNOTATIONS_UNREAD')]);
  });

  it('is followed by the new annotations when the pool file says so', async () => {
    const checkout = await sharing('version: 0.14.9, annotationPrefix: metallb.universe.tf');
    expect((await synthed(checkout, pools('version: 0.14.9'))).status).toBe(1);
    const { status } = await synthed(
      checkout,
      pools('version: 0.14.9, annotationPrefix: metallb.io'),
    );
    expect([status, prefixes(checkout)]).toEqual([0, new Set(['metallb.io'])]);
    expect(await reviewed(checkout)).toMatchObject({
      status: 0,
      told: [
        'cluster default: MetalLB before 0.14.9 ignores the new annotations of shop/a, shop/b: merge this once `leasehold doctor` finds that version or a later one',
      ],
    });
    // The prefix is the default, so the line can go once that is merged.
    expect((await synthed(checkout, pools('version: 0.14.9'))).status).toBe(1);
    checkout.repository.git('branch', '-f', 'main', 'HEAD');
    expect((await synthed(checkout, pools('version: 0.14.9'))).status).toBe(0);
    expect((await reviewed(checkout, 'HEAD')).status).toBe(0);
  });

  it('is lowered at once, since every version reads the old annotations', async () => {
    const checkout = await sharing('version: 0.16.1');
    expect((await synthed(checkout, pools('version: 0.13.9'))).status).toBe(0);
    expect(prefixes(checkout)).toEqual(new Set(['metallb.universe.tf']));
    expect(await reviewed(checkout)).toMatchObject({
      status: 0,
      told: ['cluster default: merge this first, and lower MetalLB to 0.13.9 once it is applied'],
    });
  });

  it('is raised between versions that read the same annotations', async () => {
    const checkout = await sharing('version: 0.14.9');
    expect((await synthed(checkout, pools('version: 0.16.1'))).status).toBe(0);
    expect(checkout.repository.git('status', '--porcelain', '--', 'dist')).toBe('');
  });

  it('is judged for each cluster by itself', async () => {
    const clusters = (west: string) =>
      `defaultCluster: default\nclusters: [{ name: default }, { name: west, metallb: { ${west} } }]\n`;
    const checkout = await sharing('version: 0.13.9', clusters(''));
    const { status, out } = await synthed(
      checkout,
      pools('version: 0.14.9', clusters('version: 0.13.9')),
    );
    expect([status, out]).toEqual([1, expect.stringContaining('of cluster default')]);
    expect(
      (await synthed(checkout, pools('version: 0.13.9', clusters('version: 0.14.9')))).status,
    ).toBe(0);
  });
});
