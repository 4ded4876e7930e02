import { type LiveObject, liveObjectName, textAt } from '../../../../../core/model/live.ts';
import type { Layout } from '../../../../../core/model/planes.ts';
import type { Pool } from '../../../../../core/model/pools.ts';
import { valueAt } from '../../../../../core/text/message-text.ts';
import { readYaml } from '../../../../../core/text/yaml/yaml-document.ts';
import { type Fact, listed, type Objects } from '../../../../../lib/kubernetes/doctor-checks.ts';
import type { LiveCluster } from '../../../../../lib/kubernetes/live-cluster.ts';
import type { CommonFacts, Expected } from '../../../doctor/facts.ts';
import { isLabelled } from '../../../live/object-state.ts';
import { overlappingPools, ownRanges } from '../../../live/pool-overlap.ts';
import { servicesIn } from '../../../live/snapshot.ts';
import { metallbPools } from '../metallb.ts';
import { announceFailures } from '../metallb-events.ts';
import { refusedConfigurations } from '../metallb-findings.ts';
import { limitedRanges } from './announcing.ts';
import { refusedPool } from './configuration.ts';
import type { KubeProxy, MetalLBFacts } from './facts.ts';

/** Namespaces that exist in every cluster. */
const systemNamespace = 'kube-system';
const anyNamespace = 'default';

/** Reads what the checks of MetalLB need beside the common facts, one request at a time. */
export async function gatherFacts(
  live: LiveCluster,
  common: CommonFacts,
  { cluster, pools, written }: Expected,
): Promise<MetalLBFacts> {
  const { namespace, layout } = cluster.plane;
  const { namespaces, services } = common;
  const addressPools = await listed(live, 'addressPool', namespace);
  return {
    ...common,
    addressPools,
    daemonSets: await listed(live, 'daemonSet', namespace),
    pods: await listed(live, 'pod', namespace),
    interfaceFailures: await interfaceFailuresOf(live, pools, services),
    kubeProxy: await kubeProxyOf(live),
    webhooks: await listed(live, 'webhook'),
    // Only to learn whether the kinds are served: the namespace has no such objects.
    l2Advertisements: await listed(live, 'l2Advertisement', anyNamespace),
    bgpAdvertisements: await listed(live, 'bgpAdvertisement', anyNamespace),
    dryRun: await dryRunOf(live, namespace, { namespaces, addressPools }),
    refusedConfigurations: await refusedOf(live, namespace),
    ...poolFacts(pools, layout, { pools: addressPools, services, written }),
  };
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
  { namespaces, addressPools }: Pick<MetalLBFacts, 'namespaces' | 'addressPools'>,
): Promise<MetalLBFacts['dryRun']> {
  const isServed = !addressPools.known || addressPools.value !== undefined;
  const isThere =
    !namespaces.known || namespaces.value?.some(({ metadata }) => metadata.name === namespace);
  return isServed && isThere ? live.dryRun('addressPool', refusedPool(namespace)) : undefined;
}

async function refusedOf(
  live: LiveCluster,
  namespace: string,
): Promise<MetalLBFacts['refusedConfigurations']> {
  const states = await listed(live, 'configurationState', namespace);
  if (!states.known) return states;
  return { known: true, value: states.value && refusedConfigurations(states.value) };
}

/** Asks for events only when a Service has an address of a pool that is limited to interfaces. */
async function interfaceFailuresOf(
  live: LiveCluster,
  pools: readonly Pool[],
  services: Objects,
): Promise<MetalLBFacts['interfaceFailures']> {
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
): Pick<MetalLBFacts, 'takenOver' | 'overlaps'> {
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
    metallbPools,
  );
  const services = live.services.known ? (live.services.value ?? []) : undefined;
  return {
    takenOver: takenOver.map((object) => liveObjectName('addressPool', object)),
    overlaps: { known: true, value: overlappingPools(unmanaged, own, services, metallbPools) },
  };
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
