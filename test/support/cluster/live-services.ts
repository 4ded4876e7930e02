import { keyOf } from './address-watch.ts';
import { givenAddress } from './convergence.ts';
import { service } from './declared.ts';
import type { Kube, KubeObject } from './kube.ts';
import type { Metallb } from './machines/metallb.ts';
import { metallbNamespace } from './machines/metallb-pods.ts';

/** The pools of a cluster in which MetalLB gives to everybody, as it likes. */
export const livePools: readonly KubeObject[] = [
  pool('public', ['203.0.113.64/26', '2001:db8:40::/120']),
  pool('office', ['198.51.100.0/28']),
  {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'L2Advertisement',
    metadata: { name: 'all', namespace: metallbNamespace },
    spec: {},
  },
];

/** What a Service of the town is like, and who applies it. */
export interface LiveService {
  readonly object: KubeObject;
  /** The field manager. */
  readonly by: 'kubectl' | 'helm' | 'operator';
  /** The Service, `namespace/name`, on whose address it stands. */
  readonly beside?: string;
}

const shared = { annotations: { 'metallb.universe.tf/allow-shared-ip': 'one' } };
const udpAndTcp = [
  { name: 'query', port: 27015, protocol: 'UDP' },
  { name: 'game', port: 27015, protocol: 'TCP' },
];
const pair = { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6'] };

/** Forty Services: no one says which address it wants, but for those that share one. */
export const liveServices: readonly LiveService[] = [
  ...many(11, 'shop', () => ({})),
  ...many(6, 'games', () => ({ spec: { ports: udpAndTcp } })),
  ...many(4, 'edge', (name) => ({
    spec: { externalTrafficPolicy: 'Local', selector: { app: name } },
  })),
  ...many(4, 'pairs', () => ({ spec: pair })),
  ...many(2, 'six', () => ({ spec: { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv6'] } })),
  ...['left', 'right'].flatMap((group) =>
    many(3, `shared-${group}`, (_, index) => ({
      ...shared,
      spec: { ports: [{ port: 80 + index }] },
    })).map(
      (one, index): LiveService =>
        index === 0 ? one : { ...one, beside: `shared-${group}/app-0` },
    ),
  ),
  ...many(3, 'charts', () => ({})).map(
    ({ object }): LiveService => ({ object: ofHelm(object), by: 'helm' }),
  ),
  { object: service('charts', 'owned'), by: 'operator' },
  { object: service('north', 'door', shared), by: 'kubectl' },
  {
    object: service('south', 'door', { ...shared, spec: { ports: [{ port: 81 }] } }),
    by: 'kubectl',
    beside: 'north/door',
  },
  { object: service('kube-system', 'gate'), by: 'kubectl' },
];

/** Applies pools and Services, and gives the addresses that MetalLB chose: `namespace/name` to text. */
export async function applyLiveServices(
  kube: Kube,
  metallb: Metallb,
): Promise<ReadonlyMap<string, string>> {
  for (const object of livePools) await kube.apply(object, { manager: 'kubectl' });
  for (const name of new Set(liveServices.map(({ object }) => object.metadata.namespace ?? ''))) {
    await kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  const addresses = new Map<string, string>();
  const [first, others] = [
    liveServices.filter(({ beside }) => beside === undefined),
    liveServices.filter(({ beside }) => beside !== undefined),
  ];
  const owner = await kube.apply({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'operator', namespace: 'charts' },
  });
  for (const { object, by } of first) {
    await kube.apply(by === 'operator' ? ownedBy(owner, object) : object, { manager: by });
  }
  for (const { object } of first)
    addresses.set(keyOf(object), await givenAddress(kube, metallb, object));
  for (const { object, by, beside = '' } of others) {
    const spec = { ...object.spec, loadBalancerIP: addresses.get(beside) };
    await kube.apply({ ...object, spec }, { manager: by });
    addresses.set(keyOf(object), await givenAddress(kube, metallb, object));
  }
  return addresses;
}

function many(
  count: number,
  namespace: string,
  wordsOf: (name: string, index: number) => Parameters<typeof service>[2],
): LiveService[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `app-${index}`;
    return { object: service(namespace, name, wordsOf(name, index)), by: 'kubectl' };
  });
}

/** As Helm labels what it installs. */
function ofHelm({ metadata, ...rest }: KubeObject): KubeObject {
  const { namespace = '', name } = metadata;
  return {
    ...rest,
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      ...metadata,
      labels: { 'app.kubernetes.io/managed-by': 'Helm', 'helm.sh/chart': `${name}-1.2.3` },
      annotations: {
        'meta.helm.sh/release-name': name,
        'meta.helm.sh/release-namespace': namespace,
      },
    },
  };
}

function ownedBy({ metadata }: KubeObject, object: KubeObject): KubeObject {
  const { name, uid } = metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid }];
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

function pool(name: string, addresses: readonly string[]): KubeObject {
  return {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name, namespace: metallbNamespace },
    spec: { addresses },
  };
}
