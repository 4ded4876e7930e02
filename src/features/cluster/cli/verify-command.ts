import { Option } from '@commander-js/extra-typings';
import { reportText, stateFields, tableOption, tableStyle } from '../../../core/cli/answer.ts';
import { type CliContext, exit, isData } from '../../../core/cli/cli-context.ts';
import type { NewCommand, OptionsOf } from '../../../core/cli/command-line.ts';
import { declaredCluster } from '../../../core/cli/declared-names.ts';
import { command } from '../../../core/cli/feature.ts';
import { clusterOption, timeValue } from '../../../core/cli/option-values.ts';
import { type OpenTree, openTree, reportTreeProblems } from '../../../core/cli/with-tree.ts';
import { EnvironmentError } from '../../../core/model/problem.ts';
import { check } from '../../../core/run/synth/check.ts';
import type { AnsweredState } from '../../../core/text/answer.ts';
import { sanitize } from '../../../core/text/print/escape.ts';
import { failureText } from '../../../core/text/print/failure-text.ts';
import { clock, stopSignal } from '../../../core/world/machine.ts';
import {
  connectionOf,
  contextOption,
  kubeconfigOption,
} from '../../../lib/kubernetes/cli/connection-options.ts';
import { kubernetesCluster } from '../../../lib/kubernetes/world/kubernetes.ts';
import { desiredState } from '../desired.ts';
import { verificationFor } from '../kubectl.ts';
import { noStates } from '../planes/metallb/metallb.ts';
import type { Verification } from '../verification-answer.ts';
import { countsText, verificationTable } from '../verification-text.ts';
import { verifyCluster, verifyUntilOk } from '../verify.ts';
import { changedLines, type Poll, pollOrFailure, watchCluster } from '../watch.ts';
import { tcpDialer } from '../world/tcp-dialer.ts';

/** `leasehold verify`. */
export const verifyCommand = command(verifyOptions, (context, options) =>
  options.watch ? runWatch(context, options) : runVerify(context, options),
);

function verifyOptions(bare: NewCommand) {
  return bare
    .addOption(clusterOption())
    .addOption(contextOption())
    .addOption(kubeconfigOption())
    .addOption(tableOption())
    .option(
      '--timeout <time>',
      'how long to wait until all is well, such as 90s or 5m',
      timeValue,
      0,
    )
    .option('--reach', 'also connect to each TCP port of each address, from this machine', false)
    .addOption(
      new Option('--watch', 'compare again and again, and print what changes, until a signal')
        .default(false)
        .conflicts('timeout'),
    )
    .addOption(
      new Option('--interval <time>', 'with --watch: the time between two comparisons')
        .default(30_000, '30s')
        .argParser(timeValue),
    );
}

type VerifyOptions = OptionsOf<typeof verifyOptions>;

/** Checks the tree first: a cluster is not compared with a tree that has problems. */
async function runVerify(context: CliContext, options: VerifyOptions): Promise<number> {
  const opened = openTree(context, options);
  const desired = await readDesired(context, opened, options);
  if (!desired.ok) return reportTreeProblems(context, opened.repository, desired.problems);
  const connection = connectionOf(options);
  const cluster = await kubernetesCluster(connection, context.cwd);
  const { value, state } = desired;
  const verified = await verifyUntilOk(value, cluster, {
    waiting: clock,
    dialer: dialerOf(options),
    timeout: options.timeout,
    onWait: (found) => context.err(waitText(found, options.timeout)),
  });
  const verification = verificationFor(verified, connection);
  context.out(verificationText(context, verification, state, options));
  context.err(notesText(verification, options) + unappliedText(verification));
  return verification.ok ? exit.fine : exit.problems;
}

/**
 * Prints the first comparison, and of each later one what changed. Reads the tree each time, so
 * that a pull takes effect. SIGTERM and SIGINT end it at once, with the exit status of the last
 * comparison that was finished.
 */
async function runWatch(context: CliContext, options: VerifyOptions): Promise<number> {
  // A wrong context ends the command; a cluster that is not reached now may be later.
  await kubernetesCluster(connectionOf(options), context.cwd);
  const stop = stopSignal();
  try {
    const last = await watchCluster({
      clock,
      interval: options.interval,
      isStopped: stop.isStopped,
      poll: () => pollOrFailure(() => pollOnce(context, options, stop.aborting), stop.aborting),
      onChange: (found, before) => reportPoll(context, options, found, before),
    });
    if (last === undefined) {
      context.err('leasehold: stopped before the first comparison was finished\n');
      return exit.stopped;
    }
    if (last.kind === 'failed') return exit.environment;
    return last.kind === 'verified' && last.verification.ok ? exit.fine : exit.problems;
  } finally {
    stop.close();
  }
}

/**
 * Prints a verification, or, after an earlier one, what changed in it. With JSON and YAML, each
 * poll is one document.
 */
async function reportPoll(
  context: CliContext,
  options: VerifyOptions,
  found: Poll,
  before: Poll | undefined,
): Promise<void> {
  const time = `${new Date().toISOString().slice(0, 19)}Z`;
  if (options.output === 'yaml') context.out('---\n');
  if (found.kind === 'failed') {
    if (isData(options.output)) context.out(failureText(exit.environment, found.reason));
    context.err(`${time} ${sanitize(found.reason)}; trying again\n`);
    return;
  }
  if (found.kind === 'broken') {
    context.err(
      `${time} the tree has problems; the cluster is not compared until they are fixed\n`,
    );
    const { repository } = openTree(context, options);
    await reportTreeProblems(context, repository, found.problems);
    return;
  }
  const { verification, state } = found;
  if (before === undefined || isData(options.output)) {
    context.out(verificationText(context, verification, state, options));
  } else {
    const { changed, gone } =
      before.kind === 'verified'
        ? changedLines(before.verification, verification)
        : { changed: verification, gone: [] };
    const lines = gone.map((line) => `no more: ${sanitize(line)}\n`).join('');
    context.out(`\n${time}\n${verificationText(context, changed, state, options)}${lines}`);
  }
  context.err(notesText(verification, options));
  if (before?.kind !== 'verified') context.err(unappliedText(verification));
}

async function pollOnce(
  context: CliContext,
  options: VerifyOptions,
  signal: AbortSignal,
): Promise<Poll> {
  const desired = await readDesired(context, openTree(context, options), options);
  if (!desired.ok) return { kind: 'broken', problems: desired.problems };
  const connection = connectionOf(options);
  const cluster = await kubernetesCluster(connection, context.cwd, signal);
  const { value, state } = desired;
  const verified = await verifyCluster(value, cluster, dialerOf(options, signal));
  return { kind: 'verified', verification: verificationFor(verified, connection), state };
}

/** The desired state of the cluster, and the commit and day that it is of. */
async function readDesired(
  context: CliContext,
  { tree, repository }: OpenTree,
  options: VerifyOptions,
) {
  const outcome = await check(tree, repository.history, { progress: context.progress });
  if (!outcome.ok) return outcome;
  const declared = declaredCluster(outcome.value.workspace.pools, options.cluster);
  const state = await stateFields(context, repository, options.output);
  return { ok: true, value: desiredState(tree, outcome.value, declared), state } as const;
}

function dialerOf({ reach }: VerifyOptions, signal?: AbortSignal) {
  return reach ? tcpDialer(signal) : undefined;
}

function verificationText(
  context: CliContext,
  verification: Verification,
  state: AnsweredState,
  { output }: VerifyOptions,
): string {
  const style = tableStyle(context, output);
  return reportText({ ...verification, ...state }, output, (shown) =>
    verificationTable(shown, style),
  );
}

/** Data has the notes in it. When all is well, what an older MetalLB never tells is not repeated. */
function notesText({ notes, ok }: Verification, { reach, output }: VerifyOptions): string {
  if (isData(output)) return '';
  const told = notes.filter((note) => reach || !ok || note !== noStates);
  return told.map((note) => `note: ${sanitize(note)}\n`).join('');
}

function unappliedText(verification: Verification): string {
  if (!isNothingApplied(verification)) return '';
  return `no claim is applied: is ${sanitize(verification.asked)} the right cluster?\n`;
}

/** True when the cluster has no Service of any claim: the tree was never applied to it. */
function isNothingApplied({ claims }: Verification): boolean {
  return (
    claims.length > 0 &&
    claims.every(({ object: own, details }) =>
      details.some(({ state, object }) => state === 'not applied' && object === own),
    )
  );
}

function waitText(found: Verification | EnvironmentError, timeout: number): string {
  const reason = found instanceof EnvironmentError ? sanitize(found.message) : countsText(found);
  return `waiting up to ${timeout / 1000} s: ${reason}\n`;
}
