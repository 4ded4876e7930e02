import { policyPath, poolsPath } from '../../../model/folders.ts';
import type { Policy } from '../../../model/policy.ts';
import type { Cluster, Pools } from '../../../model/pools.ts';
import { codeownersPaths, examplePaths, fluxPath } from '../../../model/setup-files.ts';
import { type ArgoCDCluster, argocdText } from '../argocd.ts';
import { codeownersText, withCodeowners } from '../codeowners.ts';
import { fluxText } from '../flux.ts';
import { exampleText, policyText, poolsText } from './new-declarations.ts';
import type { WantedFile } from './plan-setup.ts';
import { readmeText } from './readme-text.ts';
import type { SetupAnswers, SetupEngine } from './setup.ts';
import { cdk8sText, ciTexts, packageText, pipelineText, type ShippedText } from './tool.ts';

/** What is known where a repository is set up. */
export interface SetupPlace extends Pick<EnginePlace, 'folder' | 'serversOf'> {
  readonly shipped: ShippedText;
  /** The files of CODEOWNERS that are there. */
  readonly codeowners: readonly string[];
}

/** The files that all others follow from: pools and policy. */
export function wantedDeclarations({
  pools,
  reviewers,
  profile,
}: SetupAnswers): readonly WantedFile[] {
  return [
    { path: poolsPath, textOf: () => pools && poolsText(pools) },
    { path: policyPath, textOf: () => reviewers && policyText(reviewers, profile) },
  ];
}

/** All other files, in path order. They follow from the answers, and from the pools and the policy that there are then. */
export function wantedFiles(
  answers: SetupAnswers,
  { pools, policy }: { readonly pools: Pools; readonly policy: Policy },
  place: SetupPlace,
): readonly WantedFile[] {
  const { profile, engine, forge, tool, branch } = answers;
  const texts = new Map<string, string>();
  if (engine) {
    for (const [path, text] of engineTexts(engine, pools, { ...place, branch }))
      texts.set(path, text);
  }
  texts.set('README.md', readmeText(answers, [...texts.keys()]));
  texts.set(examplePaths[profile], exampleText(profile));
  texts.set('cdk8s.yaml', cdk8sText);
  if (forge) for (const [path, text] of ciTexts(forge, tool, place.shipped)) texts.set(path, text);
  if (forge === 'gitlab') texts.set('.gitlab-ci.yml', pipelineText());
  const fixed = [...texts].map(([path, text]): WantedFile => ({ path, textOf: () => text }));
  return [
    ...fixed,
    { path: '.gitignore', textOf: ignoreText },
    { path: '.gitattributes', textOf: attributesText },
    { path: 'package.json', textOf: (existing) => packageText(existing, tool) },
    ...(forge ? codeowners(forge, policy, place) : []),
  ];
}

/** A new CODEOWNERS where there is one already would take its place, or never be read. */
function codeowners(
  forge: 'github' | 'gitlab',
  policy: Policy,
  { folder, codeowners: present }: SetupPlace,
): readonly WantedFile[] {
  if (policy.operators.reviewers.length === 0) return [];
  const names = codeownersPaths[forge];
  const usual = forge === 'github' ? '.github/CODEOWNERS' : '.gitlab/CODEOWNERS';
  const path = names.find((name) => present.includes(name)) ?? usual;
  const ours = codeownersText(policy, folder);
  return [
    {
      path,
      textOf: (existing) => {
        const text = withCodeowners(path, existing ?? '', ours);
        return text.ok ? text.value : text.problems;
      },
    },
  ];
}

/** What the objects of an engine say beside its own answers. */
export interface EnginePlace {
  readonly branch: string;
  /** Where `leases/` stands in the repository: empty, or with a slash at its end. */
  readonly folder: string;
  /** The API servers of clusters, as Argo CD knows them. */
  readonly serversOf: (clusters: readonly Cluster[]) => readonly ArgoCDCluster[];
}

/**
 * The files of the objects that let an engine apply `dist/`, path to text: what `leasehold gitops` prints, for Flux in a
 * file for each cluster.
 */
export function engineTexts(
  { kind, repo, secret }: SetupEngine,
  { clusters }: Pools,
  { branch, folder, serversOf }: EnginePlace,
): ReadonlyMap<string, string> {
  if (kind === 'argocd') {
    const names = { namespace: 'argocd', project: 'leases' };
    const target = { repo, revision: `refs/heads/${branch}`, folder, ...names };
    return new Map([
      ['gitops/argocd.yaml', argocdText({ ...target, clusters: serversOf(clusters) })],
    ]);
  }
  const source = { kind: 'GitRepository', url: repo, branch, folder } as const;
  const names = { namespace: 'flux-system', name: 'leases' };
  return new Map(
    clusters.map(({ name: cluster, shards, metallb }) => [
      clusters.length === 1 ? 'gitops/flux.yaml' : fluxPath(cluster),
      fluxText({ source, ...names, secret, cluster, shards, metallb, waitForAddresses: false }),
    ]),
  );
}

/** What git leaves out of commits. */
const ignored: readonly string[] = ['node_modules/', '.leasehold/'];

/**
 * How git treats our files. `-merge`: two edits of one file of `leases/` conflict, so that the look for renames puts
 * nobody's edit into the lease of another; pools and policy are people's to merge (docs/together.md).
 */
const attributes: readonly string[] = [
  '* text=auto eol=lf',
  'leases/** -merge',
  'leases/pools.yaml merge',
  'leases/policy.yaml merge',
  'leases/allocations/** linguist-generated',
  'dist/** linguist-generated',
];

/** `.gitignore` with our lines. */
export function ignoreText(existing: string | undefined): string {
  return withLines(existing, ignored);
}

/** `.gitattributes` with our lines. The last line that fits a path counts, so ours come last. */
export function attributesText(existing: string | undefined): string {
  return withLines(existing, attributes);
}

/** A file of lines with those of ours that it lacks at its end. All else stays as it is. */
function withLines(existing: string | undefined, ours: readonly string[]): string {
  const text = existing ?? '';
  const present = new Set(text.split('\n').map((line) => line.trim()));
  const lacking = ours.filter((line) => !present.has(line));
  if (lacking.length === 0) return text;
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${gap}${lacking.join('\n')}\n`;
}
