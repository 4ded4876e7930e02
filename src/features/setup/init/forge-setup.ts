import type { SourceTree } from '../../../core/interfaces/tree.ts';
import { type Forge, forgeNames, forges } from '../../../core/model/forges/forges.ts';
import { InternalError } from '../../../core/model/problem.ts';
import type { ToolSource } from './setup.ts';

/** The files and next steps of a set-up for a forge. */
interface ForgeSetup {
  /** The reason why the CI of the forge cannot take leasehold from a source, as a sentence. */
  readonly sourceFault: (tool: ToolSource) => string | undefined;
  /** The CI files beside the kit, by path. */
  readonly ciFiles: Readonly<Record<string, string>>;
  /** Fills the source of leasehold into a file of the CI kit. */
  readonly filledKit: (text: string, tool: ToolSource) => string;
  /** The paragraph of the README about reviews; `page` is the link of the page about them. */
  readonly reviews: (branch: string, page: string) => string;
  /** The settings to make, as a step; `approval` is a phrase about code owners, or empty. */
  readonly settings: (branch: string, approval: string) => string;
}

/** The set-up of each forge. */
export const forgeSetups: Readonly<Record<Forge, ForgeSetup>> = {
  github: {
    sourceFault: (tool) =>
      actionOf(tool) === undefined
        ? 'the workflows of GitHub take an action of a repository, and no file of a pull request: push a clone of leasehold to a repository of yours and give https://HOST/OWNER/NAME#VERSION, or the URL of a tarball in its releases; init takes a file without --forge'
        : undefined,
    ciFiles: {},
    filledKit: (text, tool) =>
      filled(text, [
        [
          '#\n# Replace OWNER by the owner of your copy of leasehold, and the version by one of it.\n',
          () => '',
        ],
        [/uses: OWNER\/leasehold@.*\n(?: +with:\n)?/g, (step) => ownStep(step, tool)],
      ]),
    reviews: (branch, page) =>
      `Every pull request gets a plan as a comment, and the check \`plan\`. In a ruleset for \`${branch}\`, require that check, a review by code
owners, and a merge queue or branches that are up to date: [why](${page}).`,
    settings: (branch, approval) =>
      `in a ruleset for ${branch}: require the check plan,${approval} and a merge queue or up-to-date branches`,
  },
  gitlab: {
    sourceFault: (tool) => addressFault(tool, 'gitlab'),
    // It includes the kit and nothing else.
    ciFiles: {
      '.gitlab-ci.yml': `include:\n${forges.gitlab.ciKit.map(([path]) => `  - local: ${path}\n`).join('')}`,
    },
    filledKit: (text, tool) =>
      filled(text, [
        [/#\n# Set LEASEHOLD to (?:.|\n)*?\nvariables:\n/, () => 'variables:\n'],
        addressGap(tool),
      ]),
    reviews: (_, page) =>
      `Every merge request gets a plan as a comment, and the job \`leasehold-plan\`. In the settings, require that pipelines succeed, and turn
on merged results or merge trains. The comment needs the CI/CD variable \`GITLAB_TOKEN\`: [how](${page}).`,
    settings: () =>
      'in the settings: require that pipelines succeed, and turn on merged results; store GITLAB_TOKEN for the comments',
  },
  forgejo: giteaSetup('forgejo', [[/runs-on: .*/, () => 'runs-on: docker']]),
  gitea: giteaSetup('gitea', []),
};

/** The set-up of Forgejo or Gitea, whose kits are one file with a few gaps of their own. */
function giteaSetup(forge: 'forgejo' | 'gitea', gaps: readonly Gap[]): ForgeSetup {
  // gitea: services/actions/commit_status.go, createCommitStatus.
  const check = 'leasehold / plan (pull_request_target)';
  const [[workflow] = []] = forges[forge].ciKit;
  return {
    sourceFault: (tool) => addressFault(tool, forge),
    ciFiles: {},
    filledKit: (text, tool) =>
      filled(text, [
        [/# Set LEASEHOLD to (?:.|\n)*? Set runs-on/, () => '# Set runs-on'],
        [/, such as docker on Forgejo\./, () => '.'],
        addressGap(tool),
        ...gaps,
      ]),
    reviews: (branch, page) =>
      `Every pull request gets a plan as a comment, and the check \`${check}\`. In a rule that protects \`${branch}\`, require
that check, and block merges on official review requests and of outdated pull requests: [why](${page}).`,
    settings: (branch, approval) =>
      `set runs-on in ${workflow} to a label of your runners; in a rule that protects ${branch}: require the check ${check}, and block merges ${approval && 'on official review requests and '}of outdated pull requests`,
  };
}

/** Why the jobs of a forge that get leasehold from an address cannot take it from this one. */
function addressFault(tool: ToolSource, forge: Forge): string | undefined {
  const { label, request } = forges[forge];
  if (tool.kind === 'path') {
    return `the ${label} jobs take no file of a ${request}: expected the https URL of a tarball, or https://HOST/PATH#VERSION`;
  }
  return /^https?:/.test(tool.url)
    ? undefined
    : `the ${label} jobs have no ssh key: expected https://HOST/PATH#VERSION`;
}

/** The place of the address of leasehold in a kit. */
function addressGap(tool: ToolSource): Gap {
  return [/LEASEHOLD: https:.*\n/, () => `LEASEHOLD: ${addressOf(tool)}\n`];
}

/** A source as `init --leasehold` takes it. */
export function addressOf(tool: ToolSource): string {
  if (tool.kind === 'path') return tool.path;
  if (tool.kind === 'git') return `${tool.url}#${tool.ref}`;
  return tool.sha256 === undefined ? tool.url : `${tool.url}#sha256=${tool.sha256}`;
}

/** The first lines of a step with leasehold's action: its version, and its digest if known. */
function ownStep(step: string, tool: ToolSource): string {
  const sha256 = tool.kind === 'tarball' ? tool.sha256 : undefined;
  const inputs = sha256 === undefined ? '' : `          sha256: ${sha256}\n`;
  const has = inputs !== '' || step.includes('with:') ? `        with:\n${inputs}` : '';
  return `uses: ${actionOf(tool)}\n${has}`;
}

const actionName = '[A-Za-z0-9_-][A-Za-z0-9._-]*/[A-Za-z0-9._-]+?';
const repositoryPath = new RegExp(`^/?(${actionName})(?:\\.git)?/?$`);
const releasePath = new RegExp(`^/(${actionName})/releases/download/([^/]+)/[^/]+$`);

/** The action `OWNER/NAME@REF` of a source for a step of GitHub; undefined for other sources. */
export function actionOf(tool: ToolSource): string | undefined {
  if (tool.kind === 'path') return undefined;
  const { url } = tool;
  const path = url.includes('://') ? new URL(url).pathname : (url.split(':')[1] ?? '');
  const [, name, tag] = (tool.kind === 'git' ? repositoryPath : releasePath).exec(path) ?? [];
  return name && `${name}@${tool.kind === 'git' ? tool.ref : tag}`;
}

/** Returns the text of a file that leasehold ships, by its path in the package. */
export type ShippedText = (path: string) => string;

/** The CI files of a forge, path to text: the kit from leasehold's docs, and those beside it. */
export function ciTexts(
  forge: Forge,
  tool: ToolSource,
  shipped: ShippedText,
): ReadonlyMap<string, string> {
  const { filledKit, ciFiles } = forgeSetups[forge];
  const kit = forges[forge].ciKit.map(
    ([path, source]) => [path, filledKit(shipped(source), tool)] as const,
  );
  return new Map<string, string>([...kit, ...Object.entries(ciFiles)]);
}

/** The forge whose CI kit is in a repository. */
export function forgeThere(tree: SourceTree): Forge | undefined {
  return forgeNames.find((forge) =>
    forges[forge].ciKit.some(([path]) => tree.list(path).length > 0),
  );
}

/** True when a CI file of any forge runs leasehold, as those of the kits do. */
export function hasCI(tree: SourceTree): boolean {
  const gates = new Set(Object.values(forges).flatMap((forge) => forge.gates));
  return [...gates]
    .flatMap((gate) => tree.list(gate.replace(/\/$/, '')))
    .filter(({ path, kind }) => kind === 'file' && /\.ya?ml$/.test(path))
    .some(({ path }) => runsLeasehold.test(new TextDecoder().decode(tree.read(path))));
}

/** Its command or the job of a kit, an action, or the include of a kit. */
const runsLeasehold = /\bleasehold\b.*\b(?:check|plan)\b|\/leasehold@|\bleasehold\.gitlab-ci\b/;

/** A placeholder, and what replaces a text that it matches. */
type Gap = readonly [string | RegExp, (found: string) => string];

/** Fills placeholders in. A kit that lacks one is not of this version of leasehold. */
function filled(text: string, gaps: readonly Gap[]): string {
  return gaps.reduce((before, [gap, into]) => {
    const after = before.replace(gap, into);
    if (after === before) throw new InternalError(`the CI kit lacks ${String(gap)}`);
    return after;
  }, text);
}
