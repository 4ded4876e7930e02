import { readPolicy } from '../../../src/core/declarations/policy-file.ts';
import type { Policy } from '../../../src/core/model/policy.ts';
import type { Pools } from '../../../src/core/model/pools.ts';

/** What a policy file begins with. */
export const policyHead = 'apiVersion: leasehold.dev/v1\nkind: Policy\n';

/** The policy of a text without its head. */
export function thePolicy(text: string, pools?: Pools): Policy {
  const read = readPolicy('leases/policy.yaml', Buffer.from(policyHead + text), pools);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('\n'));
  return read.value;
}

/** A policy text of tenants: name to what it says beside its folder `leases/<name>`, as flow YAML. */
export function tenantsText(tenants: Readonly<Record<string, string>>): string {
  const lines = Object.entries(tenants).map(
    ([name, rest]) => `  - { name: ${name}, folders: [leases/${name}]${rest && `, ${rest}`} }\n`,
  );
  return `tenants:\n${lines.join('')}`;
}
