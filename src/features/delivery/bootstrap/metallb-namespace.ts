import type { TreeMap } from '../../../manifests/manifest.ts';

/**
 * The labels of MetalLB's namespace: its speakers use the network of the host, which Pod Security Admission lets only
 * privileged pods do. MetalLB: config/native/ns.yaml.
 */
export const privilegedLabels = {
  'pod-security.kubernetes.io/audit': 'privileged',
  'pod-security.kubernetes.io/enforce': 'privileged',
  'pod-security.kubernetes.io/warn': 'privileged',
} as const;

/** No engine deletes the namespace: with it would go every pool, and so every address. */
export const keptAnnotations = {
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
} as const;

/** The namespace that MetalLB runs in. It is MetalLB's, not a lease's: without the label of what leasehold wrote. */
export function metalLBNamespace(name: string): TreeMap {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: privilegedLabels, annotations: keptAnnotations },
  };
}
