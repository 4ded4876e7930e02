import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documented } from '../documented.ts';
import type { Kube, KubeObject } from '../kube.ts';
import { freePort } from '../machines/free-port.ts';
import type { Running } from '../machines/keeper.ts';
import { objectsIn } from '../manifests.ts';
import { programFolder } from '../programs/programs.ts';
import { until } from '../wait.ts';
import { type Engine, type Host, syncTime } from './engine.ts';

const namespace = 'flux-system';
const told = [documented('GitRepository'), documented('Kustomization')];

/** Flux's source-controller and kustomize-controller, at work on a repository or an artifact of a registry. */
export async function startFlux(
  machine: Host,
  url: string,
  printed: readonly KubeObject[] = told,
): Promise<Engine> {
  const { kube } = machine.plane;
  let objects: readonly KubeObject[] = [];
  const order = async (suspend: boolean): Promise<void> => {
    for (const one of kustomizations(objects)) await kube.apply(withTimes(one, suspend));
  };
  const turn = async (to: readonly KubeObject[], from: string): Promise<void> => {
    objects = to;
    for (const source of sources(objects)) await kube.apply(followed(source, from));
    await order(false);
  };
  for (const source of ['flux-source', 'flux-kustomize']) await applyDefinitions(kube, source);
  await kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const storage = await freePort();
  const programs = [
    await startController(machine, 'flux-source', 'source-controller', [
      `--storage-path=${machine.folder}`,
      `--storage-addr=127.0.0.1:${storage}`,
      `--storage-adv-addr=127.0.0.1:${storage}`,
    ]),
    await startController(machine, 'flux-kustomize', 'kustomize-controller', []),
  ];
  await turn(printed, url);
  return {
    programs,
    async complaint() {
      await reconcile(kube, sources(objects));
      const live = await Promise.all(objects.map((one) => kube.get(one)));
      const conditions = live.flatMap((one) => one?.status?.conditions ?? []);
      return conditions.map(({ message }: { readonly message: string }) => message).join('\n');
    },
    async synced(commit) {
      await reconcile(kube, sources(objects));
      await until(() => areAt(kube, objects, commit), {
        what: `Flux at ${commit}`,
        within: syncTime(objects),
        programs,
      });
    },
    turn,
    suspend: () => order(true),
    resume: () => order(false),
    stop: async () => void (await Promise.all(programs.map((program) => program.stop('SIGKILL')))),
  };
}

const kustomizations = (objects: readonly KubeObject[]): readonly KubeObject[] =>
  objects.filter(({ kind }) => kind === 'Kustomization');

const sources = (objects: readonly KubeObject[]): readonly KubeObject[] =>
  objects.filter(({ kind }) => kind !== 'Kustomization');

/** Asks the source-controller to look at its sources now. */
async function reconcile(kube: Kube, asked: readonly KubeObject[]): Promise<void> {
  const annotations = { 'reconcile.fluxcd.io/requestedAt': String(Date.now()) };
  for (const source of asked) await kube.merge(source, { metadata: { annotations } });
}

/** As printed, but for the time: the suite says when to look. A registry on loopback speaks http. */
function followed(source: KubeObject, url: string): KubeObject {
  const insecure = source.kind === 'OCIRepository' ? { insecure: true } : {};
  return { ...source, spec: { ...source.spec, interval: '1h', url, ...insecure } };
}

/**
 * As printed, but for times: the suite says when to look, and does not wait long for a second try.
 * A failed health check is in the status until the second try starts, so that takes longer than a pause of the tests.
 */
function withTimes(kustomization: KubeObject, suspend: boolean): KubeObject {
  const retryInterval = kustomization.spec.wait ? '10s' : '2s';
  const times = { interval: '1h', retryInterval, timeout: '30s' };
  return { ...kustomization, spec: { ...kustomization.spec, ...times, suspend } };
}

/** True once all have applied the commit and Flux calls them ready; what it says instead is thrown. */
async function areAt(kube: Kube, objects: readonly KubeObject[], commit: string): Promise<true> {
  for (const object of objects) {
    const { status, metadata } = (await kube.get(object)) ?? object;
    const ready = status?.conditions?.find(
      ({ type }: { readonly type: string }) => type === 'Ready',
    );
    const revision = status?.lastAppliedRevision ?? status?.artifact?.revision;
    const isHere = revision?.endsWith(commit) && status.observedGeneration === metadata.generation;
    if (isHere && ready?.status === 'True') continue;
    throw new Error(`Flux: ${metadata.name}: ${ready?.message ?? JSON.stringify(status ?? {})}`);
  }
  return true;
}

async function applyDefinitions(kube: Kube, source: string): Promise<void> {
  const folder = programFolder(source);
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
    for (const object of objectsIn(readFileSync(join(folder, file), 'utf8'))) {
      await kube.apply(object);
    }
  }
}

async function startController(
  machine: Host,
  source: string,
  binary: string,
  args: readonly string[],
): Promise<Running> {
  const health = await freePort();
  const controller = await machine.keeper.start({
    name: binary,
    command: join(programFolder(source), binary),
    args: [
      `--health-addr=127.0.0.1:${health}`,
      '--metrics-addr=0',
      '--enable-leader-election=false',
      '--log-level=info',
      ...args,
    ],
    env: {
      KUBECONFIG: machine.plane.kubeconfig,
      RUNTIME_NAMESPACE: namespace,
      TMPDIR: machine.folder,
    },
  });
  const isReady = async () =>
    (await fetch(`http://127.0.0.1:${health}/readyz`)).ok ? true : undefined;
  await until(isReady, { what: `a ready ${binary}`, programs: [controller] });
  return controller;
}
