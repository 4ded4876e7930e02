import { describe, expect, test } from 'vitest';
import { claimsOfService } from '../../../../src/core/declarations/claims.ts';
import { dnsProblems } from '../../../../src/core/declarations/dns-rules.ts';
import type { DeclaredDnsName } from '../../../../src/core/model/lease.ts';
import type { DnsRules } from '../../../../src/core/model/pools.ts';
import { aClaim } from '../../../support/declarations/pools-and-claims.ts';
import { aService } from '../../../support/declarations/services.ts';

function at(line: number, ...names: readonly string[]): readonly DeclaredDnsName[] {
  return names.map((name) => ({ name, at: { file: 'leases/web.yaml', line, column: 1 } }));
}

function rules(changes: Partial<DnsRules> = {}): DnsRules {
  return { ttl: 300, allowed: undefined, blocked: [], ...changes };
}

describe('a name of two holders', () => {
  const claims = [
    aClaim({ endpoint: 'one', dns: at(1, 'a.example.com', 'b.example.com') }),
    aClaim({ endpoint: 'two', dns: at(2, 'b.example.com') }),
  ];

  test('is a problem at the second one, with the place of the first', () => {
    expect(dnsProblems(claims, rules())).toMatchObject([
      {
        code: 'DNS_TAKEN',
        message: 'the DNS name b.example.com is already that of one of akash1h24f…w3c9h',
        at: { line: 2 },
        also: [{ line: 1 }],
      },
    ]);
  });

  test('is one without the pool file too', () => {
    expect(dnsProblems(claims, undefined)).toHaveLength(1);
  });

  test('is none in two endpoints of one owner and name', () => {
    const two = [1, 2].map((line) =>
      aClaim({ lease: { dseq: String(line) }, dns: at(line, 'a.example.com') }),
    );

    expect(dnsProblems(two, rules())).toEqual([]);
  });
});

describe('a wildcard and a name of another holder', () => {
  const claimsOf = (...names: readonly string[]) =>
    names.map((name, index) => aClaim({ endpoint: `e${index}`, dns: at(index + 1, name) }));

  test.each(['a.example.com', 'a.b.example.com', '*.a.example.com'])(
    'in its domain is a problem in any order: %s',
    (name) => {
      expect(dnsProblems(claimsOf('*.example.com', name), rules())).toMatchObject([
        {
          code: 'DNS_TAKEN',
          message: `the DNS name ${name} is in the domain of *.example.com, the wildcard of e0 of akash1h24f…w3c9h`,
          at: { line: 2 },
          also: [{ line: 1 }],
        },
      ]);
      expect(dnsProblems(claimsOf(name, '*.example.com'), rules())).toHaveLength(1);
    },
  );

  test('at its domain or outside is none', () => {
    const names = [
      '*.example.org',
      'example.org',
      '*.a.example.com',
      'example.com',
      'b.example.com',
      'aa.example.com',
    ];
    expect(dnsProblems(claimsOf(...names), rules())).toEqual([]);
  });

  test('is none in one holder', () => {
    const claims = [aClaim({ dns: at(1, '*.example.com', 'a.example.com') })];
    expect(dnsProblems(claims, rules())).toEqual([]);
  });
});

describe('the pool file', () => {
  test.each([
    [rules({ allowed: ['example.com'] }), ['example.org']],
    [rules({ blocked: ['admin.example.com'] }), ['admin.example.com', 'a.admin.example.com']],
    [
      rules({ allowed: ['example.com'], blocked: ['shop.example.com'] }),
      ['shop.example.com', 'example.org'],
    ],
  ])('refuses names by its domains: %j', (dns, refused) => {
    const names = ['shop.example.com', 'admin.example.com', 'a.admin.example.com', 'example.org'];
    const isRefused = (name: string) =>
      dnsProblems([aClaim({ dns: at(1, name) })], dns).some(({ code }) => code === 'DNS_REFUSED');

    expect(names.filter(isRefused)).toEqual(refused);
  });

  test.each([
    ['*.example.com', true],
    ['*.admin.example.com', true],
    ['*.shop.example.com', false],
  ])('blocks a wildcard that answers for a blocked domain: %s', (name, isBlocked) => {
    const claims = [aClaim({ dns: at(1, name) })];
    const found = dnsProblems(
      claims,
      rules({ blocked: ['a.admin.example.com', 'admin.example.com'] }),
    );
    expect(found.map(({ code }) => code)).toEqual(isBlocked ? ['DNS_REFUSED'] : []);
  });

  test('refuses a name of a Service with several ports once', () => {
    const ports = [80, 443].map((port) => ({ port, targetPort: port, protocol: 'TCP' as const }));
    const service = { ...aService(), ports, dns: at(1, 'admin.example.com') };
    const claims = claimsOfService(service, []);

    expect(dnsProblems(claims, rules({ blocked: ['example.com'] }))).toHaveLength(1);
  });
});
