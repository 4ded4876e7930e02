import { ciliumClasses, planeNames } from '../../model/planes.ts';
import { type Cluster, type Pools, planeField } from '../../model/pools.ts';
import { failSorted, type Outcome, ok, type Problem } from '../../model/problem.ts';
import {
  backendText,
  type DeclaredService,
  type NodePort,
  type ServicePort,
  type ServiceTerms,
  type WrittenService,
} from '../../model/service.ts';
import { type Family, familyName } from '../../net/address.ts';
import { readShape } from '../../text/shape.ts';
import type { YamlDocument } from '../../text/yaml/document.ts';
import {
  advertisementProblems,
  clusterNamed,
  clusterUnknown,
  poolProblems,
} from '../references.ts';
import { familiesOfService, pinFamilyProblems, pinsOfService } from './service-addresses.ts';
import {
  annotatedTerms,
  annotationSizeProblems,
  annotationsOf,
  checkAnnotations,
  dnsOfService,
} from './service-annotations.ts';
import { leaseholdKeys, metadataProblems, metallbKeys, ownPlaneKeys } from './service-metadata.ts';
import { serviceRuleProblems, substitutionProblems } from './service-rules.ts';
import {
  serviceSchema,
  type WrittenServiceFile,
  type WrittenServiceSpec,
} from './service-schema.ts';

/**
 * Reads a `v1 Service` declaration: a lease when its type is LoadBalancer, otherwise emitted
 * unchanged. The value is undefined when the pools are unknown and everything else is valid. Of an
 * app's Service the app decides what tools do with the manifest, and no text is a problem for that.
 * Problems: FIELD_*, SERVICE_FIELD_REFUSED, SERVICE_INVALID, METADATA_REFUSED, ANNOTATION_UNKNOWN,
 * SUBSTITUTION, ADDRESS_INVALID, and those of {@link termsOfService}.
 */
export function readService(
  written: YamlDocument,
  pools: Pools | undefined,
  { isOfApp = false }: { readonly isOfApp?: boolean } = {},
): Outcome<DeclaredService | undefined> {
  const { file, value, nonCanonicalNumbers, at, keyAt } = written;
  const document = { file, value: withoutNulls(value), nonCanonicalNumbers, at, keyAt };
  const shape = readShape(serviceSchema, document);
  const substitutions = isOfApp ? [] : substitutionProblems(document);
  const problems = [...substitutions, ...metadataProblems(document, isOfApp)];
  if (!shape.ok) return failSorted([...problems, ...elsewhere(shape.problems, substitutions)]);
  const { metadata, spec } = shape.value;
  const terms = termsOfService(shape.value, document, pools);
  problems.push(...serviceRuleProblems(spec, document), ...(terms.ok ? [] : terms.problems));
  if (!terms.ok || problems.length > 0) return failSorted(problems);
  const { cluster } = terms.value;
  if (cluster === undefined) return ok(undefined);
  const served = pools?.clusters.find(({ name }) => name === cluster);
  const classes = served ? classProblems(spec, served, document) : [];
  if (classes.length > 0) return failSorted(classes);
  return ok({
    kind: 'Service',
    ...terms.value,
    cluster,
    namespace: metadata.namespace,
    name: metadata.name,
    ports: spec.ports.map(servicePort),
    isLeased: isLeased(spec),
    localBackend:
      spec.externalTrafficPolicy === 'Local' ? backendText(spec.selector ?? {}) : undefined,
    isPinnedByAnnotation: metallbKeys.some((keys) => metadata.annotations[keys.addresses]?.trim()),
    nodePorts: nodePortsOf(spec, document),
    written: writtenService(metadata, spec, {
      familyOrder: terms.value.familyOrder,
      dropped: ownPlaneKeys[served?.plane.kind ?? 'metallb'],
    }),
    at: document.at(['metadata']),
  });
}

/**
 * The value without the fields that are null: the API server takes null for absent. A label, an
 * annotation, a selector or an item of a list is not absent.
 */
function withoutNulls(value: unknown, name?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item));
  if (typeof value !== 'object' || value === null || textMaps.has(name ?? '')) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([key, field]) => [key, withoutNulls(field, key)]),
  );
}

const textMaps = new Set(['annotations', 'labels', 'selector']);

/** SERVICE_FIELD_REFUSED for a class that the cluster's plane does not serve. */
function classProblems(
  { loadBalancerClass: own }: WrittenServiceSpec,
  cluster: Cluster,
  document: YamlDocument,
): Problem[] {
  const served = cluster.plane.loadBalancerClass;
  if (own === undefined || own === served) return [];
  const what = served === undefined ? 'without a class' : `of the class ${served}`;
  const plane = planeNames[cluster.plane.kind];
  const field = planeField(cluster, 'loadBalancerClass');
  const isOfPlane =
    cluster.plane.kind === 'cilium' && Object.values<string>(ciliumClasses).includes(own);
  return [
    {
      code: 'SERVICE_FIELD_REFUSED',
      message: isOfPlane
        ? `Cilium serves 'spec.loadBalancerClass' ${own} too, but leasehold declares Services ${what}: ${field} in leases/pools.yaml gives all of them one class`
        : `'spec.loadBalancerClass' ${own} gives the Service to another load balancer: according to leases/pools.yaml ${plane} serves Services ${what}`,
      at: document.at(['spec', 'loadBalancerClass']),
      hint: `remove it; where ${plane} serves the class ${own}, set ${field}: ${own} in leases/pools.yaml`,
    },
  ];
}

function isLeased({ type }: Pick<WrittenServiceSpec, 'type'>): boolean {
  return type === 'LoadBalancer';
}

/** Kubernetes: targetPort defaults to port. */
function servicePort({
  port,
  targetPort = port,
  protocol,
}: WrittenServiceSpec['ports'][number]): ServicePort {
  const number = typeof targetPort === 'number' ? targetPort : undefined;
  return { port, targetPort: number, protocol };
}

/** Each number once: the same nodePort may be used for TCP and for UDP. */
function nodePortsOf(
  { ports, healthCheckNodePort }: WrittenServiceSpec,
  document: YamlDocument,
): readonly NodePort[] {
  const named = new Map<number, NodePort>();
  for (const [index, { nodePort }] of ports.entries()) {
    if (nodePort === undefined || named.has(nodePort)) continue;
    const at = document.at(['spec', 'ports', index, 'nodePort']);
    named.set(nodePort, { port: nodePort, at });
  }
  if (healthCheckNodePort !== undefined) {
    const at = document.at(['spec', 'healthCheckNodePort']);
    named.set(healthCheckNodePort, { port: healthCheckNodePort, at });
  }
  return [...named.values()];
}

/**
 * The declared Service without the fields that leasehold fills in: a declared pin or family would
 * contradict the assigned addresses. A Service without an address gets the families of its
 * annotation, because the API server never changes the primary family: a Service that released its
 * address must keep it.
 */
function writtenService(
  { labels, annotations }: WrittenServiceFile['metadata'],
  { loadBalancerIP: _, ...unpinned }: WrittenServiceSpec,
  {
    familyOrder,
    dropped,
  }: Pick<DeclaredService, 'familyOrder'> & { readonly dropped: ReadonlySet<string> },
): WrittenService {
  const { ipFamilies: _families, ipFamilyPolicy, ...open } = unpinned;
  const kept = Object.entries(annotations).filter(([key]) => !dropped.has(key));
  const named = {
    ipFamilies: familyOrder.map(familyName),
    ipFamilyPolicy: ipFamilyPolicy ?? (familyOrder.length > 1 ? 'RequireDualStack' : 'SingleStack'),
  };
  const unleased = leaseholdKeys.ipFamily in annotations ? { ...open, ...named } : unpinned;
  return {
    labels,
    annotations: Object.fromEntries(kept),
    spec: isLeased(unpinned) ? open : unleased,
  };
}

/**
 * The problems at other places than `others`: a text with a substitution has no syntax of its own.
 */
function elsewhere(problems: readonly Problem[], others: readonly Problem[]): readonly Problem[] {
  const places = new Set(others.map(({ at }) => `${at.line}:${at.column}`));
  return problems.filter(({ at }) => !places.has(`${at.line}:${at.column}`));
}

/** The terms that a Service requests, and its cluster. */
interface RequestedTerms extends ServiceTerms {
  /** Undefined when the pools are unknown. */
  readonly cluster: string | undefined;
  /** The primary family first. */
  readonly familyOrder: readonly Family[];
}

/**
 * The terms in a Service's annotations and spec. Problems: FIELD_VALUE, ANNOTATION_CONFLICT,
 * ADDRESS_INVALID, DNS_INVALID, SERVICE_INVALID; with known pools also CLUSTER_UNKNOWN,
 * ZONE_UNKNOWN, POOL_UNKNOWN and ADVERTISEMENT_*.
 */
function termsOfService(
  written: WrittenServiceFile,
  document: YamlDocument,
  pools: Pools | undefined,
): Outcome<RequestedTerms> {
  const { spec } = written;
  const { [leaseholdKeys.cluster]: clusterName } = written.metadata.annotations;
  const plane = pools && clusterNamed(clusterName, pools)?.plane.kind;
  const annotations = annotationsOf(written, plane ?? 'metallb', document);
  const { valid, problems: wrongValues } = checkAnnotations(annotations);
  const { cluster: named, pool, ipFamily, ...terms } = annotatedTerms(valid);
  const problems = [...wrongValues, ...annotationSizeProblems(annotations, document)];
  const pins = valueOrReport(pinsOfService(spec, valid, document), problems) ?? [];
  const dns = valueOrReport(dnsOfService(valid), problems) ?? [];
  const requestsFamilies =
    (spec.type === 'LoadBalancer' || ipFamily !== undefined) &&
    annotations.values[leaseholdKeys.ipFamily] === ipFamily;
  const families = requestsFamilies
    ? valueOrReport(familiesOfService(ipFamily, spec, document), problems)
    : undefined;
  if (families) {
    problems.push(...pinFamilyProblems(pins, families.ipFamily, leaseholdKeys.ipFamily));
  }
  const cluster = pools && clusterNamed(named, pools);
  if (pools) {
    const at = (field: 'zone' | 'pool') =>
      field === 'pool' && pool ? pool.at : valid.at(leaseholdKeys[field]);
    problems.push(...poolProblems({ zone: terms.zone, pool: pool?.name }, pools, at));
    problems.push(
      ...advertisementProblems(terms.advertisement, { pools, cluster }, () =>
        valid.at(leaseholdKeys.advertisement),
      ),
    );
    if (!cluster) {
      problems.push(clusterUnknown(named, pools, () => valid.at(leaseholdKeys.cluster)));
    }
  }
  if (problems.length > 0) return failSorted(problems);
  const { ipFamily: family, familyOrder } = families ?? noFamilies;
  return ok({
    cluster: cluster?.name,
    pool: pool?.name,
    ipFamily: family,
    familyOrder,
    pins,
    dns,
    ...terms,
  });
}

/**
 * For a Service without an address and without the annotation, which keeps the families of its
 * spec.
 */
const noFamilies = { ipFamily: 'ipv4', familyOrder: ['ipv4'] } as const;

/** The value of an outcome; undefined after adding its problems to `problems`. */
function valueOrReport<Value>(outcome: Outcome<Value>, problems: Problem[]): Value | undefined {
  if (outcome.ok) return outcome.value;
  problems.push(...outcome.problems);
  return undefined;
}
