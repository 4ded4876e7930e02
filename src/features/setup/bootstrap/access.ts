import type { TreeMap } from '../../../core/manifests/manifest.ts';
import { inventoryOperator } from '../../../core/manifests/objects/inventory-config.ts';
import { liveKinds } from '../../../core/model/live.ts';
import { addToGroup } from '../../../core/model/order.ts';
import {
  type ListScope,
  type VerifiedKind,
  verifiedKinds,
} from '../../../lib/kubernetes/verified-kinds.ts';

/** The ServiceAccount that runs a command against a cluster. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** Who needs access, and to which MetalLB. */
export interface AccessTarget {
  readonly account: Account;
  /** The namespace of MetalLB. */
  readonly metallb: string;
}

type Rule = readonly [
  group: string,
  resources: readonly string[],
  verbs: readonly string[],
  names?: readonly string[],
];

const apiVersion = 'rbac.authorization.k8s.io/v1';

/**
 * Exactly the permissions that `leasehold verify` needs, as in docs/rbac/verify.yaml. Accounts need
 * bindings of different names: applying a binding replaces an earlier one of the same name.
 */
export function verifyAccess(
  { account, metallb }: AccessTarget,
  binding = 'leasehold-verify',
): readonly TreeMap[] {
  const names = { role: 'leasehold-verify', binding };
  return [
    ...roleAndBinding(names, undefined, account, listRules('cluster')),
    ...roleAndBinding(names, metallb, account, listRules('metallb')),
  ];
}

/** A rule for each API group that verify lists kinds of. */
function listRules(scope: ListScope): readonly Rule[] {
  const groups = new Map<string, string[]>();
  for (const [kind, where] of Object.entries(verifiedKinds)) {
    const { group, plural } = liveKinds[kind as VerifiedKind];
    if (where === scope) addToGroup(groups, group, plural);
  }
  return [...groups].map(([group, plurals]) => [group, plurals, ['list']]);
}

/** What of Akash a cluster has. */
export interface AkashTarget {
  /** The namespace of the Akash provider; undefined without one. */
  readonly provider: string | undefined;
  /** True when an inventory is declared. */
  readonly hasInventory: boolean;
}

/** Exactly the permissions that `leasehold doctor` needs, as in docs/rbac/doctor.yaml. */
export function doctorAccess(
  { account, metallb }: AccessTarget,
  { provider, hasInventory }: AkashTarget,
): readonly TreeMap[] {
  const names = { role: 'leasehold-doctor', binding: 'leasehold-doctor' };
  const providerRules: readonly Rule[] = [
    ['', ['configmaps', 'pods'], ['list']],
    ['', ['pods/log'], ['get']],
    ['discovery.k8s.io', ['endpointslices'], ['list']],
  ];
  const { namespace, name } = inventoryOperator;
  const byNamespace = new Map<string, readonly Rule[]>();
  if (provider !== undefined) byNamespace.set(provider, providerRules);
  if (hasInventory) {
    const own = byNamespace.get(namespace) ?? [['', ['configmaps'], ['list']]];
    byNamespace.set(namespace, [...own, ['', ['services/proxy'], ['get'], [`${name}:rest`]]]);
  }
  return [
    ...roleAndBinding(names, undefined, account, [
      ['', ['namespaces', 'services', 'nodes', 'events'], ['list']],
      ['apps', ['deployments', 'statefulsets'], ['list']],
      ['admissionregistration.k8s.io', ['validatingwebhookconfigurations'], ['list']],
      ['metallb.io', ['l2advertisements', 'bgpadvertisements'], ['list']],
      ['akash.network', ['providerleasedips', 'providerhosts'], ['list']],
      ...(hasInventory ? [storageRule] : []),
    ]),
    ...roleAndBinding(names, 'kube-system', account, [['', ['configmaps'], ['list']]]),
    ...roleAndBinding(names, metallb, account, [
      ['', ['pods'], ['list']],
      ['apps', ['daemonsets'], ['list']],
      ['metallb.io', ['ipaddresspools'], ['list', 'create']],
      ['metallb.io', ['configurationstates'], ['list']],
    ]),
    ...[...byNamespace].flatMap(([where, rules]) => roleAndBinding(names, where, account, rules)),
  ];
}

const storageRule: Rule = ['storage.k8s.io', ['storageclasses'], ['list']];

/** A role and its binding, in a namespace or cluster-wide. */
function roleAndBinding(
  names: { readonly role: string; readonly binding: string },
  namespace: string | undefined,
  account: Account,
  rules: readonly Rule[],
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
