import { join } from 'node:path';
import { keyOf } from './address-watch.ts';
import type { KubeObject } from './kube.ts';
import { objectsBelow } from './manifests.ts';

/** What is committed for a cluster. */
export interface Planned {
  readonly objects: readonly KubeObject[];
  /** Each Service, `namespace/name`, to its addresses, sorted, separated by commas; `none` of one without. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** The order of Argo CD's waves. */
const waves = [
  'Namespace',
  'ConfigMap',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'IPAddressPool',
  'L2Advertisement',
  'BGPAdvertisement',
  'CiliumLoadBalancerIPPool',
  'CiliumL2AnnouncementPolicy',
  'CiliumBGPAdvertisement',
  'ProviderLeasedIP',
  'ProviderHost',
  'Service',
  'NetworkPolicy',
  'EndpointSlice',
  'DNSEndpoint',
  'HTTPRoute',
  'Ingress',
];

/** Reads `dist/<cluster>` of a repository. */
export function plannedIn(root: string, cluster = 'default'): Planned {
  const objects = objectsBelow(join(root, 'dist', cluster));
  const services = objects.filter(({ kind }) => kind === 'Service');
  return {
    objects,
    addresses: new Map(services.map((service) => [keyOf(service), pinOf(service)])),
  };
}

/** What is committed, in the order of the waves. */
export function inWaves({ objects }: Planned): readonly KubeObject[] {
  return [...objects].sort((left, right) => waves.indexOf(left.kind) - waves.indexOf(right.kind));
}

function pinOf({ metadata, spec }: KubeObject): string {
  const { annotations = {} } = metadata;
  const both = [
    'metallb.io/loadBalancerIPs',
    'metallb.universe.tf/loadBalancerIPs',
    'lbipam.cilium.io/ips',
  ];
  const pins = both.flatMap((key) => annotations[key]?.split(',') ?? []);
  return (pins.length > 0 ? pins : [spec.loadBalancerIP ?? 'none']).sort().join(',');
}
