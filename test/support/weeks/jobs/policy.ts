import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Job } from '../job.ts';

const policyText = `apiVersion: leasehold.dev/v1
kind: Policy
operators: { reviewers: ['@acme/network'] }
tenants:
  - name: shop
    folders: [leases/shop]
    namespaces: [shop]
    reviewers: ['@acme/shop']
`;

export const policyJobs: readonly Job[] = [
  {
    name: 'a policy with a tenant, by hand',
    begin: ({ checkout }) => {
      if (existsSync(join(checkout.root, 'leases/policy.yaml'))) return undefined;
      checkout.put('leases/policy.yaml', policyText);
      return {};
    },
  },
];
