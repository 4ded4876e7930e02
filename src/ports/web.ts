/** What is answered to one request. */
export interface WebAnswer {
  readonly status: number;
  /** The media type, with its charset. */
  readonly type: string;
  readonly body: string;
  /** Strong, with its quotes; undefined for what a client must not keep. */
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What one request asks, decoded and not to be trusted. */
export interface WebRequest {
  /** The parts of the path that stand in braces in the route's path. */
  readonly params: Readonly<Record<string, string>>;
  /** Each name at most once: of one that is given more often, the last. */
  readonly query: Readonly<Record<string, string>>;
}

/** Something that GET answers. */
export interface WebRoute {
  /** Such as `/api/v1/addresses/{address}`: each part between slashes is a text or a name in braces. */
  readonly path: string;
  /** `open` answers without a token, whatever else asks for one. */
  readonly access: 'open' | 'token';
  /** Never throws for what somebody asks. */
  answer(request: WebRequest): Promise<WebAnswer>;
}

/** One event of a stream. */
export interface WebEvent {
  readonly name: string;
  readonly id: string;
  /** One line. */
  readonly data: string;
}

/** A stream of events that clients listen to: each gets the newest, and not every one. */
export interface WebEvents {
  readonly path: string;
  readonly access: 'open' | 'token';
  /** The newest event; undefined before there is one. */
  newest(): WebEvent | undefined;
  /** Calls back at each change until what it gives is called. */
  subscribe(listener: () => void): () => void;
}

/** All that a server answers. */
export interface Web {
  readonly routes: readonly WebRoute[];
  readonly events: WebEvents;
  /** Headers of every answer at this moment. */
  headers(): Readonly<Record<string, string>>;
  /** The answer in place of a route's, for a status from 400 on and a sentence. */
  refusal(status: number, reason: string): WebAnswer;
}
