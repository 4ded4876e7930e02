import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documented } from './documented.ts';
import { type Engine, syncTime } from './engine.ts';
import { freePort } from './free-port.ts';
import type { Running } from './keeper.ts';
import type { Kube, KubeObject } from './kube.ts';
import type { Machine } from './machine.ts';
import { objectsIn } from './manifests.ts';
import { programFolder } from './programs.ts';
import { until } from './wait.ts';

const namespace = 'flux-system';
const repository = documented('GitRepository');
const kustomization = documented('Kustomization');

/** Flux's source-controller and kustomize-controller, at work on a repository. */
export async function startFlux(machine: Machine, url: string): Promise<Engine> {
  const { kube } = machine.plane;
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
  await kube.apply({ ...repository, spec: { ...repository.spec, interval: '1h', url } });
  await kube.apply(kustomizationOf(false));
  return {
    programs,
    async complaint() {
      await reconcile(kube);
      const conditions = (await kube.get(kustomization))?.status?.conditions ?? [];
      return conditions.map(({ message }: { readonly message: string }) => message).join('\n');
    },
    async synced(commit) {
      await reconcile(kube);
      await until(() => isAt(kube, commit), {
        what: `Flux at ${commit}`,
        within: syncTime,
        programs,
      });
    },
    suspend: async () => void (await kube.apply(kustomizationOf(true))),
    resume: async () => void (await kube.apply(kustomizationOf(false))),
    stop: async () => void (await Promise.all(programs.map((program) => program.stop('SIGKILL')))),
  };
}

/** Asks the source-controller to look at git now. */
async function reconcile(kube: Kube): Promise<void> {
  await kube.merge(repository, {
    metadata: { annotations: { 'reconcile.fluxcd.io/requestedAt': String(Date.now()) } },
  });
}

/** As documented, but for times: the suite says when to look, and does not wait long for a second try. */
function kustomizationOf(suspend: boolean): KubeObject {
  const times = { interval: '1h', retryInterval: '2s', timeout: '20s' };
  return { ...kustomization, spec: { ...kustomization.spec, ...times, suspend } };
}

/** True once the commit is applied and Flux calls it ready; what it says instead is thrown. */
async function isAt(kube: Kube, commit: string): Promise<true | undefined> {
  const [source, applied] = [await kube.get(repository), await kube.get(kustomization)];
  const ready = applied?.status?.conditions?.find(
    ({ type }: { readonly type: string }) => type === 'Ready',
  );
  const isApplied =
    applied?.status?.lastAppliedRevision?.endsWith(commit) &&
    applied.status.observedGeneration === applied.metadata.generation &&
    ready?.status === 'True';
  if (source?.status?.artifact?.revision?.endsWith(commit) && isApplied) return true;
  throw new Error(`Flux: ${ready?.message ?? JSON.stringify(source?.status ?? {})}`);
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
  machine: Machine,
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
