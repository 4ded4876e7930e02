import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documented } from '../documented.ts';
import type { Kube, KubeObject } from '../kube.ts';
import { freePort } from '../machines/free-port.ts';
import type { Running } from '../machines/keeper.ts';
import { objectsIn } from '../manifests.ts';
import { programFolder } from '../programs/programs.ts';
import { until } from '../wait.ts';
import { type Engine, type Host, type StartEngine, syncTime } from './engine.ts';

const namespace = 'argocd';
const told = [documented('AppProject'), documented('Application')];

/** The annotation that asks Argo CD to look at git; it takes it away when it has. */
const refresh = 'argocd.argoproj.io/refresh';

/** What the published manifest has beside definitions, accounts and settings: it needs nodes. */
const workloads = ['Deployment', 'StatefulSet', 'NetworkPolicy', 'Service'];

/** Variables of the environment, which the published manifest takes from the ConfigMap `argocd-cmd-params-cm`. */
type Settings = Readonly<Record<string, string>>;

/** Argo CD's application controller and repo server with a Redis, at work on a repository. */
export const startArgoCD: StartEngine = (...of) => start({}, ...of);

/** The same, with the setting `controller.diff.server.side`, which compares all Applications on the server. */
export const startServerSideArgoCD: StartEngine = (...of) =>
  start({ ARGOCD_APPLICATION_CONTROLLER_SERVER_SIDE_DIFF: 'true' }, ...of);

async function start(
  settings: Settings,
  machine: Host,
  url: string,
  printed: readonly KubeObject[] = told,
): Promise<Engine> {
  const { kube } = machine.plane;
  let programs: readonly Running[] = [];
  let applications: readonly KubeObject[] = [];
  let repo = url;
  const order = async (automated: boolean): Promise<void> => {
    for (const one of applications) {
      await until(() => hasLooked(kube, one), { what: 'the end of a look at git', programs });
      await kube.apply(followed(one, repo, automated));
    }
  };
  const turn = async (to: readonly KubeObject[], from: string): Promise<void> => {
    applications = to.filter(({ kind }) => kind === 'Application');
    repo = from;
    for (const project of to.filter(({ kind }) => kind === 'AppProject')) {
      await kube.apply({ ...project, spec: { ...project.spec, sourceRepos: [repo] } });
    }
    await order(true);
  };
  await kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const manifest = readFileSync(join(programFolder('argocd'), 'core-install.yaml'), 'utf8');
  for (const object of objectsIn(manifest)) {
    if (!workloads.includes(object.kind)) await kube.apply(inNamespace(object));
  }
  programs = await startPrograms(machine, settings);
  await turn(printed, url);
  return {
    programs,
    async complaint() {
      await lookAtGit(kube, applications);
      const live = await Promise.all(applications.map((one) => kube.get(one)));
      return JSON.stringify(
        live.map((one) => [one?.status?.operationState, one?.status?.conditions]),
      );
    },
    async synced(commit) {
      await until(() => areAt(kube, applications, commit), {
        what: `Argo CD at ${commit}`,
        within: syncTime(applications),
        programs,
      });
    },
    turn,
    suspend: () => order(false),
    resume: () => order(true),
    stop: async () => void (await Promise.all(programs.map((program) => program.stop('SIGKILL')))),
  };
}

/** As printed, but for the time of a second try. */
function followed(application: KubeObject, url: string, automated: boolean): KubeObject {
  const { source, syncPolicy, ...rest } = application.spec;
  const retry = { ...syncPolicy.retry, backoff: { duration: '2s', factor: 1, maxDuration: '2s' } };
  const policy = { ...syncPolicy, retry, automated: automated ? syncPolicy.automated : undefined };
  return {
    ...application,
    spec: { ...rest, source: { ...source, repoURL: url }, syncPolicy: policy },
  };
}

/** True once all have applied the commit and Argo CD calls them synced and healthy; what it says instead is thrown. */
async function areAt(
  kube: Kube,
  applications: readonly KubeObject[],
  commit: string,
): Promise<true> {
  const live = await Promise.all(applications.map(async (one) => (await kube.get(one)) ?? one));
  const late = live.filter(({ metadata, status }) => {
    const isCompared = status?.sync?.revision === commit && status.sync.status !== 'Unknown';
    return !isCompared && !metadata.annotations?.[refresh];
  });
  await lookAtGit(kube, late);
  for (const { metadata, status = {} } of live) {
    const { sync, health, operationState, conditions } = status;
    const isDone = operationState === undefined || operationState.phase === 'Succeeded';
    const isHere = sync?.revision === commit && sync.status === 'Synced';
    if (isHere && health?.status === 'Healthy' && isDone) continue;
    const said = [sync?.status, health?.status, operationState?.message];
    throw new Error(
      `Argo CD: ${metadata.name}: ${[...said, JSON.stringify(conditions)].join(', ')}`,
    );
  }
  return true;
}

/**
 * True when Argo CD does not have to look at git. While it looks, an annotation that comes can be lost: with its own as
 * the only one, it removes all.
 */
async function hasLooked(kube: Kube, application: KubeObject): Promise<true | undefined> {
  const live = await kube.get(application);
  return live?.metadata.annotations?.[refresh] ? undefined : true;
}

async function lookAtGit(kube: Kube, applications: readonly KubeObject[]): Promise<void> {
  const annotations = { [refresh]: 'normal' };
  for (const one of applications) await kube.merge(one, { metadata: { annotations } });
}

async function startPrograms(machine: Host, settings: Settings): Promise<readonly Running[]> {
  const { keeper, plane, folder } = machine;
  const [redis, repo] = [`127.0.0.1:${await freePort()}`, await freePort()];
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/argocd-application-controller/token`;
  const { status } = await plane.kube.send('POST', path, { spec: { expirationSeconds: 86_400 } });
  const env = {
    KUBECONFIG: plane.kubeconfigFor('argocd', status.token),
    ARGOCD_FAKE_IN_CLUSTER: 'true',
    ARGOCD_GPG_ENABLED: 'false',
    ARGOCD_ASK_PASS_SOCK: join(folder, 'ask-pass.sock'),
    ARGOCD_CONTROLLER_REPLICAS: '1',
    ARGOCD_SYNC_WAVE_DELAY: '0',
    ...settings,
    PATH: `${programFolder('argocd')}:${process.env.PATH}`,
    TMPDIR: folder,
  };
  const command = join(programFolder('argocd'), 'argocd');
  const binary = (name: string) => ({ name, command, env: { ...env, ARGOCD_BINARY_NAME: name } });
  const common = [`--namespace=${namespace}`, `--redis=${redis}`, '--loglevel=info'];
  return [
    await keeper.start({
      name: 'redis',
      command: 'redis-server',
      args: ['--port', redis.split(':')[1] ?? '', '--bind', '127.0.0.1', '--save', ''],
    }),
    await keeper.start({
      ...binary('argocd-repo-server'),
      args: [
        `--redis=${redis}`,

        '--address=127.0.0.1',
        `--port=${repo}`,
        `--metrics-port=${await freePort()}`,
      ],
    }),
    await keeper.start({
      ...binary('argocd-application-controller'),
      args: [
        ...common,
        `--repo-server=127.0.0.1:${repo}`,

        `--metrics-port=${await freePort()}`,
      ],
    }),
  ];
}

/** The published manifest leaves the namespace to kubectl. */
function inNamespace(object: KubeObject): KubeObject {
  const moved = { ...object, metadata: { ...object.metadata, namespace } };
  if (object.kind === 'ClusterRoleBinding') return object;
  return object.kind.startsWith('Cluster') || object.kind === 'CustomResourceDefinition'
    ? object
    : moved;
}
