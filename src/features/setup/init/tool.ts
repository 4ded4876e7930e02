import type { SourceTree } from '../../../core/interfaces/tree.ts';
import { type Problem, startOf } from '../../../core/model/problem.ts';
import { isBranchName, repositoryFault } from '../../../core/model/repository-address.ts';
import { textIn } from '../../../core/tree/tree-reader.ts';
import { addressOf, forgeSetups } from './forge-setup.ts';
import type { SetupAnswers, ToolSource } from './setup.ts';

/**
 * Parses a source of leasehold: `https://HOST/PATH#REF`, the URL of a tarball, which may end with
 * `#sha256=` and its digest, or the path of a tarball or folder. Returns a sentence when it is not
 * valid, or when the CI of the forge cannot use it. The sentence never quotes the text, which may
 * contain a password.
 */
export function parseTool(text: string, forge: SetupAnswers['forge']): ToolSource | string {
  const source = sourceOf(text);
  if (source === undefined) {
    return 'expected a tarball or a folder, such as ./leasehold-0.1.0.tgz, the https URL of a tarball, or a git repository at a version, such as https://HOST/PATH#v0.1.0';
  }
  const fault = source.kind === 'path' ? undefined : repositoryFault(source.url, true);
  if (fault !== undefined) return `the address ${fault}`;
  return (forge && forgeSetups[forge].sourceFault(source)) ?? source;
}

function sourceOf(text: string): ToolSource | undefined {
  const [, url = '', ref = ''] = /^([^#]*)#([A-Za-z0-9][A-Za-z0-9._/+-]*)$/.exec(text) ?? [];
  if (url !== '') return isBranchName(ref) ? { kind: 'git', url, ref } : undefined;
  const [, tarball, sha256] = /^(https:[^#]*\.tgz)(?:#sha256=([0-9a-f]{64}))?$/.exec(text) ?? [];
  if (tarball !== undefined) return { kind: 'tarball', url: tarball, sha256 };
  const isPath = /^(?:\.{0,2}\/[^#]*|[^#]*\.tgz)$/.test(text) && !/\p{Cc}|:\/\//u.test(text);
  return isPath ? { kind: 'path', path: text } : undefined;
}

/**
 * The source as an npm dependency. npm docs: package.json, "dependencies". npm ignores the digest
 * of a tarball, and has one of its own in the lock file.
 */
export function npmSource(tool: ToolSource): string {
  if (tool.kind === 'tarball') return addressOf(tool);
  if (tool.kind === 'path') return `file:${tool.path}`;
  const { url, ref } = tool;
  const long = url.includes('://') ? url : `ssh://${url.replace(':', '/')}`;
  return `git+${long}#${ref}`;
}

const packagePath = 'package.json';

/** npm ignores it at the start of `package.json`. */
const byteOrderMark = '\uFEFF';

/**
 * `package.json`, by which `npx --no -- leasehold` runs the leasehold of one version. An existing file
 * keeps all other fields, and the one of `dependencies` and `devDependencies` that has leasehold.
 * Problem: FIELD_TYPE when it is not a JSON object, or its `devDependencies` are not: their content
 * would be lost.
 */
export function packageText(
  existing: string | undefined,
  tool: ToolSource,
): string | readonly Problem[] {
  const isEmpty = existing === undefined || existing.trim() === '';
  const before = isEmpty ? { private: true, devDependencies: {} } : objectOf(existing);
  if (before === undefined) return [mistyped('the file is not a JSON object')];
  const group = groupOf(before);
  const { [group]: dependencies = {} } = before;
  if (!isObject(dependencies)) return [mistyped("'devDependencies' is not an object")];
  const source = npmSource(tool);
  const former = String(dependencies.leasehold).replace(/^file:(?=[^./])/, 'file:./');
  if (existing !== undefined && former === source) return existing;
  const changed = { ...before, [group]: { ...dependencies, leasehold: source } };
  const mark = existing?.startsWith(byteOrderMark) ? byteOrderMark : '';
  return `${mark}${JSON.stringify(changed, null, 2)}\n`;
}

/** Returns the field of `package.json` that has leasehold. `npm install` without `--save-dev` uses `dependencies`. */
function groupOf({ dependencies }: Readonly<Record<string, unknown>>) {
  const isThere = isObject(dependencies) && dependencies.leasehold !== undefined;
  return isThere ? 'dependencies' : 'devDependencies';
}

function mistyped(found: string): Problem {
  return {
    code: 'FIELD_TYPE',
    message: `${found}, which npm does not accept`,
    at: startOf(packagePath),
    hint: 'correct it or move it elsewhere, then run `leasehold init` again',
  };
}

/**
 * The source of leasehold in `package.json` of a tree, as {@link parseTool} takes it; undefined for
 * none, and for a version from a registry.
 */
export function toolThere(tree: SourceTree): string | undefined {
  const [entry] = tree.list(packagePath);
  if (entry?.path !== packagePath || entry.kind !== 'file') return undefined;
  const file = objectOf(textIn(tree, packagePath)) ?? {};
  const { [groupOf(file)]: group } = file;
  const source = isObject(group) ? group.leasehold : undefined;
  const text = typeof source === 'string' ? source.replace(/^(?:git\+|file:)/, '') : '';
  return typeof parseTool(text, undefined) === 'string' ? undefined : text;
}

/**
 * True for a `package.json` that installs leasehold from a file, as before `init`: the source that
 * `init` is given replaces it.
 */
export function installsFile(text: string | undefined): boolean {
  const file = objectOf(text) ?? {};
  const { [groupOf(file)]: group } = file;
  return isObject(group) && String(group.leasehold).startsWith('file:');
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

/** The version of cdk8s-cli that leasehold is tested with. A test compares it with package.json. */
export const cdk8sCli = '2.207.60';

/** `cdk8s.yaml`, by which `cdk8s synth` does the same as `leasehold synth`. */
export const cdk8sText = `# cdk8s synth writes the same bytes as leasehold synth: the app writes dist/ and the records in leases/
# itself. cdk8s empties its output folder before it runs the app, so that folder is never dist/.
language: typescript
app: node node_modules/leasehold/build/src/main.js
output: .leasehold/cdk8s
`;
