import type { Problem } from '../../model/problem.ts';
import { valueAt, valueText } from '../../text/field-text.ts';
import { didYouMean, nearest } from '../../text/nearest.ts';
import type { YamlDocument } from '../../text/yaml/yaml-document.ts';
import { readKeys } from './service-keys.ts';

/** Domains whose keys steer what applies the manifests: Argo CD, Flux, kubectl, Helm, kustomize. */
const steering: readonly (readonly [domain: string, tool: string])[] = [
  ['argoproj.io', 'Argo CD'],
  ['fluxcd.io', 'Flux'],
  ['kubectl.kubernetes.io', 'kubectl'],
  ['applyset.kubernetes.io', 'kubectl'],
  ['config.kubernetes.io', 'kustomize'],
  ['config.k8s.io', 'kustomize'],
];

/** Domains of annotations whose every key is known here. */
export const closedDomains = [
  'ipam.vitistack.io',
  'leasehold.dev',
  'metallb.io',
  'metallb.universe.tf',
];

/** Old names, whose values the API server compares with those of the new ones: old annotation to new field. */
const outdated: ReadonlyMap<string, string> = new Map([
  ['service.beta.kubernetes.io/load-balancer-source-ranges', 'spec.loadBalancerSourceRanges'],
  [
    'service.kubernetes.io/topology-aware-hints',
    'the annotation service.kubernetes.io/topology-mode',
  ],
]);

/**
 * What is wrong with the keys of a Service's labels and annotations: METADATA_REFUSED for what steers an
 * engine, is set by somebody else or has a new name, ANNOTATION_UNKNOWN for what is of leasehold, of vitistack's operator
 * or of MetalLB, or nearly so, and does not exist.
 */
export function metadataProblems(document: YamlDocument): Problem[] {
  return [
    ...keysAt(document, 'labels').flatMap((key) => labelProblems(document, key)),
    ...keysAt(document, 'annotations').flatMap((key) => annotationProblems(document, key)),
  ];
}

function keysAt({ value }: YamlDocument, field: 'labels' | 'annotations'): readonly string[] {
  const map = valueAt(value, ['metadata', field]);
  return typeof map === 'object' && map !== null && !Array.isArray(map) ? Object.keys(map) : [];
}

function labelProblems(document: YamlDocument, key: string): Problem[] {
  const path = ['metadata', 'labels', key];
  if (key === 'app.kubernetes.io/managed-by') {
    const value = valueAt(document.value, path);
    if (value === 'leasehold') return [];
    const message = `the label ${key} is ${valueText(value)}, and leasehold writes the Service`;
    return [refusal(document, path, message)];
  }
  const domain = domainOf(key);
  if (domain === 'leasehold.dev') {
    return [refusal(document, path, `the label ${key} is set by leasehold`)];
  }
  if (key === 'akash.network' || domain === 'akash.network') {
    return [refusal(document, path, `the label ${key} marks what the Akash provider serves`)];
  }
  const tool = steererOf(domain);
  return tool ? [refusal(document, path, `the label ${key} is of ${tool}`)] : [];
}

function annotationProblems(document: YamlDocument, key: string): Problem[] {
  const path = ['metadata', 'annotations', key];
  const domain = domainOf(key);
  const tool = domain === 'helm.sh' || domain === 'meta.helm.sh' ? 'Helm' : steererOf(domain);
  if (tool) {
    const message = `the annotation ${key} tells ${tool} what to do with the Service`;
    return [refusal(document, path, message)];
  }
  if (key.endsWith('/ip-allocated-from-pool') && domain.startsWith('metallb.')) {
    return [refusal(document, path, `the annotation ${key} is set by MetalLB`)];
  }
  const successor = outdated.get(key);
  if (successor !== undefined) {
    const message = `the annotation ${key} is an old name of ${successor}`;
    return [{ ...refusal(document, path, message), hint: `write ${successor}` }];
  }
  if (readKeys.includes(key)) return [];
  if (!closedDomains.includes(domain) && nearest(key, readKeys) === undefined) return [];
  const message = `the annotation ${key} is unknown`;
  const at = document.keyAt(path);
  return [{ code: 'ANNOTATION_UNKNOWN', message, at, ...didYouMean(key, readKeys) }];
}

/** The DNS name before the slash, in lower case; empty when there is none. */
export function domainOf(key: string): string {
  return key.includes('/') ? key.slice(0, key.indexOf('/')).toLowerCase() : '';
}

/** The tool that a domain's keys steer; undefined for any other domain. */
export function steererOf(domain: string): string | undefined {
  return steering.find(([name]) => domain === name || domain.endsWith(`.${name}`))?.[1];
}

function refusal(document: YamlDocument, path: readonly string[], message: string): Problem {
  return { code: 'METADATA_REFUSED', message, at: document.keyAt(path), hint: 'remove it' };
}
