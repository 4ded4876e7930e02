import type { Problem } from '../../model/problem.ts';
import type { YamlDocument } from '../../text/yaml/document.ts';
import type { WrittenServiceSpec } from './service-schema.ts';

/** A value that the API server would refuse. */
interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly hint?: string;
}

type Port = WrittenServiceSpec['ports'][number];

/**
 * SERVICE_INVALID for what the API server would refuse in a well-formed spec. A real API server
 * confirms these rules in test/cluster/dry-run.test.ts.
 * Kubernetes: pkg/apis/core/validation ValidateService, pkg/registry/core/service.
 */
export function serviceRuleProblems(spec: WrittenServiceSpec, document: YamlDocument): Problem[] {
  const faults = [
    ...portNames(spec.ports),
    ...repeated(spec.ports, 'port', ({ port, protocol }) => `${port}/${protocol}`),
    ...repeated(spec.ports, 'nodePort', ({ nodePort, protocol }) =>
      nodePort === undefined ? undefined : `${nodePort}/${protocol}`,
    ),
    ...kubeletPorts(spec),
    ...fieldsOfType(spec),
    ...healthCheck(spec),
    ...affinity(spec),
    ...families(spec),
  ];
  return faults.map(({ path, message, hint }) => ({
    code: 'SERVICE_INVALID',
    message,
    at: document.at(['spec', ...path]),
    ...(hint === undefined ? {} : { hint }),
  }));
}

function portNames(ports: readonly Port[]): Fault[] {
  if (ports.length === 1) return [];
  const nameless = ports.flatMap(({ name, port }, index): Fault[] =>
    name === undefined
      ? [
          {
            path: ['ports', index],
            message: `port ${port} has no name, and there are other ports`,
            hint: 'give each port a name of its own, such as name: https',
          },
        ]
      : [],
  );
  return [...nameless, ...repeated(ports, 'name', ({ name }) => name)];
}

function repeated(
  ports: readonly Port[],
  field: 'name' | 'port' | 'nodePort',
  textOf: (port: Port) => string | undefined,
): Fault[] {
  const texts = ports.map(textOf);
  return texts.flatMap((text, index): Fault[] => {
    if (text === undefined || texts.indexOf(text) === index) return [];
    return [{ path: ['ports', index, field], message: `two ports have the ${field} ${text}` }];
  });
}

/** Kubernetes 1.26 and some later versions refuse it. */
function kubeletPorts({ type, ports }: WrittenServiceSpec): Fault[] {
  if (type !== 'LoadBalancer') return [];
  return ports.flatMap(({ port }, index): Fault[] =>
    port === 10250
      ? [
          {
            path: ['ports', index, 'port'],
            message: "port 10250 is the kubelet's port, and many versions of Kubernetes refuse it",
          },
        ]
      : [],
  );
}

/** Fields that only some types of Service may have. */
function fieldsOfType(spec: WrittenServiceSpec): Fault[] {
  const { type, ports } = spec;
  if (type === 'LoadBalancer') return [];
  const only = (field: keyof WrittenServiceSpec, types: string): Fault[] =>
    spec[field] === undefined
      ? []
      : [{ path: [field], message: `'spec.${field}' is only for type ${types}, not ${type}` }];
  const ofLoadBalancers = [
    ...only('allocateLoadBalancerNodePorts', 'LoadBalancer'),
    ...only('loadBalancerClass', 'LoadBalancer'),
    ...only('loadBalancerSourceRanges', 'LoadBalancer'),
  ];
  if (type === 'NodePort') return ofLoadBalancers;
  return [
    ...ofLoadBalancers,
    ...only('externalTrafficPolicy', 'LoadBalancer or NodePort'),
    ...ports.flatMap(({ nodePort }, index): Fault[] =>
      nodePort === undefined
        ? []
        : [
            {
              path: ['ports', index, 'nodePort'],
              message: `'nodePort' is only for type LoadBalancer or NodePort, not ${type}`,
            },
          ],
    ),
  ];
}

function healthCheck(spec: WrittenServiceSpec): Fault[] {
  const { type, externalTrafficPolicy: policy, healthCheckNodePort: checked, ports } = spec;
  if (checked === undefined) return [];
  const path = ['healthCheckNodePort'];
  if (type !== 'LoadBalancer' || policy !== 'Local') {
    const message =
      "'spec.healthCheckNodePort' is only for type LoadBalancer with externalTrafficPolicy: Local";
    return [{ path, message }];
  }
  const isTaken = ports.some(({ nodePort }) => nodePort === checked);
  return isTaken ? [{ path, message: `the nodePort ${checked} is already used by a port` }] : [];
}

/** The API server drops it silently, so Argo CD and Flux would report a diff forever. */
function affinity({ sessionAffinity, sessionAffinityConfig }: WrittenServiceSpec): Fault[] {
  if (sessionAffinityConfig === undefined || sessionAffinity === 'ClientIP') return [];
  const message = "'spec.sessionAffinityConfig' is only for sessionAffinity: ClientIP";
  return [{ path: ['sessionAffinityConfig'], message }];
}

/** For a leased Service leasehold fills in the policy. */
function families({ type, ipFamilies = [], ipFamilyPolicy }: WrittenServiceSpec): Fault[] {
  if (ipFamilies.length < 2) return [];
  if (ipFamilies[0] === ipFamilies[1]) {
    return [{ path: ['ipFamilies', 1], message: `'spec.ipFamilies' has ${ipFamilies[0]} twice` }];
  }
  const isFilledIn = type === 'LoadBalancer' && ipFamilyPolicy === undefined;
  if (isFilledIn || (ipFamilyPolicy ?? 'SingleStack') !== 'SingleStack') return [];
  const message = "'spec.ipFamilies' has two families, but ipFamilyPolicy is SingleStack";
  return [{ path: ['ipFamilyPolicy'], message, hint: 'write RequireDualStack' }];
}

/**
 * SUBSTITUTION for each text of a document that contains `${`: Flux's postBuild would replace it in
 * the manifest with a value that was not reviewed. The syntax of emitted keys excludes it. The
 * field `unread` is not emitted and not checked.
 */
export function substitutionProblems(document: YamlDocument, unread?: string): Problem[] {
  const texts = textsIn(document.value, []);
  const read = texts.filter(([[field]]) => unread === undefined || field !== unread);
  return read.map(([path, text]) => {
    const start = text.indexOf('${');
    const found = text.slice(start, start + 20).replace(/\s+/g, ' ');
    return {
      code: 'SUBSTITUTION',
      message: `the text '${found}' would be replaced by Flux when it applies the manifest`,
      at: document.at(path),
      hint: 'write the value itself',
    };
  });
}

type Found = readonly [path: readonly PropertyKey[], text: string];

function textsIn(value: unknown, path: readonly PropertyKey[]): Found[] {
  if (typeof value === 'string') return value.includes('${') ? [[path, value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  const parts = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return parts.flatMap(([step, part]) => textsIn(part, [...path, step]));
}
