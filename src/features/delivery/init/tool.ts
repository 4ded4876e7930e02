import { InternalError, type Problem, startOf } from '../../../model/problem.ts';
import { repositoryFault } from '../../../model/repository-address.ts';
import { ciPaths } from '../../../model/repository-paths.ts';
import type { SourceTree } from '../../../ports/tree.ts';
import type { SetupAnswers, ToolSource } from './setup.ts';

/**
 * Parses a source of leasehold such as `https://HOST/PATH#COMMIT`. Returns a sentence when it is
 * not valid. The sentence never quotes the text, which may contain a password.
 */
export function parseTool(text: string, forge: SetupAnswers['forge']): ToolSource | string {
  const [, url = '', commit = ''] = /^([^#]*)#([0-9a-f]{40})$/.exec(text) ?? [];
  if (url === '') {
    return 'expected a git repository and a full commit, https://HOST/PATH#COMMIT with 40 hex digits';
  }
  const fault = repositoryFault(url, true);
  if (fault !== undefined) return `the address ${fault}`;
  if (forge === 'gitlab' && !/^https?:/.test(url)) {
    return 'the GitLab job has no ssh key, expected https://HOST/PATH#COMMIT';
  }
  if (forge === 'github' && actionName(url) === undefined) {
    return 'GitHub needs an action in a repository OWNER/NAME, and the address is not of that form';
  }
  return { url, commit };
}

/** The repository as `OWNER/NAME` for a step of GitHub Actions; undefined for other paths. */
export function actionName(url: string): string | undefined {
  const path = url.includes('://') ? new URL(url).pathname : (url.split(':')[1] ?? '');
  return /^\/?([A-Za-z0-9_-][A-Za-z0-9._-]*\/[A-Za-z0-9._-]+?)(?:\.git)?\/?$/.exec(path)?.[1];
}

/** The repository at its commit as an npm dependency. npm docs: package.json, "Git URLs". */
export function npmSource({ url, commit }: ToolSource): string {
  const long = url.includes('://') ? url : `ssh://${url.replace(':', '/')}`;
  return `git+${long}#${commit}`;
}

const packagePath = 'package.json';

/** npm ignores it at the start of `package.json`. */
const byteOrderMark = '\uFEFF';

/**
 * `package.json`, by which `npx --no leasehold` runs the leasehold of one commit. An existing file
 * keeps all other fields. Problem: FIELD_TYPE when it is not a JSON object, or its
 * `devDependencies` are not: their content would be lost.
 */
export function packageText(
  existing: string | undefined,
  tool: ToolSource,
): string | readonly Problem[] {
  const isEmpty = existing === undefined || existing.trim() === '';
  const before = isEmpty ? { private: true, devDependencies: {} } : objectOf(existing);
  if (before === undefined) return [mistyped('the file is not a JSON object')];
  const { devDependencies: dependencies = {} } = before;
  if (!isObject(dependencies)) return [mistyped("'devDependencies' is not an object")];
  const source = npmSource(tool);
  if (existing !== undefined && dependencies.leasehold === source) return existing;
  const devDependencies = { ...dependencies, leasehold: source };
  const mark = existing?.startsWith(byteOrderMark) ? byteOrderMark : '';
  return `${mark}${JSON.stringify({ ...before, devDependencies }, null, 2)}\n`;
}

function mistyped(found: string): Problem {
  return {
    code: 'FIELD_TYPE',
    message: `${found}, which npm does not accept`,
    at: startOf(packagePath),
    hint: 'correct it or move it elsewhere, then run leasehold init again',
  };
}

/** The leasehold in `package.json` of a tree as `URL#COMMIT`; undefined when it names no commit. */
export function toolThere(tree: SourceTree): string | undefined {
  const [entry] = tree.list(packagePath);
  if (entry?.path !== packagePath || entry.kind !== 'file') return undefined;
  const { devDependencies } = objectOf(new TextDecoder().decode(tree.read(packagePath))) ?? {};
  const source = isObject(devDependencies) ? devDependencies.leasehold : undefined;
  const text = typeof source === 'string' ? source.replace(/^git\+/, '') : '';
  return typeof parseTool(text, undefined) === 'string' ? undefined : text;
}

function objectOf(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text?.replace(byteOrderMark, '') ?? '');
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the text of a file that leasehold ships, by its path in the package. */
export type ShippedText = (path: string) => string;

/**
 * The CI files of a forge, path to text: the kit from leasehold's docs with the source filled in.
 */
export function ciTexts(
  forge: 'github' | 'gitlab',
  tool: ToolSource,
  shipped: ShippedText,
): ReadonlyMap<string, string> {
  const fill = forge === 'github' ? filledWorkflow : filledTemplate;
  return new Map(ciPaths[forge].map(([path, source]) => [path, fill(shipped(source), tool)]));
}

/** A GitLab pipeline that includes the kit and nothing else. */
export function pipelineText(): string {
  return ['include:', ...ciPaths.gitlab.map(([path]) => `  - local: ${path}`), ''].join('\n');
}

function filledWorkflow(text: string, { url, commit }: ToolSource): string {
  const instructions =
    '#\n# Replace OWNER and the digest by your copy of leasehold and a commit of it.\n';
  const used = /uses: OWNER\/leasehold@0{40} # v[0-9.]+\n/g;
  return filled(text, [
    [instructions, ''],
    [used, `uses: ${actionName(url)}@${commit}\n`],
  ]);
}

function filledTemplate(text: string, { url, commit }: ToolSource): string {
  const instructions =
    '#\n# Set LEASEHOLD_REPOSITORY and LEASEHOLD_COMMIT to your copy of leasehold and a commit of it.\n';
  return filled(text, [
    [instructions, ''],
    [/LEASEHOLD_REPOSITORY: https:.*\n/, `LEASEHOLD_REPOSITORY: ${url}\n`],
    [/LEASEHOLD_COMMIT: '0{40}'\n/, `LEASEHOLD_COMMIT: '${commit}'\n`],
  ]);
}

/** Fills placeholders in. A kit that lacks one is not of this version of leasehold. */
function filled(text: string, gaps: readonly (readonly [string | RegExp, string])[]): string {
  return gaps.reduce((before, [gap, into]) => {
    const after = before.replace(gap, () => into);
    if (after === before) throw new InternalError(`the CI kit lacks ${String(gap)}`);
    return after;
  }, text);
}

/** The version of cdk8s-cli that leasehold is tested with. A test compares it with package.json. */
export const cdk8sCli = '2.207.60';

/** `cdk8s.yaml`, by which `cdk8s synth` does the same as `leasehold synth`. */
export const cdk8sText = `# cdk8s synth writes the same bytes as leasehold synth: the app writes dist/ and leases/allocations/
# itself. cdk8s empties its output folder before it runs the app, so that folder is never dist/.
language: typescript
app: node node_modules/leasehold/build/src/main.js
output: .leasehold/cdk8s
`;
