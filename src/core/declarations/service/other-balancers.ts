import { type Address, isAddress, parseAddress } from '../../net/address.ts';

/**
 * The annotations that ask another load balancer for addresses, and their readers. Cilium:
 * pkg/annotation/k8s.go; kube-vip: pkg/kubevip/annotations.go; PureLB: internal/allocator; Calico:
 * kube-controllers, loadbalancer; OpenELB: pkg/constant; loxilb: kube-loxilb, pkg/agent/manager.
 */
const balancers = {
  'lbipam.cilium.io/ips': 'Cilium',
  'io.cilium/lb-ipam-ips': 'Cilium',
  'kube-vip.io/loadbalancerIPs': 'kube-vip',
  'purelb.io/addresses': 'PureLB',
  'projectcalico.org/loadBalancerIPs': 'Calico',
  'eip.openelb.kubesphere.io/v1alpha1': 'OpenELB',
  'eip.openelb.kubesphere.io/v1alpha2': 'OpenELB',
  'loxilb.io/staticIP': 'loxilb',
} as const;

/** The addresses that a Service requests from another load balancer than MetalLB. */
export interface OtherRequest {
  readonly key: string;
  readonly balancer: string;
  /** At least one. */
  readonly addresses: readonly Address[];
}

/** The requests to other load balancers in the annotations of a Service, without unreadable ones. */
export function otherRequests(annotations: Readonly<Record<string, string>>): OtherRequest[] {
  return Object.entries(balancers).flatMap(([key, balancer]) => {
    // Calico reads a list in JSON, the others read addresses separated by commas.
    const words = (annotations[key] ?? '').split(/[\s,"[\]]+/).filter((word) => word !== '');
    const addresses = words.map(parseAddress).filter(isAddress);
    return addresses.length > 0 ? [{ key, balancer, addresses }] : [];
  });
}
