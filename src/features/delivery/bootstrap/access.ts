import type { TreeMap } from '../../../manifests/manifest.ts';

/** Whoever runs a command against a cluster. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** Where a command asks what it asks. */
export interface AccessTarget {
  readonly account: Account;
  /** The namespace of MetalLB. */
  readonly metallb: string;
}

type Rule = readonly [group: string, resources: readonly string[], verbs: readonly string[]];

const apiVersion = 'rbac.authorization.k8s.io/v1';

/** Exactly what `leasehold verify` asks of a cluster, as docs/rbac/verify.yaml has it. */
export function verifyAccess({ account, metallb }: AccessTarget): readonly TreeMap[] {
  const name = 'leasehold-verify';
  return [
    ...granted(name, undefined, account, [
      ['', ['namespaces', 'services', 'events'], ['list']],
      ['apps', ['deployments'], ['list']],
      ['metallb.io', ['ipaddresspools', 'l2advertisements', 'bgpadvertisements'], ['list']],
      ['akash.network', ['providerleasedips'], ['list']],
      ['networking.k8s.io', ['networkpolicies'], ['list']],
      [
        'admissionregistration.k8s.io',
        ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
        ['list'],
      ],
    ]),
    ...granted(name, metallb, account, [
      ['', ['configmaps'], ['list']],
      ['metallb.io', ['configurationstates'], ['list']],
    ]),
  ];
}

/**
 * Exactly what `leasehold doctor` asks of a cluster, as docs/rbac/doctor.yaml has it. `provider` is the namespace of
 * the Akash provider; undefined where there is none.
 */
export function doctorAccess(
  { account, metallb }: AccessTarget,
  provider: string | undefined,
): readonly TreeMap[] {
  const name = 'leasehold-doctor';
  const ofProvider: readonly Rule[] = [
    ['', ['configmaps', 'pods'], ['list']],
    ['', ['pods/log'], ['get']],
    ['discovery.k8s.io', ['endpointslices'], ['list']],
  ];
  return [
    ...granted(name, undefined, account, [
      ['', ['namespaces', 'services'], ['list']],
      ['apps', ['deployments', 'statefulsets'], ['list']],
      ['admissionregistration.k8s.io', ['validatingwebhookconfigurations'], ['list']],
      ['metallb.io', ['l2advertisements', 'bgpadvertisements'], ['list']],
      ['akash.network', ['providerleasedips'], ['list']],
    ]),
    ...granted(name, 'kube-system', account, [['', ['configmaps'], ['list']]]),
    ...granted(name, metallb, account, [
      ['apps', ['daemonsets'], ['list']],
      ['metallb.io', ['ipaddresspools'], ['list', 'create']],
      ['metallb.io', ['configurationstates'], ['list']],
    ]),
    ...(provider === undefined ? [] : granted(name, provider, account, ofProvider)),
  ];
}

/** A role and its binding: of a namespace, or of the whole cluster. */
function granted(
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
