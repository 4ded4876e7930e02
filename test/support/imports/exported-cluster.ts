import { leaseNamespace } from '../../../src/core/manifests/names.ts';

/** Objects as `kubectl get -A -o yaml` prints them, as far as an import reads them: JSON is YAML. */
export function exportedList(...items: readonly object[]): string {
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', metadata: {}, items }, null, 1)}\n`;
}

/** What a test says of a live Service. */
export interface ExportedService {
  readonly name: string;
  readonly namespace?: string;
  readonly addresses: readonly string[];
  readonly labels?: object;
  readonly annotations?: object;
  readonly metadata?: object;
  readonly spec?: object;
}

/** A Service of type LoadBalancer as the API server gives it, with its addresses and what it filled in. */
export function exportedService(service: ExportedService): object {
  const { name, namespace = 'web', addresses, labels, annotations, metadata, spec } = service;
  const families = addresses.map((address) => (address.includes(':') ? 'IPv6' : 'IPv4'));
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace,
      uid: '0d5a2b7e-1111-4222-8333-444455556666',
      resourceVersion: '123456',
      creationTimestamp: '2025-02-03T10:00:00Z',
      managedFields: [managedFields('kubectl-client-side-apply', 'f:spec')],
      ...(labels && { labels }),
      annotations: { 'metallb.io/ip-allocated-from-pool': 'public', ...annotations },
      ...metadata,
    },
    spec: {
      type: 'LoadBalancer',
      allocateLoadBalancerNodePorts: true,
      clusterIP: '10.96.12.7',
      clusterIPs: families.map((family) => (family === 'IPv4' ? '10.96.12.7' : 'fd00::c:7')),
      externalTrafficPolicy: 'Cluster',
      internalTrafficPolicy: 'Cluster',
      ipFamilies: families,
      ipFamilyPolicy: families.length > 1 ? 'RequireDualStack' : 'SingleStack',
      ports: [{ name: 'http', nodePort: 31080, port: 80, protocol: 'TCP', targetPort: 8080 }],
      selector: { app: name },
      sessionAffinity: 'None',
      ...spec,
    },
    status: { loadBalancer: { ingress: addresses.map((ip) => ({ ip, ipMode: 'VIP' })) } },
  };
}

/** An entry of `managedFields`: who wrote one part of an object. */
export function managedFields(manager: string, part: 'f:metadata' | 'f:spec'): object {
  const fieldsV1 = { [part]: {} };
  return { manager, operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 };
}

/** The pool that MetalLB gives addresses of, and its advertisement. */
export const exportedPool: readonly object[] = [
  {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name: 'public', namespace: 'metallb-system' },
    spec: { addresses: ['192.0.2.64/26', '2001:db8::/120'], autoAssign: false },
  },
  {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'L2Advertisement',
    metadata: { name: 'public', namespace: 'metallb-system' },
    spec: { ipAddressPools: ['public'] },
  },
];

/** The accounts that real leases have been seen with. */
export const tenant = 'akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye';
export const provider = 'akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y';

/** What a test says of a leased port; the endpoint as the sharing key has it. */
export interface ExportedLease {
  readonly dseq?: string;
  readonly endpoint?: string;
  readonly service?: string;
  readonly externalPort?: number;
  readonly protocol?: string;
  readonly address: string;
}

/** The namespace of a lease of {@link exportedLease}. */
function namespaceOf(dseq: string): string {
  return leaseNamespace('akash', { owner: tenant, dseq, gseq: 1, oseq: 1, provider });
}

/** A `ProviderLeasedIP`, and the Service that the IP operator made of it. */
export function exportedLease(lease: ExportedLease): readonly [leasedIP: object, service: object] {
  const { dseq = '18500001', endpoint = 'site', service = 'web', externalPort = 80 } = lease;
  const { protocol = 'TCP', address } = lease;
  const sharingKey = `${tenant}-ip-${endpoint}`;
  const name = `${service}-ip-${externalPort}-${protocol}`.toLowerCase();
  const id = { dseq, gseq: 1, oseq: 1, owner: tenant, provider };
  return [
    {
      apiVersion: 'akash.network/v2beta2',
      kind: 'ProviderLeasedIP',
      metadata: {
        name: `${sharingKey}-${protocol}-${externalPort}`.toLowerCase(),
        namespace: 'lease',
      },
      spec: {
        lease_id: id,
        service_name: service,
        port: 3000,
        external_port: externalPort,
        sharing_key: sharingKey,
        protocol,
      },
    },
    exportedService({
      name,
      namespace: namespaceOf(dseq),
      addresses: [address],
      labels: { 'akash.network': 'true', 'akash.network/service-target': 'metal-lb' },
      annotations: { 'metallb.universe.tf/allow-shared-ip': sharingKey },
      spec: { ports: [{ name, port: externalPort, protocol, targetPort: 3000, nodePort: 30123 }] },
    }),
  ];
}
