import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  exportedLease,
  exportedList,
  exportedPool,
  exportedService,
} from '../imports/exported-cluster.ts';
import { page } from '../imports/netbox-export.ts';
import { operatorPool, operatorService } from '../imports/vitistack-operator.ts';
import { planCases } from '../plans/plan-cases.ts';
import { policyHead } from './policies.ts';
import { provider } from './pools-and-claims.ts';
import { simpleSdl } from './sdl.ts';

const golden = resolve(import.meta.dirname, '../../golden');

const goldenFiles = readdirSync(golden, { recursive: true, encoding: 'utf8' }).sort();

/** Each text once of the golden files whose path fits. */
function goldenTexts(path: RegExp): readonly string[] {
  const files = goldenFiles.filter((file) => path.test(file));
  return [...new Set(files.map((file) => readFileSync(join(golden, file), 'utf8')))];
}

const policy = `${policyHead}operators: { reviewers: ['@acme/network'], signers: [ops@acme.example] }
tenants:
  - name: shop
    folders: [leases/shop, leases/stores/shop]
    owners: [${provider}]
    namespaces: [shop, default/shop-db]
    clusters: [default]
    zones: [inet]
    pools: [default]
    ports: [80, 8000-8999]
    reviewers: ['@acme/shop', shop@acme.example]
`;

const oldPool = {
  apiVersion: 'metallb.io/v1beta1',
  kind: 'AddressPool',
  metadata: { name: 'old', namespace: 'metallb-system', labels: { tier: 'edge' } },
  spec: {
    protocol: 'bgp',
    addresses: ['10.20.0.0/24', '10.21.0.1-10.21.0.9'],
    autoAssign: true,
    bgpAdvertisements: [{ aggregationLength: 28, localPref: 100, communities: ['65000:100'] }],
  },
};

const bgpAdvertisement = {
  apiVersion: 'metallb.io/v1beta1',
  kind: 'BGPAdvertisement',
  metadata: { name: 'edge', namespace: 'metallb-system' },
  spec: {
    ipAddressPoolSelectors: [{ matchLabels: { tier: 'edge' } }],
    nodeSelectors: [{ matchExpressions: [{ key: 'rack', operator: 'In', values: ['a', 'b'] }] }],
    aggregationLength: 32,
    communities: ['vpn', 'large:65000:1:2'],
    peers: ['tor'],
  },
};

const config = `address-pools:
- name: Edge_1
  protocol: layer2
  auto-assign: no
  addresses: [10.0.0.0/24, 10.0.1.5-10.0.1.9]
- name: tor
  protocol: bgp
  addresses: [10.2.0.0/24]
  bgp-advertisements: [{ aggregation-length: 32, localpref: 7, communities: [vpn] }]
bgp-communities: { vpn: 65000:100 }
peers: [{ peer-address: 10.9.0.1, peer-asn: 65000, my-asn: 65001 }]
`;

const configMap = `apiVersion: v1
kind: ConfigMap
metadata: { name: config, namespace: metallb-system }
data:
  config: |
${config.replace(/^/gm, '    ')}`;

const live = [
  exportedList(
    ...exportedPool,
    exportedService({ name: 'shop', addresses: ['192.0.2.66', '2001:db8::6'] }),
  ),
  exportedList(
    exportedService({
      name: 'chart',
      addresses: ['192.0.2.67'],
      labels: { 'app.kubernetes.io/managed-by': 'Helm' },
      metadata: {
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'x', uid: '1' }],
        managedFields: [{ manager: 'helm', operation: 'Update' }],
        deletionTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: { externalIPs: ['192.0.2.99'], loadBalancerIP: '192.0.2.67' },
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': '{"spec":{"ports":[{}]}}',
      },
    }),
  ),
  exportedList(...exportedPool, ...exportedLease({ address: '192.0.2.70' })),
];

const operated = [
  exportedList(
    operatorPool('hnet-private', ['192.0.2.66', '192.0.2.90']),
    operatorService({ name: 'shop', addresses: ['192.0.2.66'], ipam: { secret: 'shop' } }),
  ),
  exportedList(
    operatorService({
      name: 'mail',
      addresses: ['192.0.2.67'],
      ipam: { 'retention-period-days': '30', 'deny-external-cleanup': 'true', zone: 'inet' },
    }),
  ),
];

const inventory = `metallb_namespace: lb
metallb_ip_range: [10.0.0.0/24, 10.0.1.5-10.0.1.9]
metallb_protocol: bgp
metallb_pool_name: Default_1
metallb_auto_assign: false
metallb_avoid_buggy_ips: yes
metallb_additional_address_pools:
  kube_pool: { ip_range: [10.1.0.0/24], auto_assign: false, protocol: layer2 }
metallb_peers: [{ peer_address: 10.9.0.1 }]
metallb_config:
  speaker: { nodeselector: {} }
  address_pools:
    one: { ip_range: [10.3.0.0/24], auto_assign: false, avoid_buggy_ips: true }
    two: { ip_range: [10.2.0.0/24] }
  layer2: [one]
  layer3:
    defaults: { peer_port: 179 }
    metallb_peers:
      tor: { address_pool: [two], communities: [vpn], aggregation_length: 24 }
`;

const kubeProxy = `apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
ipvs: { scheduler: '', strictARP: false }
mode: ipvs
`;

const kubeProxyMap = `apiVersion: v1
kind: ConfigMap
metadata: { name: kube-proxy, namespace: kube-system }
data:
  config.conf: |
${kubeProxy.replace(/^/gm, '    ')}`;

const providerValues = `from: ${provider}
domain: example.com
ipoperator: false
attributes:
  - { key: region, value: us-west }
  - { key: ip-lease, value: 'false' }
`;

const netBox = [
  page(
    { prefix: '10.0.0.0/24', tags: [{ name: 'LB', slug: 'lb' }], is_pool: true },
    { prefix: '10.0.0.0/8', status: { value: 'container' }, vrf: { name: 'blue', rd: '65000:1' } },
  ),
  page({ start_address: '10.0.0.10/24', end_address: '10.0.0.20/24', size: 11 }),
  page({
    address: '10.0.0.7/24',
    dns_name: 'a.example',
    assigned_object: { name: 'eth0', device: { name: 'gw', display: 'gw' } },
    custom_fields: { zone: 'inet' },
  }),
];

const netBoxTable = [
  'ID;Prefix;Status;VRF;Role;Description\r\n1;10.0.0.0/8;Container;Global;;\r\n2;• 10.0.0.0/24;Active;;LB;"two\r\nlines"\r\n',
  'id,address,status,dns_name,tags\n1,10.0.0.7/24,active,a.example,"a,b"\n2,2001:db8::7/64,,,\n',
  'Start address,End address,Status\n10.0.0.10/24,10.0.0.20/24,Active\n',
];

/** Sound texts of every kind of file that leasehold reads. */
export const soundDocuments = {
  pools: goldenTexts(/leases\/pools\.yaml$/),
  declarations: goldenTexts(
    /(?:in|base)\/leases\/(?!pools|policy|inventory|allocations|keys)(?!.*\.sdl\.yaml$).*\.yaml$/,
  ),
  sdl: [simpleSdl, ...goldenTexts(/\.sdl\.yaml$/)],
  allocations: goldenTexts(/leases\/allocations\/203\.0\.113\/203\.0\.113\.7\.yaml$/),
  key: goldenTexts(/leases\/keys\/.*\/.*\.yaml$/),
  repository: goldenTexts(/leases\/keys\/[^/]*\.yaml$/),
  policy: [policy],
  inventory: goldenTexts(/in\/leases\/inventory\.yaml$/),
  metallb: [exportedList(oldPool, bgpAdvertisement, ...exportedPool), config, configMap],
  cluster: live,
  vitistack: operated,
  kubespray: [inventory],
  kubeProxy: [kubeProxy, kubeProxyMap],
  providerValues: [providerValues],
  netBox,
  netBoxTable,
  plan: Object.values(planCases).map((plan) => JSON.stringify(plan)),
} as const;
