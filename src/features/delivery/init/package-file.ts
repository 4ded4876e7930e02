import { type Problem, startOf } from '../../../model/problem.ts';
import type { SourceTree } from '../../../ports/tree.ts';
import type { ToolSource } from './setup.ts';
import { npmSource, parseTool } from './tool.ts';

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
