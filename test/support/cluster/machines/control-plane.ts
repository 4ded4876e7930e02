import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { Kube } from '../kube.ts';
import { programFolder } from '../programs/programs.ts';
import { until } from '../wait.ts';
import { freePort } from './free-port.ts';
import type { Keeper, Running, Start } from './keeper.ts';

/** A real API server with its etcd and its controllers. */
export interface ControlPlane {
  readonly kube: Kube;
  /** A kubeconfig of its administrator. */
  readonly kubeconfig: string;
  /** Writes a kubeconfig with another token beside it, and gives its path. */
  kubeconfigFor(user: string, token: string): string;
  readonly programs: readonly Running[];
  /** Kills the API server, starts it again and waits until it is ready. Its data is in etcd. */
  restartApiServer(): Promise<void>;
  /**
   * Keeps the data of etcd as they are now, or puts back what was kept. Both start etcd, the API server and its
   * controllers anew, as Kubernetes documents it for a restore.
   */
  snapshot(what: 'keep' | 'put back'): Promise<void>;
  stop(): Promise<void>;
}

const adminToken = 'admin';

/**
 * Starts an empty control plane, with IPv4 and IPv6. Its files go to the folder, and its API server listens on the
 * address.
 */
export async function startControlPlane(
  keeper: Keeper,
  folder: string,
  address = '127.0.0.1',
): Promise<ControlPlane> {
  mkdirSync(folder, { recursive: true });
  const etcd = await etcdIn(folder);
  const { server, start } = await apiServer({ folder, etcd: etcd.endpoint, address });
  const programs = [await keeper.start(etcd.start), await keeper.start(start)];
  const authority = await until(() => certificateIn(join(folder, 'certs')), {
    what: "the API server's certificate",
    programs,
  });
  const kube = new Kube({ server, authority, token: adminToken });
  const ready = async (): Promise<void> => {
    const isReady = async () => ((await kube.send('GET', '/readyz')) === 'ok' ? true : undefined);
    await until(isReady, { what: 'a ready API server', programs });
  };
  await ready();
  const kubeconfigFor = (user: string, token: string): string => {
    const path = join(folder, `${user}.kubeconfig`);
    writeFileSync(path, kubeconfigText(server, authority, token));
    return path;
  };
  const kubeconfig = kubeconfigFor('admin', adminToken);
  const startControllers = () =>
    keeper.start({
      name: 'kube-controller-manager',
      command: join(programFolder('kubernetes'), 'kube-controller-manager'),
      args: [
        `--kubeconfig=${kubeconfig}`,
        '--leader-elect=false',
        '--secure-port=0',
        '--controllers=*,-nodelifecycle,-node-ipam-controller,-cloud-node-lifecycle-controller',
        '--use-service-account-credentials=false',
        `--service-account-private-key-file=${join(folder, 'accounts.key')}`,
      ],
    });
  programs.push(await startControllers());
  const account = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default', namespace: 'default' },
  };
  await until(() => kube.get(account), { what: 'running controllers', programs });
  const restartApiServer = async (): Promise<void> => {
    await programs[1]?.stop('SIGKILL');
    programs[1] = await keeper.start(start);
    await ready();
  };
  const snapshot = async (what: 'keep' | 'put back'): Promise<void> => {
    const [data, kept] = [join(folder, 'etcd'), join(folder, 'etcd-kept')];
    await programs[1]?.stop('SIGTERM');
    await programs[0]?.stop('SIGTERM');
    const [from, to] = what === 'keep' ? [data, kept] : [kept, data];
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true });
    programs[0] = await keeper.start(etcd.start);
    programs[1] = await keeper.start(start);
    await ready();
    await programs[2]?.stop('SIGTERM');
    programs[2] = await startControllers();
  };
  const stop = async (): Promise<void> => {
    kube.close();
    await Promise.all([...programs].reverse().map((program) => program.stop('SIGKILL')));
  };
  return { kube, kubeconfig, kubeconfigFor, programs, restartApiServer, snapshot, stop };
}

/**
 * The certificate that an API server has made. Undefined while its key is being written, which it writes after the
 * certificate. Throws while a file is missing.
 */
function certificateIn(folder: string): string | undefined {
  const [key = '', certificate] = ['apiserver.key', 'apiserver.crt'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  );
  return key.trimEnd().endsWith('-----') ? certificate : undefined;
}

/** The URL of an etcd with its data in `etcd` of a folder, and how it starts each time. */
async function etcdIn(
  folder: string,
): Promise<{ readonly endpoint: string; readonly start: Start }> {
  const [clients, peers] = [await freePort(), await freePort()];
  const endpoint = `http://127.0.0.1:${clients}`;
  const peer = `http://127.0.0.1:${peers}`;
  const start = {
    name: 'etcd',
    command: join(programFolder('etcd'), 'etcd'),
    args: [
      '--data-dir=etcd',
      `--listen-client-urls=${endpoint}`,
      `--advertise-client-urls=${endpoint}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      '--unsafe-no-fsync',
      '--log-level=error',
    ],
    cwd: folder,
  };
  return { endpoint, start };
}

/** The URL of an API server, and how it starts each time. */
async function apiServer({
  folder,
  etcd,
  address,
}: {
  readonly folder: string;
  readonly etcd: string;
  readonly address: string;
}): Promise<{ readonly server: string; readonly start: Start }> {
  const port = await freePort();
  const server = `https://${address}:${port}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = join(folder, 'accounts.key');
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, `${adminToken},admin,admin,system:masters\n`);
  const start = {
    name: 'kube-apiserver',
    command: join(programFolder('kubernetes'), 'kube-apiserver'),
    args: [
      `--etcd-servers=${etcd}`,
      `--bind-address=${address}`,
      `--advertise-address=${address}`,
      '--endpoint-reconciler-type=none',
      `--secure-port=${port}`,
      `--cert-dir=${join(folder, 'certs')}`,
      `--token-auth-file=${tokens}`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.96.0.0/16,fd00:10:96::/112',
      `--service-account-issuer=${server}`,
      `--service-account-key-file=${key}`,
      `--service-account-signing-key-file=${key}`,
      '--allow-privileged=true',
      '--disable-admission-plugins=TaintNodesByCondition',
      '--watch-cache=true',
    ],
    cwd: folder,
  };
  return { server, start };
}

function kubeconfigText(server: string, authority: string, token: string): string {
  const data = Buffer.from(authority).toString('base64');
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'suite',
    contexts: [{ name: 'suite', context: { cluster: 'suite', user: 'suite' } }],
    clusters: [{ name: 'suite', cluster: { server, 'certificate-authority-data': data } }],
    users: [{ name: 'suite', user: { token } }],
  });
}
