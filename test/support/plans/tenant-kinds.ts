import { accountOf, leaseText } from '../declarations/lease-text.ts';
import { policyHead, tenantsText } from '../declarations/policies.ts';
import type { LeaseCheckout } from '../repositories/lease-checkout.ts';
import type { PullRequestKind } from './pull-request-kinds.ts';

const web = { name: 'front', service: 'web', port: 8080, externalPort: 80 };

const people = {
  ann: `owners: [${accountOf('ann')}]`,
  bob: `owners: [${accountOf('bob')}, ${accountOf('ann')}]`,
};

/** Ann and bob declare in folders of their own, and gus in none: the branch `tenants`. */
async function divide(checkout: LeaseCheckout): Promise<void> {
  checkout.put('leases/policy.yaml', `${policyHead}${tenantsText(people)}`);
  for (const name of Object.keys(people)) {
    checkout.put(`leases/${name}/lease.yaml`, checkout.read(`leases/${name}.yaml`));
    checkout.put(`leases/${name}.yaml`, '');
  }
  await checkout.synth('2026-01-06', 'Tenants have folders');
  checkout.repository.git('branch', 'tenants');
}

function kind(
  name: string,
  [opens, status]: readonly [opens: string, status: number],
  make: (checkout: LeaseCheckout) => void,
): PullRequestKind {
  return {
    name,
    opens,
    status,
    base: 'tenants',
    make: async (checkout) => {
      await divide(checkout);
      make(checkout);
      checkout.repository.git('add', '-A');
      await checkout.run('synth', '--today', '2026-01-10');
      checkout.commit('2026-01-10');
    },
  };
}

/** Pull requests in a repository with a policy, and what a reviewer must be able to say of them. */
export const tenantKinds: readonly PullRequestKind[] = [
  kind('a-policy-changes', ['Caution: No address changes, but the policy does.', 0], (checkout) =>
    checkout.put(
      'leases/policy.yaml',
      `${policyHead}operators: { reviewers: ['@acme/network'] }\n${tenantsText({
        bob: `${people.bob}, ports: [80, 443]`,
        eve: `owners: [${accountOf('eve')}]`,
      })}`,
    ),
  ),
  kind('two-tenants-and-the-operators', ['Caution: ', 0], (checkout) => {
    checkout.edit('leases/pools.yaml', 'retentionDays: 10', 'retentionDays: 11');
    checkout.edit('leases/ann/lease.yaml', '8080', '9000');
    checkout.put('leases/bob/more.yaml', leaseText('bob', 7, [{ ...web, externalPort: 8080 }]));
  }),
  kind('a-lease-goes-to-another-tenant', ['Caution: ', 0], (checkout) => {
    checkout.put('leases/bob/of-ann.yaml', checkout.read('leases/ann/lease.yaml'));
    checkout.put('leases/ann/lease.yaml', '');
  }),
  kind('a-tenant-allows-itself', ['This must not be merged', 3], (checkout) => {
    checkout.edit('leases/policy.yaml', people.ann, `owners: [${accountOf('cat')}]`);
    checkout.put('leases/ann/lease.yaml', leaseText('cat', 8, [web]));
  }),
];
