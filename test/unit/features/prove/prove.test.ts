import { describe, expect, it } from 'vitest';
import type { Day } from '../../../../src/core/model/day.ts';
import { startOf } from '../../../../src/core/model/problem.ts';
import type { Dns, DnsAnswer } from '../../../../src/features/prove/dns.ts';
import { prove } from '../../../../src/features/prove/prove.ts';

const holder = 'default/namespace/shop';
const hostnames = Array.from({ length: 60 }, (_, index) => {
  return { hostname: `n${index}.d${index}.example`, holder, at: startOf('leases/names.yaml') };
});
const input = {
  named: undefined,
  hostnames,
  proofs: new Map(),
  rules: { retentionDays: 0, proof: 'required' as const, exempt: [] },
  today: '2026-01-03' as Day,
};
const silence: DnsAnswer = { failure: 'no answer in time', isSilent: true };

/** A DNS that counts its questions. */
function countingDns(
  answerOf: (count: number) => DnsAnswer,
  answers: boolean,
): Dns & { count: () => number } {
  let count = 0;
  return {
    count: () => count,
    async txt() {
      count += 1;
      return answerOf(count);
    },
    answers: async () => answers,
  };
}

describe('prove', () => {
  it('gives up early when no resolver answers', async () => {
    const dns = countingDns(() => silence, false);
    await expect(prove(input, dns)).rejects.toThrow('the DNS gave no answer for _leasehold.');
    expect(dns.count()).toBeLessThan(40);
  });

  it('asks for every name when a resolver answers, though the first domains do not', async () => {
    const text = `leasehold=${holder}`;
    const dns = countingDns((count) => (count > 80 ? { texts: [text] } : silence), true);
    const { items } = await prove(input, dns);
    expect(dns.count()).toBe(120);
    expect(items.filter(({ state }) => state === 'proven').length).toBeGreaterThan(15);
    expect(items.filter(({ state }) => state === 'unanswered').length).toBeGreaterThan(15);
  });

  it('does not ask whether a resolver answers once one has', async () => {
    const dns = countingDns((count) => (count === 1 ? { texts: [] } : silence), false);
    await expect(prove(input, dns)).rejects.toThrow('the DNS gave no answer for _leasehold.');
    expect(dns.count()).toBe(120);
  });
});
