import { describe, expect, it } from 'vitest';
import { releaseSchema } from '../../../src/features/move/operation-answer.ts';
import {
  hostnameText,
  leaseHostText,
  reservationText,
  routedPoolText,
} from '../../support/declarations/hostname-text.ts';
import { alice, provider } from '../../support/declarations/pools-and-claims.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';

const pools = routedPoolText.replace('kind: Pools', `kind: Pools\nprovider: ${provider}`);
const day = ['--today', '2026-01-05'];

/** A tenant with two leases, a hostname and a promise; a namespace with a Service and a hostname; a stranger. */
function town(more: Readonly<Record<string, string>> = {}) {
  return remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': pools,
    'leases/alice/1.yaml': `${leaseHostText('1', 'a.example.com')}  endpoints: [{ name: front, service: web, port: 80 }]\n`,
    'leases/alice/2.yaml': `${leaseHostText('2', 'b.example.com')}  endpoints: [{ name: back, service: web, port: 80 }]\n`,
    'leases/alice/promise.yaml': `apiVersion: leasehold.dev/v1
kind: Promise
spec: { owner: ${alice}, endpoint: next, until: 2026-01-20 }
`,
    'leases/shop/lb.yaml': reservationText('shop', 'lb.example.org'),
    'leases/shop/www.yaml': hostnameText('www.example.org', { service: 'lb' }),
    'leases/den/lb.yaml': reservationText('den', 'den.example.org'),
    ...more,
  });
}

async function released(words: readonly string[], checkout = town()) {
  const own = await checkout;
  const { status, out, err } = await own.run('release', ...words, ...day, '-o', 'json');
  const answer = status === 0 ? releaseSchema.parse(JSON.parse(out)) : undefined;
  return { status, answer, text: out + err, run: own.run, root: own };
}

describe('leasehold release', () => {
  it('ends all that an Akash account has: leases, promises and hostnames', async () => {
    const { answer, run } = await released([alice]);
    expect(answer?.removed).toEqual([
      'leases/alice/1.yaml',
      'leases/alice/2.yaml',
      'leases/alice/promise.yaml',
    ]);
    expect(answer?.released).toHaveLength(5);
    expect((await run('check')).status).toBe(0);
    expect((await run('who', alice, ...['-o', 'json'])).out).not.toContain('"held"');
  });

  it.each(['shop', 'default/shop', 'default/namespace/shop'])(
    'ends all that a namespace has, by %s',
    async (word) => {
      const { answer, run } = await released([word]);
      expect(answer?.removed).toEqual(['leases/shop/lb.yaml', 'leases/shop/www.yaml']);
      expect((await run('check')).status).toBe(0);
    },
  );

  it('ends nothing for a word that names a namespace and an endpoint', async () => {
    const endpoint = `${leaseHostText('3', 'c.example.com')}  endpoints: [{ name: shop, service: web, port: 80 }]\n`;
    const checkout = town({ 'leases/alice/3.yaml': endpoint });
    const { status, text, root } = await released(['shop'], checkout);
    expect([status, text]).toEqual([
      64,
      expect.stringContaining(
        `shop is ambiguous: write default/namespace/shop or default/akash/${alice}-ip-shop`,
      ),
    ]);
    expect(root.repository.git('status', '--porcelain')).toBe('');
  });

  it('ends what has a DNS name, as who finds it', async () => {
    const { answer, run } = await released(['lb.example.org']);
    expect(answer?.removed).toEqual(['leases/shop/lb.yaml']);
    expect((await run('move', 'den.example.org', ...day)).out).toContain('service/den/lb\n');
  });

  it('ends nothing for an account without leases', async () => {
    const { status, text } = await released([provider]);
    expect([status, text]).toEqual([64, expect.stringContaining('no declared holder')]);
  });
});
