import { type LiveObject, numberAt } from '../../../../../core/model/live.ts';
import { type Cluster, planeField } from '../../../../../core/model/pools.ts';
import { objectsOf, unknown } from '../../../../../lib/kubernetes/doctor-checks.ts';
import { isMetalLB, metalLBIn } from '../../../../../lib/kubernetes/metallb-workload.ts';
import type { Finding } from '../../../diagnosis-answer.ts';
import { isTenantWorkload } from '../../../doctor/facts.ts';
import type { MetalLBCheck } from './facts.ts';

/** METALLB_NAMESPACE. */
export const checkMetalLBNamespace: MetalLBCheck = ({ namespaces }, { cluster }) => {
  const code = 'METALLB_NAMESPACE';
  const { namespace } = cluster.plane;
  if (!namespaces.known) return [unknown(code, namespaces.reason)];
  if (namespaces.value?.some(({ metadata }) => metadata.name === namespace)) {
    return [{ level: 'ok', code, found: `the namespace ${namespace} exists` }];
  }
  return [
    {
      level: 'problem',
      code,
      found: `there is no namespace ${namespace}, which leases/pools.yaml declares for MetalLB`,
      means: 'MetalLB reads pools from its own namespace only',
      fix: `install MetalLB there, or set ${planeField(cluster, 'namespace')} in leases/pools.yaml and run \`leasehold synth\``,
    },
  ];
};

/** METALLB_CONTROLLER. */
export const checkController: MetalLBCheck = ({ deployments }, { cluster }) => {
  const code = 'METALLB_CONTROLLER';
  const { namespace } = cluster.plane;
  if (!deployments.known) return [unknown(code, deployments.reason)];
  const controller = metalLBIn(objectsOf(deployments), namespace, 'controller');
  if (!controller) return [controllerAbsent(objectsOf(deployments), cluster)];
  const name = `${namespace}/${controller.metadata.name}`;
  const ready = numberAt(controller, 'status', 'readyReplicas') ?? 0;
  if (ready > 0) return [{ level: 'ok', code, found: `MetalLB's controller ${name} runs` }];
  return [
    {
      level: 'problem',
      code,
      found: `MetalLB's controller ${name} has no ready pod`,
      means: 'no Service gets an address, and no pool can be applied while its webhook is down',
      fix: 'find out why its pods are not ready',
      command: `kubectl -n ${namespace} describe deployment ${controller.metadata.name}`,
    },
  ];
};

function controllerAbsent(deployments: readonly LiveObject[], cluster: Cluster): Finding {
  const elsewhere = otherNamespace(deployments);
  const { namespace } = cluster.plane;
  return {
    level: 'problem',
    code: 'METALLB_CONTROLLER',
    found:
      elsewhere === undefined
        ? `no MetalLB controller runs in ${namespace}`
        : `MetalLB runs in ${elsewhere}, but leases/pools.yaml declares ${namespace}`,
    means: 'MetalLB reads pools from its own namespace only, so no Service gets an address',
    fix:
      elsewhere === undefined
        ? `install MetalLB, or set ${planeField(cluster, 'namespace')} in leases/pools.yaml and run \`leasehold synth\``
        : declareNamespace(elsewhere, cluster),
  };
}

/** The namespace of a MetalLB controller anywhere in the cluster. */
function otherNamespace(deployments: readonly LiveObject[]): string | undefined {
  return deployments.find((one) => isMetalLB(one, 'controller') && !isTenantWorkload(one))?.metadata
    .namespace;
}

function declareNamespace(namespace: string, cluster: Cluster): string {
  return `set ${planeField(cluster, 'namespace')}: ${namespace} in leases/pools.yaml and run \`leasehold synth\``;
}

/** METALLB_SPEAKERS. */
export const checkSpeakers: MetalLBCheck = ({ daemonSets, deployments }, { cluster }) => {
  const code = 'METALLB_SPEAKERS';
  const { namespace } = cluster.plane;
  if (!daemonSets.known) return [unknown(code, daemonSets.reason)];
  const speakers = metalLBIn(objectsOf(daemonSets), namespace, 'speaker');
  const means = 'speakers announce the addresses: without them, no traffic arrives';
  if (!speakers) {
    const isHere = metalLBIn(objectsOf(deployments), namespace, 'controller') !== undefined;
    const elsewhere = isHere ? undefined : otherNamespace(objectsOf(deployments));
    const fix =
      elsewhere === undefined
        ? "install MetalLB's speakers (the chart's speaker.enabled)"
        : declareNamespace(elsewhere, cluster);
    const found = `there are no MetalLB speakers in ${namespace}`;
    return [{ level: 'problem', code, found, means, fix }];
  }
  const { name } = speakers.metadata;
  const wanted = numberAt(speakers, 'status', 'desiredNumberScheduled') ?? 0;
  const ready = numberAt(speakers, 'status', 'numberReady') ?? 0;
  const found = `${ready} of ${wanted} speakers are ready (${namespace}/${name})`;
  if (ready > 0 && ready >= wanted) return [{ level: 'ok', code, found }];
  return [
    {
      level: ready > 0 ? 'caution' : 'problem',
      code,
      found,
      means: ready > 0 ? 'addresses move to nodes with a ready speaker' : means,
      fix: 'find out why its pods are not ready',
      command: `kubectl -n ${namespace} describe daemonset ${name}`,
    },
  ];
};
