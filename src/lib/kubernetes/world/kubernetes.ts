import { type LiveKind, liveKinds } from '../../../core/model/kinds.ts';
import { fieldAt, type LiveObject, textAt } from '../../../core/model/live.ts';
import { EnvironmentError } from '../../../core/model/problem.ts';
import { jsonIn } from '../../../core/world/system-error.ts';
import type { HttpAnswer } from '../../http/world/exchange.ts';
import { ListBounds } from '../../http/world/list-bounds.ts';
import type { DryRunAnswer, LiveCluster, ServiceAnswer, ServicePort } from '../live-cluster.ts';
import { type ApiRequest, ApiServer, messageIn, refusal } from './api-server.ts';
import { type ClusterChoice, loadKubeconfig } from './kubeconfig.ts';

/**
 * The live cluster of a kubeconfig's context. Reads the kubeconfig, but does not connect yet. Once
 * the signal aborts, every request fails.
 */
export async function kubernetesCluster(
  choice: ClusterChoice,
  cwd: string,
  signal?: AbortSignal,
): Promise<LiveCluster> {
  const config = await loadKubeconfig(choice, cwd);
  const server = new ApiServer(config, undefined, signal);
  return new KubernetesCluster(server, config.getCurrentContext());
}

/** Objects on a page of a list, as in kubectl. */
const pageSize = 500;
/** How often a list is restarted because the token of its next page has expired. */
const mostRestarts = 2;

class KubernetesCluster implements LiveCluster {
  readonly name: string;
  readonly #server: ApiServer;

  constructor(server: ApiServer, context: string) {
    this.#server = server;
    this.name = `${context} (${server.url})`;
  }

  async list(kind: LiveKind, namespace?: string): Promise<readonly LiveObject[] | undefined> {
    for (let restarts = 0; ; restarts += 1) {
      const objects = await this.#listOnce(kind, namespace);
      if (objects !== expired) return objects;
      if (restarts === mostRestarts) {
        throw new EnvironmentError(
          `the cluster at ${this.#server.url} changes faster than its ${liveKinds[kind].plural} can be listed`,
        );
      }
    }
  }

  async version(): Promise<string> {
    const request = { verb: 'get', resource: '/version', path: '/version' };
    const answer = await this.#server.ask(request);
    if (answer.status !== 200) throw refusal(this.#server.url, request, answer);
    const gitVersion = textAt(jsonIn(answer.text), 'gitVersion');
    if (gitVersion === undefined) throw this.#notAnApi(request, answer);
    return gitVersion;
  }

  async dryRun(kind: LiveKind, object: LiveObject): Promise<DryRunAnswer> {
    const request = {
      verb: 'create',
      resource: resourceOf(kind),
      path: `${pathOf(kind, object.metadata.namespace)}?dryRun=All&fieldManager=leasehold`,
      body: JSON.stringify({
        apiVersion: liveKinds[kind].apiVersion,
        kind: liveKinds[kind].kind,
        ...object,
      }),
    };
    const answer = await this.#server.ask(request);
    if (answer.status === 401) throw refusal(this.#server.url, request, answer);
    return { verdict: verdictOf(answer), message: messageIn(answer.text) };
  }

  async log(namespace: string, pod: string, lines: number): Promise<string | undefined> {
    const request = {
      verb: 'get',
      resource: `pods/log in ${namespace}`,
      path: `${pathOf('pod', namespace)}/${encodeURIComponent(pod)}/log?tailLines=${lines}`,
    };
    const answer = await this.#server.ask(request);
    if (answer.status === 401 || answer.status === 403) {
      throw refusal(this.#server.url, request, answer);
    }
    return answer.status === 200 ? answer.text : undefined;
  }

  async askService({ namespace, name, port }: ServicePort, path: string): Promise<ServiceAnswer> {
    const request = {
      verb: 'get',
      resource: `services/proxy in ${namespace}`,
      path: `${pathOf('service', namespace)}/${encodeURIComponent(name)}:${port}/proxy${path}`,
    };
    const answer = await this.#server.ask(request);
    if (answer.status === 401 || answer.status === 403) {
      throw refusal(this.#server.url, request, answer);
    }
    return answer.status === 200
      ? { isAnswered: true, json: jsonIn(answer.text) }
      : { isAnswered: false, reason: messageIn(answer.text) };
  }

  async #listOnce(kind: LiveKind, namespace: string | undefined): Promise<Listed> {
    const objects: LiveObject[] = [];
    const resource = resourceOf(kind);
    const bounds = new ListBounds(this.#server.url, liveKinds[kind].plural);
    let next = '';
    do {
      bounds.ask(next);
      const query = `limit=${pageSize}${next === '' ? '' : `&continue=${encodeURIComponent(next)}`}`;
      const request = {
        verb: 'list',
        resource: namespace === undefined ? resource : `${resource} in ${namespace}`,
        path: `${pathOf(kind, namespace)}?${query}`,
      };
      const answer = await this.#server.ask(request);
      if (answer.status === 410 && next !== '') return expired;
      if (answer.status === 404 && isOptional(kind)) return undefined;
      if (answer.status !== 200) throw refusal(this.#server.url, request, answer);
      const page = this.#pageOf(request, answer);
      bounds.count(page.items.length, answer);
      for (const item of page.items) objects.push(lean(kind, item));
      next = page.next;
    } while (next !== '');
    return objects;
  }

  #pageOf(request: ApiRequest, answer: HttpAnswer): Page {
    const list = jsonIn(answer.text);
    const items = fieldAt(list, 'items');
    if (!Array.isArray(items) || !items.every(isObject)) throw this.#notAnApi(request, answer);
    return { items, next: textAt(list, 'metadata', 'continue') ?? '' };
  }

  #notAnApi({ path }: ApiRequest, answer: HttpAnswer): EnvironmentError {
    return new EnvironmentError(
      `${this.#server.url} does not answer ${path} as a Kubernetes API server does: ${messageIn(answer.text)}`,
    );
  }
}

/** The result of a list whose page token has expired. */
const expired = Symbol('expired');
type Listed = readonly LiveObject[] | undefined | typeof expired;

interface Page {
  readonly items: readonly LiveObject[];
  /** The token of the next page; empty on the last one. */
  readonly next: string;
}

/** True for kinds that a cluster may lack; every Kubernetes cluster serves the others. */
function isOptional(kind: LiveKind): boolean {
  return !['', 'apps'].includes(liveKinds[kind].group);
}

function pathOf(kind: LiveKind, namespace: string | undefined): string {
  const { group, version, plural } = liveKinds[kind];
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`}/${plural}`;
}

function resourceOf(kind: LiveKind): string {
  const { group, plural } = liveKinds[kind];
  return group === '' ? plural : `${plural}.${group}`;
}

/** Every object of Kubernetes has a name. */
function isObject(item: unknown): item is LiveObject {
  return textAt(item, 'metadata', 'name') !== undefined;
}

/** Kinds that people and charts write too. */
const sharedKinds: ReadonlySet<LiveKind> = new Set([
  'service',
  'addressPool',
  'l2Advertisement',
  'bgpAdvertisement',
]);

/**
 * Drops managedFields, which are half of an object. Those of {@link sharedKinds} keep which program
 * wrote which label, annotation, port and field of the spec.
 */
function lean(kind: LiveKind, object: LiveObject): LiveObject {
  const { metadata } = object as { metadata: { managedFields?: unknown } };
  const entries = Array.isArray(metadata.managedFields) ? metadata.managedFields : [];
  if (sharedKinds.has(kind)) metadata.managedFields = entries.map(leanEntry);
  else delete metadata.managedFields;
  return object;
}

function leanEntry(entry: unknown): object {
  const fields = Object.entries(Object(entry) as Readonly<Record<string, unknown>>);
  const asked = fields.filter(([key]) => ['manager', 'subresource', 'fieldsV1'].includes(key));
  return Object.fromEntries(
    asked.map(([key, value]) => [key, key === 'fieldsV1' ? upTo(keptDepth, value) : value]),
  );
}

/** Such as `f:metadata`, `f:annotations` and the key. */
const keptDepth = 3;

function upTo(depth: number, fields: unknown): object {
  if (depth === 0) return {};
  const parts = Object.entries(Object(fields) as Readonly<Record<string, unknown>>);
  return Object.fromEntries(parts.map(([part, own]) => [part, upTo(depth - 1, own)]));
}

/** RBAC and webhooks both answer 403; a webhook's message names the webhook. */
function verdictOf({ status, text }: HttpAnswer): DryRunAnswer['verdict'] {
  const message = messageIn(text);
  if (status === 200 || status === 201 || status === 409) return 'accepted';
  if (/failed calling webhook/.test(message) || status >= 500) return 'failed';
  if (status === 403 && !/admission webhook .* denied the request/s.test(message)) return 'denied';
  return status === 404 ? 'failed' : 'refused';
}
