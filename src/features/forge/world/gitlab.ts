import { UsageError } from '../../../core/cli/failure.ts';
import type { ClientTiming } from '../../../lib/http/world/json-client.ts';
import type { Forge } from '../forge.ts';
import { ForgeApi } from './forge-api.ts';
import { type ForgeClient, type ForgeRepository, numberOf } from './forge-client.ts';

/** A merge request on GitLab and a token for it. */
interface GitlabMergeRequest extends ForgeRepository {
  /** The `iid`, which people see. */
  readonly number: number;
}

/** GitLab, with the API `https://<host>/api/v4`. */
export const gitlab: ForgeClient = {
  tokensIn: () => ['GITLAB_TOKEN'],
  option: 'project',
  repositoryIn: ({ project }, { CI_MERGE_REQUEST_PROJECT_PATH, CI_MERGE_REQUEST_PROJECT_ID }) =>
    projectOf(project ?? CI_MERGE_REQUEST_PROJECT_PATH ?? CI_MERGE_REQUEST_PROJECT_ID),
  numberIn: ({ CI_MERGE_REQUEST_IID }) => numberOf(CI_MERGE_REQUEST_IID),
  apiIn: ({ CI_API_V4_URL }) => CI_API_V4_URL ?? 'https://gitlab.com/api/v4',
  reportIn: ({ CI_PIPELINE_URL }) => CI_PIPELINE_URL,
  open: gitlabForge,
};

function projectOf(text: string | undefined): string {
  if (text === undefined) throw new UsageError('no project is known: name it with --project');
  if (/^([1-9]\d*|[\w.-]+(\/(?!\.\.?(\/|$))[\w.-]+)+)$/.test(text)) return text;
  throw new UsageError("--project is group/name, or the project's number");
}

/** Notes may be long: a page of 100 can have 100 million characters. */
const perPage = 20;

/** A merge request's notes, over GitLab's REST API. */
function gitlabForge(mergeRequest: GitlabMergeRequest, timing: ClientTiming): Forge {
  const { repository: project, number, api: root, token, tokenFrom } = mergeRequest;
  const name = `merge request ${number} of ${project}`;
  const headers = { Accept: 'application/json' };
  const helpFor = (status: number) => help(status, name, tokenFrom);
  const words = { helpFor, login: 'username', author: 'author' };
  const api = new ForgeApi({ name: 'GitLab', root, token, tokenFrom, headers }, words, timing);
  const at = `/projects/${encodeURIComponent(project)}/merge_requests/${number}`;
  const one = (id: string) => `${at}/notes/${id}`;
  return {
    name,
    author: async () => api.login(await api.ask({ method: 'GET', path: '/user' })),
    async head() {
      const { value } = await api.ask({ method: 'GET', path: at });
      return api.text(value, 'sha');
    },
    async list() {
      const query = `sort=asc&order_by=created_at&per_page=${perPage}`;
      const pathOf = (page: string) => `${at}/notes?${query}&page=${page}`;
      const all = await api.pages(pathOf('1'), ({ headers }) => {
        const next = String(headers['x-next-page'] ?? '');
        return /^\d{1,9}$/.test(next) ? pathOf(next) : undefined;
      });
      // System notes are GitLab's own log of events.
      return all.filter(({ system }) => system !== true).map((note) => api.comment(note));
    },
    async create(body) {
      const answer = await api.ask({ method: 'POST', path: `${at}/notes`, body: { body } });
      return api.comment(answer.value);
    },
    update: (id, body) => api.change({ method: 'PUT', path: one(id), body: { body } }),
    async remove(id) {
      await api.change({ method: 'DELETE', path: one(id) });
    },
  };
}

function help(status: number, name: string, tokenFrom: string): string {
  if (status === 401) return `the token in ${tokenFrom} is wrong or expired`;
  const needed =
    'it needs the scope "api" and the role Reporter or higher in that project, and a CI job token has neither';
  if (status === 403) return `the token in ${tokenFrom} may not do that on ${name}; ${needed}`;
  if (status === 404) {
    return `there is no ${name}, or the token in ${tokenFrom} does not see it; ${needed}`;
  }
  return `nothing more was done on ${name}`;
}
