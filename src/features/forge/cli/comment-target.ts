import type { CliContext } from '../../../core/cli/cli-context.ts';
import { UsageError } from '../../../core/cli/failure.ts';
import { EnvironmentError } from '../../../core/model/problem.ts';
import type { Forge } from '../../../core/model/repository-paths.ts';
import type { ForgePages } from '../../../core/run/plan/print/plan-links.ts';
import { readInput } from '../../../core/world/disk/named-file.ts';
import { jsonIn } from '../../../core/world/system-error.ts';
import type { GithubHead } from '../world/github.ts';

/** The options that name a pull request. The environment of the CI completes them. */
interface TargetOptions {
  readonly forge?: Forge;
  readonly repository?: string;
  readonly project?: string;
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

type Env = CliContext['env'];

/**
 * The most characters of a comment (GitHub: "Body is too long (maximum is 65536 characters)";
 * GitLab: a note has at most 1,000,000).
 */
export const mostChars: Readonly<Record<Forge, number>> = {
  github: 65_536,
  gitlab: 1_000_000,
};

/**
 * Finds the pull request from the options, the environment and the event. A UsageError for what is
 * missing.
 */
export function targetOf(options: TargetOptions, env: Env, event: WorkflowEvent): Target {
  const forge = forgeOf(options, env);
  const repository =
    forge === 'github'
      ? repositoryOf(options.repository ?? env.GITHUB_REPOSITORY)
      : projectOf(
          options.project ?? env.CI_MERGE_REQUEST_PROJECT_PATH ?? env.CI_MERGE_REQUEST_PROJECT_ID,
        );
  const number = options.pullRequest ?? numberFrom(forge, env, event);
  if (number === undefined && (forge === 'gitlab' || !event.run)) {
    throw new UsageError(
      'no pull request is known: this job does not run for one; name it with --pull-request',
    );
  }
  const api =
    forge === 'github'
      ? (options.api ?? env.GITHUB_API_URL ?? 'https://api.github.com')
      : (options.api ?? env.CI_API_V4_URL ?? 'https://gitlab.com/api/v4');
  const pages = pagesOf(forge, api, repository);
  return { forge, repository, number, api, pages, report: reportOf(forge, env, event) };
}

/** On GitHub the run of the other workflow when this one only comments, else this run. */
function reportOf(forge: Forge, env: Env, event: WorkflowEvent): string | undefined {
  if (forge === 'gitlab') return env.CI_PIPELINE_URL;
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = env;
  const run = event.runId ?? env.GITHUB_RUN_ID;
  if (!server || !repository || !/^\d+$/.test(run ?? '')) return undefined;
  return `${server}/${repository}/actions/runs/${run}#artifacts`;
}

/** The token for a forge and the variable that holds it. An EnvironmentError when none is set. */
export function tokenOf(forge: Forge, env: Env): { token: string; tokenFrom: string } {
  const names = tokenNames[forge];
  for (const tokenFrom of names) {
    const token = env[tokenFrom];
    if (token) return { token, tokenFrom };
  }
  throw new EnvironmentError(
    `a token is needed to write comments: set ${names.join(' or ')} in the environment`,
  );
}

const tokenNames = {
  github: ['GITHUB_TOKEN', 'GH_TOKEN'],
  gitlab: ['GITLAB_TOKEN'],
} as const;

function forgeOf({ forge, repository, project }: TargetOptions, env: Env): Forge {
  if (forge) return forge;
  if (repository !== undefined) return 'github';
  if (project !== undefined) return 'gitlab';
  if (env.GITHUB_ACTIONS === 'true') return 'github';
  if (env.GITLAB_CI === 'true') return 'gitlab';
  throw new UsageError('no forge is known: this does not run in its CI; name it with --forge');
}

/** Allows only characters that need no escape in a URL. */
function repositoryOf(text: string | undefined): string {
  if (text === undefined) throw new UsageError('no repository is known: name it with --repository');
  if (/^[A-Za-z0-9_-][\w.-]*\/(?!\.\.?$)[\w.-]+$/.test(text)) return text;
  throw new UsageError('--repository is owner/name');
}

function projectOf(text: string | undefined): string {
  if (text === undefined) throw new UsageError('no project is known: name it with --project');
  if (/^([1-9]\d*|[\w.-]+(\/(?!\.\.?(\/|$))[\w.-]+)+)$/.test(text)) return text;
  throw new UsageError("--project is group/name, or the project's number");
}

function numberFrom(forge: Forge, env: Env, event: WorkflowEvent): number | undefined {
  if (forge === 'gitlab') return numberOf(env.CI_MERGE_REQUEST_IID);
  const [, fromRef] = /^refs\/pull\/(\d+)\/(?:merge|head)$/.exec(env.GITHUB_REF ?? '') ?? [];
  return numberOf(fromRef) ?? event.number;
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/**
 * The web pages for an API at `https://api.github.com`, `https://host/api/v3` or
 * `https://host/api/v4`.
 */
function pagesOf(forge: Forge, api: string, repository: string): ForgePages | undefined {
  const [, site] = /^(https:\/\/[^?#]+?)\/api\/v[34]\/?$/.exec(api) ?? [];
  const [, host] = /^https:\/\/api\.([^/?#]+)\/?$/.exec(api) ?? [];
  const root = site ?? (host === undefined ? undefined : `https://${host}`);
  if (root === undefined || !repository.includes('/')) return undefined;
  return { forge, repository: `${root}/${repository}` };
}

/** The GitHub event that a workflow runs for. */
export interface WorkflowEvent {
  /** The number of its pull request. */
  readonly number?: number;
  /** The last commit of the other workflow; only for `workflow_run`. */
  readonly run?: GithubHead;
  /** The number of the other workflow's run; only for `workflow_run`. */
  readonly runId?: string;
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
