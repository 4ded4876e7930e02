import type { LiveKind } from '../../../model/live.ts';
import { isMap } from './is-map.ts';

/** A value that the API server chooses. */
const chosen = Symbol('any value');

/**
 * Fields that the API server adds to the objects that leasehold writes, and the value that it gives them.
 * Source: Kubernetes, pkg/apis/core/v1/defaults.go and pkg/registry/core/service/storage for Services,
 * pkg/apis/admissionregistration/v1/defaults.go for the policy. A NetworkPolicy has no default that leasehold does not
 * write (pkg/apis/networking/v1/defaults.go), nor have the custom resources of MetalLB and Akash (imports/crds/).
 */
const defaults: { readonly [Kind in LiveKind]?: Readonly<Record<string, unknown>> } = {
  service: {
    'spec.allocateLoadBalancerNodePorts': true,
    'spec.clusterIP': chosen,
    'spec.clusterIPs': chosen,
    'spec.externalTrafficPolicy': 'Cluster',
    'spec.healthCheckNodePort': chosen,
    'spec.internalTrafficPolicy': 'Cluster',
    'spec.ipFamilies': chosen,
    'spec.ipFamilyPolicy': chosen,
    'spec.ports.nodePort': chosen,
    'spec.publishNotReadyAddresses': false,
    'spec.sessionAffinity': 'None',
    'spec.sessionAffinityConfig': { clientIP: { timeoutSeconds: 10_800 } },
    'spec.sessionAffinityConfig.clientIP': { timeoutSeconds: 10_800 },
    'spec.sessionAffinityConfig.clientIP.timeoutSeconds': 10_800,
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
  return defaultOf(kind, path) === chosen || isOwnDefault(kind, path, value);
}

/**
 * True when a field that a manifest has with this value may be missing: the API server leaves out what is empty in a
 * Service, and some defaults. A custom resource keeps what is empty.
 */
export function isLeftOut(kind: LiveKind, path: string, value: unknown): boolean {
  return (kind === 'service' && isEmpty(value)) || isOwnDefault(kind, path, value);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length === 0
    : isMap(value) && Object.keys(value).length === 0;
}

function isOwnDefault(kind: LiveKind, path: string, value: unknown): boolean {
  const expected = defaultOf(kind, path);
  if (isMap(expected)) return isMap(value) && JSON.stringify(value) === JSON.stringify(expected);
  return expected !== undefined && expected === value;
}

function defaultOf(kind: LiveKind, path: string): unknown {
  const known = defaults[kind];
  return known && Object.hasOwn(known, path) ? known[path] : undefined;
}
