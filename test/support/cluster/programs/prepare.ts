import type { TestProject } from 'vitest/node';
import { buildPrograms } from './build-programs.ts';
import { whatIsMissing } from './requirements.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Why the cluster suite is skipped; empty when it runs. */
    clusterIsMissing: string;
  }
}

/**
 * Builds the programs of the cluster suite before its tests. On a machine that cannot run them it says so in
 * one line, and the tests are skipped; in CI that is a failure.
 */
export async function setup(project: TestProject): Promise<void> {
  const missing = await whatIsMissing();
  if (missing !== undefined && process.env.CI) throw new Error(`the cluster suite: ${missing}`);
  project.provide('clusterIsMissing', missing ?? '');
  if (missing === undefined) await buildPrograms((line) => console.log(line));
  else console.log(`skipped: the cluster suite; ${missing}, then npm run test:cluster`);
}
