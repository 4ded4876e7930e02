import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Kube, KubeObject } from '../kube.ts';
import { type ControlPlane, startControlPlane } from '../machines/control-plane.ts';
import type { Keeper, Running } from '../machines/keeper.ts';
import {
  applyManifest,
  type BgpMode,
  type MetallbVersion,
  startController,
  startSpeaker,
} from '../machines/metallb.ts';
import { programFolder } from '../programs/programs.ts';
import { setReady } from './pods.ts';
import { client, layWire, type Wire, type WireNode } from './wire.ts';

/** A cluster of two nodes on a wire, with MetalLB's speaker and kube-proxy on each. */
export interface WiredCluster {
  readonly plane: ControlPlane;
  readonly wire: Wire;
  readonly folder: string;
  /** What runs now. */
  readonly programs: readonly Running[];
  killSpeaker(node: WireNode['name']): Promise<void>;
  startSpeaker(node: WireNode['name']): Promise<void>;
  close(): Promise<void>;
}

/** Starts it and waits until MetalLB's webhooks answer. The API server listens where the client is. */
export async function startWiredCluster(
  keeper: Keeper,
  version: MetallbVersion,
  bgp: BgpMode = 'native',
): Promise<WiredCluster> {
  const folder = mkdtempSync(join(keeper.folder, 'wired-'));
  const wire = await layWire(keeper);
  const plane = await startControlPlane(keeper, join(folder, 'plane'), client.ipv4);
  const place = { keeper, plane, folder: join(folder, 'metallb'), version, bgp };
  for (const node of wire.nodes) await addNode(plane, node);
  await applyManifest(place);
  const controller = await startController(place);
  const proxies = await Promise.all(wire.nodes.map((node) => startProxy(plane, node)));
  const speakers = new Map<string, Running>();
  const start = async ({ name, namespace, ipv4 }: WireNode): Promise<void> => {
    const speaker = await startSpeaker(place, { keeper: namespace, node: name, address: ipv4 });
    speakers.set(name, speaker);
  };
  for (const node of wire.nodes) await start(node);
  const programs = () => [controller, ...proxies, ...speakers.values()];
  return {
    plane,
    wire,
    folder,
    get programs() {
      return programs();
    },
    async killSpeaker(name) {
      await speakers.get(name)?.stop('SIGKILL');
      speakers.delete(name);
      await endPod(plane.kube, name);
    },
    async startSpeaker(name) {
      for (const node of wire.nodes) if (node.name === name) await start(node);
    },
    async close() {
      await Promise.all(programs().map((program) => program.stop('SIGKILL')));
      await plane.stop();
      await wire.close();
    },
  };
}

/** Says that the speaker's pod of a node is not ready, as its kubelet would. */
async function endPod(kube: Kube, node: WireNode['name']): Promise<void> {
  const pods = await kube.list('v1', 'Pod');
  const found = pods.find(
    ({ metadata: { labels = {} }, spec }) =>
      labels.component === 'speaker' && spec.nodeName === node,
  );
  if (found) await setReady(kube, found, false);
}

/** A node as its kubelet would register it. */
async function addNode({ kube }: ControlPlane, { name, ipv4, ipv6 }: WireNode): Promise<void> {
  const node = nodeNamed(name);
  await kube.apply(node);
  const addresses = [ipv4, ipv6].map((address) => ({ type: 'InternalIP', address }));
  const conditions = [{ type: 'Ready', status: 'True' }];
  await kube.merge(node, { status: { addresses, conditions } }, '/status');
}

/** The Node of a name. */
export function nodeNamed(name: WireNode['name']): KubeObject {
  const labels = {
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': name,
  };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } };
}

function startProxy({ kubeconfig }: ControlPlane, { name, namespace }: WireNode): Promise<Running> {
  return namespace.start({
    name: `kube-proxy-${name}`,
    command: join(programFolder('kube-proxy'), 'kube-proxy'),
    args: [
      `--kubeconfig=${kubeconfig}`,
      `--hostname-override=${name}`,
      '--proxy-mode=nftables',
      // These settings are of the whole machine, so kube-proxy leaves them unchanged.
      '--conntrack-max-per-core=0',
      '--conntrack-tcp-timeout-established=0s',
      '--conntrack-tcp-timeout-close-wait=0s',
    ],
  });
}
