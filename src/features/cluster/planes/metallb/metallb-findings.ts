import { annotationPrefix } from '../../../../core/manifests/planes/metallb/pinning.ts';
import {
  type LiveObject,
  liveObjectName,
  textAt,
  type WantedObject,
} from '../../../../core/model/live.ts';
import { compareText } from '../../../../core/model/order.ts';
import { firstMetalLB, isSince, type Plane } from '../../../../core/model/planes.ts';
import { planeField } from '../../../../core/model/pools.ts';
import { fewOf } from '../../../../core/model/problem.ts';
import { sparingCommand } from '../../../../lib/kubernetes/metallb-webhooks.ts';
import { metalLBIn, runningRelease } from '../../../../lib/kubernetes/metallb-workload.ts';
import type { Desired } from '../../desired.ts';
import type { Snapshot } from '../../live/snapshot.ts';
import type { ClusterFinding } from '../../verification-answer.ts';
import { refusalOf } from './bgp-sessions.ts';

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
