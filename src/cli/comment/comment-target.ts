import type { ForgePages } from '../../features/plan/print/plan-links.ts';
import { EnvironmentError } from '../../model/problem.ts';
import { UsageError } from '../failure.ts';
import type { World } from '../world.ts';
import type { WorkflowEvent } from './comment-event.ts';

/** The options that say where comments stand; what is left out is taken from the CI's environment. */
export interface TargetOptions {
  readonly forge: 'github' | 'gitlab' | undefined;
  readonly repository: string | undefined;
  readonly project: string | undefined;
  readonly pullRequest: number | undefined;
  readonly api: string | undefined;
}

/** A pull request, and where its forge is asked. */
export interface Target {
  readonly forge: 'github' | 'gitlab';
  /** `owner/name`; on GitLab the project's path or number. */
  readonly repository: string;
  /** Undefined when only the commit is known that another workflow ran for. */
  readonly number: number | undefined;
  readonly api: string;
  /** Where the forge shows the repository, if that is known. */
  readonly pages: ForgePages | undefined;
}

type Env = World['env'];

/**
 * The most characters of a comment (GitHub: "Body is too long (maximum is 65536 characters)"; GitLab: a
 * note has at most 1,000,000).
 */
export const mostChars: Readonly<Record<Target['forge'], number>> = {
  github: 65_536,
  gitlab: 1_000_000,
};

/** Where comments go, from the options, the environment and the event. A UsageError for what none says. */
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
  return { forge, repository, number, api, pages: pagesOf(forge, api, repository) };
}

/** The token for a forge and the variable that it stands in; an EnvironmentError when there is none. */
export function tokenOf(forge: Target['forge'], env: Env): { token: string; tokenFrom: string } {
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

function forgeOf({ forge, repository, project }: TargetOptions, env: Env): Target['forge'] {
  if (forge) return forge;
  if (repository !== undefined) return 'github';
  if (project !== undefined) return 'gitlab';
  if (env.GITHUB_ACTIONS === 'true') return 'github';
  if (env.GITLAB_CI === 'true') return 'gitlab';
  throw new UsageError('no forge is known: this is no job of one; name it with --forge');
}

/** Owner and name have no characters that a URL would need to escape. */
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

function numberFrom(forge: Target['forge'], env: Env, event: WorkflowEvent): number | undefined {
  if (forge === 'gitlab') return numberOf(env.CI_MERGE_REQUEST_IID);
  const [, fromRef] = /^refs\/pull\/(\d+)\/(?:merge|head)$/.exec(env.GITHUB_REF ?? '') ?? [];
  return numberOf(fromRef) ?? event.number;
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** `https://api.github.com`, `https://host/api/v3` and `https://host/api/v4` tell the forge's own address. */
function pagesOf(forge: Target['forge'], api: string, repository: string): ForgePages | undefined {
  const [, site] = /^(https:\/\/[^?#]+?)\/api\/v[34]\/?$/.exec(api) ?? [];
  const [, host] = /^https:\/\/api\.([^/?#]+)\/?$/.exec(api) ?? [];
  const root = site ?? (host === undefined ? undefined : `https://${host}`);
  if (root === undefined || !repository.includes('/')) return undefined;
  return { forge, repository: `${root}/${repository}` };
}
