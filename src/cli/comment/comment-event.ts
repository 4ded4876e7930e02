import { readInput } from '../../world/disk/named-file.ts';
import type { GithubHead } from '../../world/forge/github.ts';
import type { World } from '../world.ts';

/** What GitHub says of the event that a workflow runs for. */
export interface WorkflowEvent {
  /** The pull request that it is about. */
  readonly number?: number;
  /** With `workflow_run`: the last commit that the other workflow ran for. */
  readonly run?: GithubHead;
}

const mostBytes = 64 * 1024 * 1024;

/** The event of the running workflow; nothing is known outside of one. */
export async function readEvent({ cwd, env }: World): Promise<WorkflowEvent> {
  if (!env.GITHUB_EVENT_PATH) return {};
  const bytes = await readInput(cwd, { name: env.GITHUB_EVENT_PATH, mostBytes });
  const event = fields(parsed(Buffer.from(bytes).toString('utf8')));
  const number = fields(event.pull_request).number;
  const run = runOf(fields(event.workflow_run));
  return {
    ...(typeof number === 'number' && Number.isSafeInteger(number) && number > 0 && { number }),
    ...(run && { run }),
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
