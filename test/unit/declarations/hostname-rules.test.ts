import { describe, expect, test } from 'vitest';
import { claimsOfService } from '../../../src/declarations/claims.ts';
import { hostnameProblems } from '../../../src/declarations/hostname-rules.ts';
import { type Hostname, hostnameHolder } from '../../../src/model/hostname.ts';
import { startOf } from '../../../src/model/problem.ts';
import { thePools } from '../../support/declarations/pools-and-claims.ts';
import { aReservation } from '../../support/declarations/services.ts';

const gateway = { namespace: 'gateways', name: 'public' };
const pools = thePools({
  cluster: { routes: { kind: 'HTTPRoute', gateway, service: gateway } },
  dns: { ttl: 300, allowed: ['example.com'], blocked: ['admin.example.com'] },
});

function named(hostname: string, namespace = 'shop', file = `${namespace}-${hostname}`): Hostname {
  return {
    kind: 'Hostname',
    cluster: 'default',
    namespace,
    service: 'web',
    port: 80,
    hostname,
    holder: hostnameHolder('default', namespace),
    at: startOf(`leases/${file}.yaml`),
  };
}

/** A claim of a Reservation with DNS names. */
function claimed(namespace: string, name: string, ...dns: readonly string[]) {
  const requests = dns.map((one) => ({ name: one, at: startOf(`leases/dns-${one}.yaml`) }));
  return claimsOfService(aReservation({ namespace, name, dns: requests }), []);
}

type Claims = Parameters<typeof hostnameProblems>[1];

function messagesOf(hostnames: readonly Hostname[], claims: Claims = []): readonly string[] {
  return hostnameProblems(hostnames, claims, pools).map(
    ({ code, message }) => `${code} ${message}`,
  );
}

describe('a hostname', () => {
  test('is refused by the rules of DNS names', () => {
    expect(messagesOf([named('shop.example.org'), named('a.admin.example.com')])).toEqual([
      'DNS_REFUSED the DNS name shop.example.org is in no allowed domain of leases/pools.yaml',
      'DNS_REFUSED the DNS name a.admin.example.com is in the blocked domain admin.example.com of leases/pools.yaml',
    ]);
  });

  test('is declared once', () => {
    const twice = [named('shop.example.com'), named('shop.example.com', 'shop', 'z')];
    const [problem] = hostnameProblems(twice, [], pools);
    expect(problem).toMatchObject({
      code: 'HOSTNAME_TAKEN',
      at: { file: 'leases/z.yaml' },
      also: [{ file: 'leases/shop-shop.example.com.yaml' }],
    });
  });

  test('and a wildcard above it may be of one namespace', () => {
    expect(messagesOf([named('a.shop.example.com'), named('*.shop.example.com')])).toEqual([]);
  });

  test('and a wildcard above it may not be of two namespaces', () => {
    expect(messagesOf([named('a.c.b.example.com', 'blog'), named('*.b.example.com')])).toEqual([
      'HOSTNAME_TAKEN the hostname a.c.b.example.com overlaps *.b.example.com, a hostname of namespace shop',
    ]);
  });

  test('is not a DNS name of another namespace, and none that overlaps it', () => {
    const claims = [
      ...claimed('blog', 'lb', 'shop.example.com', '*.blog.example.com', 'a.w.example.com'),
    ];
    expect(
      messagesOf(
        [named('shop.example.com'), named('a.blog.example.com'), named('*.w.example.com')],
        claims,
      ),
    ).toEqual([
      'HOSTNAME_TAKEN the hostname shop.example.com is already a DNS name of lb of namespace blog',
      'HOSTNAME_TAKEN the hostname a.blog.example.com overlaps *.blog.example.com, a DNS name of lb of namespace blog',
      'HOSTNAME_TAKEN the hostname *.w.example.com overlaps a.w.example.com, a DNS name of lb of namespace blog',
    ]);
  });

  test('may be a DNS name of its own namespace, and of the Service that routes it', () => {
    const claims = [
      ...claimed('shop', 'lb', 'shop.example.com'),
      ...claimed('gateways', 'public', '*.example.com', 'shop.example.com'),
    ];
    expect(messagesOf([named('shop.example.com'), named('www.example.com')], claims)).toEqual([]);
  });
});
