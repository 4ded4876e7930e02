import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kube, KubeObject } from '../kube.ts';
import { objectsIn } from '../manifests.ts';
import { programFolder } from '../programs/programs.ts';
import { until } from '../wait.ts';
import type { ControlPlane } from './control-plane.ts';
import { isFree } from './free-port.ts';
import type { Keeper, Running } from './keeper.ts';
import { accountConfig, metallbNamespace, podOf } from './metallb-pods.ts';

/** The MetalLB versions that the suite runs. */
export const metallbVersions = ['0.13.9', '0.14.9', '0.16.1'] as const;

/** A MetalLB version that the suite runs. */
export type MetallbVersion = (typeof metallbVersions)[number];

/** MetalLB's own programs at work on a control plane, as the accounts that its manifest makes. */
export interface Metallb {
  readonly programs: readonly Running[];
  /** Ends the controller with a signal; it then neither answers webhooks nor hands out addresses. */
  stopController(signal: NodeJS.Signals): Promise<void>;
  /** Starts the controller again, and waits until its webhooks answer. */
  startController(): Promise<void>;
  /** Replaces it by another version, as `kubectl apply` of that version's manifest does. Its webhooks answer then. */
  become(version: MetallbVersion): Promise<void>;
  /** What the controller logged. */
  controllerLog(): string;
  /** What the speaker logged. */
  speakerLog(): string;
  stop(): Promise<void>;
}

const node = 'node-a';
/** The one node: where the cluster puts the speaker's pod. */
export const theNode: KubeObject = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: node, labels: { 'kubernetes.io/os': 'linux' } },
};
/** MetalLB's webhooks listen there, and only there: one MetalLB at a time on a machine. */
const webhookPort = 9443;

/** Where one MetalLB is installed. */
interface Place {
  readonly keeper: Keeper;
  readonly plane: ControlPlane;
  readonly folder: string;
  readonly version: MetallbVersion;
  /** What speaks BGP: the speaker itself, unless told otherwise. */
  readonly bgp?: BgpMode | undefined;
}

/** What speaks BGP for MetalLB. */
export type BgpMode = 'native' | 'frr-k8s';

/** Where one speaker runs. */
export interface SpeakerPlace {
  /** What starts its program. */
  readonly keeper: Pick<Keeper, 'start'>;
  /** The name of its node. */
  readonly node: string;
  /** The address at which it finds the other speakers. Without one it is alone, and announces nothing by L2. */
  readonly address?: string | undefined;
}

/**
 * Applies MetalLB's published manifest and runs its controller, and a speaker on {@link theNode}. The API server finds the webhooks
 * through the manifest's own Service, which here leads to loopback; the certificates are those that the
 * controller makes, put where a kubelet would.
 */
export async function startMetallb(begun: Place): Promise<Metallb> {
  let place = begun;
  await applyManifest(place);
  await place.plane.kube.apply(theNode);
  let controller = await startController(place);
  let speaker = await startSpeaker(place, { keeper: place.keeper, node });
  return {
    get programs() {
      return [controller, speaker];
    },
    stopController: (signal) => controller.stop(signal),
    async startController() {
      controller = await startController(place);
    },
    async become(version) {
      place = { ...place, version };
      await Promise.all([controller.stop('SIGTERM'), speaker.stop('SIGTERM')]);
      await applyManifest(place);
      // No kubelet ends the pods of the version before.
      const pods = `/api/v1/namespaces/${metallbNamespace}/pods?gracePeriodSeconds=0`;
      await place.plane.kube.send('DELETE', pods);
      controller = await startController(place);
      speaker = await startSpeaker(place, { keeper: place.keeper, node });
    },
    controllerLog: () => controller.log(),
    speakerLog: () => speaker.log(),
    async stop() {
      await Promise.all([controller.stop('SIGKILL'), speaker.stop('SIGKILL')]);
    },
  };
}

/** Applies the manifest that MetalLB publishes with its version. */
export async function applyManifest({ plane, version, bgp = 'native' }: Place): Promise<void> {
  const folder = programFolder(bgp === 'native' ? `metallb-${version}` : `metallb-${bgp}`);
  const manifest = readFileSync(join(folder, `metallb-${bgp}.yaml`), 'utf8');
  for (const object of objectsIn(manifest)) {
    if (object.metadata.name !== unserved) await plane.kube.apply(reachable(object));
  }
}

/** The webhooks of frr-k8s, whose server the suite does not run: they would refuse what the speakers write. */
const unserved = 'frr-k8s-validating-webhook-configuration';

/** The same object, with the webhooks' Service leading to loopback. */
function reachable(object: KubeObject): KubeObject {
  if (object.kind === 'Service') {
    const spec = { type: 'ExternalName', externalName: '127.0.0.1' };
    return { ...object, spec };
  }
  const text = JSON.stringify(object, (_, value) =>
    value?.service?.path ? { ...value, service: { ...value.service, port: webhookPort } } : value,
  );
  return JSON.parse(text);
}

/** Starts MetalLB's controller, and waits until its webhooks answer. */
export async function startController(place: Place): Promise<Running> {
  const { keeper, plane, folder, version, bgp = 'native' } = place;
  // The webhook server reads its certificates below TMPDIR, wherever --cert-dir points.
  const certificates = join(folder, 'k8s-webhook-server/serving-certs');
  mkdirSync(certificates, { recursive: true });
  await until(async () => ((await isFree(webhookPort)) ? true : undefined), {
    what: `port ${webhookPort}, which another MetalLB on this machine has`,
    within: 600_000,
  });
  const controller = await keeper.start({
    name: 'metallb-controller',
    command: join(programFolder(`metallb-${version}`), 'controller'),
    args: [
      '--port=0',
      `--namespace=${metallbNamespace}`,
      `--cert-dir=${certificates}`,
      `--cert-service-name=${version === '0.13.9' ? 'webhook-service' : 'metallb-webhook-service'}`,
      ...(version === '0.16.1' ? ['--health-probe-port=0'] : []),
    ],
    env: {
      KUBECONFIG: await accountConfig(plane, 'controller'),
      METALLB_BGP_TYPE: bgp,
      METALLB_POD_NAME: await podOf(plane, 'component=controller', { node }),
      TMPDIR: folder,
    },
  });
  await mountCertificates(plane.kube, certificates, version, controller);
  await until(() => isGuarded(plane.kube), {
    what: 'answering webhooks of MetalLB',
    programs: [controller],
  });
  return controller;
}

/** Starts a speaker as the pod that the cluster made for its node. */
export async function startSpeaker(
  { plane, version, bgp = 'native' }: Place,
  { keeper, node, address }: SpeakerPlace,
): Promise<Running> {
  return keeper.start({
    name: `metallb-speaker-${node}`,
    command: join(programFolder(`metallb-${version}`), 'speaker'),
    args: [
      '--port=0',
      `--namespace=${metallbNamespace}`,
      `--node-name=${node}`,
      ...(version === '0.16.1' ? ['--health-probe-port=0'] : []),
    ],
    env: {
      KUBECONFIG: await accountConfig(plane, 'speaker'),
      METALLB_BGP_TYPE: bgp,
      METALLB_HOST: address ?? '127.0.0.1',
      METALLB_POD_NAME: await podOf(plane, 'component=speaker', { node, address }),
      ...(address ? { METALLB_ML_BIND_ADDR: address, METALLB_ML_LABELS: 'component=speaker' } : {}),
    },
  });
}

/** Adds a node, and says that the speaker's pod that the cluster makes for it is ready: its program does not run. */
export async function addSilentNode(plane: ControlPlane, name: string): Promise<void> {
  await plane.kube.apply({ ...theNode, metadata: { ...theNode.metadata, name } });
  await podOf(plane, 'component=speaker', { node: name });
}

/** What the kubelet does: the secret's keys become files. */
async function mountCertificates(
  kube: Kube,
  folder: string,
  version: MetallbVersion,
  controller: Running,
): Promise<void> {
  const name = version === '0.13.9' ? 'webhook-server-cert' : 'metallb-webhook-cert';
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: metallbNamespace },
  };
  const data = await until(
    async () => {
      const found = (await kube.get(secret))?.data;
      return found?.['tls.crt'] && found['tls.key'] && found['ca.crt'] ? found : undefined;
    },
    { what: "the certificates of MetalLB's webhooks", programs: [controller] },
  );
  for (const [key, value] of Object.entries<string>(data)) {
    writeFileSync(join(folder, `${key}.new`), Buffer.from(value, 'base64'));
    renameSync(join(folder, `${key}.new`), join(folder, key));
  }
}

/** True once a pool that MetalLB cannot mean is refused by MetalLB's own webhook. */
async function isGuarded(kube: Kube): Promise<true | undefined> {
  const nonsense: KubeObject = {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name: 'nonsense', namespace: metallbNamespace },
    spec: { addresses: ['192.0.2.0/24', '192.0.2.128/25'] },
  };
  try {
    await kube.apply(nonsense, { dryRun: true });
  } catch (error) {
    if (error instanceof Error && /overlap/.test(error.message)) return true;
    throw error;
  }
  throw new Error('a pool that overlaps itself was accepted');
}
