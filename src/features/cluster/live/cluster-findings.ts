import { type LiveKind, liveKinds } from '../../../core/model/kinds.ts';
import type { WantedObject } from '../../../core/model/live.ts';
import { firstCilium, firstMetalLB, type Plane, planeNames } from '../../../core/model/planes.ts';
import type { ClusterFinding, Verification, VerifiedClaim } from '../verification-answer.ts';
import type { Snapshot } from './snapshot.ts';

/** A finding for each kind of object that `dist/` has and the cluster does not serve. */
export function unservedKinds(objects: Iterable<WantedObject>, live: Snapshot): ClusterFinding[] {
  const kinds = new Set([...objects].map(({ kind }) => kind));
  return [...kinds]
    .filter((kind) => !live.kinds.has(kind))
    .map((kind) => ({
      object: liveKinds[kind].kind,
      message: `the cluster does not serve ${liveKinds[kind].apiVersion} ${liveKinds[kind].plural}`,
      hint:
        hints[liveKinds[kind].group] ??
        'check that this is the right cluster: every cluster serves this kind',
    }));
}

const hints: Readonly<Record<(typeof liveKinds)[LiveKind]['group'], string | undefined>> = {
  'metallb.io': `install MetalLB ${firstMetalLB.supported} or later`,
  'frrk8s.metallb.io': undefined,
  'cilium.io': `install Cilium ${firstCilium.supported} or later; BGP needs bgpControlPlane, and L2 needs l2announcements`,
  'coordination.k8s.io': undefined,
  'akash.network':
    "apply the Akash provider's CRDs, or set emit.providerLeasedIP and emit.providerHost to false in leases/pools.yaml and run `leasehold synth`",
  'externaldns.k8s.io':
    "apply external-dns's CRDs, or set emit.dnsEndpoints to false in leases/pools.yaml and run `leasehold synth`",
  'admissionregistration.k8s.io': 'layout: pool needs Kubernetes 1.31 or later',
  'gateway.networking.k8s.io':
    'install the CRDs of the Gateway API, or set routes of the cluster to kind: Ingress in leases/pools.yaml and run `leasehold synth`',
  'gateway.nginx.org':
    'install NGINX Gateway Fabric 2.4 or later, or remove the HTTP options of the hostnames and run `leasehold synth`',
  'discovery.k8s.io': undefined,
  'storage.k8s.io': undefined,
  'networking.k8s.io': undefined,
  apps: undefined,
  '': undefined,
};

/**
 * A note when the cluster is partly at another commit, with no finding that explains it: an engine
 * can be stuck and still report success.
 */
export function otherCommit(
  { claims, objects, findings }: Pick<Verification, 'claims' | 'objects' | 'findings'>,
  plane: Plane['kind'],
): readonly string[] {
  const isLacking = ({ state }: VerifiedClaim) => state === 'not applied';
  const isPartial = claims.some(isLacking) || objects.some(({ state }) => state === 'left over');
  if (!isPartial || findings.length > 0 || claims.every(isLacking)) return [];
  return [
    `objects are missing or left over: if Argo CD or Flux reports that this commit is applied, restart it; after a restore of etcd, restart ${planeNames[plane]} too`,
  ];
}
