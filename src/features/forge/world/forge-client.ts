import type { CliContext } from '../../../core/cli/cli-context.ts';
import { UsageError } from '../../../core/cli/failure.ts';
import type { ClientTiming } from '../../../lib/http/world/json-client.ts';
import type { Forge } from '../forge.ts';

/** The variables of the environment. */
export type Env = CliContext['env'];

/** A repository on a forge, and a token for it. */
export interface ForgeRepository {
  /** `owner/name`; on GitLab the project's path or number. */
  readonly repository: string;
  /** The address of the API. */
  readonly api: string;
  readonly token: string;
  /** The variable that the token comes from. */
  readonly tokenFrom: string;
}

/** The options that name a repository. */
export interface RepositoryOptions {
  readonly repository?: string;
  readonly project?: string;
}

/** The last commit of a branch, of a fork or of the repository itself. */
export interface GithubHead {
  /** `owner/name` of the repository that has the branch. */
  readonly repository: string;
  readonly branch: string;
  /** The full object name. */
  readonly commit: string;
}

/** The event that a workflow of GitHub runs for. */
export interface WorkflowEvent {
  /** The number of its pull request. */
  readonly number?: number;
  /** The last commit of the other workflow; only for `workflow_run`. */
  readonly run?: GithubHead;
  /** The number of the other workflow's run; only for `workflow_run`. */
  readonly runId?: string;
}

/** How `leasehold comment` finds and reaches a pull request of one forge. */
export interface ForgeClient {
  /** The variables that may hold the token, in the order in which they are read. */
  tokensIn(env: Env): readonly string[];
  /** The option that names its repositories; it decides for the forge outside of CI. */
  readonly option: keyof RepositoryOptions;
  /** A UsageError when neither an option nor the CI names a repository, or it is not one. */
  repositoryIn(options: RepositoryOptions, env: Env): string;
  /** The number of the pull request that a job runs for; undefined for none. */
  numberIn(env: Env, event: WorkflowEvent): number | undefined;
  /** The address of the API where no option names one. */
  apiIn(env: Env): string;
  /** The web page of the CI run that made the plan; undefined outside of CI. */
  reportIn(env: Env, event: WorkflowEvent): string | undefined;
  /** One pull request. */
  open(asked: ForgeRepository & { readonly number: number }, timing: ClientTiming): Forge;
  /** The open pull requests at the commit of another workflow; absent where CI names them. */
  requestsAt?(
    asked: ForgeRepository,
    head: GithubHead,
    timing: ClientTiming,
  ): Promise<readonly number[]>;
}

/** `owner/name` from an option or the CI, with only characters that need no escape in a URL. */
export function ownerAndName(text: string | undefined): string {
  if (text === undefined) throw new UsageError('no repository is known: name it with --repository');
  if (/^[A-Za-z0-9_-][\w.-]*\/(?!\.\.?$)[\w.-]+$/.test(text)) return text;
  throw new UsageError('--repository is owner/name');
}

/** The number of a pull request in a text; undefined for any other text. */
export function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
