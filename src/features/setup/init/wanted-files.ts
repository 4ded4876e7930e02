import { type Forge, forges } from '../../../core/model/forges/forges.ts';
import type { Policy } from '../../../core/model/policy.ts';
import type { Pools } from '../../../core/model/pools.ts';
import type { Problem } from '../../../core/model/problem.ts';
import { examplePaths, policyPath, poolsPath } from '../../../core/model/repository-paths.ts';
import { codeownersRules, codeownersText, withCodeowners } from '../codeowners.ts';
import { type EnginePlace, engineSetups } from './engine-setup.ts';
import { ciTexts, type ShippedText } from './forge-setup.ts';
import {
  exampleText,
  newPolicyFileText,
  newPoolFileText,
  withProvider,
} from './new-declarations.ts';
import { readmeText } from './readme-text.ts';
import type { SetupAnswers } from './setup.ts';
import { cdk8sText, installsFile, packageText } from './tool.ts';

/** The text that a file should have, undefined to keep the existing one, or problems with that. */
type WantedText = string | undefined | readonly Problem[];

/** A file that a set-up wants. `textOf` is called with the existing text. */
export interface WantedFile {
  readonly path: string;
  readonly textOf: (existing: string | undefined) => WantedText;
  /** True when the text is the existing one and answers that it lacks: it is written unasked. */
  readonly isCompleted?: boolean | ((existing: string | undefined) => boolean);
}

/** The facts about the repository that a set-up needs beside the answers. */
export interface SetupPlace extends Pick<EnginePlace, 'folder' | 'serversOf'> {
  readonly shipped: ShippedText;
  /** The paths of existing CODEOWNERS files. */
  readonly codeowners: readonly string[];
  /** The forge whose CI kit is there already. */
  readonly forge: Forge | undefined;
}

/** Pools and policy, which determine all other files. */
export function wantedDeclarations({
  pools,
  provider,
  reviewers,
  profile,
}: SetupAnswers): readonly WantedFile[] {
  const poolsText = (existing = '') =>
    pools ? newPoolFileText(pools) : provider && withProvider(existing, provider);
  return [
    { path: poolsPath, textOf: poolsText, isCompleted: pools === undefined },
    { path: policyPath, textOf: () => reviewers && newPolicyFileText(reviewers, profile) },
  ];
}

/** All other files, which follow from the answers and from the resulting pools and policy. */
export function wantedFiles(
  answers: SetupAnswers,
  { pools, policy }: { readonly pools: Pools; readonly policy: Policy },
  place: SetupPlace,
): readonly WantedFile[] {
  const { profile, engine, forge, tool, branch } = answers;
  const texts = new Map<string, string>();
  if (engine) {
    const objects = engineSetups[engine.kind].texts(engine, pools.clusters, { ...place, branch });
    for (const [path, text] of objects) texts.set(path, text);
  }
  texts.set(
    'README.md',
    readmeText({ ...answers, forge: forge ?? place.forge }, [...texts.keys()]),
  );
  texts.set(examplePaths[profile], exampleText(profile));
  texts.set('cdk8s.yaml', cdk8sText);
  if (forge) for (const [path, text] of ciTexts(forge, tool, place.shipped)) texts.set(path, text);
  const fixed = [...texts].map(([path, text]): WantedFile => ({ path, textOf: () => text }));
  return [
    ...fixed,
    { path: '.gitignore', textOf: ignoreText },
    { path: '.gitattributes', textOf: attributesText },
    { path: '.vscode/settings.json', textOf: editorText },
    {
      path: 'package.json',
      textOf: (existing) => packageText(existing, tool),
      isCompleted: installsFile,
    },
    ...(forge ? codeowners(forge, policy, place) : []),
  ];
}

/** Edits an existing CODEOWNERS: a second one would hide it, or never be read. */
function codeowners(
  forge: Forge,
  policy: Policy,
  { folder, codeowners: present }: SetupPlace,
): readonly WantedFile[] {
  if (policy.operators.reviewers.length === 0) return [];
  const { codeowners: names, newCodeowners } = forges[forge];
  const path = names.find((name) => present.includes(name)) ?? newCodeowners;
  const ours = codeownersText(codeownersRules(policy, { forge, folder }));
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

/** The lines of `.gitignore`. */
const ignored: readonly string[] = ['node_modules/', '.leasehold/'];

/**
 * The lines of `.gitattributes`. `-merge`: two edits of a file in `leases/` conflict, so that
 * rename detection never merges an edit into another lease. Pools and policy merge as text
 * (docs/together.md).
 */
const attributes: readonly string[] = [
  '* text=auto eol=lf',
  'leases/** -merge',
  'leases/pools.yaml merge',
  'leases/policy.yaml merge',
  'leases/allocations/** linguist-generated',
  'leases/hostnames/** linguist-generated',
  'dist/** linguist-generated',
];

/** The schema of all files of `leases/`, for the YAML extension of an editor. */
const editorSchema = './node_modules/leasehold/docs/schemas/leases.schema.json';

/**
 * `.vscode/settings.json`, by which an editor knows the schema of a file without a line in it.
 * Undefined to keep an existing file that is not plain JSON, such as one with comments.
 */
export function editorText(existing: string | undefined): string | undefined {
  const before = existing === undefined ? {} : settingsOf(existing);
  const schemas = before?.['yaml.schemas'] ?? {};
  if (before === undefined || typeof schemas !== 'object') return undefined;
  if (Object.hasOwn(schemas, editorSchema)) return existing;
  const after = { ...before, 'yaml.schemas': { ...schemas, [editorSchema]: 'leases/**/*.yaml' } };
  return `${JSON.stringify(after, undefined, 2)}\n`;
}

function settingsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** `.gitignore` with our lines. */
export function ignoreText(existing: string | undefined): string {
  return withLines(existing, ignored);
}

/** `.gitattributes` with our lines. The last matching line counts, so ours come last. */
export function attributesText(existing: string | undefined): string {
  return withLines(existing, attributes);
}

/** A file with the lines that it lacks added at its end. All other lines are kept. */
function withLines(existing: string | undefined, ours: readonly string[]): string {
  const text = existing ?? '';
  const present = new Set(text.split('\n').map((line) => line.trim()));
  const lacking = ours.filter((line) => !present.has(line));
  if (lacking.length === 0) return text;
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${gap}${lacking.join('\n')}\n`;
}
