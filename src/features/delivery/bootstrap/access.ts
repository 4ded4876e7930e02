import type { TreeMap } from '../../../manifests/manifest.ts';
import { liveKinds } from '../../../model/live.ts';
import { addToGroup } from '../../../model/order.ts';
import { type Reach, type VerifiedKind, verifiedKinds } from '../../cluster/verified-kinds.ts';

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

type Rule = readonly [group: string, resources: readonly string[], verbs: readonly string[]];

const apiVersion = 'rbac.authorization.k8s.io/v1';

/** Exactly the permissions that `leasehold verify` needs, as in docs/rbac/verify.yaml. */
export function verifyAccess({ account, metallb }: AccessTarget): readonly TreeMap[] {
  const name = 'leasehold-verify';
  return [
    ...roleAndBinding(name, undefined, account, listRules('cluster')),
    ...roleAndBinding(name, metallb, account, listRules('metallb')),
  ];
}

/** A rule for each API group that verify lists kinds of. */
function listRules(reach: Reach): readonly Rule[] {
  const groups = new Map<string, string[]>();
  for (const [kind, where] of Object.entries(verifiedKinds)) {
    const { group, plural } = liveKinds[kind as VerifiedKind];
    if (where === reach) addToGroup(groups, group, plural);
  }
  return [...groups].map(([group, plurals]) => [group, plurals, ['list']]);
}

/**
 * Exactly the permissions that `leasehold doctor` needs, as in docs/rbac/doctor.yaml. `provider` is
 * the namespace of the Akash provider; undefined without one.
 */
export function doctorAccess(
  { account, metallb }: AccessTarget,
  provider: string | undefined,
): readonly TreeMap[] {
  const name = 'leasehold-doctor';
  const providerRules: readonly Rule[] = [
    ['', ['configmaps', 'pods'], ['list']],
    ['', ['pods/log'], ['get']],
    ['discovery.k8s.io', ['endpointslices'], ['list']],
  ];
  return [
    ...roleAndBinding(name, undefined, account, [
      ['', ['namespaces', 'services', 'nodes', 'events'], ['list']],
      ['apps', ['deployments', 'statefulsets'], ['list']],
      ['admissionregistration.k8s.io', ['validatingwebhookconfigurations'], ['list']],
      ['metallb.io', ['l2advertisements', 'bgpadvertisements'], ['list']],
      ['akash.network', ['providerleasedips'], ['list']],
    ]),
    ...roleAndBinding(name, 'kube-system', account, [['', ['configmaps'], ['list']]]),
    ...roleAndBinding(name, metallb, account, [
      ['', ['pods'], ['list']],
      ['apps', ['daemonsets'], ['list']],
      ['metallb.io', ['ipaddresspools'], ['list', 'create']],
      ['metallb.io', ['configurationstates'], ['list']],
    ]),
    ...(provider === undefined ? [] : roleAndBinding(name, provider, account, providerRules)),
  ];
}

/** A role and its binding, in a namespace or cluster-wide. */
function roleAndBinding(
  name: string,
  namespace: string | undefined,
  account: Account,
  rules: readonly Rule[],
): readonly TreeMap[] {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  const metadata = { name, namespace };
  return [
    {
      apiVersion,
      kind,
      metadata,
      rules: rules.map(([group, resources, verbs]) => ({ apiGroups: [group], resources, verbs })),
    },
    {
      apiVersion,
      kind: `${kind}Binding`,
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
      subjects: [{ kind: 'ServiceAccount', namespace: account.namespace, name: account.name }],
    },
  ];
}
