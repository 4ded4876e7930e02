import type { LiveKind } from '../model/live.ts';
import { isMap } from './is-map.ts';

/** A value that the API server chooses. */
const chosen = Symbol('any value');

/**
 * Fields that the API server adds to the objects that leasehold writes, and the value that it gives them.
 * Source: Kubernetes, pkg/apis/core/v1/defaults.go and pkg/registry/core/service/storage for Services,
 * pkg/apis/admissionregistration/v1/defaults.go for the policy. The custom resources of MetalLB and Akash
 * have no default that leasehold does not write (imports/crds/).
 */
const defaults: { readonly [Kind in LiveKind]?: Readonly<Record<string, unknown>> } = {
  service: {
    'spec.clusterIP': chosen,
    'spec.clusterIPs': chosen,
    'spec.healthCheckNodePort': chosen,
    'spec.internalTrafficPolicy': 'Cluster',
    'spec.ports.nodePort': chosen,
    'spec.publishNotReadyAddresses': false,
    'spec.sessionAffinity': 'None',
  },
  admissionPolicy: {
    'spec.matchConstraints.matchPolicy': 'Equivalent',
    'spec.matchConstraints.namespaceSelector': {},
    'spec.matchConstraints.objectSelector': {},
    'spec.matchConstraints.resourceRules.scope': '*',
  },
};

/** True when a field that no manifest has may stand there with this value. `path` has no indexes. */
export function isDefault(kind: LiveKind, path: string, value: unknown): boolean {
  const known = defaults[kind];
  if (!known || !Object.hasOwn(known, path)) return false;
  const expected = known[path];
  if (isMap(expected)) return isMap(value) && Object.keys(value).length === 0;
  return expected === chosen || expected === value;
}
