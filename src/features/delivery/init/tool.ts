import { InternalError, type Problem, startOf } from '../../../model/problem.ts';
import { repositoryFault } from '../../../model/repository-url.ts';
import { ciPaths } from '../../../model/setup-files.ts';
import type { SourceTree } from '../../../ports/tree.ts';
import type { SetupAnswers, ToolSource } from './setup.ts';

/**
 * Where a text such as `https://HOST/PATH#COMMIT` has its leasehold from, or why it is none, as a sentence. The text is
 * not repeated: it may hold a password.
 */
export function parseTool(text: string, forge: SetupAnswers['forge']): ToolSource | string {
  const [, url = '', commit = ''] = /^([^#]*)#([0-9a-f]{40})$/.exec(text) ?? [];
  if (url === '') {
    return 'expected a git repository and a whole commit of it, https://HOST/PATH#COMMIT with 40 hex digits';
  }
  const fault = repositoryFault(url, true);
  if (fault !== undefined) return `the address ${fault}`;
  if (forge === 'gitlab' && !/^https?:/.test(url)) {
    return 'the job of GitLab has no key for ssh, expected https://HOST/PATH#COMMIT';
  }
  if (forge === 'github' && actionName(url) === undefined) {
    return 'GitHub takes an action from a repository OWNER/NAME, and the address is none of one';
  }
  return { url, commit };
}

/** The repository as a step of GitHub Actions names it, `owner/name`; undefined when its path is not one. */
export function actionName(url: string): string | undefined {
  const path = url.includes('://') ? new URL(url).pathname : (url.split(':')[1] ?? '');
  return /^\/?([A-Za-z0-9_-][A-Za-z0-9._-]*\/[A-Za-z0-9._-]+?)(?:\.git)?\/?$/.exec(path)?.[1];
}

/** The repository at its commit, as `package.json` names a dependency. npm docs: package.json, "Git URLs". */
export function npmSource({ url, commit }: ToolSource): string {
  const long = url.includes('://') ? url : `ssh://${url.replace(':', '/')}`;
  return `git+${long}#${commit}`;
}

const packagePath = 'package.json';

/** npm reads a file with it as one without. */
const byteOrderMark = '\uFEFF';

/**
 * `package.json`, by which `npx --no leasehold` runs the leasehold of one commit. One that is there keeps all that it says of
 * anything else. FIELD_TYPE when it is no JSON object, or has no object where npm wants one: what it says would be lost.
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
    message: `${found}, which npm does not read`,
    at: startOf(packagePath),
    hint: 'correct it or move it elsewhere, and run leasehold init again',
  };
}

/** The leasehold that `package.json` of a tree runs, as `URL#COMMIT`; undefined where it names none at a commit. */
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

/** Gives the text of a file that leasehold ships, by its path in the package. */
export type ShippedText = (path: string) => string;

/** What the CI of a forge runs, path to text: the kit of leasehold's docs, with the place of leasehold filled in. */
export function ciTexts(
  forge: 'github' | 'gitlab',
  tool: ToolSource,
  shipped: ShippedText,
): ReadonlyMap<string, string> {
  const fill = forge === 'github' ? filledWorkflow : filledTemplate;
  return new Map(ciPaths[forge].map(([path, source]) => [path, fill(shipped(source), tool)]));
}

/** The pipeline of a project that has no other. It includes the kit. */
export function pipelineText(): string {
  return ['include:', ...ciPaths.gitlab.map(([path]) => `  - local: ${path}`), ''].join('\n');
}

function filledWorkflow(text: string, { url, commit }: ToolSource): string {
  const told = '#\n# Replace OWNER and the digest by your copy of leasehold and a commit of it.\n';
  const used = /uses: OWNER\/leasehold@0{40} # v[0-9.]+\n/g;
  return filled(text, [
    [told, ''],
    [used, `uses: ${actionName(url)}@${commit}\n`],
  ]);
}

function filledTemplate(text: string, { url, commit }: ToolSource): string {
  const told =
    '#\n# Set LEASEHOLD_REPOSITORY and LEASEHOLD_COMMIT to your copy of leasehold and a commit of it.\n';
  return filled(text, [
    [told, ''],
    [/LEASEHOLD_REPOSITORY: https:.*\n/, `LEASEHOLD_REPOSITORY: ${url}\n`],
    [/LEASEHOLD_COMMIT: '0{40}'\n/, `LEASEHOLD_COMMIT: '${commit}'\n`],
  ]);
}

/** A kit that lacks one of its gaps is not the one that this leasehold came with. */
function filled(text: string, gaps: readonly (readonly [string | RegExp, string])[]): string {
  return gaps.reduce((before, [gap, into]) => {
    const after = before.replace(gap, () => into);
    if (after === before) throw new InternalError(`the CI kit lacks ${String(gap)}`);
    return after;
  }, text);
}

/** The version of the CLI that leasehold is tested with; a test holds it to package.json. */
export const cdk8sCli = '2.207.60';

/** `cdk8s.yaml`: `cdk8s synth` does what `leasehold synth` does. */
export const cdk8sText = `# cdk8s synth gives the same bytes as leasehold synth: the app writes dist/ and leases/allocations/
# itself. cdk8s empties its output folder before it runs the app, so that folder is never dist/.
language: typescript
app: node node_modules/leasehold/build/src/main.js
output: .leasehold/cdk8s
`;
