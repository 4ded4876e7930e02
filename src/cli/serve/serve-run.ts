import { resolve } from 'node:path';
import { boundedGitWork } from '../../features/serve/bounded-git-work.ts';
import { type FollowEvent, Follower } from '../../features/serve/follow.ts';
import { RequestMetrics } from '../../features/serve/metrics-text.ts';
import { PendingLooks } from '../../features/serve/pending-looks.ts';
import { routesOf } from '../../features/serve/routes/routes.ts';
import { webOf } from '../../features/serve/web.ts';
import { paintOf } from '../../text/print/paint.ts';
import { plain } from '../../text/print/plain.ts';
import { problemsText } from '../../text/print/problems-text.ts';
import { isReadByAll } from '../../world/disk/named-file.ts';
import { assertRemote } from '../../world/git/git-remote.ts';
import { startServer } from '../../world/http/server.ts';
import { clock, stopSignal } from '../../world/machine.ts';
import { pageScriptPath, shippedText } from '../../world/shipped-file.ts';
import { reportFailure, UsageError } from '../failure.ts';
import { readSecret } from '../secret-input.ts';
import { version } from '../version.ts';
import { exit, type World } from '../world.ts';
import type { ServeOptions } from './serve-options.ts';
import { workBeside } from './serve-work.ts';

/**
 * `leasehold serve`: answers over HTTP who has what, until somebody stops it. Loaded when it is asked for: no other command
 * needs a server.
 */
export async function runServe(world: World, options: ServeOptions): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  if (options.openOperatorEndpoints && options.tokenFile === undefined) {
    throw new UsageError('--open-operator-endpoints says something only with --token-file');
  }
  const token = await tokenIn(world, options);
  const { branch, remote, pendingRefs: patterns, pendingDays: days } = options;
  const environment = { ...world.env };
  if (branch !== undefined || patterns.length > 0) {
    await assertRemote(root, remote);
  }
  const tree = { root, remote, branch, patterns, days, environment };
  const looks = workBeside(tree);
  // In a thread of their own: a look must not wait for a plan of a large tree.
  const questions = workBeside(tree);
  const { work } = looks;
  const name = branch === undefined ? 'the checkout' : `${branch} of ${remote}`;
  const follower = new Follower({
    name,
    work,
    git: boundedGitWork(questions.work),
    pending:
      patterns.length === 0
        ? undefined
        : new PendingLooks({ branches: work.branches, timeouts: clock }),
    clock,
    timeouts: clock,
    today: world.today,
    time: () => `${new Date().toISOString().slice(0, 19)}Z`,
  });
  const requests = new RequestMetrics();
  const pageScript = shippedText(pageScriptPath);
  const web = webOf(follower, routesOf({ version, scope: options, pageScript, requests }), {
    isOperatorOpen: options.openOperatorEndpoints,
  });
  const stop = stopSignal();
  try {
    const server = await startServer(web, {
      ...options.listen,
      token,
      allowedHosts: options.allowedHost,
      mostConnections: options.maxConnections,
      onError: (error) => reportFailure(world, error),
      onAnswer: (path, status, seconds) => requests.answered(path, status, seconds),
      mostListeners: Math.max(1, Math.floor(options.maxConnections / 4)),
    });
    cautionOpen(world, options, token);
    world.err(`listening on ${server.url}\n`);
    const report = (event: FollowEvent): void => {
      if (stop.isStopped()) return;
      if (event.kind === 'failed' && event.bug !== undefined) reportFailure(world, event.bug);
      world.err(eventText(world, event, name));
    };
    try {
      const { interval } = options;
      await Promise.race([
        follower.run({ interval, isStopped: stop.isStopped, report }),
        stop.stopped,
      ]);
    } finally {
      await server.close(options.drain);
    }
    return exit.fine;
  } finally {
    stop.close();
    await Promise.all([looks.close(), questions.close()]);
  }
}

/** A UsageError for what no client can send as a token. */
async function tokenIn(world: World, { tokenFile }: ServeOptions): Promise<Uint8Array | undefined> {
  if (tokenFile === undefined) return undefined;
  const token = await readSecret(world, tokenFile);
  if (!token.every((byte) => byte > 0x20 && byte < 0x7f)) {
    throw new UsageError('a token is of ASCII characters without spaces and line breaks');
  }
  if (tokenFile !== '-' && isReadByAll(world.cwd, tokenFile)) {
    world.err(
      `caution: every user of this machine may read ${plain(tokenFile)}; chmod o-r keeps the token\n`,
    );
  }
  return token;
}

/** What the run-time operator did too, so that it is no error: whoever reaches the port reads who has what. */
function cautionOpen(world: World, { listen }: ServeOptions, token: Uint8Array | undefined): void {
  if (token !== undefined || isLoopback(listen.host)) return;
  world.err(
    `caution: whoever reaches ${plain(listen.host)} may read who has which address; --token-file asks for a token\n`,
  );
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function eventText(world: World, event: FollowEvent, source: string): string {
  switch (event.kind) {
    case 'serves': {
      const { revision, snapshot } = event.served;
      const at = revision.commit === undefined ? '' : ` at ${revision.commit.id.slice(0, 12)}`;
      const more = revision.isUncommitted ? ', with what is not committed' : '';
      const problems =
        snapshot.problems.length === 0 ? '' : problemsText(snapshot.problems, paintOf(world.color));
      return `${plain(`serving ${source}${at}${more}`)}\n${problems}`;
    }
    case 'broken':
      return `${plain(`${source} has problems; ${event.isServing ? 'the last good state' : 'nothing'} is served until they are mended`)}\n${problemsText(event.problems, paintOf(world.color))}`;
    case 'failed':
      return `${plain(`${event.reason}; trying again`)}\n`;
    case 'branches':
      return event.reason === undefined
        ? 'open branches are read again\n'
        : `${plain(`open branches are not read: ${event.reason}; what is known of them counts on`)}\n`;
    case 'recovered':
      return `${plain(`${source} is reached again`)}\n`;
  }
}
