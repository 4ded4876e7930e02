import { EnvironmentError } from '../../model/problem.ts';

/** A JSON API and who asks it. */
export interface JsonApi {
  /** For people: `GitHub`. */
  readonly name: string;
  /** `https://api.github.com`. Plain http is for the loopback only: the token goes along. */
  readonly root: string;
  /** Sent as a bearer token, and shown nowhere. */
  readonly token: string;
  /** The variable that the token comes from. */
  readonly tokenFrom: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One request to a JSON API. */
export interface JsonRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the root; a whole URL is taken when it is of the same server. */
  readonly path: string;
  readonly body?: object;
}

/** What a JSON API answered. */
export interface JsonAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined when the answer is no JSON. */
  readonly value: unknown;
  readonly text: string;
}

const mostRedirects = 3;
const mostBytes = 128 * 1024 * 1024;

/** One server, which alone is sent the token. */
export class Exchange {
  readonly #api: JsonApi;
  readonly #root: URL;
  readonly #longest: number;

  /** Throws an EnvironmentError for a root or a token that cannot be used. */
  constructor(api: JsonApi, longest: number) {
    this.#api = api;
    this.#root = rootOf(api.root);
    this.#longest = longest;
    // fetch would refuse such a header with a message that quotes it.
    if (!/^[\x21-\x7e]+$/.test(api.token)) {
      throw new EnvironmentError(
        `${api.tokenFrom} is no token: it has a space, a line break or another character that no token has`,
      );
    }
  }

  /** `GitHub at api.github.com`. */
  get name(): string {
    return `${this.#api.name} at ${this.#root.host}`;
  }

  /** Sends a request once; redirects are followed on the same server. Throws what fetch throws. */
  async send({ method, path, body }: JsonRequest): Promise<JsonAnswer> {
    let url = this.#urlOf(path.startsWith('/') ? `${withoutSlash(this.#root.href)}${path}` : path);
    for (let redirects = 0; ; redirects += 1) {
      const response = await fetch(url, {
        method,
        redirect: 'manual',
        headers: {
          ...this.#api.headers,
          Authorization: `Bearer ${this.#api.token}`,
          'User-Agent': 'leasehold',
          ...(body && { 'Content-Type': 'application/json' }),
        },
        signal: AbortSignal.timeout(this.#longest),
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await this.#textOf(response);
      const target = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || target === null) {
        const { status, headers } = response;
        return { status, headers, value: parsed(text), text };
      }
      if (redirects === mostRedirects) throw this.#lost('sends from one address to the next');
      url = this.#urlOf(target, url);
    }
  }

  #urlOf(text: string, base?: URL): URL {
    const url = URL.canParse(text, base?.href) ? new URL(text, base?.href) : undefined;
    if (url?.origin === this.#root.origin && url.username === '') return url;
    throw this.#lost(`leads to ${url?.origin ?? 'no address'}, which is not sent the token`);
  }

  async #textOf({ body }: Response): Promise<string> {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of body ?? []) {
      parts.push(part);
      bytes += part.length;
      if (bytes > mostBytes) throw this.#lost(`answers more than ${mostBytes} bytes`);
    }
    return Buffer.concat(parts).toString('utf8');
  }

  #lost(what: string): EnvironmentError {
    return new EnvironmentError(`${this.name} ${what}: name the address of its API with --api`);
  }
}

/** The root of an API, or an EnvironmentError. */
function rootOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
  if (!url || !isSafe || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new EnvironmentError(
      'the address of an API is https://…, without user, password and query; http is for the loopback only',
    );
  }
  return url;
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

function withoutSlash(text: string): string {
  return text.replace(/\/+$/, '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
