import * as z from 'zod';
import type { SourceTree } from '../../core/interfaces/tree.ts';
import { type Forge, forges } from '../../core/model/forges/forges.ts';
import { compareText } from '../../core/model/order.ts';
import { type Policy, tenantsOf } from '../../core/model/policy.ts';
import { fail, type Outcome, ok, type Problem, startOf } from '../../core/model/problem.ts';
import {
  distFolder,
  keysFolder,
  leasesFolder,
  policyPath,
  poolsPath,
  proofsFolder,
  recordFolders,
} from '../../core/model/repository-paths.ts';
import { type Answer, answeredState, apiVersion } from '../../core/text/answer.ts';
import { readPolicyFile } from '../../core/tree/declared.ts';
import { problem } from './codes.ts';

const rule = z.strictObject({
  path: z.string().describe('The pattern of the line, from the root of the repository.'),
  owners: z.array(z.string()).describe('Empty for a path that needs no approval.'),
});
export type OwnersRule = Answer<typeof rule>;

export const codeownersSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Codeowners'),
    ...answeredState,
    file: z.string().exactOptional().describe('With --write: the file, as it was named.'),
    state: z
      .enum(['written', 'same'])
      .exactOptional()
      .describe('With --write: same when the file had these rules already.'),
    rules: z
      .array(rule)
      .describe('The last matching rule counts; on Forgejo and Gitea, each that matches.'),
  })
  .describe('The output of leasehold codeowners -o json.');

export type Codeowners = Answer<typeof codeownersSchema>;

/**
 * The rules of CODEOWNERS for the policy of a tree. `place` as in {@link codeownersRules}.
 * Problems: FILE_MISSING without a policy, FIELD_MISSING when the operators have no reviewers,
 * since their files would then need no approval.
 */
export function codeownersOf(tree: SourceTree, place: OwnersPlace): Outcome<readonly OwnersRule[]> {
  const policy = readPolicyFile(tree);
  if (!policy.ok) return policy;
  const open = unreviewed(policy.value);
  if (open) return fail([open]);
  return ok(codeownersRules(policy.value, place));
}

function unreviewed({ operators }: Policy): Problem | undefined {
  if (operators.reviewers.length > 0) return undefined;
  return {
    code: 'FIELD_MISSING',
    message: "'operators' lacks the field 'reviewers', which CODEOWNERS needs",
    at: startOf(policyPath),
    hint: "name who reviews pools and policy: operators: { reviewers: ['@org/team'] }",
  };
}

const begin = '# leasehold codeowners: begin. Written from leases/policy.yaml; edit that.';
const end = '# leasehold codeowners: end';

/**
 * Files of the repository that decide whether a pull request is checked and who must approve it.
 */
const forgeGates = [
  ...Object.values(forges).flatMap(({ gates }) => gates),
  '.gitmodules',
  '.pre-commit-config.yaml',
  'CODEOWNERS',
  'docs/CODEOWNERS',
].sort((left, right) => compareText(left.replace(/\/$/, ''), right.replace(/\/$/, '')));

/**
 * Files that decide which leasehold runs, with which settings and on which files: in the folder of
 * `leases/` and in all its parents. npm reads its registry and shell from `.npmrc`, prefers
 * `npm-shrinkwrap.json` to `package-lock.json`, and a program in `node_modules` to both. Yarn runs
 * `.pnp.cjs` before any program, and pnpm its pnpmfile on install. `.gitattributes` decides what a
 * checkout changes and a diff hides; `.sourceignore` and `gitops/` decide what an engine applies.
 */
const programGates = [
  '.gitattributes',
  '.mise.toml',
  '.node-version',
  '.npmrc',
  '.nvmrc',
  '.pnp.cjs',
  '.pnp.loader.mjs',
  '.pnpmfile.cjs',
  '.pnpmfile.mjs',
  '.sourceignore',
  '.tool-versions',
  '.yarn/',
  '.yarnrc',
  '.yarnrc.yml',
  'cdk8s.yaml',
  'gitops/',
  'mise.toml',
  'node_modules/',
  'npm-shrinkwrap.json',
  'package-lock.json',
  'package.json',
  'package.json5',
  'package.yaml',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'yarn.lock',
];

/** Where a CODEOWNERS is. */
export interface OwnersPlace {
  readonly forge: Forge;
  /** The folder with `leases/` in the repository: empty, or with a trailing slash. */
  readonly folder: string;
}

/** The rules of CODEOWNERS for a policy, as the forge reads them. */
export function codeownersRules(
  policy: Policy,
  { forge, folder }: OwnersPlace,
): readonly OwnersRule[] {
  const rules = pathRules(policy, folder);
  return forges[forge].ownersLines === 'paths' ? rules : expressionRules(rules);
}

/**
 * The rules as paths. On GitHub and on GitLab the last matching line counts, and a line without
 * owners exempts a path. Allocations and manifests have no owners: they change with every
 * declaration, and `leasehold check` proves that they follow from it.
 */
function pathRules(policy: Policy, folder: string): readonly OwnersRule[] {
  const { reviewers: operators } = policy.operators;
  const reviewersOf = (file: string): readonly string[] => {
    const reviewers = tenantsOf(policy, file).flatMap((tenant) =>
      tenant.reviewers.length > 0 ? tenant.reviewers : operators,
    );
    return reviewers.length > 0 ? [...new Set(reviewers)] : operators;
  };
  const folders = policy.tenants.flatMap((tenant) => tenant.folders);
  const namespaces = policy.tenants.flatMap((tenant) => tenant.namespaces.map(({ name }) => name));
  const keys = namespaces.map((name) => `${keysFolder}/${name}`);
  const owned = [...new Set([...folders, ...keys])].sort((left, right) =>
    compareText(left.replace(/\/$/, ''), right.replace(/\/$/, '')),
  );
  return [
    ruleOf(`${folder}${leasesFolder}/`, operators),
    ...owned.map((path) => ruleOf(`${folder}${path}/`, reviewersOf(`${path}/`))),
    ...recordFolders.map((path) => ruleOf(`${folder}${path}/`, [])),
    ruleOf(`${folder}${distFolder}/`, []),
    ...[`${proofsFolder}/`, poolsPath, policyPath].map((path) =>
      ruleOf(`${folder}${path}`, operators),
    ),
    ruleOf(`${folder}${leasesFolder}/**/.gitattributes`, operators),
    ...forgeGates.map((path) => ruleOf(path, operators)),
    ...foldersTo(folder).flatMap((above) =>
      programGates.map((path) => ruleOf(`${above}${path}`, operators)),
    ),
  ];
}

/**
 * Returns the rules as regular expressions for whole paths. Every line that matches a file adds its
 * owners, so no line can exempt a file. A line with `!` matches the files that its expression does not
 * match. The operators get such a line, because Go has no lookahead: they own each file without
 * another owner, also outside of `leases/`. Gitea: docs, usage/repository/code-owners;
 * models/issues/pull.go, ParseCodeOwnersLine.
 */
function expressionRules([first, ...rest]: readonly OwnersRule[]): readonly OwnersRule[] {
  const operators = first?.owners ?? [];
  const isOthers = ({ owners }: OwnersRule) => owners.join() !== operators.join();
  const others = rest.filter(isOthers).map(({ path }) => path);
  const isInside = ({ path }: OwnersRule) =>
    path.includes('**') || others.some((other) => path.startsWith(other) && path !== other);
  const kept = rest.filter((one) => one.owners.length > 0 && (isOthers(one) || isInside(one)));
  return [
    { path: `!(${others.map(expressionOf).join('|')})`, owners: operators },
    ...kept.map(({ path, owners }) => ({ path: expressionOf(path), owners })),
  ];
}

/**
 * The expression of a path, whose names have letters, digits, `.`, `_` and `-`. A line takes one of
 * two backslashes away.
 */
function expressionOf(path: string): string {
  return path.slice(1).replaceAll('.', '\\\\.').replace('**/', '(.*/)?').replace(/\/$/, '/.*');
}

/** The lines of CODEOWNERS, between markers. */
export function codeownersText(rules: readonly OwnersRule[]): string {
  const lines = rules.map(({ path, owners }) => [path, ...owners].join(' '));
  return [begin, ...lines, end, ''].join('\n');
}

/** A folder and its parents, from the root on: each empty, or with a trailing slash. */
function foldersTo(folder: string): readonly string[] {
  const names = folder.split('/').slice(0, -1);
  return ['', ...names.map((_, index) => `${names.slice(0, index + 1).join('/')}/`)];
}

function ruleOf(path: string, owners: readonly string[]): OwnersRule {
  return { path: `/${path}`, owners };
}

/**
 * A CODEOWNERS file with our lines in place of those between the markers; without markers, before
 * the first GitLab section, or at the end. All other lines are kept. Problem: CODEOWNERS_MARKERS
 * when the markers do not enclose exactly one part.
 */
export function withCodeowners(file: string, text: string, ours: string): Outcome<string> {
  const lines = text.split(/(?<=\n)/);
  const at = (marker: string): number[] =>
    lines.flatMap((line, index) => (line.trim() === marker ? [index] : []));
  const [begins, ends] = [at(begin), at(end)];
  const [first, last] = [begins[0], ends[0]];
  const written = text.includes('\r\n') ? ours.replaceAll('\n', '\r\n') : ours;
  if (first === undefined && last === undefined) {
    return ok(inserted(lines, written));
  }
  if (
    begins.length > 1 ||
    ends.length > 1 ||
    first === undefined ||
    last === undefined ||
    last < first
  ) {
    const line = Math.min(...begins.slice(-1), ...ends.slice(-1)) + 1;
    const message =
      'the markers of leasehold do not enclose one part, expected one begin and one end';
    return fail([
      {
        code: problem.CODEOWNERS_MARKERS,
        message,
        at: { file, line, column: 1 },
        hint: 'remove what leasehold wrote, with all markers, and write it again',
      },
    ]);
  }
  const value = [...lines.slice(0, first), written, ...lines.slice(last + 1)].join('');
  return ok(value);
}

function inserted(lines: readonly string[], written: string): string {
  const section = lines.findIndex((line) => /^\^?\[/.test(line));
  const place = section < 0 ? lines.length : section;
  const before = lines.slice(0, place).join('');
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  return `${before}${gap}${written}${lines.slice(place).join('')}`;
}
