import { join } from 'node:path';
import { hostnameText } from '../declarations/hostname-text.ts';
import { accountOf, leaseText } from '../declarations/lease-text.ts';
import { poolsText } from '../declarations/pools-text.ts';
import { serviceText } from '../declarations/service-text.ts';
import { type LeaseCheckout, leaseCheckout } from '../repositories/lease-checkout.ts';
import { tempTree } from '../trees/temp-tree.ts';

/** A pull request of a platform team, by what its comment has to show. */
export interface CommentKind {
  readonly name: string;
  /** Takes a checkout of the team's repository to the head of the pull request. */
  readonly make: (checkout: LeaseCheckout) => Promise<void>;
  /** The number of holders that the comment must name. */
  readonly rows: number;
}

const pools = poolsText(`provider: ${accountOf('provider')}
clusters:
  - name: default
    routes: { kind: HTTPRoute, gateway: { namespace: gateways, name: public } }
  - name: prod-eu
defaultCluster: default
defaultZone: inet
pools:
  - { name: public, zone: inet, addresses: [203.0.113.0/24, '2001:db8:4d0a:61f0::/64'], retentionDays: 7 }
  - { name: warehouse-east, zone: warehouse, addresses: [198.51.100.0/26] }
  - { name: office, zone: office, addresses: [192.0.2.0/28] }
  - { name: wide, zone: wide, addresses: [10.20.0.0/16] }
`);

interface Wanted {
  readonly ports?: readonly number[];
  readonly ipam?: Readonly<Record<string, string>>;
  readonly cluster?: string;
}

/** A Service `namespace/name` with the ports 80 and 443. */
function service(id: string, { ports = [80, 443], ipam = {} }: Wanted = {}): string {
  const [namespace = '', name = ''] = id.split('/');
  return serviceText(name, {
    namespace,
    ipam,
    spec: { ports: ports.map((port) => ({ name: `p${port}`, port })) },
  });
}

/** The same in the cluster `prod-eu`. */
function abroad(id: string, wanted?: Wanted): string {
  return service(id, wanted).replace(
    'annotations: {',
    'annotations: {"leasehold.dev/cluster":"prod-eu",',
  );
}

const dual = { ipam: { 'ip-family': 'dual' } };
const wide = { ipam: { zone: 'wide' } };
const endpoint = { name: 'front', service: 'web', port: 8080, externalPort: 80 };
const fileOf = (id: string) => `leases/${id}.yaml`;
const many = Array.from({ length: 1000 }, (_, index) => `team-${index % 17}/app-${index}`);

/** The repository of a team with Services in two clusters and an Akash lease. */
function town(): Promise<LeaseCheckout> {
  return leaseCheckout({
    'leases/pools.yaml': pools,
    'leases/shop/web.yaml': service('shop/web'),
    'leases/shop/checkout.yaml': service('shop/checkout', dual),
    'leases/payments/gateway.yaml': abroad('payments/gateway-for-card-payments', dual),
    'leases/observability/collector.yaml': abroad('observability/collector', {
      ports: Array.from({ length: 101 }, (_, index) => 9000 + index),
    }),
    'leases/depot/scanner.yaml': service('depot/scanner', { ipam: { zone: 'warehouse' } }),
    'leases/depot/printer.yaml': service('depot/printer', { ipam: { zone: 'warehouse' } }),
    'leases/ann.yaml': leaseText('ann', 18_412_033, [
      endpoint,
      { ...endpoint, service: 'api', externalPort: 443 },
    ]),
  });
}

/** The same with a thousand Services more. */
function city(): Promise<LeaseCheckout> {
  return leaseCheckout({
    'leases/pools.yaml': pools,
    ...Object.fromEntries(many.map((id) => [fileOf(id), service(id, wide)])),
  });
}

/** The comment that a pull request of this kind gets on GitHub. */
export async function commentOf({ rows, make }: CommentKind): Promise<string> {
  const checkout = await (rows < 100 ? town() : city());
  checkout.repository.git('checkout', '-q', '-b', 'change');
  await make(checkout);
  const { out } = await checkout.run('plan', '--base', 'main', '--head', 'HEAD', '-o', 'json');
  const plan = join(tempTree({ 'plan.json': out }), 'plan.json');
  const target = ['--forge', 'github', '--repository', 'acme/leases', '--pull-request', '7'];
  const posted = await checkout.run('comment', '--plan', plan, '--dry-run', ...target);
  if (posted.status !== 0) throw new Error(posted.err);
  return posted.out;
}

async function told(checkout: LeaseCheckout, ...argv: readonly string[]): Promise<void> {
  const { status, out, err } = await checkout.run(...argv, '--today', '2026-01-10');
  if (status !== 0) throw new Error(`${argv.join(' ')}: ${out}${err}`);
  checkout.commit('2026-01-10');
}

const put =
  (files: Readonly<Record<string, string>>, ...more: readonly string[]): CommentKind['make'] =>
  async (checkout) => {
    for (const [path, text] of Object.entries(files)) checkout.put(path, text);
    checkout.repository.git('add', '-A');
    await told(checkout, 'synth', ...more);
  };

const edit =
  (path: string, from: string, into: string): CommentKind['make'] =>
  async (checkout) => {
    checkout.edit(path, from, into);
    await told(checkout, 'synth');
  };

/** Twelve kinds of pull requests, whose comments are looked at and measured. */
export const commentKinds: readonly CommentKind[] = [
  { name: 'a new holder', rows: 1, make: put({ [fileOf('shop/newone')]: abroad('shop/newone') }) },
  {
    name: 'a dual-stack holder',
    rows: 1,
    make: put({ [fileOf('shop/six')]: abroad('shop/six', dual) }),
  },
  {
    name: 'a move',
    rows: 1,
    make: (checkout) => told(checkout, 'move', 'payments/gateway-for-card-payments'),
  },
  {
    name: 'a release',
    rows: 2,
    make: put({ 'leases/payments/gateway.yaml': '', 'leases/ann.yaml': '' }),
  },
  {
    name: 'a rename',
    rows: 1,
    make: (checkout) => told(checkout, 'rename', 'shop/checkout', 'shop/checkout-v2'),
  },
  {
    name: 'a share join',
    rows: 1,
    make: put({
      [fileOf('shop/web')]: service('shop/web', { ipam: { 'allow-local-shared-ip': 'front' } }),
      [fileOf('shop/dns')]: service('shop/dns', {
        ports: [53],
        ipam: { 'allow-local-shared-ip': 'front' },
      }),
    }),
  },
  {
    name: 'a renumbering',
    rows: 2,
    make: async (checkout) => {
      checkout.edit('leases/pools.yaml', '[198.51.100.0/26]', '[198.51.100.64/26]');
      await told(checkout, 'move', '198.51.100.0/26', '--keep-host', '198.51.100.64/26');
    },
  },
  {
    name: 'a pool drains',
    rows: 0,
    make: edit(
      'leases/pools.yaml',
      'addresses: [198.51.100.0/26]',
      'addresses: [198.51.100.0/26], state: draining',
    ),
  },
  {
    name: 'a hostname',
    rows: 1,
    make: put({ 'leases/shop/name.yaml': hostnameText('www.checkout.shop.example.com') }),
  },
  { name: 'a redeploy', rows: 1, make: edit('leases/ann.yaml', '18412033', '18467002') },
  {
    name: 'problems',
    rows: 0,
    make: async (checkout) => {
      checkout.edit('leases/shop/web.yaml', 'LoadBalancer', 'LoadBalancr');
      checkout.edit('leases/ann.yaml', '443', '80');
      checkout.put('leases/shop/again.yaml', service('shop/checkout'));
      checkout.commit('2026-01-10');
    },
  },
  {
    name: 'nothing',
    rows: 0,
    make: async (checkout) => {
      checkout.put('NOTES.md', 'Nothing of ours.\n');
      checkout.commit('2026-01-10');
    },
  },
  {
    name: 'a thousand changes',
    rows: 1000,
    make: put(
      Object.fromEntries([
        ...many.map((id, index) => [fileOf(id), index < 700 ? '' : service(id, wide)]),
        ...many.slice(0, 300).map((id) => [fileOf(`${id}-new`), service(`${id}-new`, wide)]),
      ]),
      '--allow-release',
      '700',
    ),
  },
];
