import { policyPath } from '../../../model/folders.ts';
import { examplePaths } from '../../../model/setup-files.ts';
import { schemaLine } from '../../../text/yaml/schema-line.ts';
import { flow } from '../../import/pools-edit.ts';
import type { Profile } from './setup.ts';

/** The text of a new policy file, whose operators are these. */
export function policyText(reviewers: readonly string[], profile: Profile): string {
  const owned =
    profile === 'akash'
      ? "#     owners: [akash1…] # the tenant's accounts"
      : "#     namespaces: [shop] # the tenant's namespaces";
  return [
    schemaLine(policyPath, 'policy'),
    '# Who may declare what. As long as there is no tenant, whoever can merge can declare anything. A tenant is one who',
    '# declares in folders of its own, and nothing but this:',
    '#',
    '# tenants:',
    '#   - name: ember',
    '#     folders: [leases/ember]',
    owned,
    "#     reviewers: ['@acme/ember']",
    'apiVersion: leasehold.dev/v1',
    'kind: Policy',
    ...(reviewers.length > 0 ? [`operators: ${flow({ reviewers })}`] : []),
    '',
  ].join('\n');
}

/** An example of a declaration, which is sound once it stands in a folder of its own below `leases/`. */
export function exampleText(profile: Profile): string {
  return profile === 'akash' ? akashExample : platformExample;
}

const akashExample = `${schemaLine(examplePaths.akash, 'lease')}
# An example. Nothing reads it here; in a folder below leases/ it is a lease. owner, dseq, gseq and oseq are those of the
# tenant's lease on the chain, and the endpoints those of its SDL.
apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id:
    owner: akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye
    dseq: '18500001' # in quotes: a number this long can lose digits
    gseq: 1
    oseq: 1
  endpoints:
    - { name: site, service: web, port: 3000, externalPort: 80 }
`;

const platformExample = `${schemaLine(examplePaths.platform, 'service')}
# An example. Nothing reads it here; in a folder below leases/ it is a Service with a leased address.
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
spec:
  type: LoadBalancer
  selector: { app: web }
  ports:
    - { name: http, port: 80, targetPort: 8080 }
`;
