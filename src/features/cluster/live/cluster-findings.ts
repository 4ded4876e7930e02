import {
  apiVersionOf,
  type LiveKind,
  type LiveObject,
  liveKinds,
  objectName,
  type WantedObject,
} from '../../../model/live.ts';
import { compareText } from '../../../model/order.ts';
import { textAt } from '../../../model/unstructured.ts';
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

/**
 * A finding for each reason for which components of MetalLB refuse their configuration: they go on with the last
 * one they took. MetalLB 0.15.3 and later: ConfigurationState, one for the controller and one for each speaker.
 */
export function refusedConfigurations(states: readonly LiveObject[]): ClusterFinding[] {
  const refused = states.filter((state) => textAt(state, 'status', 'result') === 'Invalid');
  return [...new Set(refused.map(errorOf))].map((error) => {
    const names = refused
      .filter((state) => errorOf(state) === error)
      .map((state) => objectName('configurationState', state))
      .sort(compareText);
    const others = names.length === 1 ? '' : ` (${names.length} parts of MetalLB say so)`;
    return {
      object: names[0] ?? '',
      message: `MetalLB refuses its configuration, and goes on with the last one it took: ${error}${others}`,
      hint: 'MetalLB reads all of its objects together: correct or delete the one that it names',
    };
  });
}

function errorOf(state: LiveObject): string {
  return textAt(state, 'status', 'errorSummary')?.trim() || 'it does not say why';
}
