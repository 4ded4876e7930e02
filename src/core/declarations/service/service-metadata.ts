import * as z from 'zod';
import { ipFamilies, longestRetention } from '../../model/lease.ts';
import { nearest } from '../../model/order.ts';
import { ciliumKeys, type Plane } from '../../model/planes.ts';
import type { Problem } from '../../model/problem.ts';
import { labelKey, labelValue } from '../../text/common-fields.ts';
import { didYouMean, valueAt, valueText } from '../../text/message-text.ts';
import type { YamlDocument } from '../../text/yaml/document.ts';

/** The annotations that leasehold reads from a Service, by meaning. */
export const leaseholdKeys = {
  addresses: 'ipam.vitistack.io/addresses',
  sharingKey: 'ipam.vitistack.io/allow-local-shared-ip',
  denyExternalCleanup: 'ipam.vitistack.io/deny-external-cleanup',
  ipFamily: 'ipam.vitistack.io/ip-family',
  retentionDays: 'ipam.vitistack.io/retention-period-days',
  secret: 'ipam.vitistack.io/secret',
  zone: 'ipam.vitistack.io/zone',
  advertisement: 'leasehold.dev/advertisement',
  cluster: 'leasehold.dev/cluster',
  dns: 'leasehold.dev/dns',
  liveSharingKey: 'leasehold.dev/live-sharing-key',
  pool: 'leasehold.dev/pool',
  signature: 'leasehold.dev/signature',
} as const;

/**
 * MetalLB's own annotations, by meaning: the current names, then those from before 0.14.9
 * (controller/service.go).
 */
export const metallbKeys = [keysOf('metallb.io'), keysOf('metallb.universe.tf')] as const;

function keysOf<Prefix extends string>(prefix: Prefix) {
  return {
    addresses: `${prefix}/loadBalancerIPs`,
    pool: `${prefix}/address-pool`,
    sharingKey: `${prefix}/allow-shared-ip`,
  } as const;
}

/** The annotations of planes that pin or share, by meaning. */
export const planeKeys = [...metallbKeys, ...ciliumKeys] as const;

const metallbAnnotationKeys = metallbKeys.flatMap((keys) => Object.values(keys));
const ciliumAnnotationKeys = ciliumKeys.flatMap((keys) => Object.values(keys));
const everyPlaneKey: readonly string[] = [...metallbAnnotationKeys, ...ciliumAnnotationKeys];

/**
 * The annotations of planes that leasehold reads and writes itself in a cluster; those of the
 * declaration are dropped. In a cluster on MetalLB those of Cilium ask another load balancer.
 */
export const ownPlaneKeys: Readonly<Record<Plane['kind'], ReadonlySet<string>>> = {
  metallb: new Set(metallbAnnotationKeys),
  cilium: new Set(everyPlaneKey),
};

/** Every annotation that leasehold reads. */
export const annotationKeysRead: readonly string[] = [
  ...Object.values(leaseholdKeys),
  ...everyPlaneKey,
];

/** An annotation key: like a label key, but its DNS prefix may have upper case. */
export const annotationKey = z
  .string()
  .regex(
    /^(?:(?=[^/]{1,253}\/)[A-Za-z0-9](?:[-A-Za-z0-9]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[-A-Za-z0-9]*[A-Za-z0-9])?)*\/)?(?=[^/]{1,63}$)[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/,
    'expected an annotation key: at most 63 letters, digits, -, _ and ., perhaps after a DNS name and /',
  );

/** A sharing key that a live Service has: any text of one line. */
export const liveSharingKeyText = z
  .string()
  .min(1)
  .max(512)
  .regex(/^\P{Cc}+$/u, 'expected a text of one line');

export const serviceLabels = z.record(labelKey, labelValue).default({});

/** Annotations of a Service. The JSON Schema lists those that leasehold reads, for editors. */
export const serviceAnnotations = z
  .record(annotationKey, z.string())
  .default({})
  .meta({ properties: knownAnnotations() });

function knownAnnotations(): Record<string, { readonly type: 'string' }> {
  const text = (description: string, more: object = {}) => ({
    type: 'string' as const,
    description,
    ...more,
  });
  return {
    [leaseholdKeys.addresses]: text(
      'Pins, separated by commas: at most one address of each family.',
    ),
    [leaseholdKeys.sharingKey]: text(
      'Services of one namespace and one key share an address. Default: none.',
    ),
    [leaseholdKeys.denyExternalCleanup]: text(
      '`leasehold release --cluster` leaves the lease alone.',
      { default: 'false' },
    ),
    [leaseholdKeys.ipFamily]: text('dual: one address of each family, both from one pool.', {
      enum: ipFamilies,
      default: 'ipv4',
    }),
    [leaseholdKeys.retentionDays]: text(
      `Whole days the address is kept after release, 0 to ${longestRetention}.`,
      { default: '0' },
    ),
    [leaseholdKeys.secret]: text('The ownership key, a file of leases/keys/<namespace>/.', {
      default: 'default',
    }),
    [leaseholdKeys.zone]: text('The zone the address comes from; default: defaultZone.'),
    [leaseholdKeys.cluster]: text('The cluster of the Service; default: defaultCluster.'),
    [leaseholdKeys.dns]: text('The DNS names of the address, separated by commas.'),
    [leaseholdKeys.liveSharingKey]: text(
      'The sharing key that MetalLB knows for its address. Default: that of others on it, or leasehold-<namespace>.',
    ),
    [leaseholdKeys.pool]: text('The pool the address comes from; default: any of the zone.'),
    [leaseholdKeys.advertisement]: text(
      'An advertisement of leases/pools.yaml. Default: as the pool is announced.',
    ),
    [leaseholdKeys.signature]: text('A proof of ownership, as `leasehold key sign` prints it.'),
    [metallbKeys[0].addresses]: text('Read as ipam.vitistack.io/addresses.'),
    [metallbKeys[0].pool]: text('Read as leasehold.dev/pool.'),
    [metallbKeys[0].sharingKey]: text('Read as ipam.vitistack.io/allow-local-shared-ip.'),
    [ciliumKeys[0].addresses]: text('On Cilium read as ipam.vitistack.io/addresses.'),
    [ciliumKeys[0].sharingKey]: text('On Cilium read as ipam.vitistack.io/allow-local-shared-ip.'),
  };
}

/** Domains whose keys change how a tool applies the manifests. */
const toolDomains: readonly (readonly [domain: string, tool: string])[] = [
  ['argoproj.io', 'Argo CD'],
  ['fluxcd.io', 'Flux'],
  ['kubectl.kubernetes.io', 'kubectl'],
  ['applyset.kubernetes.io', 'kubectl'],
  ['config.kubernetes.io', 'kustomize'],
  ['config.k8s.io', 'kustomize'],
];

/** Annotation domains whose keys are all known; any other key in them is refused. */
export const closedDomains = [
  'ipam.vitistack.io',
  'lbipam.cilium.io',
  'leasehold.dev',
  'metallb.io',
  'metallb.universe.tf',
];

/**
 * Deprecated annotations and their successors. The API server refuses a Service on which the two
 * differ.
 */
const deprecated: ReadonlyMap<string, string> = new Map([
  ['service.beta.kubernetes.io/load-balancer-source-ranges', 'spec.loadBalancerSourceRanges'],
  [
    'service.kubernetes.io/topology-aware-hints',
    'the annotation service.kubernetes.io/topology-mode',
  ],
]);

/**
 * Problems of the keys of a Service's labels and annotations. METADATA_REFUSED for a key that
 * controls a deployment tool, is set by another program, or is deprecated. ANNOTATION_UNKNOWN for
 * an unknown key in the domains of leasehold, vitistack's operator, MetalLB or LB-IPAM, or close to a known
 * one. An app may control the tools that apply its own Services.
 */
export function metadataProblems(document: YamlDocument, isOfApp: boolean): Problem[] {
  const labels = keysAt(document, 'labels').filter((key) => !isOfApp || !toolOfLabel(key));
  const annotations = keysAt(document, 'annotations').filter(
    (key) => !isOfApp || !toolOfAnnotation(key),
  );
  return [
    ...labels.flatMap((key) => labelProblems(document, key)),
    ...annotations.flatMap((key) => annotationProblems(document, key)),
  ];
}

const managedBy = 'app.kubernetes.io/managed-by';

function toolOfLabel(key: string): string | undefined {
  return key === managedBy ? key : toolOfDomain(domainOf(key));
}

function toolOfAnnotation(key: string): string | undefined {
  const domain = domainOf(key);
  return domain === 'helm.sh' || domain === 'meta.helm.sh' ? 'Helm' : toolOfDomain(domain);
}

function keysAt({ value }: YamlDocument, field: 'labels' | 'annotations'): readonly string[] {
  const map = valueAt(value, ['metadata', field]);
  return typeof map === 'object' && map !== null && !Array.isArray(map) ? Object.keys(map) : [];
}

function labelProblems(document: YamlDocument, key: string): Problem[] {
  const path = ['metadata', 'labels', key];
  if (key === managedBy) {
    const value = valueAt(document.value, path);
    if (value === 'leasehold') return [];
    const message = `the label ${key} is ${valueText(value)}, expected leasehold`;
    return [refusal(document, path, message)];
  }
  const domain = domainOf(key);
  if (domain === 'leasehold.dev') {
    return [refusal(document, path, `the label ${key} is set by leasehold`)];
  }
  if (key === 'akash.network' || domain === 'akash.network') {
    return [refusal(document, path, `the label ${key} is reserved for the Akash provider`)];
  }
  const tool = toolOfDomain(domain);
  return tool ? [refusal(document, path, `the label ${key} belongs to ${tool}`)] : [];
}

function annotationProblems(document: YamlDocument, key: string): Problem[] {
  const path = ['metadata', 'annotations', key];
  const domain = domainOf(key);
  const tool = toolOfAnnotation(key);
  if (tool) {
    const message = `the annotation ${key} changes how ${tool} applies the Service`;
    return [refusal(document, path, message)];
  }
  if (key.endsWith('/ip-allocated-from-pool') && domain.startsWith('metallb.')) {
    return [refusal(document, path, `the annotation ${key} is set by MetalLB`)];
  }
  const successor = deprecated.get(key);
  if (successor !== undefined) {
    const message = `the annotation ${key} is deprecated: ${successor} replaced it`;
    return [{ ...refusal(document, path, message), hint: `use ${successor} instead` }];
  }
  if (annotationKeysRead.includes(key)) return [];
  if (!closedDomains.includes(domain) && nearest(key, annotationKeysRead) === undefined) return [];
  const message = `the annotation ${key} is unknown`;
  const at = document.keyAt(path);
  return [{ code: 'ANNOTATION_UNKNOWN', message, at, ...didYouMean(key, annotationKeysRead) }];
}

/** The DNS prefix of a key in lower case; empty when it has none. */
export function domainOf(key: string): string {
  return key.includes('/') ? key.slice(0, key.indexOf('/')).toLowerCase() : '';
}

/** The tool that reads the keys of a domain; undefined for any other domain. */
export function toolOfDomain(domain: string): string | undefined {
  return toolDomains.find(([name]) => domain === name || domain.endsWith(`.${name}`))?.[1];
}

function refusal(document: YamlDocument, path: readonly string[], message: string): Problem {
  return { code: 'METADATA_REFUSED', message, at: document.keyAt(path), hint: 'remove it' };
}
