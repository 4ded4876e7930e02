import type { CliContext } from '../../../core/cli/cli-context.ts';
import { UsageError } from '../../../core/cli/failure.ts';
import {
  type Forge,
  forgeNames,
  forgeOfCI,
  forgeOfHost,
} from '../../../core/model/forges/forges.ts';
import { EnvironmentError } from '../../../core/model/problem.ts';
import type { ForgePages } from '../../../core/run/plan/print/plan-format.ts';
import { readInput } from '../../../core/world/disk/named-file.ts';
import { jsonIn } from '../../../core/world/system-error.ts';
import type { Env, GithubHead, RepositoryOptions, WorkflowEvent } from '../world/forge-client.ts';
import { forgeClients } from '../world/forge-clients.ts';

/** The options that name a pull request. The environment of the CI completes them. */
interface TargetOptions extends RepositoryOptions {
  readonly forge?: Forge;
  readonly pullRequest?: number;
  readonly api?: string;
}

/** A pull request, and the API of its forge. */
export interface Target {
  readonly forge: Forge;
  /** `owner/name`; on GitLab the project's path or number. */
  readonly repository: string;
  /** Undefined when only the commit is known, from the event of another workflow. */
  readonly number: number | undefined;
  readonly api: string;
  /** The web pages of the repository; undefined when the API's address does not tell them. */
  readonly pages: ForgePages | undefined;
  /** The web page of the CI run that made the plan, with its artifacts; undefined outside of CI. */
  readonly report: string | undefined;
}

/**
 * Finds the pull request from the options, the environment and the event. A UsageError for what is
 * missing.
 */
export function targetOf(options: TargetOptions, env: Env, event: WorkflowEvent): Target {
  const forge = forgeIn(options, env);
  const client = forgeClients[forge];
  const repository = client.repositoryIn(options, env);
  const number = options.pullRequest ?? client.numberIn(env, event);
  if (number === undefined && !(client.requestsAt && event.run)) {
    throw new UsageError(
      'no pull request is known: this job does not run for one; name it with --pull-request',
    );
  }
  const api = options.api ?? client.apiIn(env);
  const pages = pagesOf(forge, api, repository);
  return { forge, repository, number, api, pages, report: client.reportIn(env, event) };
}

/** The token for a forge and the variable that holds it. An EnvironmentError when none is set. */
export function tokenOf(forge: Forge, env: Env): { token: string; tokenFrom: string } {
  const tokens = forgeClients[forge].tokensIn(env);
  for (const tokenFrom of tokens) {
    const token = env[tokenFrom];
    if (token) return { token, tokenFrom };
  }
  throw new EnvironmentError(
    `a token is needed to write comments: set ${tokens.join(' or ')} in the environment`,
  );
}

function forgeIn(options: TargetOptions, env: Env): Forge {
  const named = forgeNames.filter((name) => options[forgeClients[name].option] !== undefined);
  const possible: readonly (Forge | undefined)[] = named.length > 0 ? named : forgeNames;
  const host = options.api && URL.canParse(options.api) ? new URL(options.api).hostname : '';
  const likely = [forgeOfHost(host), forgeOfCI(env)];
  const found = options.forge ?? likely.find((one) => one && possible.includes(one)) ?? named[0];
  if (found) return found;
  throw new UsageError('no forge is known: this does not run in its CI; name it with --forge');
}

/**
 * The web pages for an API at `https://api.github.com`, or at `https://host/api/v` with the version
 * 3 of GitHub, 4 of GitLab, or 1 of Forgejo and Gitea.
 */
function pagesOf(forge: Forge, api: string, repository: string): ForgePages | undefined {
  const [, site] = /^(https:\/\/[^?#]+?)\/api\/v[134]\/?$/.exec(api) ?? [];
  const [, host] = /^https:\/\/api\.([^/?#]+)\/?$/.exec(api) ?? [];
  const root = site ?? (host === undefined ? undefined : `https://${host}`);
  if (root === undefined || !repository.includes('/')) return undefined;
  return { forge, repository: `${root}/${repository}` };
}

const mostBytes = 64 * 1024 * 1024;

/** The event of the running workflow; empty outside of a workflow. */
export async function readEvent({ cwd, env }: CliContext): Promise<WorkflowEvent> {
  if (!env.GITHUB_EVENT_PATH) return {};
  const bytes = await readInput(cwd, { name: env.GITHUB_EVENT_PATH, mostBytes });
  const event = fields(jsonIn(Buffer.from(bytes).toString('utf8')));
  const number = fields(event.pull_request).number;
  const run = runOf(fields(event.workflow_run));
  const { id } = fields(event.workflow_run);
  return {
    ...(typeof number === 'number' && Number.isSafeInteger(number) && number > 0 && { number }),
    ...(run && { run, runId: String(id) }),
  };
}

function runOf({ event, head_sha, head_branch, head_repository }: Fields): GithubHead | undefined {
  const { full_name } = fields(head_repository);
  const texts = [full_name, head_branch, head_sha];
  if (event !== 'pull_request' || !texts.every(isText)) return undefined;
  const [repository, branch, commit] = texts;
  return { repository, branch, commit } as GithubHead;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown): Fields {
  return Object(value) as Fields;
}
