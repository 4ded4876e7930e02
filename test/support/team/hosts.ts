/** What a forge makes of a branch: a merge commit, one commit, its commits again on the target, or the branch itself. */
type Method =
  | 'merge'
  | 'squash'
  | 'rebase'
  | 'fast-forward'
  /** The commits again on the target, and a merge of them. */
  | 'rebase-merge'
  /** One commit where the branch began, and a merge of it. */
  | 'squash-merge';

/** A pull request, as the message of what lands may name it. */
export interface Titled {
  readonly branch: string;
  readonly number: string;
  readonly title: string;
  /** The messages of its own commits, oldest first. */
  readonly messages: readonly string[];
}

/** One way in which a forge merges, and the message that it writes. */
export interface MergeWay {
  readonly name: string;
  readonly method: Method;
  readonly message: (request: Titled) => string;
}

/** A forge with its settings. */
export interface Host {
  readonly name: string;
  readonly ways: readonly MergeWay[];
  /** Empty for a forge without a merge queue. */
  readonly queue: readonly MergeWay[];
  /** What the required check gets: the merge that the forge makes for it, or the branch, which then has to be up to date. */
  readonly checks: 'merge' | 'branch';
}

const none = () => '';

/** GitHub: https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/configuring-pull-request-merges */
const github: readonly MergeWay[] = [
  {
    name: 'GitHub merge',
    method: 'merge',
    message: ({ number, branch, title }) =>
      `Merge pull request #${number} from acme/${branch}\n\n${title}`,
  },
  {
    name: 'GitHub squash, title',
    method: 'squash',
    message: ({ number, title }) => `${title} (#${number})`,
  },
  {
    name: 'GitHub squash, title and commit details',
    method: 'squash',
    message: ({ number, title, messages }) =>
      `${title} (#${number})\n\n${messages.map((text) => `* ${text}`).join('\n\n')}`,
  },
  { name: 'GitHub rebase', method: 'rebase', message: none },
];

/** GitLab's default templates: https://docs.gitlab.com/user/project/merge_requests/commit_templates/ */
const gitlabMerge = ({ number, branch, title }: Titled) =>
  `Merge branch '${branch}' into 'main'\n\n${title}\n\nSee merge request acme/leases!${number}`;
const gitlabSquash = ({ title }: Titled) => title;

const gitlab: readonly MergeWay[] = [
  { name: 'GitLab merge', method: 'merge', message: gitlabMerge },
  { name: 'GitLab squash and merge', method: 'squash-merge', message: gitlabMerge },
];

/** With the method fast-forward, or semi-linear, which both need a branch that is up to date. */
const gitlabLinear: readonly MergeWay[] = [
  { name: 'GitLab fast-forward', method: 'fast-forward', message: none },
  { name: 'GitLab squash and fast-forward', method: 'squash', message: gitlabSquash },
  { name: 'GitLab semi-linear', method: 'rebase-merge', message: gitlabMerge },
];

/** Gitea's: its Actions check out the branch of a pull request. */
const giteaSquash = ({ number, title }: Titled, text: string) =>
  `${title} (#${number})\n\n${text}Reviewed-on: https://git.example.com/acme/leases/pulls/${number}\n`;

const gitea: readonly MergeWay[] = [
  {
    name: 'Gitea merge',
    method: 'merge',
    message: ({ number, branch, title }) =>
      `Merge pull request '${title}' (#${number}) from ${branch} into main\n\nReviewed-on: https://git.example.com/acme/leases/pulls/${number}\n`,
  },
  { name: 'Gitea squash', method: 'squash', message: (request) => giteaSquash(request, '') },
  {
    name: 'Gitea squash with messages',
    method: 'squash',
    message: (request) => giteaSquash(request, `${request.messages.join('\n\n')}\n\n`),
  },
  { name: 'Gitea rebase', method: 'rebase', message: none },
  { name: 'Gitea rebase and merge', method: 'rebase-merge', message: gitlabMerge },
  { name: 'Gitea fast-forward', method: 'fast-forward', message: none },
];

export const hosts: readonly Host[] = [
  { name: 'GitHub', ways: github, queue: github, checks: 'merge' },
  { name: 'GitLab with merge trains', ways: gitlab, queue: gitlab, checks: 'merge' },
  { name: 'GitLab', ways: gitlabLinear, queue: [], checks: 'branch' },
  { name: 'Gitea', ways: gitea, queue: [], checks: 'branch' },
];
