import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { reportText, valuesOption } from '../../../core/cli/answer.ts';
import { type CliContext, exit } from '../../../core/cli/cli-context.ts';
import type { NewCommand, OptionsOf } from '../../../core/cli/command-line.ts';
import { reportRefusal, UsageError } from '../../../core/cli/failure.ts';
import { command } from '../../../core/cli/feature.ts';
import { readPlan } from '../../../core/cli/input-files.ts';
import { countValue } from '../../../core/cli/option-values.ts';
import { forgeNames, forges } from '../../../core/model/forges/forges.ts';
import { EnvironmentError } from '../../../core/model/problem.ts';
import type { Plan } from '../../../core/run/plan/plan-answer.ts';
import { clock } from '../../../core/world/machine.ts';
import { forgeLinks } from '../../../lib/markdown/plan-links.ts';
import { planMarkdown, planMarkdownParts } from '../../../lib/markdown/plan-markdown.ts';
import { commentMarker, postComments } from '../comment.ts';
import { type Posting, postingNote, postingText } from '../comment-answer.ts';
import type { Forge } from '../forge.ts';
import type { GithubHead } from '../world/forge-client.ts';
import { forgeClients } from '../world/forge-clients.ts';
import { readEvent, type Target, targetOf, tokenOf } from './comment-target.ts';

/** `leasehold comment`. */
export const commentCommand = command(commentOptions, runComment);

function commentOptions(bare: NewCommand) {
  return bare
    .addOption(new Option('--forge <name>', "the CI's own when left out").choices(forgeNames))
    .option('--repository <owner/name>', 'the repository on GitHub, Forgejo or Gitea')
    .option('--project <path>', 'the project on GitLab, or its number')
    .option('--pull-request <number>', 'the pull request or merge request', numberValue)
    .option('--api <url>', "the forge's API, such as https://git.example.com/api/v4")
    .requiredOption('--plan <file>', 'the output of leasehold plan -o json; - is standard input')
    .option(
      '--head <commit>',
      'post nothing unless the plan is of this commit, and it is the newest',
      commitValue,
    )
    .option(
      '--key <name>',
      'separates the comments of several runs on one pull request',
      markerValue,
      'default',
    )
    .option('--author <login>', 'the author of the comments; read from the forge when left out')
    .option('--max-chars <count>', 'the most characters of a comment', countValue, 65_000)
    .option('--split', 'post what does not fit in further comments', false)
    .option('--dry-run', 'print what would be posted, and where; do not contact the forge', false)
    .addOption(valuesOption('comments'));
}

type CommentOptions = OptionsOf<typeof commentOptions>;

/** A comment needs room for its marker and the verdict. */
const leastChars = 1000;

/** Renders the plan anew from its JSON, so that no text from elsewhere is posted. */
async function runComment(context: CliContext, options: CommentOptions): Promise<number> {
  const event = await readEvent(context);
  const target = targetOf(options, context.env, event);
  const most = forges[target.forge].mostChars;
  if (options.maxChars > most || options.maxChars < leastChars) {
    throw new UsageError(`--max-chars is between ${leastChars} and ${most} here`);
  }
  const read = await readPlan(context, options.plan);
  if (!read.ok) return reportRefusal(context, read.messages);
  const plan = read.value;
  const head = options.head ?? (target.number === undefined ? event.run?.commit : undefined);
  if (head !== undefined) assertPlanOf(plan, head);
  const bodies = bodiesOf(plan, target, options);
  const number = await numberFor(target, context, event.run, options);
  const about = aboutOf(plan, { ...target, number });
  const print = (posting: Posting): number => {
    context.err(postingNote(posting));
    context.out(reportText(posting, options.output, postingText));
    return exit.fine;
  };
  if (options.dryRun) return print({ ...about, bodies });
  if (number === undefined) {
    return print({ ...about, reason: `no open pull request is at ${head ?? ''} by now` });
  }
  const forge = forgeAt({ ...target, number }, context);
  const newest = head === undefined ? undefined : await forge.head();
  if (newest !== undefined && newest !== head) {
    return print({ ...about, reason: `${forge.name} is at ${newest} by now` });
  }
  return print({ ...about, ...(await postComments(forge, { ...options, bodies }, clock)) });
}

/** The answer before anything is posted. */
function aboutOf(
  { day, head, uncommitted }: Plan,
  { forge, api, repository, number }: Target,
): Posting {
  return {
    ...{ apiVersion: 'leasehold.dev/v1', kind: 'Posting', day, commit: head.commit },
    ...(uncommitted ? { uncommitted } : {}),
    ...{ forge, api, repository },
    ...(number === undefined ? {} : { pullRequest: number }),
    ...{ created: 0, updated: 0, removed: 0, untouched: 0 },
  };
}

/**
 * Throws for a plan of another commit: a late job must not replace a newer plan by an older one. A
 * plan of the merge of the wanted commit with its target, which CI often checks out, is a plan of
 * that commit.
 */
function assertPlanOf({ head }: Plan, wanted: string): void {
  const isMergeOf = head.parents.length > 1 && head.parents.includes(wanted);
  if ((head.commit === wanted || isMergeOf) && !head.uncommitted) return;
  const found = head.uncommitted ? `the uncommitted changes on ${head.commit}` : head.commit;
  throw new EnvironmentError(`nothing posted: the plan is of ${found}, and not of ${wanted}`);
}

function bodiesOf(plan: Plan, target: Target, options: CommentOptions): readonly string[] {
  const render = options.split
    ? planMarkdownParts
    : (...args: Parameters<typeof planMarkdown>) => [planMarkdown(...args)];
  return render(plan, {
    maxChars: options.maxChars,
    linkOf: forgeLinks(target.pages, plan),
    report: target.report,
    marker: (part) => commentMarker(options.key, part),
  });
}

/**
 * The number of the pull request. Undefined when no open one has the commit that another workflow
 * ran for; a dry run does not ask the forge for it.
 */
async function numberFor(
  target: Target,
  { env }: CliContext,
  run: GithubHead | undefined,
  { dryRun }: CommentOptions,
): Promise<number | undefined> {
  const { requestsAt } = forgeClients[target.forge];
  if (target.number !== undefined || run === undefined || dryRun) return target.number;
  const asked = { ...target, ...tokenOf(target.forge, env) };
  const numbers = (await requestsAt?.(asked, run, { clock })) ?? [];
  if (numbers.length < 2) return numbers[0];
  throw new EnvironmentError(
    `nothing posted: the pull requests ${numbers.join(' and ')} have the same branch; name one with --pull-request`,
  );
}

function forgeAt(target: Target & { readonly number: number }, { env }: CliContext): Forge {
  const asked = { ...target, ...tokenOf(target.forge, env) };
  return forgeClients[target.forge].open(asked, { clock });
}

/** A full object name: an abbreviated one never equals the commit of a plan. */
function commitValue(text: string): string {
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)) return text;
  throw new InvalidArgumentError('It is not the full name of a commit: 40 or 64 hex digits.');
}

/** A key becomes part of an HTML comment. */
function markerValue(text: string): string {
  if (/^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$/.test(text) && text.length <= 64) return text;
  throw new InvalidArgumentError(
    'It is not a name of letters, digits and single . _ - between them.',
  );
}

function numberValue(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is not a number such as 7.');
}
