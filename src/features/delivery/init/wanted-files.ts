import { policyPath, poolsPath } from '../../../model/folders.ts';
import type { Policy } from '../../../model/policy.ts';
import type { Pools } from '../../../model/pools.ts';
import { codeownersPaths, examplePaths } from '../../../model/setup-files.ts';
import { codeownersText, withCodeowners } from '../codeowners-text.ts';
import { cdk8sText } from './cdk8s-file.ts';
import { ciTexts, pipelineText, type ShippedText } from './ci-files.ts';
import type { WantedFile } from './compared-file.ts';
import { type EnginePlace, engineTexts } from './engine-files.ts';
import { attributesText, ignoreText } from './git-files.ts';
import { packageText } from './package-file.ts';
import { poolsText } from './pools-text.ts';
import { readmeText } from './readme-text.ts';
import type { SetupAnswers } from './setup.ts';
import { exampleText, policyText } from './setup-yaml.ts';

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
