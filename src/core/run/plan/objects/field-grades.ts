import { emittedKinds, liveKinds, traitsOf } from '../../../model/kinds.ts';
import type { FieldDifference } from './field-changes.ts';

/**
 * The effect of a changed field of a live object:
 *
 * - `reach`: who can connect, who answers, by which address or name.
 * - `identity`: by what an engine, an operator or a policy selects the object, or how it handles it.
 * - `cosmetic`: no program is known to read it.
 */
export const grades = ['reach', 'identity', 'cosmetic'] as const;
export type Grade = (typeof grades)[number];

/** A row of the table: fields of a kind, with their grade. */
interface GradeRow {
  /** Undefined for all kinds. */
  readonly kinds?: readonly string[];
  /** `*` is any text, and `[]` an item of a list. */
  readonly fields: readonly string[];
  readonly grade: Grade;
  /** The meaning of the fields, for docs/plan.md. */
  readonly decides: string;
}

const metadata = (part: 'labels' | 'annotations', ...keys: readonly string[]) =>
  keys.map((key) => `metadata.${part}.${key}`);

/**
 * The grade of every field that leasehold writes; the first row that matches counts. A field without
 * a row is graded as reach.
 */
const gradeRows: readonly GradeRow[] = [
  {
    kinds: ['Service'],
    fields: [
      'spec.selector.*',
      'spec.ports[].targetPort',
      'spec.ports[].appProtocol',
      'spec.publishNotReadyAddresses',
      'spec.externalTrafficPolicy',
      'spec.internalTrafficPolicy',
      'spec.trafficDistribution',
      'spec.sessionAffinity',
      'spec.sessionAffinityConfig.clientIP.timeoutSeconds',
    ],
    grade: 'reach',
    decides: 'which pods answer, and how',
  },
  {
    kinds: ['Service'],
    fields: [
      'spec.loadBalancerSourceRanges',
      'spec.ports[]',
      'spec.ports[].name',
      'spec.ports[].port',
      'spec.ports[].protocol',
      'spec.ports[].nodePort',
      'spec.healthCheckNodePort',
      'spec.allocateLoadBalancerNodePorts',
    ],
    grade: 'reach',
    decides: 'who can connect, to which ports',
  },
  {
    kinds: ['Service'],
    fields: [
      'spec.type',
      'spec.clusterIP',
      'spec.loadBalancerIP',
      'spec.loadBalancerClass',
      'spec.ipFamilies',
      'spec.ipFamilyPolicy',
    ],
    grade: 'reach',
    decides: 'which address the Service has, and from which load balancer',
  },
  {
    kinds: ['EndpointSlice'],
    fields: ['addressType', 'endpoints*', 'ports*', 'metadata.labels.kubernetes.io/service-name'],
    grade: 'reach',
    decides: 'the addresses behind an address name',
  },
  {
    kinds: ['ConfigMap'],
    fields: ['data.*'],
    grade: 'reach',
    decides: 'what pods and operators read',
  },
  ...specRows(),
  {
    fields: ['apiVersion', 'kind', 'metadata.name', 'metadata.namespace'],
    grade: 'identity',
    decides: 'which object it is',
  },
  {
    fields: [
      ...metadata('labels', 'app.kubernetes.io/managed-by', 'app.kubernetes.io/instance'),
      ...metadata('labels', 'endpointslice.kubernetes.io/managed-by'),
      ...metadata('labels', 'akash.network', 'service-name', 'external-port', 'proto'),
    ],
    grade: 'identity',
    decides: 'what engines, operators and policies select',
  },
  {
    fields: metadata('annotations', 'leasehold.dev/dns', 'ipam.vitistack.io/allow-local-shared-ip'),
    grade: 'reach',
    decides: 'the DNS names of an address, and what shares it',
  },
  {
    fields: [
      ...metadata('annotations', 'metallb.io/*', 'metallb.universe.tf/*', '*cilium.io/*'),
      ...metadata('annotations', 'io.cilium/*', '*kube-vip.io/*', '*purelb.io/*', '*openelb.io/*'),
      ...metadata('annotations', '*projectcalico.org/*', '*loxilb.io/*', 'openelb*'),
    ],
    grade: 'reach',
    decides: 'what load balancers read: pins, pools, sharing keys',
  },
  {
    fields: [
      ...metadata('annotations', 'tailscale.com/*', '*istio.io/*', '*linkerd.io/*', '*ngrok.com/*'),
      ...metadata('labels', '*istio.io/*', '*linkerd.io/*'),
    ],
    grade: 'reach',
    decides: 'what meshes and tunnels expose',
  },
  {
    fields: [
      ...metadata('labels', 'app.kubernetes.io/*', 'helm.sh/chart'),
      ...metadata('annotations', 'leasehold.dev/*', 'ipam.vitistack.io/*'),
    ],
    grade: 'cosmetic',
    decides:
      'names for people, and what only leasehold reads: the effects are changes of their own',
  },
  {
    fields: [
      ...metadata('labels', '*kubernetes.io/*', '*k8s.io/*'),
      ...metadata('annotations', '*kubernetes.io/*', '*k8s.io/*'),
    ],
    grade: 'reach',
    decides: 'what Kubernetes, its proxies and controllers read',
  },
  {
    fields: [...metadata('labels', '*/*'), ...metadata('annotations', '*/*')],
    grade: 'identity',
    decides: 'what the program that the prefix names reads: engines, operators, policies',
  },
  {
    fields: [...metadata('labels', '*'), ...metadata('annotations', '*')],
    grade: 'cosmetic',
    decides: 'labels and annotations without a prefix',
  },
];

/** Rows for the specs of the kinds whose traits say what they decide. Kinds that decide the same share a row. */
function specRows(): readonly GradeRow[] {
  const rows = new Map<string, string[]>();
  for (const kind of emittedKinds) {
    const { specDecides } = traitsOf(kind);
    if (specDecides === undefined) continue;
    const names = rows.get(specDecides) ?? [];
    rows.set(specDecides, [...names, liveKinds[kind].kind]);
  }
  return [...rows].map(([decides, kinds]) => ({
    kinds,
    fields: ['spec.*'],
    grade: 'reach',
    decides,
  }));
}

/** Fields of a Service that the API server fills in: without them it is the same Service. */
const defaults: readonly (readonly [field: string, value: string])[] = [
  ['spec.type', 'ClusterIP'],
  ['spec.externalTrafficPolicy', 'Cluster'],
  ['spec.internalTrafficPolicy', 'Cluster'],
  ['spec.sessionAffinity', 'None'],
  ['spec.publishNotReadyAddresses', 'false'],
  ['spec.allocateLoadBalancerNodePorts', 'true'],
  ['spec.ports[].protocol', 'TCP'],
];

const rows = gradeRows.map((row) => ({ ...row, form: formOf(row.fields) }));
const defaultForms = defaults.map(([field, value]) => ({ form: formOf([field]), value }));

/** The row of a field, such as `Service` and `spec.ports[0].port`; undefined without one. */
export function gradeRowOf(kind: string, path: string): GradeRow | undefined {
  return rows.find((one) => (one.kinds?.includes(kind) ?? true) && one.form.test(path));
}

/** The grade of a change. A default that is written, or no longer written, changes nothing. */
export function gradeOf(kind: string, { path, before, after }: FieldDifference): Grade {
  const value = before === undefined ? after : before;
  const isOneSided = (before === undefined) !== (after === undefined);
  const isDefault =
    kind === 'Service' &&
    isOneSided &&
    defaultForms.some((one) => one.value === value && one.form.test(path));
  return isDefault ? 'cosmetic' : (gradeRowOf(kind, path)?.grade ?? 'reach');
}

function formOf(fields: readonly string[]): RegExp {
  const forms = fields.map((field) =>
    field
      .replace(/[.+?^${}()|\\/-]/g, '\\$&')
      .replaceAll('[]', '\\[\\d+\\]')
      .replaceAll('*', '.*'),
  );
  return new RegExp(`^(?:${forms.join('|')})$`, 's');
}

/** The table as Markdown, for docs/plan.md. */
export function gradesPage(): string {
  const lines = gradeRows.map(({ kinds = ['all kinds'], fields, grade, decides }) => {
    const named = fields.map((field) => `\`${field}\``).join(', ');
    return `| ${kinds.join(', ')} | ${named} | ${grade} | ${decides} |`;
  });
  return [
    '## Grades of fields',
    '',
    'The first row that matches a field counts; `*` is any text. A field without a row is `reach`. A default of a Service that is',
    'written, or no longer written, is `cosmetic`.',
    '',
    '| kind | fields | grade | decides |',
    '| --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}
