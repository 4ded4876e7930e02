import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { compileProgram } from './built-program.ts';

/** Compiles the program once for a project of which many files run it. */
export function setup(project: TestProject): () => void {
  const folder = compileProgram();
  project.provide('programFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
