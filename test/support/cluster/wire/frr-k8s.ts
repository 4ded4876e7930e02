import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ControlPlane } from '../machines/control-plane.ts';
import type { Keeper, Running, Start } from '../machines/keeper.ts';
import { accountConfig, metallbNamespace, podOf, sayReady } from '../machines/metallb-pods.ts';
import { systemPath } from '../machines/own-network.ts';
import { programFolder } from '../programs/programs.ts';
import { until } from '../wait.ts';
import type { WireNode } from './wire.ts';

/** A container of a pod of frr-k8s that the suite runs beside FRR. */
type Container = 'frr-k8s' | 'frr-status' | 'frr-reloader';

/** The pod of frr-k8s on a node, with FRR. */
export interface FrrPod {
  /** What runs now. */
  readonly programs: readonly Running[];
  /** Kills a container, and says that the pod is not ready, as its kubelet would. */
  kill(container: Container): Promise<void>;
  /** Starts a container again. The pod is ready then. */
  start(container: Container): Promise<void>;
  /** Kills FRR's BGP daemon. FRR starts it again, after some seconds. */
  killBgpd(): void;
  /** Keeps FRR from starting its daemons again, or lets it. */
  pauseFrr(isPaused: boolean): void;
  /** True while FRR is given a configuration. */
  isReloading(): boolean;
  /** Says whether the pod is ready, as its kubelet would. */
  setReady(isReady: boolean): Promise<void>;
}

const script = fileURLToPath(new URL('frr-pod.sh', import.meta.url));

/** Such as every pod of frr-k8s has in MetalLB's manifest. */
const label = 'app=frr-k8s';

/** Where a pod runs, and whose it is. */
interface Place {
  readonly keeper: Keeper;
  readonly plane: ControlPlane;
  readonly node: WireNode;
}

/**
 * Runs frr-k8s and FRR on a node as the pod that the cluster made for it: FRR's daemons with the settings of the
 * manifest, the reloader of frr-k8s, its controller, and what tells of the sessions, which asks FRR every second here.
 */
export async function startFrrPod({ keeper, plane, node }: Place): Promise<FrrPod> {
  const folder = mkdtempSync(join(keeper.folder, `frr-${node.name}-`));
  const [etc, tmp] = [join(folder, 'etc'), join(folder, 'tmp')];
  for (const own of ['etc/frr', 'etc/frr_reloader', 'run/frr', 'var-tmp', 'tmp'])
    mkdirSync(join(folder, own), { recursive: true });
  for (const [name, text] of Object.entries(await startUpFiles(plane)))
    writeFileSync(join(etc, 'frr', name), text);
  const reloader = join(etc, 'frr_reloader/frr-reloader.sh');
  copyFileSync(join(programFolder('frr-k8s'), 'frr-reloader.sh'), reloader);
  const frr = await startFrr(node, folder);
  const entered = ['--net', '--mount', '--pid', '--target', frr.pid];
  const run = (...command: readonly string[]): string => {
    const env = { ...process.env, PATH: systemPath };
    return execFileSync('nsenter', [...entered, ...command], { env, encoding: 'utf8' });
  };
  const pod = await podOf(plane, label, { node: node.name, address: node.ipv4 });
  const KUBECONFIG = await accountConfig(plane, 'frr-k8s-daemon');
  const own = [`--node-name=${node.name}`, `--namespace=${metallbNamespace}`];
  const program = (name: string): string => join(programFolder('frr-k8s'), name);
  const starts: Readonly<Record<Container, Pick<Start, 'command' | 'args'>>> = {
    'frr-reloader': {
      command: 'unshare',
      // It has a file in /tmp, which the two nodes must not share.
      args: [
        '--mount',
        'sh',
        '-c',
        'mount --bind "$0" /tmp && exec bash "$1"',
        tmp,
        '/etc/frr_reloader/frr-reloader.sh',
      ],
    },
    'frr-k8s': {
      command: program('frr-k8s'),
      args: [...own, '--metrics-bind-address=0', '--health-probe-bind-address=0'],
    },
    'frr-status': {
      command: program('frr-status'),
      args: [...own, `--pod-name=${pod}`, '--poll-interval=1s'],
    },
  };
  const running = new Map<Container, Running>();
  const start = async (container: Container): Promise<void> => {
    const { command, args } = starts[container];
    // A killed nsenter leaves what it started, unless that asks to be killed with it.
    const killed = ['setpriv', '--pdeathsig', 'KILL', '--', command];
    const begun = await keeper.start({
      name: `${container}-${node.name}`,
      command: 'nsenter',
      args: [...entered, ...killed, ...args],
      env: { KUBECONFIG, PATH: systemPath, FRR_K8S_BGP_DEBOUNCE_TIMEOUT: '500' },
    });
    running.set(container, begun);
    await sayReady(plane.kube, pod, running.size === containers.length);
  };
  for (const container of containers) await start(container);
  const signal = (name: string, daemon: string) =>
    run('sh', '-c', `kill -${name} $(cat /run/frr/${daemon}.pid)`);
  return {
    get programs() {
      return [frr.program, ...running.values()];
    },
    async kill(container) {
      await running.get(container)?.stop('SIGKILL');
      running.delete(container);
      await sayReady(plane.kube, pod, false);
    },
    start,
    killBgpd: () => void signal('KILL', 'bgpd'),
    pauseFrr: (isPaused) => void signal(isPaused ? 'STOP' : 'CONT', 'watchfrr'),
    isReloading: () => {
      const log = running.get('frr-reloader')?.log() ?? '';
      return (log.match(/Caught SIGHUP/g)?.length ?? 0) > (log.match(ended)?.length ?? 0);
    },
    setReady: (isReady) => sayReady(plane.kube, pod, isReady),
  };
}

/** The reloader is first: the controller reads its process id. */
const containers = ['frr-reloader', 'frr-k8s', 'frr-status'] as const;

/** What the reloader prints at each end of its work. */
const ended = /FRR reloaded successfully|Failed to fully apply|aborting/g;

/** The files that FRR starts with, by name: those of the manifest. */
async function startUpFiles({ kube }: ControlPlane): Promise<Readonly<Record<string, string>>> {
  const metadata = { name: 'frr-k8s-frr-startup', namespace: metallbNamespace };
  const found = await kube.get({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
  return found?.data ?? {};
}

/** Starts FRR in the network of a node, and waits until its daemons answer. */
async function startFrr(
  node: WireNode,
  folder: string,
): Promise<{ readonly program: Running; readonly pid: string }> {
  const program = await node.namespace.start({
    name: `frr-${node.name}`,
    command: 'unshare',
    args: ['--mount', '--pid', '--fork', '--kill-child', 'bash', script, folder],
  });
  const said = () => /^\d+$/m.exec(program.log())?.[0];
  const pid = await until(said, { what: `the pod of FRR on ${node.name}`, programs: [program] });
  const isUp = () => (program.log().includes('all daemons up') ? true : undefined);
  await until(isUp, { what: `FRR on ${node.name}`, within: 60_000, programs: [program] });
  return { program, pid };
}
