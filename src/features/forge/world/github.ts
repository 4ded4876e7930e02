import type { ClientTiming } from '../../../lib/http/world/json-client.ts';
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
  tokens: ['GITHUB_TOKEN', 'GH_TOKEN'],
  option: 'repository',
  isCI: ({ GITHUB_ACTIONS }) => GITHUB_ACTIONS === 'true',
  repositoryIn: ({ repository }, { GITHUB_REPOSITORY }) =>
    ownerAndName(repository ?? GITHUB_REPOSITORY),
  numberIn({ GITHUB_REF = '' }, event) {
    const [, fromRef] = /^refs\/pull\/(\d+)\/(?:merge|head)$/.exec(GITHUB_REF) ?? [];
    return numberOf(fromRef) ?? event.number;
  },
  apiIn: ({ GITHUB_API_URL }) => GITHUB_API_URL ?? 'https://api.github.com',
  // The run of the other workflow when this one only comments, else this run.
  reportIn({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID }, { runId }) {
    const run = runId ?? GITHUB_RUN_ID;
    if (!server || !repository || !/^\d+$/.test(run ?? '')) return undefined;
    return `${server}/${repository}/actions/runs/${run}#artifacts`;
  },
  open: githubForge,
  requestsAt: githubPullRequestsOf,
};

/** The login of a workflow's own token, which may not read `/user`. */
const workflowAuthor = 'github-actions[bot]';

/** A pull request's comments, over GitHub's REST API. */
function githubForge(pullRequest: GithubPullRequest, timing: ClientTiming): Forge {
  const { number } = pullRequest;
  const name = `pull request ${number} of ${pullRequest.repository}`;
  const api = apiOf(pullRequest, name, timing);
  const repo = pathOf(pullRequest);
  const comments = `${repo}/issues/${number}/comments`;
  const one = (id: string) => `${repo}/issues/comments/${id}`;
  return {
    name,
    async author() {
      // 403, "Resource not accessible by integration": the token of a workflow, not of a user.
      const answer = await api.ask({ method: 'GET', path: '/user' }, 403);
      return answer.status === 403 ? workflowAuthor : api.login(answer);
    },
    async head() {
      const { value } = await api.ask({ method: 'GET', path: `${repo}/pulls/${number}` });
      return api.text(Object(value).head, 'sha');
    },
    async list() {
      const all = await allPages(api, `${comments}?per_page=100`);
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
  const api = apiOf(repository, `pull request of ${repository.repository}`, timing);
  const head = encodeURIComponent(`${from.split('/')[0]}:${branch}`);
  const path = `${pathOf(repository)}/pulls?state=open&per_page=100&head=${head}`;
  return (await allPages(api, path))
    .filter(({ head }) => {
      const { sha, repo } = Object(head) as Fields;
      return sha === commit && (Object(repo) as Fields).full_name === from;
    })
    .map(({ number }) => Number(number))
    .sort((left, right) => left - right);
}

function apiOf(asked: ForgeRepository, name: string, timing: ClientTiming): ForgeApi {
  const { api: root, token, tokenFrom } = asked;
  const headers = {
    Accept: 'application/vnd.github+json',
    'X-GitHub-Api-Version': '2022-11-28',
  };
  const helpFor = (status: number) => help(status, name, tokenFrom);
  const words = { helpFor, login: 'login', author: 'user' };
  return new ForgeApi({ name: 'GitHub', root, token, tokenFrom, headers }, words, timing);
}

function pathOf({ repository }: ForgeRepository): string {
  return `/repos/${repository.split('/').map(encodeURIComponent).join('/')}`;
}

async function allPages(api: ForgeApi, first: string): Promise<readonly Fields[]> {
  const found: Fields[] = [];
  const bounds = api.bounds();
  let path: string | undefined = first;
  while (path !== undefined) {
    bounds.ask(path);
    const answer = await api.ask({ method: 'GET', path });
    const page = api.page(answer);
    bounds.count(page.length, answer);
    for (const one of page) found.push(one);
    path = nextPage(String(answer.headers.link ?? ''));
  }
  return found;
}

function help(status: number, name: string, tokenFrom: string): string {
  if (status === 401) return `the token in ${tokenFrom} is wrong or expired`;
  if (status === 403) {
    return `the token in ${tokenFrom} may not do that on ${name}; a workflow's job needs "permissions: pull-requests: write" (the job of a fork's pull request never has it), another token needs "Pull requests: read and write"`;
  }
  if (status === 404) {
    return `there is no ${name}, or the token in ${tokenFrom} does not see it; it needs "Pull requests: read and write" of that repository`;
  }
  return `nothing more was done on ${name}`;
}

/** `<https://…?page=2>; rel="next", <…>; rel="last"`. */
function nextPage(link: string): string | undefined {
  const next = link.split(/,\s*(?=<)/).find((part) => /;\s*rel="?next"?/.test(part));
  return /^<([^>]+)>/.exec(next ?? '')?.[1];
}
