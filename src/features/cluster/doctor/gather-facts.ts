import type { LiveKind } from '../../../core/model/kinds.ts';
import { type LiveObject, liveObjectName, textAt } from '../../../core/model/live.ts';
import type { Layout } from '../../../core/model/planes.ts';
import { type Cluster, type Pool, type Pools, poolsIn } from '../../../core/model/pools.ts';
import { valueAt } from '../../../core/text/message-text.ts';
import { readYaml } from '../../../core/text/yaml/yaml-document.ts';
import {
  type Fact,
  factOf,
  type LiveCheck,
  listed,
  type Objects,
} from '../../../lib/kubernetes/doctor-checks.ts';
import type { LiveCluster } from '../../../lib/kubernetes/live-cluster.ts';
import { isRunningAkashOperator, podsOf } from '../akash-operator.ts';
import { isLabelled } from '../live/object-state.ts';
import { overlappingPools, ownRanges } from '../live/pool-overlap.ts';
import { servicesIn } from '../live/snapshot.ts';
import { announceFailures } from '../planes/metallb/metallb-events.ts';
import { refusedConfigurations } from '../planes/metallb/metallb-findings.ts';
import { providersIn } from './akash-provider.ts';
import { limitedRanges } from './announcing.ts';
import type { CommonFacts, Facts, KubeProxy, PodLog } from './facts.ts';
import { refusedPool } from './metallb-configuration.ts';

/** Lines of a log that are read. A waiting provider asks the operator every two seconds. */
const logLines = 200;

/** Namespaces that exist in every cluster. */
const systemNamespace = 'kube-system';
const anyNamespace = 'default';

/** The committed state of the cluster's tree. */
export interface Committed {
  /**
   * The names of the IPAddressPools in `dist/`: the first sync takes over live pools with these
   * names.
   */
  readonly written: ReadonlySet<string>;
  /** Those of features, for what else is declared for the cluster. */
  readonly checks: readonly LiveCheck[];
}

/** Reads what the checks of every plane need from a live cluster, one request at a time. */
export async function gatherCommon(live: LiveCluster): Promise<CommonFacts> {
  const version = await live.version();
  const namespaces = await listed(live, 'namespace');
  const deployments = await listed(live, 'deployment');
  const statefulSets = await listed(live, 'statefulSet');
  const workloads = { deployments, statefulSets };
  const providers = [...new Set(providersIn(workloads).map((provider) => provider.namespace))];
  const operators = runningOperators(deployments);
  return {
    version,
    namespaces,
    ...workloads,
    nodes: await listed(live, 'node'),
    services: await listed(live, 'service'),
    // Only to learn whether the kinds are served: the namespace has no such objects.
    leasedIPs: await listed(live, 'leasedIP', anyNamespace),
    providerHosts: await listed(live, 'providerHost', anyNamespace),
    operators,
    operatorLogs: await logsOf(live, operators),
    providerConfigs: await listIn(live, 'configMap', providers),
    endpointSlices: await listIn(live, 'endpointSlice', providers),
  };
}

/** Reads everything that the checks of a cluster on MetalLB need. */
export async function gatherFacts(
  live: LiveCluster,
  pools: Pools,
  cluster: Cluster,
  { written }: Committed,
): Promise<Facts> {
  const { namespace } = cluster.plane;
  const common = await gatherCommon(live);
  const { namespaces, services } = common;
  const addressPools = await listed(live, 'addressPool', namespace);
  const own = poolsIn(pools, cluster.name);
  return {
    ...common,
    addressPools,
    daemonSets: await listed(live, 'daemonSet', namespace),
    pods: await listed(live, 'pod', namespace),
    interfaceFailures: await interfaceFailuresOf(live, own, services),
    kubeProxy: await kubeProxyOf(live),
    webhooks: await listed(live, 'webhook'),
    // Only to learn whether the kinds are served: the namespace has no such objects.
    l2Advertisements: await listed(live, 'l2Advertisement', anyNamespace),
    bgpAdvertisements: await listed(live, 'bgpAdvertisement', anyNamespace),
    dryRun: await dryRunOf(live, namespace, { namespaces, addressPools }),
    refusedConfigurations: await refusedOf(live, namespace),
    ...poolFacts(own, cluster.plane.layout, { pools: addressPools, services, written }),
  };
}

/** The objects of a kind in several namespaces, listed one namespace at a time. */
function listIn(
  live: LiveCluster,
  kind: LiveKind,
  namespaces: readonly string[],
): Promise<Objects> {
  return factOf(async () => {
    const found: (readonly LiveObject[])[] = [];
    for (const namespace of namespaces) found.push((await live.list(kind, namespace)) ?? []);
    return found.flat();
  });
}

async function kubeProxyOf(live: LiveCluster): Promise<Fact<KubeProxy | undefined>> {
  const configs = await listed(live, 'configMap', systemNamespace);
  if (!configs.known) return configs;
  const config = configs.value?.find(({ metadata }) => metadata.name === 'kube-proxy');
  const text = textAt(config, 'data', 'config.conf');
  return { known: true, value: text === undefined ? undefined : readKubeProxyConfig(text) };
}

async function dryRunOf(
  live: LiveCluster,
  namespace: string,
  { namespaces, addressPools }: Pick<Facts, 'namespaces' | 'addressPools'>,
): Promise<Facts['dryRun']> {
  const isServed = !addressPools.known || addressPools.value !== undefined;
  const isThere =
    !namespaces.known || namespaces.value?.some(({ metadata }) => metadata.name === namespace);
  return isServed && isThere ? live.dryRun('addressPool', refusedPool(namespace)) : undefined;
}

async function refusedOf(
  live: LiveCluster,
  namespace: string,
): Promise<Facts['refusedConfigurations']> {
  const states = await listed(live, 'configurationState', namespace);
  if (!states.known) return states;
  return { known: true, value: states.value && refusedConfigurations(states.value) };
}

/** Asks for events only when a Service has an address of a pool that is limited to interfaces. */
async function interfaceFailuresOf(
  live: LiveCluster,
  pools: readonly Pool[],
  services: Objects,
): Promise<Facts['interfaceFailures']> {
  const ranges = limitedRanges(pools);
  if (ranges.length === 0) return { known: true, value: [] };
  if (!services.known) return services;
  const limited = servicesIn(ranges, services.value ?? []);
  if (limited.length === 0) return { known: true, value: [] };
  const events = await listed(live, 'event');
  if (!events.known) return events;
  const failures = announceFailures(limited, events.value ?? []);
  return { known: true, value: [...new Set(failures.values())] };
}

function runningOperators(deployments: Objects): Facts['operators'] {
  if (!deployments.known) return deployments;
  return { known: true, value: (deployments.value ?? []).filter(isRunningAkashOperator) };
}

interface LivePools {
  readonly pools: Objects;
  readonly services: Objects;
  readonly written: ReadonlySet<string>;
}

/**
 * Live pools without our label: those that `dist/` takes over, and those that overlap other pools.
 */
function poolFacts(
  pools: readonly Pool[],
  layout: Layout,
  live: LivePools,
): Pick<Facts, 'takenOver' | 'overlaps'> {
  if (!live.pools.known) return { takenOver: [], overlaps: live.pools };
  const all = live.pools.value ?? [];
  const others = all.filter((object) => !isLabelled({ object }));
  const isTakenOver = (object: LiveObject) =>
    live.written.has(liveObjectName('addressPool', object));
  const takenOver = others.filter(isTakenOver);
  const unmanaged = others.filter((object) => !isTakenOver(object));
  const own = ownRanges(
    { pools },
    layout,
    all.filter((object) => !unmanaged.includes(object)),
  );
  const services = live.services.known ? (live.services.value ?? []) : undefined;
  return {
    takenOver: takenOver.map((object) => liveObjectName('addressPool', object)),
    overlaps: { known: true, value: overlappingPools(unmanaged, own, services) },
  };
}

async function logsOf(
  live: LiveCluster,
  operators: Facts['operators'],
): Promise<Fact<readonly PodLog[]>> {
  return factOf(async () => {
    const logs: PodLog[] = [];
    for (const operator of operators.known ? operators.value : []) {
      const { namespace = '' } = operator.metadata;
      const pods = podsOf(operator, (await live.list('pod', namespace)) ?? []);
      for (const { metadata } of pods) {
        const text = await factOf(() => live.log(namespace, metadata.name, logLines));
        logs.push({ namespace, pod: metadata.name, text });
      }
    }
    return logs;
  });
}

/**
 * Reads the KubeProxyConfiguration in key `config.conf` of kubeadm's ConfigMap
 * kube-system/kube-proxy. Returns undefined for any other text.
 */
export function readKubeProxyConfig(text: string): KubeProxy | undefined {
  const document = readYaml('config.conf', Buffer.from(text), 'refused');
  if (!document.ok) return undefined;
  if (valueAt(document.value.value, ['kind']) !== 'KubeProxyConfiguration') return undefined;
  const mode = valueAt(document.value.value, ['mode']);
  const strictARP = valueAt(document.value.value, ['ipvs', 'strictARP']);
  return { mode: typeof mode === 'string' ? mode : '', strictARP: strictARP === true };
}
