import type { TreeMap } from '../../../core/manifests/manifest.ts';
import { isOfPlane, liveKinds, verifiedKinds } from '../../../core/model/kinds.ts';
import { addToGroup } from '../../../core/model/order.ts';
import type { Plane } from '../../../core/model/planes.ts';
import type { AccessRule, DoctorChecks } from '../../../lib/kubernetes/doctor-checks.ts';

/** The ServiceAccount that runs a command against a cluster. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** Who needs access, and to which data plane. */
export interface AccessTarget {
  readonly account: Account;
  readonly plane: Pick<Plane, 'kind' | 'namespace'>;
}

const apiVersion = 'rbac.authorization.k8s.io/v1';

/**
 * Exactly the permissions that `leasehold verify` needs, as in docs/rbac/verify.yaml. Accounts need
 * bindings of different names: applying a binding replaces an earlier one of the same name.
 */
export function verifyAccess(
  { account, plane }: AccessTarget,
  binding = 'leasehold-verify',
): readonly TreeMap[] {
  const names = { role: 'leasehold-verify', binding };
  return [
    ...roleAndBinding(names, undefined, account, listRules('cluster', plane.kind)),
    ...roleAndBinding(names, plane.namespace, account, listRules('plane', plane.kind)),
  ];
}

/** A rule for each API group that verify lists kinds of. */
function listRules(scope: 'cluster' | 'plane', plane: Plane['kind']): readonly AccessRule[] {
  const groups = new Map<string, string[]>();
  for (const kind of verifiedKinds) {
    const { group, plural, listedIn } = liveKinds[kind];
    if (listedIn === scope && isOfPlane(kind, plane)) addToGroup(groups, group, plural);
  }
  return [...groups].map(([group, plurals]) => [group, plurals, ['list']]);
}

/** Further checks of doctor in a cluster. */
export interface CheckedParts {
  /** The namespace of the Akash provider; undefined without one. */
  readonly provider: string | undefined;
  /** The permissions that the checks of features need. */
  readonly added: readonly DoctorChecks['access'][];
}

const workloads: AccessRule = ['apps', ['deployments', 'statefulsets'], ['list']];

/** What doctor reads of a data plane: in the whole cluster, and in the namespace of the plane. */
const planeRules: Readonly<
  Record<Plane['kind'], Readonly<Record<'cluster' | 'own', readonly AccessRule[]>>>
> = {
  metallb: {
    cluster: [
      ['', ['namespaces', 'services', 'nodes', 'events'], ['list']],
      workloads,
      ['admissionregistration.k8s.io', ['validatingwebhookconfigurations'], ['list']],
      ['metallb.io', ['l2advertisements', 'bgpadvertisements'], ['list']],
    ],
    own: [
      ['', ['pods'], ['list']],
      ['apps', ['daemonsets'], ['list']],
      ['metallb.io', ['ipaddresspools'], ['list', 'create']],
      ['metallb.io', ['configurationstates'], ['list']],
    ],
  },
  cilium: {
    cluster: [
      ['', ['namespaces', 'services', 'nodes'], ['list']],
      workloads,
      [
        'cilium.io',
        ['ciliumloadbalancerippools', 'ciliuml2announcementpolicies', 'ciliumbgpadvertisements'],
        ['list'],
      ],
    ],
    own: [['', ['configmaps'], ['list']]],
  },
};

/** Exactly the permissions that `leasehold doctor` needs, as in docs/rbac/doctor.yaml for MetalLB. */
export function doctorAccess(
  { account, plane }: AccessTarget,
  { provider, added }: CheckedParts,
): readonly TreeMap[] {
  const names = { role: 'leasehold-doctor', binding: 'leasehold-doctor' };
  const providerRules: readonly AccessRule[] = [
    ['', ['configmaps', 'pods'], ['list']],
    ['', ['pods/log'], ['get']],
    ['discovery.k8s.io', ['endpointslices'], ['list']],
  ];
  const byNamespace = new Map<string, readonly AccessRule[]>();
  if (provider !== undefined) byNamespace.set(provider, providerRules);
  for (const { namespace, own } of added) {
    const before = byNamespace.get(namespace) ?? [];
    const isNew = (rule: AccessRule) => !before.some((other) => covers(other, rule));
    byNamespace.set(namespace, [...before, ...own.filter(isNew)]);
  }
  return [
    ...roleAndBinding(names, undefined, account, [
      ...planeRules[plane.kind].cluster,
      ['akash.network', ['providerleasedips', 'providerhosts'], ['list']],
      ...added.flatMap(({ cluster }) => cluster),
    ]),
    ...(plane.kind === 'metallb'
      ? roleAndBinding(names, 'kube-system', account, [['', ['configmaps'], ['list']]])
      : []),
    ...roleAndBinding(names, plane.namespace, account, planeRules[plane.kind].own),
    ...[...byNamespace].flatMap(([where, rules]) => roleAndBinding(names, where, account, rules)),
  ];
}

/** True when a rule without names grants all that another one does. */
function covers([group, resources, verbs, names]: AccessRule, rule: AccessRule): boolean {
  return (
    names === undefined &&
    group === rule[0] &&
    rule[1].every((resource) => resources.includes(resource)) &&
    rule[2].every((verb) => verbs.includes(verb))
  );
}

/** A role and its binding, in a namespace or cluster-wide. */
function roleAndBinding(
  names: { readonly role: string; readonly binding: string },
  namespace: string | undefined,
  account: Account,
  rules: readonly AccessRule[],
): readonly TreeMap[] {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  return [
    {
      apiVersion,
      kind,
      metadata: { name: names.role, namespace },
      rules: rules.map(([group, resources, verbs, resourceNames]) => ({
        apiGroups: [group],
        resources,
        verbs,
        resourceNames,
      })),
    },
    {
      apiVersion,
      kind: `${kind}Binding`,
      metadata: { name: names.binding, namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: names.role },
      subjects: [{ kind: 'ServiceAccount', namespace: account.namespace, name: account.name }],
    },
  ];
}
