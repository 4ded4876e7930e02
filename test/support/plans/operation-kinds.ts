import { leaseText } from '../declarations/lease-text.ts';
import type { LeaseCheckout } from '../repositories/lease-checkout.ts';
import { called, kind, type PullRequestKind, web } from './pull-request-kinds.ts';

/** The Service `shop/web`, with a sharing key where one is named. */
function service(key?: string): string {
  const annotations =
    key === undefined ? '{}' : `{ ipam.vitistack.io/allow-local-shared-ip: ${key} }`;
  return `apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop, annotations: ${annotations} }
spec: { type: LoadBalancer, selector: { app: web }, ports: [{ port: 80 }] }
`;
}

/** Declares the Service first, and goes on from there on a branch that is compared with it. */
function ofService(
  name: string,
  opens: string,
  [before, after]: readonly [string, string],
): PullRequestKind {
  const make = async (checkout: LeaseCheckout): Promise<void> => {
    checkout.put('leases/shop/web.yaml', before);
    await checkout.synth('2026-01-09', 'A Service');
    checkout.repository.git('branch', 'with-service');
    checkout.put('leases/shop/web.yaml', after);
    await checkout.run('synth', '--base', 'with-service', '--today', '2026-01-10');
    checkout.commit('2026-01-10');
  };
  return { ...kind(name, [opens, 0], make), base: 'with-service' };
}

/** Kinds of what is done to addresses that are held, beside those of pull-request-kinds.ts. */
export const operationKinds: readonly PullRequestKind[] = [
  kind(
    'a-holder-is-moved',
    [`Caution: web 80/TCP of ${called('ann')} moves from 203.0.113.1 to 203.0.113.9.`, 0],
    async (checkout) => {
      checkout.put('leases/ann.yaml', leaseText('ann', 1, [web]));
      await checkout.run('move', '203.0.113.1', '--to', '203.0.113.9', '--today', '2026-01-10');
      checkout.commit('2026-01-10');
    },
  ),
  kind(
    'a-pool-is-renumbered',
    [
      `Caution: ${called('ann')} moves from 203.0.113.1 to 192.0.2.15; ${called('bob')} moves from 203.0.113.2 to 192.0.2.7.`,
      0,
    ],
    async (checkout) => {
      checkout.put('leases/ann.yaml', leaseText('ann', 1, [web]));
      checkout.put(
        'leases/bob.yaml',
        leaseText('bob', 2, [web, { ...web, service: 'api', externalPort: 443 }]),
      );
      checkout.edit('leases/pools.yaml', '[203.0.113.0/28]', '[192.0.2.0/28]');
      await checkout.run('move', '203.0.113.0/28', '--today', '2026-01-10');
      checkout.commit('2026-01-10');
    },
  ),
  ofService(
    'a-service-takes-a-sharing-key',
    'Caution: key shop/front keeps 203.0.113.7: holder changed from shop/web.',
    [service(), service('front')],
  ),
  ofService(
    'a-service-drops-its-sharing-key',
    'Caution: web 80/TCP of key shop/front, now shop/web, moves from 203.0.113.6 to 203.0.113.7.',
    [service('front'), service()],
  ),
];
