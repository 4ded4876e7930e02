import { stringify } from 'yaml';
import { accountOf, leaseText } from '../declarations/lease-text.ts';
import type { Seeded } from '../run/seeded.ts';
import { putFile } from '../trees/temp-tree.ts';
import type { MachineClock } from './clock.ts';
import type { Clone } from './clone.ts';

/** Somebody who declares in a folder. The first of a team is its operator. */
export interface Person {
  readonly name: string;
  readonly account: string;
  readonly folder: string;
  readonly isOperator: boolean;
  /** Of the machine that the clone is on. */
  readonly clock: MachineClock;
  readonly clone: Clone;
}

/** The names of a team, the operator's first. */
export function namesOf(random: Seeded): readonly string[] {
  const all = ['ops', 'ann', 'bob', 'cat', 'dan', 'eve', 'fay', 'gus'];
  return all.slice(0, 3 + random.below(6));
}

const gatewayRoutes = { kind: 'HTTPRoute', gateway: { namespace: 'gateways', name: 'public' } };
const ingressRoutes = { kind: 'Ingress', className: 'nginx' };

/** Writes what a team starts with: pools with room for some, and a policy by folders. */
export function writeTown(root: string, names: readonly string[], random: Seeded): void {
  // In one of four teams, few addresses are left.
  const bits = (names.length > 4 ? 27 : 28) + (random.chance(0.25) ? 1 : 0);
  const pools = {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Pools',
    provider: accountOf('provider'),
    emit: { providerLeasedIP: false },
    clusters: [{ name: 'default', routes: random.chance(0.5) ? gatewayRoutes : ingressRoutes }],
    hostnames: { retentionDays: [2, 5, 12][random.below(3)] },
    defaultZone: 'inet',
    quotas: { default: 5 },
    pools: [
      {
        name: 'default',
        zone: 'inet',
        addresses: [`203.0.113.0/${bits}`],
        retentionDays: [1, 3, 10][random.below(3)],
        strategy: random.chance(0.5) ? 'lowest' : 'spread',
      },
      {
        name: 'edge',
        zone: 'edge',
        addresses: ['198.51.100.0/29', '2001:db8::/124'],
        retentionDays: random.below(3),
      },
    ],
  };
  const tenants = names.slice(1).map((name) => ({
    name,
    folders: [`leases/${name}`],
    owners: [accountOf(name)],
    namespaces: [name],
  }));
  const policy = { apiVersion: 'leasehold.dev/v1', kind: 'Policy', tenants };
  putFile(root, 'leases/pools.yaml', stringify(pools));
  putFile(root, 'leases/policy.yaml', stringify(policy));
  putFile(root, '.gitignore', '.leasehold/\n');
  for (const [index, name] of names.entries()) {
    const retain = random.chance(0.5) ? { retentionDays: random.below(20) } : {};
    const front = { name: 'front', service: 'front', port: 8080, externalPort: 80, ...retain };
    const edge = { name: 'api', service: 'api', port: 8080, externalPort: 443, zone: 'edge' };
    const endpoints = index % 3 === 0 ? [front, edge] : [front];
    putFile(root, `leases/${name}/lease-${index + 1}.yaml`, leaseText(name, index + 1, endpoints));
    const spec = { namespace: name, service: 'web', port: 80, hostname: `${name}.example.org` };
    const hostname = { apiVersion: 'leasehold.dev/v1', kind: 'Hostname', spec };
    putFile(root, `leases/${name}/hostname-${index + 1}.yaml`, stringify(hostname));
    const promised = { owner: accountOf(name), endpoint: 'game', until: '2026-01-25' };
    const promise = { apiVersion: 'leasehold.dev/v1', kind: 'Promise', spec: promised };
    if (index % 2 === 0) putFile(root, `leases/${name}/promise-game.yaml`, stringify(promise));
    else putFile(root, `leases/${name}/service-${index + 1}.yaml`, stringify(serviceOf(name)));
  }
  // One of two teams has the line that docs/together.md gives them.
  if (random.chance(0.5)) putFile(root, '.gitattributes', 'leases/** -merge\n');
}

function serviceOf(namespace: string): object {
  const metadata = { name: 'web', namespace };
  const spec = { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 80 }] };
  return { apiVersion: 'v1', kind: 'Service', metadata, spec };
}

/** One of some values. */
export function oneOf<Value>(random: Seeded, values: readonly Value[]): Value | undefined {
  return values[random.below(values.length)];
}
