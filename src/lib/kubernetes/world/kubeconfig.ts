import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import type { Cluster, KubeConfig, User } from '@kubernetes/client-node';
import { fieldAt, listAt, textAt } from '../../../core/model/live.ts';
import { EnvironmentError } from '../../../core/model/problem.ts';
import { firstLine, hasCode, jsonIn, reasonOf } from '../../../core/world/system-error.ts';

/** The cluster to connect to, as in `kubectl --kubeconfig --context`. */
export interface ClusterChoice {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
}

const serviceAccountToken = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/**
 * The settings of the chosen context, read from where kubectl reads them: the given file; the files
 * of KUBECONFIG, where the first definition of a name wins and missing files are skipped;
 * ~/.kube/config; or inside a pod its service account. Throws an EnvironmentError for invalid ones.
 */
export async function loadKubeconfig(choice: ClusterChoice, cwd: string): Promise<KubeConfig> {
  // Takes half a second to load, which commands without a cluster must not wait for.
  const { KubeConfig, loadYaml } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  const files = filesOf(choice, cwd);
  if (files.length > 0) {
    const all = files.map((file) => settingsOf(new KubeConfig(), file, loadYaml));
    config.loadFromOptions(mergedSettings(all));
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
    throw new EnvironmentError(`none of the files in KUBECONFIG exists: ${listed.join(', ')}`);
  }
  const path = join(homedir(), '.kube', 'config');
  return existsSync(path) ? [{ shown: '~/.kube/config', path }] : [];
}

/**
 * Resolves a program's path against the kubeconfig's folder, as kubectl does; a bare name is left.
 */
function placeProgram(plugin: unknown, folder: string): void {
  const command = textAt(plugin, 'command');
  if (command?.includes('/')) Object.assign(Object(plugin), { command: resolve(folder, command) });
}

/** A user with the file of its token, which client-node does not read. */
type UserOfFile = User & { tokenFile?: string };

/** Adds the token files of a kubeconfig to its users. Their paths are relative to its folder. */
function placeTokenFiles(users: readonly UserOfFile[], kubeconfig: unknown, folder: string): void {
  const files = new Map(
    listAt(kubeconfig, 'users').map((entry) => [
      textAt(entry, 'name'),
      textAt(fieldAt(entry, 'user'), 'tokenFile'),
    ]),
  );
  for (const user of users) {
    const file = files.get(user.name);
    if (file) user.tokenFile = resolve(folder, file);
  }
}

type Settings = Pick<KubeConfig, 'clusters' | 'users' | 'contexts' | 'currentContext'>;

function settingsOf(
  config: KubeConfig,
  { shown, path }: SettingsFile,
  parse: (text: string) => unknown,
): Settings {
  try {
    const written = readFileSync(path, 'utf8');
    // As in kubectl, an empty file is an empty kubeconfig, and unused entries may be incomplete.
    const text = written.trim() === '' ? '{}' : written;
    config.loadFromString(text, { onInvalidEntry: 'filter' });
    config.makePathsAbsolute(dirname(path));
    for (const { exec } of config.users) placeProgram(exec, dirname(path));
    placeTokenFiles(config.users, parse(text), dirname(path));
    return withValidEntries(config);
  } catch (error) {
    throw new EnvironmentError(`the kubeconfig ${shown} cannot be read: ${readFault(error)}`);
  }
}

function readFault(error: unknown): string {
  return hasCode(error, 'ENOENT') ? 'there is no such file' : firstLine(reasonOf(error));
}

/** The fields of an entry that are not strings in a valid kubeconfig. */
const others: ReadonlySet<string> = new Set(['skipTLSVerify', 'exec', 'authProvider']);

/** Drops the entries that have another value in place of a string, since they cannot be used. */
function withValidEntries({ clusters, users, contexts, currentContext }: Settings): Settings {
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
    const advice = names.length > 0 ? `; choose one with --context: ${known}` : ', and no other';
    throw new EnvironmentError(`the kubeconfig has no current context${advice}`);
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
  if (!context.user) addAnonymousUser(config, context);
  else {
    const user = config.getCurrentUser();
    if (!user) {
      throw new EnvironmentError(
        `context ${name} is for user ${context.user}, which the kubeconfig does not have`,
      );
    }
    readTokenFile(user);
  }
  if (!URL.canParse(cluster.server)) {
    throw new EnvironmentError(`cluster ${cluster.name} has no server address: ${cluster.server}`);
  }
  checkProxy(cluster);
  checkAuthority(cluster);
}

/**
 * Takes the token from its file, as kubectl does. The token in the kubeconfig counts when the file
 * cannot be read.
 */
function readTokenFile(user: UserOfFile): void {
  if (!user.tokenFile) return;
  try {
    const token = readFileSync(user.tokenFile, 'utf8').trim();
    if (token !== '') Object.assign(user, { token });
  } catch (error) {
    if (user.token) return;
    throw new EnvironmentError(
      `the token file of user ${user.name} cannot be read: ${readFault(error)}`,
    );
  }
}

/** The address of a proxy is never printed: it may contain a password. */
function checkProxy({ name, proxyUrl }: Cluster): void {
  if (!proxyUrl) return;
  if (URL.canParse(proxyUrl) && /^(https?|socks[45]?[ah]?):\/\//.test(proxyUrl)) return;
  throw new EnvironmentError(
    `cluster ${name} has a proxy-url that does not begin with http://, https:// or socks5://, or is not an address`,
  );
}

/** Node ignores an authority that is not a certificate, and then calls the server's self-signed. */
function checkAuthority({ name, caData, caFile, skipTLSVerify }: Cluster): void {
  if (skipTLSVerify || (!caData && !caFile)) return;
  const field = caData ? 'certificate-authority-data' : 'certificate-authority';
  try {
    new X509Certificate(caData ? Buffer.from(caData, 'base64') : readFileSync(caFile ?? ''));
  } catch (error) {
    throw new EnvironmentError(
      `cluster ${name} has a ${field} that is not a certificate: ${firstLine(reasonOf(error))}`,
    );
  }
}

/** A context need not name a user, but without one client-node leaves out the certificates too. */
function addAnonymousUser(config: KubeConfig, context: { user: string }): void {
  context.user = 'leasehold: no user';
  config.addUser({ name: context.user });
}

/** Milliseconds that a credential program may take: the user may have to log in. */
const programTimeout = 120_000;

/**
 * A user of a kubeconfig with the credentials that its program prints (Kubernetes: Authentication,
 * client-go credential plugins), in place of the program; a user without a program is unchanged.
 * The program inherits standard error. An EnvironmentError when it is missing, fails or does not
 * end.
 */
export async function withCredentials(user: User, timeout: number = programTimeout): Promise<User> {
  const command = textAt(user.exec, 'command');
  if (command === undefined) return user;
  const fail = (reason: string) =>
    new EnvironmentError(
      `the program ${basename(command)}, which the kubeconfig takes credentials from, gives none: ${reason}`,
    );
  const printed = jsonIn(await outputOf(command, user.exec, { timeout, fail }));
  const status = fieldAt(printed, 'status');
  const token = textAt(status, 'token');
  const certificate = textAt(status, 'clientCertificateData');
  const key = textAt(status, 'clientKeyData');
  if (token === undefined && certificate === undefined) {
    throw fail('it prints no ExecCredential with a token or a certificate');
  }
  return {
    ...user,
    exec: undefined,
    ...(token === undefined ? {} : { token }),
    ...(certificate === undefined ? {} : { certData: base64(certificate) }),
    ...(key === undefined ? {} : { keyData: base64(key) }),
  };
}

interface Limits {
  /** Milliseconds. */
  readonly timeout: number;
  readonly fail: (reason: string) => EnvironmentError;
}

/** The most bytes that a credential program may print. */
const mostPrinted = 1024 * 1024;

function outputOf(command: string, plugin: unknown, { timeout, fail }: Limits): Promise<string> {
  const isInteractive =
    process.stdin.isTTY === true && textAt(plugin, 'interactiveMode') !== 'Never';
  const args = listAt(plugin, 'args').map(String);
  return new Promise((done, refuse) => {
    const program = spawn(command, args, {
      env: { ...process.env, ...pluginVariables(plugin, isInteractive) },
      stdio: [isInteractive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    });
    // The option `timeout` would keep this process alive when the program cannot be started.
    const timer = setTimeout(() => program.kill(), timeout);
    const parts: Buffer[] = [];
    let bytes = 0;
    program.stdout.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes <= mostPrinted) parts.push(part);
      else program.kill();
    });
    program.on('error', (error) => {
      clearTimeout(timer);
      refuse(fail(hasCode(error, 'ENOENT') ? 'it is not installed' : reasonOf(error)));
    });
    program.on('close', (status, signal) => {
      clearTimeout(timer);
      if (bytes > mostPrinted) refuse(fail('it prints more than 1 MiB'));
      else if (status === 0) done(Buffer.concat(parts).toString('utf8'));
      else if (signal === null) refuse(fail(`it ends with exit status ${status}`));
      else refuse(fail(`it was ended by ${signal}, after ${timeout / 1000} s at the latest`));
    });
  });
}

/** The variables of the kubeconfig, and the ExecCredential that the program gets as its input. */
function pluginVariables(plugin: unknown, interactive: boolean): Record<string, string> {
  const own = listAt(plugin, 'env').map((one) => [textAt(one, 'name'), textAt(one, 'value') ?? '']);
  const apiVersion = textAt(plugin, 'apiVersion') ?? 'client.authentication.k8s.io/v1';
  const asked = { apiVersion, kind: 'ExecCredential', spec: { interactive } };
  return { ...Object.fromEntries(own), KUBERNETES_EXEC_INFO: JSON.stringify(asked) };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
