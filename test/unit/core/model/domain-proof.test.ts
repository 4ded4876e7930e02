import { describe, expect, it } from 'vitest';
import type { Day } from '../../../../src/core/model/day.ts';
import {
  needsProof,
  proofKey,
  proofOf,
  provingDomains,
} from '../../../../src/core/model/domain-proof.ts';

describe('provingDomains', () => {
  it('are the name and the domains above it, the nearest first, without a top-level domain', () => {
    expect(provingDomains('a.b.example.com')).toEqual([
      'a.b.example.com',
      'b.example.com',
      'example.com',
    ]);
    expect(provingDomains('*.example.com')).toEqual(['example.com']);
    expect(provingDomains('*.com')).toEqual([]);
  });
});

describe('proofOf', () => {
  const holder = 'default/namespace/shop';
  const proof = (domain: string, of = holder) => ({
    ...{ domain, holder: of, at: undefined },
    checked: '2026-01-03' as Day,
  });
  const proofs = new Map(
    [
      proof('example.com'),
      proof('b.example.com'),
      proof('example.org', 'default/namespace/blog'),
    ].map((one) => [proofKey(one), one]),
  );

  it.each([
    ['a.b.example.com', 'b.example.com'],
    ['*.b.example.com', 'b.example.com'],
    ['ab.example.com', 'example.com'],
    ['example.com', 'example.com'],
    ['notexample.com', undefined],
    ['a.example.org', undefined],
  ])('of %s is that of %s', (hostname, domain) => {
    expect(proofOf(proofs, { hostname, holder })?.domain).toBe(domain);
  });
});

describe('needsProof', () => {
  const rules = { retentionDays: 30, proof: 'required', exempt: ['apps.example'] } as const;

  it('is true for each name outside of the exempt domains, when the pool file requires proofs', () => {
    expect(needsProof('a.example', rules)).toBe(true);
    expect(needsProof('myapps.example', rules)).toBe(true);
    expect(needsProof('a.apps.example', rules)).toBe(false);
    expect(needsProof('*.apps.example', rules)).toBe(false);
    expect(needsProof('a.example', { ...rules, proof: 'optional' })).toBe(false);
  });
});
