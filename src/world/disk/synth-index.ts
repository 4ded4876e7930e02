import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EnvironmentError } from '../../model/problem.ts';
import { reasonOf } from '../system-error.ts';

/**
 * Leaves in cdk8s's output folder what `cdk8s synth` expects to find there: one YAML file. It names
 * the manifests, which stand under dist/ and not here, because cdk8s empties its output folder
 * before it runs the app. An EnvironmentError when the disk refuses.
 */
export function writeSynthIndex(folder: string, manifests: readonly string[]): void {
  const lines = manifests.map((path) => `  - ${path}\n`);
  const text = `apiVersion: leasehold.dev/v1\nkind: Index\nmanifests:\n${lines.join('')}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'index.yaml'), text);
  } catch (error) {
    throw new EnvironmentError(`the index for cdk8s cannot be written: ${reasonOf(error)}`);
  }
}
