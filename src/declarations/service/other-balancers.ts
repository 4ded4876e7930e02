import { type AllocationTable, isHeld, recordsByHolder } from '../../model/allocation.ts';
import type { Holder } from '../../model/holder.ts';
import type { DeclaredService } from '../../model/service.ts';
import { type Address, formatAddress, isAddress, parseAddress } from '../../net/address.ts';

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

/** A declared Service that asks another load balancer, and what a person should know. */
export interface AskingService {
  readonly service: DeclaredService;
  readonly holder: Holder;
  /** One sentence, without a trailing period. */
  readonly text: string;
}

/** The Services with an address of leasehold that ask another load balancer for one. */
export function askingServices(
  holders: readonly Holder[],
  table: AllocationTable,
): readonly AskingService[] {
  const asking = holders.flatMap((holder) => {
    // A Service has a claim for each port.
    const declared = holder.claims.map((claim) => claim.kind === 'Service' && claim.declared);
    return [...new Set(declared)].flatMap((service) => {
      if (service === false || service.kind !== 'Service') return [];
      const requests = otherRequests(service.written.annotations);
      return requests.map((request) => ({ holder, service, request }));
    });
  });
  if (asking.length === 0) return [];
  const held = recordsByHolder(table, isHeld);
  return asking.map(({ holder, service, request }) => {
    const has = (held.get(holder.id) ?? []).map(({ address }) => formatAddress(address));
    return { holder, service, text: requestText(service, request, has) };
  });
}

function requestText(
  { namespace, name }: DeclaredService,
  { key, balancer, addresses }: OtherRequest,
  has: readonly string[],
): string {
  const wants = addresses.map(formatAddress);
  const asks = `Service ${namespace}/${name} asks ${balancer} for ${wants.join(' and ')} (${key})`;
  return wants.every((address) => has.includes(address))
    ? `${asks}, which MetalLB gives it: while ${balancer} runs too, both announce the address`
    : `${asks}, which MetalLB does not read: it gets ${has.join(' and ') || 'no address'}`;
}
