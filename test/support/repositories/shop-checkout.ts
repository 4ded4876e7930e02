import { expect } from 'vitest';
import { hostnameText } from '../declarations/hostname-text.ts';
import { alice, provider } from '../declarations/pools-and-claims.ts';
import { poolsText } from '../declarations/pools-text.ts';
import { remadeCheckout } from './cached-repository.ts';
import type { LeaseCheckout } from './lease-checkout.ts';

function poolFile(layout: string, version: string): string {
  return poolsText(`provider: ${provider}
metallb: { version: ${version}, namespace: metallb-system, layout: ${layout} }
clusters: [{ name: default, routes: { kind: Ingress, className: nginx } }]
hostnames: { retentionDays: 7 }
emit: { dnsEndpoints: true, namespaces: true, providerLeasedIP: true }
pools:
  - name: p
    zone: z
    addresses: [203.0.113.0/28, '2001:db8::/124']
    retentionDays: 5
    advertise: { l2: {} }
`);
}

/** A Service as a person writes it. */
export function serviceText(name: string, port: number, annotations = ''): string {
  return `# ${name} of the shop
apiVersion: v1
kind: Service
metadata:
  name: ${name} # its name
  namespace: shop
  annotations: { leasehold.dev/dns: ${name}.example.com${annotations} }
spec: { type: LoadBalancer, selector: { app: ${name} }, ports: [{ port: ${port} }] }
`;
}

function leaseText(endpoint: string, dseq: string): string {
  return `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: ${alice}, dseq: '${dseq}', gseq: 1, oseq: 1 }
  endpoints:
    - { name: ${endpoint}, service: web, port: 8080, externalPort: ${dseq} }
`;
}

const dual = ', ipam.vitistack.io/ip-family: dual';
const shared = ', ipam.vitistack.io/allow-local-shared-ip: front';

/** A namespace with a dual-stack Service, two that share an address, a chart and a hostname; a lease in two parts. */
function shopFiles(layout: string, version: string): Readonly<Record<string, string>> {
  return {
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': poolFile(layout, version),
    'leases/shop/web.yaml': serviceText('web', 443, dual),
    'leases/shop/one.yaml': serviceText('one', 80, shared),
    'leases/shop/two.yaml': serviceText('two', 81, shared),
    'leases/shop/chart.yaml': `apiVersion: leasehold.dev/v1
kind: Reservation
metadata: { name: chart }
spec: { namespace: shop, service: chart, ports: [{ port: 25 }] }
`,
    'leases/shop/www.yaml': hostnameText('www.example.org', { port: 443 }),
    'leases/alice/1.yaml': leaseText('site', '1'),
    'leases/alice/2.yaml': leaseText('site', '2'),
  };
}

/** The checkout of it, on the branch `change`. */
export async function shop(layout = 'pool', version = '0.14.9'): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout(shopFiles(layout, version));
  checkout.repository.git('checkout', '-q', '-B', 'change');
  return checkout;
}

/** The day of the change. */
export const day = ['--today', '2026-01-05'];

/** The address of each holder. */
export async function held(checkout: LeaseCheckout): Promise<Readonly<Record<string, string>>> {
  const { out } = await checkout.run('list', '-o', 'json', ...day);
  const { items } = JSON.parse(out) as { items: { holder: string; addresses: string[] }[] };
  return Object.fromEntries(items.map(({ holder, addresses }) => [holder, addresses.join()]));
}

/** Commits, and expects that the change may be merged and loses nothing. */
export async function passes(checkout: LeaseCheckout): Promise<string> {
  checkout.commit('2026-01-05');
  expect(await checkout.run('check')).toMatchObject({ status: 0 });
  const { status, out, err } = await checkout.run('check', '--base', 'main', ...day);
  expect([status, out + err]).toEqual([0, expect.stringContaining('are allowed')]);
  return (await checkout.run('plan', '--base', 'main', ...day)).out;
}
