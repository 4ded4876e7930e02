import { resolve } from 'node:path';
import { type CliContext, exit, version, workingRoot } from '../../../core/cli/cli-context.ts';
import { reportFailure, UsageError } from '../../../core/cli/failure.ts';
import type { CommandLine } from '../../../core/cli/feature.ts';
import { readSecret } from '../../../core/cli/input-files.ts';
import { additionsTo } from '../../../core/interfaces/extension.ts';
import { sanitize } from '../../../core/text/print/escape.ts';
import { paintOf, problemsText } from '../../../core/text/print/problems-text.ts';
import { isReadByAll } from '../../../core/world/disk/named-file.ts';
import { clock, stopSignal } from '../../../core/world/machine.ts';
import { shippedText } from '../../../core/world/shipped-file.ts';
import { assertRemote } from '../../../lib/branch/world/git-remote.ts';
import { assertReady } from '../../../lib/branch/world/git-remote-branch.ts';
import { type ServerTerms, startServer } from '../../../lib/http/world/server.ts';
import { serviceRoutes } from '../../../lib/service/route.ts';
import { boundedGitWork } from '../bounded-git-work.ts';
import { type FollowEvent, Follower } from '../follow.ts';
import { ipamOperations, ipamWebActions } from '../ipam-actions.ts';
import type { LongWork } from '../long-work.ts';
import { RequestMetrics } from '../metrics-text.ts';
import { PendingPolls } from '../pending-polls.ts';
import { OperatorLeases } from '../routes/operator-leases.ts';
import { routesOf } from '../routes/routes.ts';
import { webOf } from '../web.ts';
import type { ServeOptions } from './serve-options.ts';
import { type IpamSource, readNamespaces, workBeside } from './serve-work.ts';

/** Runs `leasehold serve` until a signal stops it. */
export async function runServe(
  { context, features }: Pick<CommandLine, 'context' | 'features'>,
  options: ServeOptions,
): Promise<number> {
  const root = workingRoot(context, options);
  if (options.openOperatorEndpoints && options.tokenFile === undefined) {
    throw new UsageError('--open-operator-endpoints needs --token-file');
  }
  assertIpamOptions(options);
  const token = await tokenIn(context, options);
  const { branch, remote, pendingRefs: patterns, pendingDays: days } = options;
  if (branch !== undefined || patterns.length > 0) await assertRemote(root, remote);
  const environment = { ...context.env };
  const ipam = await ipamSource(context, options, root);
  const tree = { root, remote, branch, patterns, days, ipam, environment };
  const polls = workBeside(tree);
  // A thread of their own: a poll must not wait for a plan of a large tree.
  const questions = workBeside(tree);
  // Nor may a client's commit wait for either.
  const commits = workBeside(tree);
  const { cluster, zone, provider } = options;
  const leases = new OperatorLeases({ cluster, zone, provider });
  const works = { polls: polls.work, questions: questions.work };
  const follower = followerOf(context, options, leases, works);
  const requests = new RequestMetrics();
  const makers = await additionsTo(serviceRoutes, features);
  const added = makers.flatMap((routes) => routes(shippedText));
  const operations = ipam ? ipamOperations : [];
  const web = webOf(
    follower,
    routesOf({ version, leases, added, requests, operations }),
    { isOperatorOpen: options.openOperatorEndpoints },
    ipam ? ipamWebActions(commits.work, context.today) : [],
  );
  const stop = stopSignal();
  try {
    const server = await startServer(web, serverTerms(context, options, token, requests));
    cautionOpen(context, options, token);
    context.err(`listening on ${server.url}\n`);
    const report = (event: FollowEvent): void => {
      if (!stop.isStopped()) reportEvent(context, event, sourceName(options));
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
    await Promise.all([polls.close(), questions.close(), commits.close()]);
  }
}

function assertIpamOptions({ ipamBranch, ipamNamespaces, tokenFile }: ServeOptions): void {
  const hasNamespaces = ipamNamespaces.length > 0;
  if (ipamBranch === undefined && hasNamespaces) {
    throw new UsageError('--ipam-namespaces needs --ipam-branch');
  }
  if (ipamBranch !== undefined && !(hasNamespaces && tokenFile !== undefined)) {
    throw new UsageError('--ipam-branch needs --token-file and --ipam-namespaces');
  }
}

/** The handler for requests of ipam-operator, checked as far as it can be before the first one. */
async function ipamSource(
  context: CliContext,
  { ipamBranch: branch, ipamNamespaces, remote }: ServeOptions,
  root: string,
): Promise<IpamSource | undefined> {
  if (branch === undefined) return undefined;
  const namespaces = ipamNamespaces.map((name) => resolve(context.cwd, name));
  await readNamespaces(namespaces);
  await assertReady({ root, remote, environment: context.env });
  return { branch, namespaces };
}

function sourceName({ branch, remote }: ServeOptions): string {
  return branch === undefined ? 'the checkout' : `${branch} of ${remote}`;
}

/** Follows the source. One thread polls it, the other one answers questions of clients. */
function followerOf(
  context: CliContext,
  options: ServeOptions,
  leases: OperatorLeases,
  { polls, questions }: { readonly polls: LongWork; readonly questions: LongWork },
): Follower {
  return new Follower({
    name: sourceName(options),
    work: polls,
    git: boundedGitWork(questions),
    pending:
      options.pendingRefs.length === 0
        ? undefined
        : new PendingPolls({ branches: polls.branches, timeouts: clock }),
    prepare: (snapshot) => leases.prepare(snapshot, () => clock.pause(0)),
    clock,
    timeouts: clock,
    today: context.today,
    time: () => `${new Date().toISOString().slice(0, 19)}Z`,
  });
}

function serverTerms(
  context: CliContext,
  { listen, allowedHost, maxConnections }: ServeOptions,
  token: Uint8Array | undefined,
  requests: RequestMetrics,
): ServerTerms {
  return {
    ...listen,
    token,
    allowedHosts: allowedHost,
    mostConnections: maxConnections,
    onError: (error) => reportFailure(context, error),
    onAnswer: (path, status, seconds) => requests.answered(path, status, seconds),
    mostListeners: Math.max(1, Math.floor(maxConnections / 4)),
  };
}

/** Reads the token file. A UsageError for a token that no client can send. */
async function tokenIn(
  context: CliContext,
  { tokenFile }: ServeOptions,
): Promise<Uint8Array | undefined> {
  if (tokenFile === undefined) return undefined;
  const token = await readSecret(context, tokenFile);
  if (!token.every((byte) => byte > 0x20 && byte < 0x7f)) {
    throw new UsageError('a token has only ASCII characters, and no spaces or line breaks');
  }
  if (tokenFile !== '-' && isReadByAll(context.cwd, tokenFile)) {
    context.err(
      `caution: every user of this machine can read ${sanitize(tokenFile)}; run chmod o-r on it\n`,
    );
  }
  return token;
}

/**
 * Warns when other machines can read the addresses without a token, as they could from Akash's IP
 * operator.
 */
function cautionOpen(
  context: CliContext,
  { listen }: ServeOptions,
  token: Uint8Array | undefined,
): void {
  if (token !== undefined || isLoopback(listen.host)) return;
  context.err(
    `caution: everyone who can reach ${sanitize(listen.host)} can read who has which address; --token-file requires a token\n`,
  );
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function reportEvent(context: CliContext, event: FollowEvent, source: string): void {
  if (event.kind === 'failed' && event.bug !== undefined) reportFailure(context, event.bug);
  context.err(eventText(context, event, source));
}

function eventText(context: CliContext, event: FollowEvent, source: string): string {
  switch (event.kind) {
    case 'serves': {
      const { revision, snapshot } = event.served;
      const at = revision.commit === undefined ? '' : ` at ${revision.commit.id.slice(0, 12)}`;
      const more = revision.isUncommitted ? ', with uncommitted changes' : '';
      const problems =
        snapshot.problems.length === 0
          ? ''
          : problemsText(snapshot.problems, paintOf(context.color));
      return `${sanitize(`serving ${source}${at}${more}`)}\n${problems}`;
    }
    case 'broken':
      return `${sanitize(`${source} has problems; ${event.isServing ? 'the last good state' : 'nothing'} is served until they are fixed`)}\n${problemsText(event.problems, paintOf(context.color))}`;
    case 'failed':
      return `${sanitize(`${event.reason}; trying again`)}\n`;
    case 'branches':
      return event.reason === undefined
        ? 'open branches are read again\n'
        : `${sanitize(`open branches cannot be read: ${event.reason}; their last known state still counts`)}\n`;
    case 'recovered':
      return `${sanitize(`${source} is reachable again`)}\n`;
  }
}
