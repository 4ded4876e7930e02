import { forges } from '../../../core/model/forges/forges.ts';
import type { ClientTiming, JsonAnswer } from '../../../lib/http/world/json-client.ts';
import type { Forge } from '../forge.ts';
import { type Fields, ForgeApi } from './forge-api.ts';
import {
  type ForgeClient,
  type ForgeRepository,
  type GithubHead,
  numberOf,
  ownerAndName,
} from './forge-client.ts';

/** A pull request on GitHub and a token for it. */
interface GithubPullRequest extends ForgeRepository {
  readonly number: number;
}

/** GitHub, also as GitHub Enterprise Server with the API `https://<host>/api/v3`. */
export const github: ForgeClient = {
  tokensIn: () => ['GITHUB_TOKEN', 'GH_TOKEN'],
  option: 'repository',
  repositoryIn: ({ repository }, { GITHUB_REPOSITORY }) =>
    ownerAndName(repository ?? GITHUB_REPOSITORY),
  numberIn({ GITHUB_REF = '' }, event) {
    const [, fromRef] = /^refs\/pull\/(\d+)\/(?:merge|head)$/.exec(GITHUB_REF) ?? [];
    return numberOf(fromRef) ?? event.number;
  },
  apiIn: ({ GITHUB_API_URL }) => GITHUB_API_URL ?? 'https://api.github.com',
  // The run of the other workflow when this one only comments, else this run.
  reportIn(env, { runId }) {
    const [web, run] = [forges.github.webOf(env), runId ?? env.GITHUB_RUN_ID];
    return web && /^\d+$/.test(run ?? '') ? `${web}/actions/runs/${run}#artifacts` : undefined;
  },
  open: (asked, timing) => pullRequestForge(dialect, asked, timing),
  requestsAt: githubPullRequestsOf,
};

/** How a forge with GitHub's REST API of comments differs from it. */
export interface GithubDialect {
  /** For people: `GitHub`. */
  readonly label: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The query for the largest page of a list. */
  readonly largestPage: string;
  /** The login of a workflow's own token, which may not read `/user`. */
  readonly workflowAuthor: string;
  /** The permissions of a token that writes comments: of a workflow's job, and of a user. */
  readonly jobNeeds: string;
  readonly tokenNeeds: string;
}

const dialect: GithubDialect = {
  label: forges.github.label,
  headers: { Accept: 'application/vnd.github+json', 'X-GitHub-Api-Version': '2022-11-28' },
  largestPage: 'per_page=100',
  workflowAuthor: 'github-actions[bot]',
  jobNeeds: `"permissions: pull-requests: write" (the job of a fork's pull request never has it)`,
  tokenNeeds: '"Pull requests: read and write"',
};

/** A pull request's comments, over GitHub's REST API or one like it. */
export function pullRequestForge(
  dialect: GithubDialect,
  pullRequest: GithubPullRequest,
  timing: ClientTiming,
): Forge {
  const { number } = pullRequest;
  const name = `pull request ${number} of ${pullRequest.repository}`;
  const api = apiOf(dialect, { ...pullRequest, name }, timing);
  const repo = pathOf(pullRequest);
  const comments = `${repo}/issues/${number}/comments`;
  const one = (id: string) => `${repo}/issues/comments/${id}`;
  return {
    name,
    async author() {
      // 403, "Resource not accessible by integration": the token of a workflow, not of a user.
      const answer = await api.ask({ method: 'GET', path: '/user' }, 403);
      return answer.status === 403 ? dialect.workflowAuthor : api.login(answer);
    },
    async head() {
      const { value } = await api.ask({ method: 'GET', path: `${repo}/pulls/${number}` });
      return api.text(Object(value).head, 'sha');
    },
    async list() {
      const all = await api.pages(`${comments}?${dialect.largestPage}`, nextPage);
      return all.map((comment) => api.comment(comment));
    },
    async create(body) {
      const answer = await api.ask({ method: 'POST', path: comments, body: { body } });
      return api.comment(answer.value);
    },
    update: (id, body) => api.change({ method: 'PATCH', path: one(id), body: { body } }),
    async remove(id) {
      await api.change({ method: 'DELETE', path: one(id) });
    },
  };
}

/** The numbers of the open pull requests whose last commit is this one. */
async function githubPullRequestsOf(
  repository: ForgeRepository,
  { repository: from, branch, commit }: GithubHead,
  timing: ClientTiming,
): Promise<readonly number[]> {
  const name = `pull request of ${repository.repository}`;
  const api = apiOf(dialect, { ...repository, name }, timing);
  const head = encodeURIComponent(`${from.split('/')[0]}:${branch}`);
  const path = `${pathOf(repository)}/pulls?state=open&per_page=100&head=${head}`;
  return (await api.pages(path, nextPage))
    .filter(({ head }) => {
      const { sha, repo } = Object(head) as Fields;
      return sha === commit && (Object(repo) as Fields).full_name === from;
    })
    .map(({ number }) => Number(number))
    .sort((left, right) => left - right);
}

/** A repository, and the name of what is asked for there. */
interface Named extends ForgeRepository {
  readonly name: string;
}

function apiOf(dialect: GithubDialect, asked: Named, timing: ClientTiming): ForgeApi {
  const { api: root, token, tokenFrom } = asked;
  const { label, headers } = dialect;
  const helpFor = (status: number) => help(status, dialect, asked);
  const words = { helpFor, login: 'login', author: 'user' };
  return new ForgeApi({ name: label, root, token, tokenFrom, headers }, words, timing);
}

function pathOf({ repository }: ForgeRepository): string {
  return `/repos/${repository.split('/').map(encodeURIComponent).join('/')}`;
}

function help(
  status: number,
  { jobNeeds, tokenNeeds }: GithubDialect,
  { name, tokenFrom }: Named,
): string {
  if (status === 401) return `the token in ${tokenFrom} is wrong or expired`;
  if (status === 403) {
    return `the token in ${tokenFrom} may not do that on ${name}; a workflow's job needs ${jobNeeds}, another token needs ${tokenNeeds}`;
  }
  if (status === 404) {
    return `there is no ${name}, or the token in ${tokenFrom} does not see it; it needs ${tokenNeeds} of that repository`;
  }
  return `nothing more was done on ${name}`;
}

/** `<https://…?page=2>; rel="next", <…>; rel="last"`. */
function nextPage({ headers }: JsonAnswer): string | undefined {
  const next = String(headers.link ?? '')
    .split(/,\s*(?=<)/)
    .find((part) => /;\s*rel="?next"?/.test(part));
  return /^<([^>]+)>/.exec(next ?? '')?.[1];
}
