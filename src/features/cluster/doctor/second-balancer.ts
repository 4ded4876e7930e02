import { type LiveObject, listAt, liveObjectName, textAt } from '../../../core/model/live.ts';
import { annotationPrefixes, planeNames } from '../../../core/model/planes.ts';
import { objectsOf } from '../../../lib/kubernetes/doctor-checks.ts';
import { isOfClass } from '../live/snapshot.ts';
import type { Check } from './facts.ts';

interface Balancer {
  readonly name: string;
  /** True for a Service that it has marked as its own. */
  readonly serves: (service: LiveObject) => boolean;
  /** The setting that keeps it from Services of the plane. */
  readonly fix: string;
}

/**
 * The load balancers that mark the Services that they serve. MetalLB: controller/service.go; kube-vip: pkg/kubevip/annotations.go;
 * Cilium: operator/pkg/lbipam; PureLB: internal/local; Kubernetes: cloud-provider,
 * service/helpers (ServiceLB of K3s is such a controller).
 */
const balancers: readonly Balancer[] = [
  {
    name: 'MetalLB',
    serves: ({ metadata }) =>
      annotationPrefixes.some(
        (prefix) => `${prefix}/ip-allocated-from-pool` in (metadata.annotations ?? {}),
      ),
    fix: 'give MetalLB a class by --lb-class, or remove it: Cilium takes away the addresses that it gives',
  },
  {
    name: 'kube-vip',
    serves: ({ metadata }) => metadata.annotations?.['kube-vip.io/vipHost'] !== undefined,
    fix: 'set lb_class_only of kube-vip to true, and KUBEVIP_ENABLE_LOADBALANCERCLASS of its cloud provider',
  },
  {
    name: 'Cilium',
    serves: (service) =>
      listAt(service, 'status', 'conditions').some(
        (one) =>
          textAt(one, 'type') === 'cilium.io/IPAMRequestSatisfied' &&
          textAt(one, 'status') === 'True',
      ),
    fix: 'give its pools a serviceSelector, or set defaultLBServiceIPAM of Cilium to none',
  },
  {
    name: 'PureLB',
    serves: ({ metadata }) => metadata.annotations?.['purelb.io/allocated-by'] !== undefined,
    fix: 'let it serve a load balancer class of its own only',
  },
  {
    name: 'a cloud provider, such as ServiceLB of K3s',
    serves: ({ metadata }) =>
      listAt(metadata, 'finalizers').includes('service.kubernetes.io/load-balancer-cleanup'),
    fix: 'turn its load balancer off (K3s: --disable servicelb)',
  },
];

/** SECOND_BALANCER; nothing when no Service of the plane's class has the mark of another one. */
export const checkSecondBalancer: Check = ({ services }, { cluster }) => {
  const own = objectsOf(services).filter((service) =>
    isOfClass(service, cluster.plane.loadBalancerClass),
  );
  const plane = planeNames[cluster.plane.kind];
  const others = balancers.filter(({ name }) => name !== plane);
  // The first one counts: kube-vip's cloud provider sets the finalizer too.
  const marked = own.map((service) => others.find(({ serves }) => serves(service)));
  return others.flatMap((balancer) => {
    const served = own.filter((_, index) => marked[index] === balancer);
    const [first] = served;
    if (!first) return [];
    const have = served.length === 1 ? 'has' : `and ${served.length - 1} more have`;
    return [
      {
        level: 'caution',
        code: 'SECOND_BALANCER',
        found: `${liveObjectName('service', first)} ${have} the mark of ${balancer.name}`,
        means: `if it still runs, it serves the Services that ${plane} serves, and a leased one can get another address`,
        fix: `${balancer.fix}; remove a mark that is left over`,
      },
    ];
  });
};
