import { apiVersionOf, type LiveKind, liveKinds, type WantedObject } from '../../../model/live.ts';
import type { ClusterFinding } from '../verification-answer.ts';
import type { Snapshot } from './snapshot.ts';

/** A finding for each kind of object that `dist/` has and the cluster does not serve. */
export function unservedKinds(objects: Iterable<WantedObject>, live: Snapshot): ClusterFinding[] {
  const kinds = new Set([...objects].map(({ kind }) => kind));
  return [...kinds]
    .filter((kind) => !live.kinds.has(kind))
    .map((kind) => ({
      object: liveKinds[kind].kind,
      message: `the cluster does not serve ${apiVersionOf(kind)} ${liveKinds[kind].plural}`,
      hint: remedies[liveKinds[kind].group] ?? 'ask another cluster: every one serves this kind',
    }));
}

const remedies: Readonly<Record<(typeof liveKinds)[LiveKind]['group'], string | undefined>> = {
  'metallb.io': 'install MetalLB 0.13.9 or later',
  'akash.network':
    "apply the Akash provider's CRDs, or set emit.providerLeasedIP to false in leases/pools.yaml",
  'admissionregistration.k8s.io': 'layout: pool needs Kubernetes 1.31 or later',
  'discovery.k8s.io': undefined,
  'networking.k8s.io': undefined,
  apps: undefined,
  '': undefined,
};
