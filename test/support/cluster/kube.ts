import { Agent, type RequestOptions, request } from 'node:https';
import { until } from './wait.ts';

/** How to reach an API server. */
export interface Access {
  /** `https://127.0.0.1:port`. */
  readonly server: string;
  /** PEM of the authority that signed its certificate. */
  readonly authority: string;
  readonly token: string;
}

/** A Kubernetes object as JSON. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
  // biome-ignore lint/suspicious/noExplicitAny: tests look into objects of every kind
  readonly [field: string]: any;
}

/** The API server's own refusal. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** True for a request that the API server does not take yet: a path without a kind answers in plain text. */
const isTooEarly = (method: string, { status, message }: Refused): boolean =>
  status === 429 || (method === 'PATCH' && status === 404 && message.startsWith('404 page'));

/** How to apply; `manager` is who then owns the fields. */
interface ApplyOptions {
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly manager?: string;
}

interface Resource {
  readonly path: string;
  readonly namespaced: boolean;
}

/** A client of one API server, as one user. */
export class Kube {
  readonly access: Access;
  private readonly agent: Agent;
  private readonly resources = new Map<string, Promise<Map<string, Resource>>>();

  constructor(access: Access) {
    this.access = access;
    this.agent = new Agent({ ca: access.authority, keepAlive: true, maxSockets: 16 });
  }

  /** The same API server as someone else. */
  as(token: string): Kube {
    return new Kube({ ...this.access, token });
  }

  /**
   * Server-side apply with strict field validation; gives what the API server made of it. Takes fields from other
   * managers unless told not to.
   */
  async apply(
    object: KubeObject,
    { dryRun = false, force = true, manager = 'suite' }: ApplyOptions = {},
  ): Promise<KubeObject> {
    const query = `fieldManager=${manager}&force=${force}&fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`;
    const path = `${await this.pathOf(object)}?${query}`;
    return this.send('PATCH', path, object, 'application/apply-patch+yaml');
  }

  async create(object: KubeObject): Promise<KubeObject> {
    const path = await this.pathOf(object);
    return this.send('POST', path.slice(0, path.lastIndexOf('/')), object);
  }

  /** A JSON merge patch. */
  async merge(object: KubeObject, patch: object, part = ''): Promise<KubeObject> {
    const type = 'application/merge-patch+json';
    return this.send('PATCH', `${await this.pathOf(object)}${part}`, patch, type);
  }

  /** The object as it is now; undefined when it is not there. */
  async get(object: KubeObject): Promise<KubeObject | undefined> {
    try {
      return await this.send('GET', await this.pathOf(object));
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return undefined;
      throw error;
    }
  }

  /** JSON patch. */
  async patch(object: KubeObject, operations: object): Promise<KubeObject> {
    return this.send('PATCH', await this.pathOf(object), operations, 'application/json-patch+json');
  }

  /** All objects of a kind. */
  async list(apiVersion: string, kind: string): Promise<readonly KubeObject[]> {
    const { items } = await this.send('GET', (await this.resourceOf(apiVersion, kind)).path);
    return items;
  }

  /** True when the API server has the kind now: its definition may have come or gone. */
  async serves(apiVersion: string, kind: string): Promise<boolean> {
    this.resources.delete(apiVersion);
    try {
      return (await this.discover(apiVersion)).has(kind);
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return false;
      throw error;
    }
  }

  async remove(object: KubeObject): Promise<void> {
    await this.send('DELETE', await this.pathOf(object));
  }

  /**
   * Any request: what `kubectl get --raw` does. One that comes too early, as for a kind that was defined just now, is
   * sent again, as every client does. A patch of a kind that is defined anew is answered `404 page not found` at first.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the answer is what the path gives
  async send(method: string, path: string, body?: object, type = 'application/json'): Promise<any> {
    const end = Date.now() + 30_000;
    for (;;) {
      try {
        return await this.sendOnce(method, path, body, type);
      } catch (error) {
        const isEarly = error instanceof Refused && isTooEarly(method, error);
        if (!isEarly || Date.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  /** Every change of a kind from now on, until the function it gives is called. */
  async watch(
    [apiVersion, kind]: readonly [string, string],
    take: (type: string, object: KubeObject) => void,
    lost: (reason: string) => void,
  ): Promise<() => void> {
    const { path } = await this.resourceOf(apiVersion, kind);
    const { metadata, items } = await this.send('GET', path);
    for (const item of items) take('ADDED', item);
    let isOver = false;
    const query = `watch=true&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=3600`;
    const sent = request(
      this.optionsOf('GET', `${path}?${query}`, 'application/json'),
      (answer) => {
        let rest = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => {
          const lines = `${rest}${part}`.split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) {
            const { type, object } = JSON.parse(line);
            take(type, object);
          }
        });
        answer.on('close', () => {
          if (!isOver) lost('the watch was closed');
        });
      },
    );
    sent.on('error', (error) => {
      if (!isOver) lost(error.message);
    });
    sent.end();
    return () => {
      isOver = true;
      sent.destroy();
    };
  }

  close(): void {
    this.agent.destroy();
  }

  private sendOnce(
    method: string,
    path: string,
    body: object | undefined,
    type: string,
    // biome-ignore lint/suspicious/noExplicitAny: the answer is what the path gives
  ): Promise<any> {
    return new Promise((resolve, reject) => {
      const sent = request(this.optionsOf(method, path, type), (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString();
          const status = answer.statusCode ?? 0;
          const json = /json/.test(answer.headers['content-type'] ?? '') ? JSON.parse(text) : text;
          if (status < 300) resolve(json);
          else reject(new Refused(status, json.message ?? text));
        });
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed a kept connection just then: it never saw the request.
        const isUnseen = sent.reusedSocket && error.code === 'ECONNRESET';
        if (isUnseen) resolve(this.sendOnce(method, path, body, type));
        else reject(error);
      });
      sent.setTimeout(30_000, () => sent.destroy(new Error(`${path} takes too long`)));
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  private optionsOf(method: string, path: string, type: string): RequestOptions {
    const { hostname, port } = new URL(this.access.server);
    const headers = { authorization: `Bearer ${this.access.token}`, 'content-type': type };
    return { method, hostname, port, path, headers, agent: this.agent };
  }

  private async pathOf({ apiVersion, kind, metadata }: KubeObject): Promise<string> {
    const { path, namespaced } = await this.resourceOf(apiVersion, kind);
    if (!namespaced) return `${path}/${metadata.name}`;
    const place = path.lastIndexOf('/');
    const namespace = metadata.namespace ?? 'default';
    return `${path.slice(0, place)}/namespaces/${namespace}${path.slice(place)}/${metadata.name}`;
  }

  /** A kind that was defined just now is served a moment later. */
  private resourceOf(apiVersion: string, kind: string): Promise<Resource> {
    const ask = async (): Promise<Resource | undefined> => {
      const found = (await this.discover(apiVersion)).get(kind);
      if (!found) this.resources.delete(apiVersion);
      return found;
    };
    return until(ask, { what: `the kind ${kind} of ${apiVersion}`, within: 60_000 });
  }

  private discover(apiVersion: string): Promise<Map<string, Resource>> {
    const known = this.resources.get(apiVersion);
    if (known) return known;
    const found = this.readResources(apiVersion);
    this.resources.set(apiVersion, found);
    found.catch(() => this.resources.delete(apiVersion));
    return found;
  }

  private async readResources(apiVersion: string): Promise<Map<string, Resource>> {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { resources } = await this.send('GET', root);
    return new Map(
      resources
        .filter(({ name }: { name: string }) => !name.includes('/'))
        .map((one: { kind: string; name: string; namespaced: boolean }) => [
          one.kind,
          { path: `${root}/${one.name}`, namespaced: one.namespaced },
        ]),
    );
  }
}
