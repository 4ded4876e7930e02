import { type LiveKind, type LiveObject, objectName } from '../../model/live.ts';
import { type Cluster, type Layout, type Pool, type Pools, poolsIn } from '../../model/pools.ts';
import { DeniedError } from '../../model/problem.ts';
import { textAt } from '../../model/unstructured.ts';
import type { LiveCluster } from '../../ports/live-cluster.ts';
import type { Diagnosis, Finding } from './diagnosis-answer.ts';
import { providersIn } from './doctor/akash-provider.ts';
import { findingsOf } from './doctor/checks.ts';
import type { Answer, Expected, Facts, Objects, PodLog } from './doctor/facts.ts';
import type { KubeProxy } from './doctor/kube-proxy.ts';
import { beyondNativeBGP } from './doctor/metallb-bgp.ts';
import { podsOf } from './doctor/operator-pods.ts';
import { refusedPool } from './doctor/webhook.ts';
import { readKubeProxyConfig } from './kube-proxy-config.ts';
import { isRunningAkashOperator } from './live/akash-operator.ts';
import { isLabelled } from './live/left-over.ts';
import { refusedConfigurations } from './live/metallb-state.ts';
import { overlappingPools, ownRanges } from './live/pool-overlap.ts';

/** How much of a log is looked at: a provider that waits asks every two seconds. */
const logLines = 200;

/** Namespaces that Kubernetes makes itself. */
const systemNamespace = 'kube-system';
const anyNamespace = 'default';

/**
 * Whether a live cluster can do the job that the pool file gives it. Asks one thing after the other and
 * changes nothing: the one request with a writing verb is a dry run. What its RBAC denies is a finding
 * of level `unknown`; every other refusal is an EnvironmentError. `written` are the names of the IPAddressPools that
 * `dist/` has for the cluster: live ones of these names are taken over by the first sync.
 */
export async function diagnose(
  live: LiveCluster,
  pools: Pools,
  cluster: Cluster,
  written: ReadonlySet<string>,
): Promise<Diagnosis> {
  const own = poolsIn(pools, cluster.name);
  const kinds = new Set(own.map(({ advertise }) => advertise.kind));
  const expected: Expected = {
    cluster,
    advertises: { l2: kinds.has('l2'), bgp: kinds.has('bgp') },
    beyondNative: beyondNativeBGP(own),
    leasedIPs: pools.emit.providerLeasedIP,
    networkPolicies:
      cluster.naming === 'akash' && own.some(hasIPv6) ? pools.emit.networkPolicies : undefined,
  };
  const findings = findingsOf(await factsOf(live, pools, cluster, written), expected);
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Diagnosis',
    cluster: cluster.name,
    asked: live.name,
    ok: findings.every((finding) => finding.level !== 'problem' && !isToBeKnown(finding)),
    findings,
  };
}

function hasIPv6({ ranges }: Pool): boolean {
  return ranges.some(({ from }) => from.family === 'ipv6');
}

/** True for a finding that is unknown and could be known, mostly with a permission. What nothing tells does not fail the diagnosis. */
function isToBeKnown({ level, fix }: Finding): boolean {
  return level === 'unknown' && fix !== undefined;
}

async function factsOf(
  live: LiveCluster,
  pools: Pools,
  cluster: Cluster,
  written: ReadonlySet<string>,
): Promise<Facts> {
  const { namespace } = cluster.metallb;
  const version = await live.version();
  const namespaces = await list(live, 'namespace');
  const deployments = await list(live, 'deployment');
  const statefulSets = await list(live, 'statefulSet');
  const addressPools = await list(live, 'addressPool', namespace);
  const workloads = { deployments, statefulSets };
  const providers = [...new Set(providersIn(workloads).map((provider) => provider.namespace))];
  const operators = runningOperators(deployments);
  return {
    version,
    namespaces,
    ...workloads,
    addressPools,
    daemonSets: await list(live, 'daemonSet', namespace),
    kubeProxy: await kubeProxyOf(live),
    webhooks: await list(live, 'webhook'),
    // Only whether these are served: the namespace that is asked for has none.
    l2Advertisements: await list(live, 'l2Advertisement', anyNamespace),
    bgpAdvertisements: await list(live, 'bgpAdvertisement', anyNamespace),
    leasedIPs: await list(live, 'leasedIP', anyNamespace),
    dryRun: await dryRunOf(live, namespace, { namespaces, addressPools }),
    refusedConfigurations: await refusedOf(live, namespace),
    ...poolFacts(poolsIn(pools, cluster.name), cluster.metallb.layout, {
      pools: addressPools,
      services: await list(live, 'service'),
      written,
    }),
    operators,
    operatorLogs: await logsOf(live, operators),
    providerConfigs: await listIn(live, 'configMap', providers),
    endpointSlices: await listIn(live, 'endpointSlice', providers),
  };
}

/** The answer to a question, or why it may not be asked. */
async function ask<Value>(question: () => Promise<Value>): Promise<Answer<Value>> {
  try {
    return { known: true, value: await question() };
  } catch (failure) {
    if (failure instanceof DeniedError) {
      return { known: false, reason: `${failure.user} may not ${failure.request}` };
    }
    throw failure;
  }
}

function list(live: LiveCluster, kind: LiveKind, namespace?: string): Promise<Objects> {
  return ask(() => live.list(kind, namespace));
}

/** The objects of some namespaces, one after the other. */
function listIn(
  live: LiveCluster,
  kind: LiveKind,
  namespaces: readonly string[],
): Promise<Objects> {
  return ask(async () => {
    const found: (readonly LiveObject[])[] = [];
    for (const namespace of namespaces) found.push((await live.list(kind, namespace)) ?? []);
    return found.flat();
  });
}

async function kubeProxyOf(live: LiveCluster): Promise<Answer<KubeProxy | undefined>> {
  const configs = await list(live, 'configMap', systemNamespace);
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
  const states = await list(live, 'configurationState', namespace);
  if (!states.known) return states;
  return { known: true, value: states.value && refusedConfigurations(states.value) };
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

/** What is live of somebody else's pools: those that `dist/` takes over, and those in the way of ours. */
function poolFacts(
  pools: readonly Pool[],
  layout: Layout,
  live: LivePools,
): Pick<Facts, 'takenOver' | 'overlaps'> {
  if (!live.pools.known) return { takenOver: [], overlaps: live.pools };
  const all = live.pools.value ?? [];
  const others = all.filter((object) => !isLabelled({ object }));
  const isTakenOver = (object: LiveObject) => live.written.has(objectName('addressPool', object));
  const takenOver = others.filter(isTakenOver);
  const foreign = others.filter((object) => !isTakenOver(object));
  const own = ownRanges(
    { pools },
    layout,
    all.filter((object) => !foreign.includes(object)),
  );
  const services = live.services.known ? (live.services.value ?? []) : undefined;
  return {
    takenOver: takenOver.map((object) => objectName('addressPool', object)),
    overlaps: { known: true, value: overlappingPools(foreign, own, services) },
  };
}

async function logsOf(
  live: LiveCluster,
  operators: Facts['operators'],
): Promise<Answer<readonly PodLog[]>> {
  return ask(async () => {
    const logs: PodLog[] = [];
    for (const operator of operators.known ? operators.value : []) {
      const { namespace = '' } = operator.metadata;
      const pods = podsOf(operator, (await live.list('pod', namespace)) ?? []);
      for (const { metadata } of pods) {
        const text = await ask(() => live.log(namespace, metadata.name, logLines));
        logs.push({ namespace, pod: metadata.name, text });
      }
    }
    return logs;
  });
}
