import { describe, expect, test } from 'vitest';
import { claimsOfService } from '../../../../src/core/declarations/claims.ts';
import { hostnameProblems } from '../../../../src/core/declarations/hostname-rules.ts';
import type { Day } from '../../../../src/core/model/day.ts';
import { type Hostname, hostnameHolder } from '../../../../src/core/model/hostname.ts';
import { startOf } from '../../../../src/core/model/problem.ts';
import { aLeaseHostname } from '../../../support/allocations/hostname-records.ts';
import { bob, thePools } from '../../../support/declarations/pools-and-claims.ts';
import { aReservation } from '../../../support/declarations/services.ts';

const gateway = { namespace: 'gateways', name: 'public' };
const pools = thePools({
  cluster: { routes: { kind: 'HTTPRoute', gateway, controller: undefined, service: gateway } },
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

/** Records that hold hostnames of the namespace shop. */
function recorded(
  ...records: readonly (readonly [name: string, since: Day, namespace?: string])[]
) {
  return new Map(
    records.map(([hostname, since, namespace = 'shop']) => [
      hostname,
      {
        hostname,
        holder: hostnameHolder('default', namespace),
        since,
        retain: 30,
        keepUntil: undefined,
        released: undefined,
        at: undefined,
      },
    ]),
  );
}

type Names = Parameters<typeof hostnameProblems>[0];

function problemsOf(
  hostnames: readonly Hostname[],
  claims: Names['claims'] = [],
  hostnameTable: Names['hostnameTable'] = new Map(),
) {
  return hostnameProblems({ hostnames, claims, hostnameTable }, pools);
}

function messagesOf(...names: Parameters<typeof problemsOf>): readonly string[] {
  return problemsOf(...names).map(({ code, message }) => `${code} ${message}`);
}

/** The file of each problem, and the file that it names beside it. */
function placesOf(...names: Parameters<typeof problemsOf>) {
  return problemsOf(...names).map(({ at, also = [] }) => [
    at.file,
    ...also.map(({ file }) => file),
  ]);
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
    const [problem] = problemsOf(twice);
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

  test('is reported with each wildcard of other namespaces above it, so that one change ends all', () => {
    const others = [named('*.b.example.com'), named('*.c.b.example.com')];
    expect(messagesOf([named('a.c.b.example.com', 'blog'), ...others])).toEqual([
      'HOSTNAME_TAKEN the hostname a.c.b.example.com overlaps *.c.b.example.com, a hostname of namespace shop',
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
      'HOSTNAME_TAKEN the hostname shop.example.com is already a DNS name of blog/lb',
      'HOSTNAME_TAKEN the hostname a.blog.example.com overlaps *.blog.example.com, a DNS name of blog/lb',
      'HOSTNAME_TAKEN the hostname *.w.example.com overlaps a.w.example.com, a DNS name of blog/lb',
    ]);
  });

  test('may be a DNS name of its own namespace, and of the Service that routes it', () => {
    const ofGateway = claimed('gateways', 'public', '*.example.com', 'shop.example.com');
    for (const claims of [claimed('shop', 'lb', 'shop.example.com'), ofGateway]) {
      expect(messagesOf([named('shop.example.com'), named('www.example.com')], claims)).toEqual([]);
    }
  });

  test('may not be a DNS name of its own namespace when its DNS records lead elsewhere', () => {
    const claims = [
      ...claimed('shop', 'lb', 'shop.example.com'),
      ...claimed('gateways', 'public', 'gw.example.com'),
    ];
    expect(messagesOf([named('shop.example.com'), named('www.example.com')], claims)).toEqual([
      'HOSTNAME_TAKEN the hostname shop.example.com is already a DNS name of shop/lb',
    ]);
  });

  test('is reported once, whatever the number of names and ports that it overlaps', () => {
    const requests = ['a.w.example.com', 'b.w.example.com', '*.w.example.com'].map((name) => {
      return { name, at: startOf(`leases/dns-${name}.yaml`) };
    });
    const ports = [80, 443].map((port) => {
      return { port, protocol: 'TCP' as const, targetPort: undefined };
    });
    const service = aReservation({ namespace: 'blog', name: 'lb', ports, dns: requests });
    expect(messagesOf([named('*.w.example.com')], claimsOfService(service, []))).toEqual([
      'HOSTNAME_TAKEN the hostname *.w.example.com is already a DNS name of blog/lb',
    ]);
    const dns = claimsOfService(service, []).slice(0, 1);
    const shop = recorded(['*.w.example.com', '2026-01-01' as Day]);
    expect(placesOf([named('*.w.example.com')], [...dns, ...dns], shop)).toHaveLength(3);
  });
});

describe('of two names that overlap, the problem is at', () => {
  const day = '2026-01-02' as Day;

  test('the new wildcard, not at the name below it that has a record', () => {
    const both = [named('*.w.example.com', 'blog'), named('b.w.example.com')];
    expect(placesOf(both, [], recorded(['b.w.example.com', day]))).toEqual([
      ['leases/blog-*.w.example.com.yaml', 'leases/shop-b.w.example.com.yaml'],
    ]);
  });

  test('the new DNS name, not at the hostname that has a record', () => {
    const claims = claimed('blog', 'lb', 'shop.example.com');
    const shop = recorded(['shop.example.com', day]);
    expect(placesOf([named('shop.example.com')], claims, shop)).toEqual([
      ['leases/dns-shop.example.com.yaml', 'leases/shop-shop.example.com.yaml'],
    ]);
    expect(messagesOf([named('shop.example.com')], claims, shop)).toEqual([
      'HOSTNAME_TAKEN the DNS name shop.example.com is already a hostname of namespace shop',
    ]);
  });

  test('the declaration that does not have the record of the name, in any order of files', () => {
    const [first, second] = ['a', 'z'].map((file) => named('x.example.com', 'shop', file));
    const [early, late] = ['b', 'y'].map((file) => named('x.example.com', 'blog', file));
    const shop = recorded(['x.example.com', day]);
    expect(placesOf([first!, late!], [], shop)).toEqual([['leases/y.yaml', 'leases/a.yaml']]);
    expect(placesOf([early!, second!], [], shop)).toEqual([['leases/b.yaml', 'leases/z.yaml']]);
  });

  test('the newer record, after two branches were merged', () => {
    const both = [named('*.w.example.com', 'blog'), named('b.w.example.com')];
    const table = recorded(
      ['b.w.example.com', day],
      ['*.w.example.com', '2026-01-01' as Day, 'blog'],
    );
    expect(placesOf(both, [], table)).toEqual([
      ['leases/shop-b.w.example.com.yaml', 'leases/blog-*.w.example.com.yaml'],
    ]);
  });
});

describe('a hostname of a lease', () => {
  const shop = aLeaseHostname('shop.example.com');
  const next = aLeaseHostname('shop.example.com', { lease: { dseq: '8' } });

  test('is refused for another owner, with both places', () => {
    const other = aLeaseHostname('shop.example.com', { lease: { owner: bob, dseq: '8' } });
    expect(placesOf([shop, other])).toEqual([['leases/8.yaml', 'leases/7.yaml']]);
    expect(messagesOf([shop, other])).toEqual([
      'HOSTNAME_TAKEN the hostname shop.example.com is already a hostname of akash1h24f…w3c9h',
    ]);
  });

  test('is refused for a second lease of its owner, with both places', () => {
    expect(placesOf([shop, next])).toEqual([['leases/8.yaml', 'leases/7.yaml']]);
    expect(messagesOf([shop, next])).toEqual([
      'HOSTNAME_TAKEN the hostname shop.example.com is already declared for web:80 of lease 7/1/1',
    ]);
  });

  test('is refused for its owner in another cluster: it has one record', () => {
    const elsewhere = aLeaseHostname('shop.example.com', { cluster: 'z', lease: { dseq: '8' } });
    expect(placesOf([shop, elsewhere])).toEqual([['leases/8.yaml', 'leases/7.yaml']]);
  });

  test('is refused below the wildcard of a namespace', () => {
    const below = aLeaseHostname('a.shop.example.com');
    expect(placesOf([below, named('*.shop.example.com')])).toEqual([
      ['leases/7.yaml', 'leases/shop-*.shop.example.com.yaml'],
    ]);
  });

  test('has the default options when its routes name no controller', () => {
    const http = { ...shop.http, readTimeout: 5000, nextCases: ['off'] };
    const usual = { ...shop.http, nextCases: ['timeout', 'error'] };
    expect(messagesOf([{ ...shop, http: usual }])).toEqual([]);
    expect(messagesOf([{ ...shop, http }])).toEqual([
      "HTTP_OPTION_REFUSED shop.example.com has readTimeout 5000, but routes of cluster 'default' in leases/pools.yaml name no controller that applies it",
      "HTTP_OPTION_REFUSED shop.example.com has nextCases off, but routes of cluster 'default' in leases/pools.yaml name no controller that applies it",
    ]);
  });

  test.each([
    [
      { kind: 'HTTPRoute', gateway, controller: 'gateway.nginx.org/nginx-gateway-controller' },
      [
        'HTTP_OPTION_REFUSED shop.example.com has nextCases off, which gateway.nginx.org/nginx-gateway-controller cannot apply',
      ],
    ],
    [{ kind: 'Ingress', className: 'nginx', controller: 'k8s.io/ingress-nginx' }, []],
  ] as const)(
    'has the options that the controller of its routes applies: %j',
    (routes, messages) => {
      const http = { ...shop.http, readTimeout: 5000, nextCases: ['off'] };
      const applied = thePools({ cluster: { routes: { ...routes, service: undefined } } });
      const names = { hostnames: [{ ...shop, http }], claims: [], hostnameTable: new Map() };
      const problems = hostnameProblems(names, applied);
      expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual(messages);
    },
  );
});
