import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Cluster, KubeConfig } from '@kubernetes/client-node';
import { EnvironmentError } from '../../model/problem.ts';
import { textAt } from '../../model/unstructured.ts';
import { hasCode, reasonOf } from '../system-error.ts';

/** Which cluster to ask: as `kubectl --kubeconfig --context` says it. */
export interface ClusterChoice {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
}

const serviceAccountToken = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/**
 * The settings of the chosen context. They are read where kubectl reads them: the given file; the files of
 * KUBECONFIG, of which the first one to name something counts, and which need not all be there;
 * ~/.kube/config; and inside a pod its service account. Everything wrong with them is an EnvironmentError.
 */
export async function loadKubeconfig(choice: ClusterChoice, cwd: string): Promise<KubeConfig> {
  // It takes half a second to load: no command that asks no cluster may wait for it.
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  const files = filesOf(choice, cwd);
  if (files.length > 0) {
    config.loadFromOptions(mergedSettings(files.map((file) => settingsOf(new KubeConfig(), file))));
  } else if (existsSync(serviceAccountToken)) config.loadFromCluster();
  else {
    throw new EnvironmentError(
      'there is no kubeconfig: name one with --kubeconfig or KUBECONFIG; ~/.kube/config is not there',
    );
  }
  chooseContext(config, choice.context);
  return config;
}

interface SettingsFile {
  /** As the user wrote it. */
  readonly shown: string;
  readonly path: string;
}

function filesOf({ kubeconfig }: ClusterChoice, cwd: string): readonly SettingsFile[] {
  if (kubeconfig !== undefined) return [{ shown: kubeconfig, path: resolve(cwd, kubeconfig) }];
  const listed = (process.env.KUBECONFIG ?? '').split(delimiter).filter((file) => file !== '');
  if (listed.length > 0) {
    const files = listed.map((file) => ({ shown: file, path: resolve(cwd, file) }));
    const present = files.filter(({ path }) => existsSync(path));
    if (present.length > 0) return present;
    throw new EnvironmentError(`KUBECONFIG names no file that is there: ${listed.join(', ')}`);
  }
  const path = join(homedir(), '.kube', 'config');
  return existsSync(path) ? [{ shown: '~/.kube/config', path }] : [];
}

/** A program that is no bare name stands relative to the kubeconfig, as files of certificates do. */
function placeProgram(plugin: unknown, folder: string): void {
  const command = textAt(plugin, 'command');
  if (command?.includes('/')) Object.assign(Object(plugin), { command: resolve(folder, command) });
}

type Settings = Pick<KubeConfig, 'clusters' | 'users' | 'contexts' | 'currentContext'>;

function settingsOf(config: KubeConfig, { shown, path }: SettingsFile): Settings {
  try {
    const text = readFileSync(path, 'utf8');
    // As kubectl: an empty file is an empty kubeconfig, and an entry that is not chosen may be half made.
    config.loadFromString(text.trim() === '' ? '{}' : text, { onInvalidEntry: 'filter' });
    config.makePathsAbsolute(dirname(path));
    for (const { exec } of config.users) placeProgram(exec, dirname(path));
    return ofTexts(config);
  } catch (error) {
    const reason = hasCode(error, 'ENOENT') ? 'there is no such file' : firstLine(reasonOf(error));
    throw new EnvironmentError(`the kubeconfig ${shown} cannot be read: ${reason}`);
  }
}

/** What of an entry is no text in a sound kubeconfig. */
const others: ReadonlySet<string> = new Set(['skipTLSVerify', 'exec', 'authProvider']);

/** Without the entries that have something else where a text belongs: none of them can be used. */
function ofTexts({ clusters, users, contexts, currentContext }: Settings): Settings {
  const isText = (value: unknown): boolean => typeof (value ?? '') === 'string';
  const isSound = (entry: object): boolean =>
    Object.entries(entry).every(([key, value]) => others.has(key) || isText(value));
  return {
    clusters: clusters.filter(isSound),
    users: users.filter(isSound),
    contexts: contexts.filter(isSound),
    currentContext: isText(currentContext) ? currentContext : '',
  };
}

function mergedSettings(all: readonly Settings[]): Settings {
  return {
    clusters: firstOfEachName(all.flatMap(({ clusters }) => clusters)),
    users: firstOfEachName(all.flatMap(({ users }) => users)),
    contexts: firstOfEachName(all.flatMap(({ contexts }) => contexts)),
    currentContext: all.find(({ currentContext }) => currentContext)?.currentContext ?? '',
  };
}

function firstOfEachName<Item extends { readonly name: string }>(items: readonly Item[]): Item[] {
  const byName = new Map<string, Item>();
  for (const item of items) if (!byName.has(item.name)) byName.set(item.name, item);
  return [...byName.values()];
}

function chooseContext(config: KubeConfig, wanted: string | undefined): void {
  const names = config.contexts.map(({ name }) => name).sort();
  const known = names.length > 0 ? `there are ${names.join(', ')}` : 'it has none';
  const name = wanted ?? config.currentContext;
  if (!name) {
    throw new EnvironmentError(
      `the kubeconfig has no current context; choose one with --context: ${known}`,
    );
  }
  const context = config.contexts.find((one) => one.name === name);
  if (!context) throw new EnvironmentError(`the kubeconfig has no context ${name}: ${known}`);
  config.setCurrentContext(name);
  const cluster = config.getCurrentCluster();
  if (!cluster) {
    throw new EnvironmentError(
      `context ${name} is for cluster ${context.cluster}, which the kubeconfig does not have`,
    );
  }
  if (!context.user) beAnonymous(config, context);
  else if (!config.getCurrentUser()) {
    throw new EnvironmentError(
      `context ${name} is for user ${context.user}, which the kubeconfig does not have`,
    );
  }
  if (!URL.canParse(cluster.server)) {
    throw new EnvironmentError(`cluster ${cluster.name} has no server address: ${cluster.server}`);
  }
  checkAuthority(cluster);
}

/** Node ignores an authority that is no certificate, and then calls the certificate of the server self-signed. */
function checkAuthority({ name, caData, caFile, skipTLSVerify }: Cluster): void {
  if (skipTLSVerify || (!caData && !caFile)) return;
  const field = caData ? 'certificate-authority-data' : 'certificate-authority';
  try {
    new X509Certificate(caData ? Buffer.from(caData, 'base64') : readFileSync(caFile ?? ''));
  } catch (error) {
    throw new EnvironmentError(
      `cluster ${name} has a ${field} that is no certificate: ${firstLine(reasonOf(error))}`,
    );
  }
}

/** A context need not name a user; without one, client-node would leave out the certificates too. */
function beAnonymous(config: KubeConfig, context: { user: string }): void {
  context.user = 'leasehold: no user';
  config.addUser({ name: context.user });
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
