import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { KubeObject } from './kube.ts';
import { objectsIn } from './manifests.ts';
import { programFolder } from './programs/programs.ts';

/** How a chart is installed. */
interface Release {
  readonly name: string;
  readonly namespace: string;
  /** The values, or a file of them. */
  readonly values: object | string;
}

/**
 * The objects of a chart, in a folder or packed, as Helm's own code renders it. Throws what Helm says of a chart or
 * values that it refuses.
 */
export function renderedChart(
  path: string,
  { name, namespace, values }: Release,
): readonly KubeObject[] {
  const texts: Readonly<Record<string, string>> = JSON.parse(
    execFileSync(join(programFolder('helm'), 'helm'), [path, name, namespace], {
      input: typeof values === 'string' ? values : stringify(values),
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: 'pipe',
    }),
  );
  return Object.entries(texts)
    .filter(([file]) => file.endsWith('.yaml'))
    .flatMap(([, text]) => objectsIn(text));
}
