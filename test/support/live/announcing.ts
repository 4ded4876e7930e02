import type { Applied } from './applied-objects.ts';
import { goldenCase, saidOf, verificationOf } from './verification.ts';

/** The namespace of the Service in the golden case `dual-stack`. */
export const namespace = '17053lb4ill84441qf1rsnsn520p1tpg51erht9bp03gk';

/** That Service, as verify names it. */
export const service = `Service ${namespace}/app-ip-443-tcp`;

/** What is said of the only claim of a case, after a change to a cluster where all is well. */
export async function saidAfter(
  change: (objects: Applied) => void,
  of = 'dual-stack',
): Promise<readonly string[]> {
  return saidOf(await verificationOf(goldenCase(of), change), 443);
}

/** Adds a second node, with a ready speaker. */
export function addNode({ node, pod }: Applied, labels: Record<string, string> = {}): void {
  node.push({ metadata: { name: 'node-b', labels } });
  const speaker = structuredClone(pod[0]!);
  Object.assign(speaker.metadata, { name: 'speaker-b', uid: 'uid-node-b' });
  speaker.spec.nodeName = 'node-b';
  pod.push(speaker);
}

/** Has the speaker on another node announce the Services. */
export function announceFrom({ serviceL2Status }: Applied, node: string): void {
  for (const one of serviceL2Status) {
    one.metadata.labels['metallb.io/node'] = node;
    one.metadata.ownerReferences = [{ kind: 'Pod', name: node, uid: `uid-${node}` }];
    one.status.node = node;
  }
}

/** Limits all advertisements to nodes, or to interfaces. */
export function limit({ l2Advertisement }: Applied, spec: object): void {
  for (const one of l2Advertisement) Object.assign(one.spec, spec);
}

/** Runs another version of the speakers, with arguments. */
export function run({ daemonSet }: Applied, tag: string, args: readonly string[] = []): void {
  const [container] = daemonSet[0]!.spec.template.spec.containers;
  Object.assign(container, { image: `quay.io/metallb/speaker:${tag}`, args });
}

/** What is said where nothing tells whether MetalLB announces the Service. */
export const untold = (version: string) =>
  `unknown: ${service} MetalLB ${version} writes no ServiceL2Status here: whether it announces the address is not known`;
