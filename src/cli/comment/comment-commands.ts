import { type Command, InvalidArgumentError, Option } from 'commander';
import { commentMarker, type Posted, postComments } from '../../features/comment/comment.ts';
import type { Plan } from '../../features/plan/plan-answer.ts';
import { forgeLinks } from '../../features/plan/print/plan-links.ts';
import { planMarkdown, planMarkdownParts } from '../../features/plan/print/plan-markdown.ts';
import { EnvironmentError } from '../../model/problem.ts';
import type { Forge } from '../../ports/forge.ts';
import { plain } from '../../text/print/plain.ts';
import {
  type GithubHead,
  type GithubRepository,
  githubForge,
  githubPullRequestsOf,
} from '../../world/forge/github.ts';
import { gitlabForge } from '../../world/forge/gitlab.ts';
import { clock } from '../../world/machine.ts';
import type { CommandLine } from '../command-line.ts';
import { UsageError } from '../failure.ts';
import { countValue } from '../option-values.ts';
import { readPlan } from '../plan-input.ts';
import { exit, type World } from '../world.ts';
import { readEvent } from './comment-event.ts';
import { mostChars, type Target, type TargetOptions, targetOf, tokenOf } from './comment-target.ts';

/** The command that puts a plan on a pull request. */
export function addCommentCommands({ world, command, take }: CommandLine): void {
  const comment = command(
    'comment',
    'put a plan on a pull request, as one comment kept up to date',
  );
  targetOptions(comment)
    .requiredOption('--plan <file>', 'what leasehold plan -o json printed; - is standard input')
    .option(
      '--head <commit>',
      'post nothing unless the plan is of this commit, and it is the newest',
      commitValue,
    )
    .option(
      '--key <name>',
      'tells the comments of several runs on one pull request apart',
      keyValue,
      'default',
    )
    .option('--author <login>', 'who writes the comments; the forge is asked when left out')
    .option('--max-chars <count>', 'the most characters of a comment', countValue, 65_000)
    .option('--split', 'post what one comment cannot hold in further ones', false)
    .option('--dry-run', 'print what would be posted, and where; ask no forge', false)
    .action((_, self) => take(runComment(world, self.optsWithGlobals())));
}

function targetOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--forge <name>', "the CI's own when left out").choices(['github', 'gitlab']),
    )
    .option('--repository <owner/name>', 'the repository on GitHub')
    .option('--project <path>', 'the project on GitLab, or its number')
    .option('--pull-request <number>', 'the pull request or merge request', numberValue)
    .option('--api <url>', "the forge's API, such as https://git.example.com/api/v4");
}

interface CommentOptions extends TargetOptions {
  readonly plan: string;
  readonly head: string | undefined;
  readonly key: string;
  readonly author: string | undefined;
  readonly maxChars: number;
  readonly split: boolean;
  readonly dryRun: boolean;
}

/** A marker and the verdict need some. */
const leastChars = 1000;

/** `leasehold comment`: the plan is rendered here, so that nobody else's text is posted. */
async function runComment(world: World, options: CommentOptions): Promise<number> {
  const event = await readEvent(world);
  const target = targetOf(options, world.env, event);
  const most = mostChars[target.forge];
  if (options.maxChars > most || options.maxChars < leastChars) {
    throw new UsageError(`--max-chars is between ${leastChars} and ${most} here`);
  }
  const plan = await readPlan(world, options.plan);
  if (plan === undefined) return exit.problems;
  const head = options.head ?? (target.number === undefined ? event.run?.commit : undefined);
  if (head !== undefined) assertPlanOf(plan, head);
  const bodies = bodiesOf(plan, target, options);
  if (options.dryRun) return showDry(world, target, bodies);
  const forge = await forgeOf(target, world, event.run);
  if (forge === undefined) {
    world.err(`nothing posted: no open pull request is at ${plain(head ?? '')} by now\n`);
    return exit.fine;
  }
  const newest = head === undefined ? undefined : await forge.head();
  if (newest !== undefined && newest !== head) {
    world.err(`nothing posted: ${plain(forge.name)} is at ${plain(newest)} by now\n`);
    return exit.fine;
  }
  const posted = await postComments(forge, { ...options, bodies }, clock);
  world.err(`${postedText(posted)} on ${plain(forge.name)}\n`);
  return exit.fine;
}

/**
 * A late job must not put an older plan over a newer one. A plan of the merge of that commit with its
 * target, which CI often checks out, is a plan of that commit.
 */
function assertPlanOf({ head }: Plan, wanted: string): void {
  const isMergeOf = head.parents.length > 1 && head.parents.includes(wanted);
  if ((head.commit === wanted || isMergeOf) && !head.uncommitted) return;
  const found = head.uncommitted ? `what is uncommitted on ${head.commit}` : head.commit;
  throw new EnvironmentError(`nothing posted: the plan is of ${found}, and not of ${wanted}`);
}

function bodiesOf(plan: Plan, target: Target, options: CommentOptions): readonly string[] {
  const render = options.split
    ? planMarkdownParts
    : (...args: Parameters<typeof planMarkdown>) => [planMarkdown(...args)];
  return render(plan, {
    maxChars: options.maxChars,
    linkOf: target.pages ? forgeLinks(target.pages, plan) : () => undefined,
    marker: (part) => commentMarker(options.key, part),
  });
}

/** Undefined when no pull request has the commit that another workflow ran for. */
async function forgeOf(
  target: Target,
  { env }: World,
  run: GithubHead | undefined,
): Promise<Forge | undefined> {
  const timing = { clock };
  const { forge, repository: project } = target;
  const asked = { ...target, ...tokenOf(forge, env) };
  const number = target.number ?? (run && (await numberOfRun(asked, run)));
  if (number === undefined) return undefined;
  if (forge === 'gitlab') return gitlabForge({ ...asked, project, number }, timing);
  return githubForge({ ...asked, number }, timing);
}

/** The event of a fork's workflow names no pull request: GitHub is asked which one has its commit. */
async function numberOfRun(asked: GithubRepository, run: GithubHead): Promise<number | undefined> {
  const numbers = await githubPullRequestsOf(asked, run, { clock });
  if (numbers.length < 2) return numbers[0];
  throw new EnvironmentError(
    `nothing posted: the pull requests ${numbers.join(' and ')} have the same branch; name one with --pull-request`,
  );
}

function showDry(world: World, target: Target, bodies: readonly string[]): number {
  const what = target.forge === 'github' ? 'pull request' : 'merge request';
  const which = target.number === undefined ? 'still to be found' : target.number;
  const where = `${what} ${which} of ${target.repository}, over ${target.api}`;
  world.err(`would post ${counted(bodies.length)} on ${plain(where)}\n`);
  world.out(bodies.join('\n'));
  return exit.fine;
}

function postedText({ created, updated, removed, untouched }: Posted): string {
  const counts = { created, updated, removed, untouched };
  const told = Object.entries(counts).filter(([, count]) => count > 0);
  return told.map(([done, count]) => `${counted(count)} ${done}`).join(', ');
}

function counted(count: number): string {
  return count === 1 ? '1 comment' : `${count} comments`;
}

/** A full object name: the beginning of one would be told apart by nobody. */
function commitValue(text: string): string {
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)) return text;
  throw new InvalidArgumentError('It is not the full name of a commit: 40 or 64 hex digits.');
}

/** It stands in a comment of HTML. */
function keyValue(text: string): string {
  if (/^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$/.test(text) && text.length <= 64) return text;
  throw new InvalidArgumentError(
    'It is not a name of letters, digits and single . _ - between them.',
  );
}

function numberValue(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is not a number such as 7.');
}
