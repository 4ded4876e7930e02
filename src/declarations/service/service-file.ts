import { compareText } from '../../model/order.ts';
import type { Pools } from '../../model/pools.ts';
import { compareProblems, type Outcome, type Problem } from '../../model/problem.ts';
import type {
  DeclaredService,
  NodePort,
  ServicePort,
  WrittenService,
} from '../../model/service.ts';
import { readShape } from '../../text/shape.ts';
import type { YamlDocument } from '../../text/yaml/yaml-document.ts';
import { substitutionProblems } from '../substitution.ts';
import { filledIn, leaseholdKeys, metallbKeys } from './service-keys.ts';
import { metadataProblems } from './service-metadata.ts';
import { serviceRuleProblems } from './service-rules.ts';
import {
  serviceSchema,
  type WrittenServiceFile,
  type WrittenServiceSpec,
} from './service-schema.ts';
import { termsOfService } from './service-terms.ts';

/**
 * A `v1 Service` declaration: a lease when its type is LoadBalancer, else passed on as it is. Undefined when
 * the pools are not known and all that can be told without them is sound. Problems: FIELD_*,
 * SERVICE_FIELD_REFUSED, SERVICE_INVALID, METADATA_REFUSED, ANNOTATION_UNKNOWN, SUBSTITUTION,
 * ADDRESS_INVALID, and those of {@link termsOfService}.
 */
export function readService(
  document: YamlDocument,
  pools: Pools | undefined,
): Outcome<DeclaredService | undefined> {
  const shape = readShape(serviceSchema, document);
  const substitutions = substitutionProblems(document);
  const problems = [...substitutions, ...metadataProblems(document)];
  if (!shape.ok) return failed([...problems, ...elsewhere(shape.problems, substitutions)]);
  const { metadata, spec } = shape.value;
  const terms = termsOfService(shape.value, document, pools);
  problems.push(...serviceRuleProblems(spec, document), ...(terms.ok ? [] : terms.problems));
  if (!terms.ok || problems.length > 0) return failed(problems);
  const { cluster } = terms.value;
  if (cluster === undefined) return { ok: true, value: undefined };
  const served = pools?.clusters.find(({ name }) => name === cluster)?.metallb;
  const classes = classProblems(spec, served?.loadBalancerClass, document);
  if (classes.length > 0) return failed(classes);
  return {
    ok: true,
    value: {
      kind: 'Service',
      ...terms.value,
      cluster,
      namespace: metadata.namespace,
      name: metadata.name,
      ports: spec.ports.map(servicePort),
      isLeased: isLeased(spec),
      localBackend: localBackend(spec),
      isPinnedByAnnotation: metallbKeys.some((keys) =>
        metadata.annotations[keys.addresses]?.trim(),
      ),
      nodePorts: nodePortsOf(spec, document),
      written: writtenService(metadata, spec, terms.value.familyOrder),
      at: document.at(['metadata']),
    },
  };
}

/** SERVICE_FIELD_REFUSED for a class that the MetalLB of the cluster does not serve. */
function classProblems(
  { loadBalancerClass: own }: WrittenServiceSpec,
  served: string | undefined,
  document: YamlDocument,
): Problem[] {
  if (own === undefined || own === served) return [];
  const what = served === undefined ? 'without a class' : `of the class ${served}`;
  return [
    {
      code: 'SERVICE_FIELD_REFUSED',
      message: `'spec.loadBalancerClass' ${own} gives the Service to another load balancer: MetalLB serves those ${what}, as leases/pools.yaml says`,
      at: document.at(['spec', 'loadBalancerClass']),
      hint: `remove it; where MetalLB runs with --lb-class=${own}, set metallb.loadBalancerClass: ${own} in leases/pools.yaml`,
    },
  ];
}

function isLeased({ type }: Pick<WrittenServiceSpec, 'type'>): boolean {
  return type === 'LoadBalancer';
}

/** Kubernetes: a port whose target is not said is the pods' own. */
function servicePort({
  port,
  targetPort = port,
  protocol,
}: WrittenServiceSpec['ports'][number]): ServicePort {
  const number = typeof targetPort === 'number' ? targetPort : undefined;
  return { port, targetPort: number, protocol };
}

/** One port may stand there for TCP and for UDP: it is one node port. */
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

/** MetalLB: internal/allocator/k8salloc, BackendKey. */
function localBackend({
  externalTrafficPolicy,
  selector = {},
}: WrittenServiceSpec): string | undefined {
  if (externalTrafficPolicy !== 'Local') return undefined;
  return Object.entries(selector)
    .sort(([left], [right]) => compareText(left, right))
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

/**
 * Without what leasehold fills in: the author's pin and families would stand beside those that were given. A Service without
 * an address has the families that its annotation names: the API server never changes the first one, so one that
 * gave its address back still has it.
 */
function writtenService(
  { labels, annotations }: WrittenServiceFile['metadata'],
  { loadBalancerIP: _, ...unpinned }: WrittenServiceSpec,
  familyOrder: DeclaredService['familyOrder'],
): WrittenService {
  const { ipFamilies: _families, ipFamilyPolicy, ...open } = unpinned;
  const kept = Object.entries(annotations).filter(([key]) => !filledIn.has(key));
  const named = {
    ipFamilies: familyOrder.map((family) => (family === 'ipv4' ? 'IPv4' : 'IPv6')),
    ipFamilyPolicy: ipFamilyPolicy ?? (familyOrder.length > 1 ? 'RequireDualStack' : 'SingleStack'),
  };
  const unleased = leaseholdKeys.ipFamily in annotations ? { ...open, ...named } : unpinned;
  return {
    labels,
    annotations: Object.fromEntries(kept),
    spec: isLeased(unpinned) ? open : unleased,
  };
}

/** Those problems that do not stand where others do: of a text that is replaced, its syntax says nothing. */
function elsewhere(problems: readonly Problem[], others: readonly Problem[]): readonly Problem[] {
  const places = new Set(others.map(({ at }) => `${at.line}:${at.column}`));
  return problems.filter(({ at }) => !places.has(`${at.line}:${at.column}`));
}

function failed(problems: readonly Problem[]): Outcome<never> {
  return { ok: false, problems: [...problems].sort(compareProblems) };
}
