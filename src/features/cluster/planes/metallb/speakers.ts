import { type LiveObject, listAt, numberAt, textAt } from '../../../../core/model/live.ts';
import { firstMetalLB, isSince, skipsCordonedNodes } from '../../../../core/model/planes.ts';
import { fewOf } from '../../../../core/model/problem.ts';
import { containerOf, metalLBIn, releaseIn } from '../../../../lib/kubernetes/metallb-workload.ts';
import { podsOf } from '../../akash-operator.ts';
import type { AnnouncedBy } from '../../live/announced-by.ts';
import { anySelects } from '../../live/label-selector.ts';
import type { NoNode } from '../announcing.ts';

/** MetalLB's speakers in a cluster, which announce the addresses, one on each node. */
export interface Speakers {
  /** Their DaemonSet, as `namespace/name`. */
  readonly name: string;
  /** `major.minor.patch`, from the image; the declared version when the image does not tell. */
  readonly version: string;
  /** True with `--ignore-exclude-lb`. */
  readonly ignoresExclusion: boolean;
  /** The names of the nodes with a ready speaker; undefined when the pods do not tell. */
  readonly nodes: ReadonlySet<string> | undefined;
  /** When each ready speaker started, by its node; an empty text when its pod does not tell. */
  readonly started: ReadonlyMap<string, string>;
  /** The UIDs of the pods of ready speakers. */
  readonly pods: ReadonlySet<string>;
}

/** Objects of a namespace, and the MetalLB that the pool file declares in it. */
interface Installed {
  readonly daemonSets: readonly LiveObject[];
  /** Undefined when unknown. */
  readonly pods: readonly LiveObject[] | undefined;
  readonly metallb: { readonly namespace: string; readonly version: string };
}

/** The speakers of a cluster; undefined when MetalLB's namespace has no DaemonSet of them. */
export function speakersIn({ daemonSets, pods, metallb }: Installed): Speakers | undefined {
  const speakers = metalLBIn(daemonSets, metallb.namespace, 'speaker');
  if (!speakers) return undefined;
  const container = containerOf(speakers, 'speaker');
  const ready = pods && podsOf(speakers, pods).filter(isReady);
  const isNoneReady = (numberAt(speakers, 'status', 'numberReady') ?? 0) === 0;
  const nodes = new Set(ready?.flatMap((pod) => textAt(pod, 'spec', 'nodeName') ?? []));
  return {
    name: `${metallb.namespace}/${speakers.metadata.name}`,
    version: releaseIn(textAt(container, 'image') ?? '') ?? metallb.version,
    ignoresExclusion: listAt(container, 'args').some(
      (arg) => typeof arg === 'string' && /^--?ignore-exclude-lb(?:=(?:1|t|true))?$/i.test(arg),
    ),
    nodes: nodes.size > 0 || isNoneReady ? nodes : undefined,
    started: new Map(ready?.map((pod) => [textAt(pod, 'spec', 'nodeName') ?? '', startOf(pod)])),
    pods: new Set(ready?.flatMap((pod) => textAt(pod, 'metadata', 'uid') ?? [])),
  };
}

function startOf(pod: LiveObject): string {
  const own = listAt(pod, 'status', 'containerStatuses').find(
    (one) => textAt(one, 'name') === 'speaker',
  );
  return textAt(own, 'state', 'running', 'startedAt') ?? '';
}

/** True when a pod says that it is ready. */
export function isReady(pod: LiveObject): boolean {
  return listAt(pod, 'status', 'conditions').some(
    (one) => textAt(one, 'type') === 'Ready' && textAt(one, 'status') === 'True',
  );
}

/** A label of Kubernetes. kubeadm gives it to control planes, and so to each one-node cluster. */
const exclusion = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** An advertisement that selects nodes. A node must match one of its selectors. Without selectors it takes all nodes. */
export interface NodeChoice {
  /** Such as `L2Advertisement metallb-system/public`. */
  readonly name: string;
  readonly nodeSelectors: readonly unknown[];
}

/**
 * The names of the nodes that MetalLB can announce an address from, or why there are none. MetalLB:
 * speaker/layer2_controller.go and bgp_controller.go, ShouldAnnounce. `choices` are the
 * advertisements of the address, at least one; `announcedBy` names the fields that decide.
 */
export function announcingNodes(
  nodes: readonly LiveObject[],
  choices: readonly NodeChoice[],
  speakers: Speakers,
  announcedBy: AnnouncedBy,
): ReadonlySet<string> | NoNode {
  let remaining = nodes.filter(({ metadata }) =>
    choices.some(({ nodeSelectors }) => anySelects(nodeSelectors, metadata.labels)),
  );
  if (remaining.length === 0) return noneSelected(choices, announcedBy);
  for (const { allows, none } of conditionsOf(speakers)) {
    const before = remaining;
    remaining = remaining.filter(allows);
    if (remaining.length === 0)
      return none(fewOf(before.map(nameOfNode), 3), nameOfNode(before[0]));
  }
  return new Set(remaining.map(nameOfNode));
}

function nameOfNode(node: LiveObject | undefined): string {
  return node?.metadata.name ?? '';
}

function noneSelected(choices: readonly NodeChoice[], { nodeSelectors }: AnnouncedBy): NoNode {
  const names = fewOf(choices.map(({ name }) => name));
  return {
    reason: `no node matches the nodeSelectors of ${names}`,
    fix: `label a node so that they match, or change ${nodeSelectors} and run \`leasehold synth\``,
  };
}

/** A condition that a node must meet, and what to say when no node meets it. */
interface Condition {
  readonly allows: (node: LiveObject) => boolean;
  /** `nodes` names those that met the conditions before it, `first` one of them. */
  readonly none: (nodes: string, first: string) => NoNode;
}

/** The conditions of a version of MetalLB, in the order in which they are explained. */
function conditionsOf({ name, version, ignoresExclusion, nodes }: Speakers): Condition[] {
  const [namespace, daemonSet] = name.split('/');
  return [
    {
      allows: (node) => nodes?.has(nameOfNode(node)) ?? true,
      none: (names) => ({
        reason: `no MetalLB speaker is ready on ${names}`,
        fix: 'find out why the pods of the speakers are missing or not ready',
        command: `kubectl -n ${namespace} describe daemonset ${daemonSet}`,
      }),
    },
    {
      allows: ({ metadata }) =>
        ignoresExclusion ||
        !isSince(version, firstMetalLB.excludesNodes) ||
        !Object.hasOwn(metadata.labels ?? {}, exclusion),
      none: (names, first) => ({
        reason: `MetalLB does not announce from ${names}: the label ${exclusion} excludes every node that could`,
        fix: "remove the label from a node that should announce, or start the speakers with --ignore-exclude-lb (the chart's speaker.ignoreExcludeLB)",
        command: `kubectl label node ${first} ${exclusion}-`,
      }),
    },
    {
      allows: (node) =>
        !isSince(version, firstMetalLB.readsNodeConditions) || !isNetworkUnavailable(node),
      none: (names, first) => ({
        reason: `MetalLB does not announce from ${names}: every node that could has the condition NetworkUnavailable`,
        fix: 'find out why the network plugin does not run there',
        command: `kubectl describe node ${first}`,
      }),
    },
    {
      allows: ({ spec }) => version !== skipsCordonedNodes || Object(spec).unschedulable !== true,
      none: (names, first) => ({
        reason: `MetalLB ${version} does not announce from ${names}: every node that could is cordoned`,
        fix: 'uncordon a node, or use another version of MetalLB',
        command: `kubectl uncordon ${first}`,
      }),
    },
  ];
}

function isNetworkUnavailable(node: LiveObject): boolean {
  return listAt(node, 'status', 'conditions').some(
    (one) => textAt(one, 'type') === 'NetworkUnavailable' && textAt(one, 'status') === 'True',
  );
}
