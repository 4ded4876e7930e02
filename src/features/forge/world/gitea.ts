import { forges } from '../../../core/model/forges/forges.ts';
import type { Env, ForgeClient } from './forge-client.ts';
import { github, pullRequestForge } from './github.ts';

/** An old runner of Forgejo looks like one of Gitea. */
const isInCI = (env: Env) => forges.forgejo.isCI(env) || forges.gitea.isCI(env);

/** The differences between Gitea and Forgejo. */
interface Flavour {
  readonly name: 'forgejo' | 'gitea';
  readonly token: string;
  /** The API of its largest public server. */
  readonly api: string;
}

/**
 * Forgejo or Gitea. Their REST API below `/api/v1` has GitHub's paths for comments, but lists all
 * of them at once (gitea: routers/api/v1/repo/issue_comment.go), and has no limit of requests.
 */
function giteaLike({ name, token, api }: Flavour): ForgeClient {
  const { option, repositoryIn, numberIn } = github;
  const dialect = {
    label: forges[name].label,
    headers: { Accept: 'application/json' },
    largestPage: 'limit=50',
    workflowAuthor: `${name}-actions`,
    jobNeeds: `to run on pull_request_target (that of a fork's pull_request only reads)`,
    tokenNeeds: 'the scopes "read:repository", "read:user" and "write:issue"',
  };
  return {
    // Outside of their CI, GITHUB_TOKEN is for GitHub.
    tokensIn: (env) => (isInCI(env) ? [token, 'GITHUB_TOKEN'] : [token]),
    ...{ option, repositoryIn, numberIn },
    apiIn: (env) => (isInCI(env) && env.GITHUB_API_URL) || api,
    // The jobs of the kit keep no files.
    reportIn: () => undefined,
    open: (asked, timing) => pullRequestForge(dialect, asked, timing),
  };
}

export const forgejo = giteaLike({
  name: 'forgejo',
  token: 'FORGEJO_TOKEN',
  api: 'https://codeberg.org/api/v1',
});

export const gitea = giteaLike({
  name: 'gitea',
  token: 'GITEA_TOKEN',
  api: 'https://gitea.com/api/v1',
});
