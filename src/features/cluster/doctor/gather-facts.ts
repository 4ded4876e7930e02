import type { LiveKind } from '../../../core/model/kinds.ts';
import type { LiveObject } from '../../../core/model/live.ts';
import { type Fact, factOf, listed, type Objects } from '../../../lib/kubernetes/doctor-checks.ts';
import type { LiveCluster } from '../../../lib/kubernetes/live-cluster.ts';
import { isRunningAkashOperator, podsOf } from '../akash-operator.ts';
import { providersIn } from './akash-provider.ts';
import type { CommonFacts, PodLog } from './facts.ts';

/** Lines of a log that are read. A waiting provider asks the operator every two seconds. */
const logLines = 200;

/** A namespace that exists in every cluster. */
const anyNamespace = 'default';

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

function runningOperators(deployments: Objects): CommonFacts['operators'] {
  if (!deployments.known) return deployments;
  return { known: true, value: (deployments.value ?? []).filter(isRunningAkashOperator) };
}

async function logsOf(
  live: LiveCluster,
  operators: CommonFacts['operators'],
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
