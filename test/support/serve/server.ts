import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Day } from '../../../src/core/model/day.ts';
import { clock } from '../../../src/core/world/machine.ts';
import { pageRoutes } from '../../../src/features/page/page-routes.ts';
import { boundedGitWork } from '../../../src/features/serve/bounded-git-work.ts';
import { type IpamSource, workDeskOf } from '../../../src/features/serve/cli/serve-work.ts';
import { type FollowEvent, Follower } from '../../../src/features/serve/follow.ts';
import { ipamOperations, ipamWebActions } from '../../../src/features/serve/ipam-actions.ts';
import { longWork } from '../../../src/features/serve/long-work.ts';
import { RequestMetrics } from '../../../src/features/serve/metrics-text.ts';
import { PendingPolls } from '../../../src/features/serve/pending-polls.ts';
import {
  OperatorLeases,
  type OperatorScope,
} from '../../../src/features/serve/routes/operator-leases.ts';
import { routesOf } from '../../../src/features/serve/routes/routes.ts';
import { webOf } from '../../../src/features/serve/web.ts';
import { type ServerTerms, startServer } from '../../../src/lib/http/world/server.ts';
import { botEnvironment } from '../repositories/bot-remote.ts';

/** A service over a checkout, in this process: it polls when a test says so. */
export interface Serving {
  readonly url: string;
  readonly port: number;
  readonly events: readonly FollowEvent[];
  /** The day from the next poll on. */
  setDay(day: string): void;
  poll(): Promise<boolean>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  json(path: string): Promise<unknown>;
  /** Sends bytes as they are, and gives all that comes until the server closes or a text has come. */
  raw(bytes: string, until?: RegExp): Promise<string>;
  close(): Promise<void>;
}

/** Starts to listen, and polls once unless it is to be loading. */
export async function serving(
  root: string,
  more: Partial<ServerTerms & OperatorScope> & {
    readonly isOperatorOpen?: boolean;
    readonly isLoading?: boolean;
    /** Patterns of refs of `origin` whose open branches count. */
    readonly pendingRefs?: readonly string[];
    /** Answers requests of ipam-operator. */
    readonly ipam?: IpamSource;
    /** Called before each reading of the tree. */
    readonly beforeRead?: () => void;
  } = {},
): Promise<Serving> {
  let today = '2026-01-10';
  const events: FollowEvent[] = [];
  const work = longWork(
    workDeskOf({
      root,
      remote: 'origin',
      branch: undefined,
      patterns: more.pendingRefs ?? [],
      days: 30,
      ipam: more.ipam,
      environment: botEnvironment,
    }),
  );
  const { cluster, zone, provider, isOperatorOpen = false, isLoading = false, ...terms } = more;
  const leases = new OperatorLeases({ cluster, zone, provider });
  const follower = new Follower({
    name: 'the checkout',
    work: {
      ...work,
      async read(day) {
        more.beforeRead?.();
        return work.read(day);
      },
    },
    git: boundedGitWork(work),
    pending: more.pendingRefs && new PendingPolls({ branches: work.branches, timeouts: clock }),
    prepare: (snapshot) => leases.prepare(snapshot, () => clock.pause(0)),
    clock,
    timeouts: clock,
    today: () => today as Day,
    time: () => `${today}T08:00:00Z`,
  });
  const requests = new RequestMetrics();
  const server = await startServer(
    webOf(
      follower,
      routesOf({
        added: pageRoutes(() => 'run()'),
        version: '0.0.1',
        leases,
        requests,
        operations: more.ipam ? ipamOperations : [],
      }),
      { isOperatorOpen },
      more.ipam ? ipamWebActions(work, () => today as Day) : [],
    ),
    {
      host: '127.0.0.1',
      port: 0,
      token: undefined,
      allowedHosts: [],
      mostConnections: 64,
      mostListeners: 2,
      onError: (error) => {
        throw error;
      },
      onAnswer: (path, status, seconds) => requests.answered(path, status, seconds),
      ...terms,
    },
  );
  onTestFinished(() => server.close(0));
  const poll = () => follower.poll((event) => events.push(event));
  if (!isLoading) await poll();
  const get: Serving['get'] = (path, headers = {}) => fetch(`${server.url}${path}`, { headers });
  const port = Number(new URL(server.url).port);
  return {
    url: server.url,
    port,
    events,
    setDay(day) {
      today = day;
    },
    poll,
    get,
    json: async (path) => (await get(path)).json(),
    raw: (bytes, until) => rawAnswer(port, bytes, until),
    close: () => server.close(1000),
  };
}

function rawAnswer(port: number, bytes: string, until?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (part) => {
      text += part;
      if (until?.test(text)) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)));
  });
}
