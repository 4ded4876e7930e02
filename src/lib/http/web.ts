/** The answer to one request. */
export interface WebAnswer {
  readonly status: number;
  /** The media type, with its charset. */
  readonly type: string;
  readonly body: string;
  /** Strong, with its quotes; undefined for an answer that must not be cached. */
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The parameters of a request, decoded; untrusted. */
export interface WebRequest {
  /** By name the parts of the path that are in braces in the route's path. */
  readonly params: Readonly<Record<string, string>>;
  /** The last value of each name. */
  readonly query: Readonly<Record<string, string>>;
}

/** A path that GET answers. */
export interface WebRoute {
  /** `/api/v1/addresses/{address}`: each part between slashes is a text or a name in braces. */
  readonly path: string;
  /** `open` answers without a token, even when the server requires one. */
  readonly access: 'open' | 'token';
  /** Does not throw for any request. */
  answer(request: WebRequest): Promise<WebAnswer>;
}

/** A path and a method that change something. They always need the token. */
export interface WebAction {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  /** Answers a request with this JSON, undefined when it is none. Untrusted; throws for none. */
  answer(body: unknown): Promise<WebAnswer>;
  /** As {@link Web.refusal}, in the form that clients of the path read. */
  refusal(status: number, reason: string): WebAnswer;
}

/** One event of a stream. */
export interface WebEvent {
  readonly name: string;
  readonly id: string;
  /** One line. */
  readonly data: string;
}

/** A stream of events. A client gets the newest event, not every one. */
export interface WebEvents {
  readonly path: string;
  readonly access: 'open' | 'token';
  /** The newest event; undefined before there is one. */
  newest(): WebEvent | undefined;
  /** Calls back at each change until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** The answers of a server. */
export interface Web {
  readonly routes: readonly WebRoute[];
  readonly events: WebEvents;
  /** Their paths are not those of routes. */
  readonly actions: readonly WebAction[];
  /** The current headers of every answer. */
  headers(): Readonly<Record<string, string>>;
  /** The answer of a failure: a status from 400 on and a sentence. */
  refusal(status: number, reason: string): WebAnswer;
}
