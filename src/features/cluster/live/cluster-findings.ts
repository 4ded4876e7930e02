import { annotationPrefix } from '../../../core/manifests/planes/metallb/pinning.ts';
import { type LiveKind, liveKinds } from '../../../core/model/kinds.ts';
import {
  type LiveObject,
  liveObjectName,
  textAt,
  type WantedObject,
} from '../../../core/model/live.ts';
import { compareText } from '../../../core/model/order.ts';
import { firstMetalLB, isSince, type Plane } from '../../../core/model/planes.ts';
import { planeField } from '../../../core/model/pools.ts';
import { fewOf } from '../../../core/model/problem.ts';
import { sparingCommand } from '../../../lib/kubernetes/metallb-webhooks.ts';
import { metalLBIn, runningRelease } from '../../../lib/kubernetes/metallb-workload.ts';
import type { Desired } from '../desired.ts';
import type { ClusterFinding, Verification, VerifiedClaim } from '../verification-answer.ts';
import { refusalOf } from './bgp-sessions.ts';
import type { Snapshot } from './snapshot.ts';

/** A finding for each kind of object that `dist/` has and the cluster does not serve. */
export function unservedKinds(objects: Iterable<WantedObject>, live: Snapshot): ClusterFinding[] {
  const kinds = new Set([...objects].map(({ kind }) => kind));
  return [...kinds]
    .filter((kind) => !live.kinds.has(kind))
    .map((kind) => ({
      object: liveKinds[kind].kind,
      message: `the cluster does not serve ${liveKinds[kind].apiVersion} ${liveKinds[kind].plural}`,
      hint:
        hints[liveKinds[kind].group] ??
        'check that this is the right cluster: every cluster serves this kind',
    }));
}

const hints: Readonly<Record<(typeof liveKinds)[LiveKind]['group'], string | undefined>> = {
  'metallb.io': `install MetalLB ${firstMetalLB.supported} or later`,
  'frrk8s.metallb.io': undefined,
  'cilium.io': undefined,
  'akash.network':
    "apply the Akash provider's CRDs, or set emit.providerLeasedIP and emit.providerHost to false in leases/pools.yaml and run `leasehold synth`",
  'externaldns.k8s.io':
    "apply external-dns's CRDs, or set emit.dnsEndpoints to false in leases/pools.yaml and run `leasehold synth`",
  'admissionregistration.k8s.io': 'layout: pool needs Kubernetes 1.31 or later',
  'gateway.networking.k8s.io':
    'install the CRDs of the Gateway API, or set routes of the cluster to kind: Ingress in leases/pools.yaml and run `leasehold synth`',
  'gateway.nginx.org':
    'install NGINX Gateway Fabric 2.4 or later, or remove the HTTP options of the hostnames and run `leasehold synth`',
  'discovery.k8s.io': undefined,
  'storage.k8s.io': undefined,
  'networking.k8s.io': undefined,
  apps: undefined,
  '': undefined,
};

/**
 * A finding for each error for which MetalLB components reject their configuration; they keep using
 * the last valid one. MetalLB 0.15.3 and later has a ConfigurationState for the controller and for
 * each speaker.
 */
export function refusedConfigurations(states: readonly LiveObject[]): ClusterFinding[] {
  const refused = states.filter((state) => textAt(state, 'status', 'result') === 'Invalid');
  return [...new Set(refused.map(errorOf))].map((error) => {
    const names = refused
      .filter((state) => errorOf(state) === error)
      .map((state) => liveObjectName('configurationState', state))
      .sort(compareText);
    const others = names.length === 1 ? '' : ` (reported by ${names.length} MetalLB components)`;
    return {
      object: names[0] ?? '',
      message: `MetalLB rejects its configuration and keeps using the last valid one: ${error}${others}`,
      hint: 'MetalLB validates all of its objects together, and does not always name the wrong one: correct or delete it, mostly what was changed last',
    };
  });
}

/** A finding for the nodes whose frr-k8s refuses its configuration: FRR does not get what MetalLB changes. */
export function refusedByFrr(nodeStates: readonly LiveObject[]): ClusterFinding[] {
  const refused = nodeStates.filter((state) => refusalOf(state) !== undefined);
  const [first] = refused;
  if (!first) return [];
  const names = fewOf(refused.map(({ metadata }) => metadata.name).sort(compareText), 3);
  return [
    {
      object: liveObjectName('frrNodeState', first),
      message: `frr-k8s on ${names} refuses its configuration, and FRR keeps the last valid one: ${refusalOf(first)}`,
      hint: 'frr-k8s merges all FRRConfigurations of a node: correct or delete the one that does not fit',
    },
  ];
}

/** A finding for nodes without a live speaker whose FRR goes on announcing. */
export function unledNodes(nodes: readonly string[], daemonSet: string): ClusterFinding[] {
  if (nodes.length === 0) return [];
  const [namespace, name] = daemonSet.split('/');
  return [
    {
      object: `DaemonSet ${daemonSet}`,
      message: `has no ready pod on ${fewOf(nodes, 3)}: FRR goes on announcing from there what it announced before, also addresses that are released since, and none that is new`,
      hint: `find out why the pods of the speakers are missing or not ready: \`kubectl -n ${namespace} describe daemonset ${name}\``,
    },
  ];
}

/** True when a running version of MetalLB ignores the annotations of the declared one. */
export function ignoresAnnotations(running: string, declared: Plane): boolean {
  return (
    declared.kind === 'metallb' &&
    !isSince(running, firstMetalLB.metallbIoAnnotations) &&
    annotationPrefix(declared) === 'metallb.io'
  );
}

/** A finding when the MetalLB that runs ignores the annotations of Services in `dist/`. */
export function unreadAnnotations(
  deployments: readonly LiveObject[],
  { cluster, claims }: Desired,
): ClusterFinding[] {
  const { plane } = cluster;
  const controller = metalLBIn(deployments, plane.namespace, 'controller');
  const running = runningRelease(deployments, plane.namespace) ?? plane.version;
  if (!controller || claims.length === 0 || !ignoresAnnotations(running, plane)) return [];
  return [
    {
      object: liveObjectName('deployment', controller),
      message: `is MetalLB ${running}, which ignores the metallb.io/ annotations of version ${plane.version} in leases/pools.yaml: Services that share an address, or have two, can lose them`,
      hint: `upgrade MetalLB to ${plane.version}; or set ${planeField(cluster, 'version')}: ${running} in leases/pools.yaml, run \`leasehold synth\`, and once that is applied restart the controller: \`${restarting(controller)}\``,
    },
  ];
}

/** Advice when MetalLB gives a Service neither an address nor a reason; undefined without a controller. */
export function restartHint(
  deployments: readonly LiveObject[],
  { cluster: { plane } }: Desired,
): string | undefined {
  const controller = metalLBIn(deployments, plane.namespace, 'controller');
  return (
    controller && `if this lasts for minutes, restart its controller: \`${restarting(controller)}\``
  );
}

function restarting({ metadata: { namespace, name } }: LiveObject): string {
  return `kubectl -n ${namespace} rollout restart deployment ${name}`;
}

/**
 * A note when the cluster is partly at another commit, with no finding that explains it: an engine
 * can be stuck and still report success.
 */
export function otherCommit({
  claims,
  objects,
  findings,
}: Pick<Verification, 'claims' | 'objects' | 'findings'>): readonly string[] {
  const isLacking = ({ state }: VerifiedClaim) => state === 'not applied';
  const isPartial = claims.some(isLacking) || objects.some(({ state }) => state === 'left over');
  if (!isPartial || findings.length > 0 || claims.every(isLacking)) return [];
  return [
    'objects are missing or left over: if Argo CD or Flux reports that this commit is applied, restart it; after a restore of etcd, restart MetalLB too',
  ];
}

/** A note when another version of MetalLB runs than the declared one. */
export function otherRelease(
  deployments: readonly LiveObject[],
  { cluster: { plane } }: Desired,
): readonly string[] {
  const running = runningRelease(deployments, plane.namespace) ?? plane.version;
  if (running === plane.version) return [];
  return [
    `MetalLB ${running} runs, but leases/pools.yaml declares ${plane.version}: \`leasehold doctor\` names the next step`,
  ];
}

/**
 * With `layout: both`, a finding when a pool of one layout is missing: MetalLB's webhooks refuse it
 * beside those of the other unless they leave it out.
 */
export function missingPools(objects: Iterable<WantedObject>, live: Snapshot): ClusterFinding[] {
  const missing = [...objects].filter(
    ({ kind, name }) => kind === 'addressPool' && !live.get(name),
  );
  const [first] = missing;
  if (!first) return [];
  const are = missing.length === 1 ? 'is' : `and ${missing.length - 1} more are`;
  return [
    {
      object: first.name,
      message: `${are} not applied: MetalLB's webhooks refuse it beside the pools of the former layout unless they leave out leasehold's objects, the first step of \`leasehold migrate-layout\``,
      hint: `delete no pool; run this, and let the engine sync again: ${sparingCommand()}`,
    },
  ];
}

/** True for the rejection of pools that overlap. MetalLB: config.go poolsFor. */
export function isOverlap({ message }: ClusterFinding): boolean {
  return message.includes('overlaps with already defined CIDR');
}

function errorOf(state: LiveObject): string {
  return textAt(state, 'status', 'errorSummary')?.trim() || 'no reason given';
}
