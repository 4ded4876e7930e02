import type { ToolSource } from '../../model/setup.ts';
import type { SourceTree } from '../ports/tree.ts';
import { npmSource, parseTool } from './tool.ts';

const packagePath = 'package.json';

/**
 * `package.json`, by which `npx leasehold` runs the leasehold of one commit. One that is there keeps all that it says of
 * anything else, unless it is no JSON object with objects where npm wants them.
 */
export function packageText(existing: string | undefined, tool: ToolSource): string {
  const before = objectOf(existing) ?? { private: true };
  const dependencies = isObject(before.devDependencies) ? before.devDependencies : {};
  const source = npmSource(tool);
  if (existing !== undefined && dependencies.leasehold === source) return existing;
  const devDependencies = { ...dependencies, leasehold: source };
  return `${JSON.stringify({ ...before, devDependencies }, null, 2)}\n`;
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
    const value: unknown = JSON.parse(text ?? '');
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
