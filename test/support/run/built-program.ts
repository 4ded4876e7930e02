import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the program that was compiled before all tests of a project. */
    programFolder: string;
  }
}

/** The program as it is installed, compiled from the sources of now. */
export interface BuiltProgram {
  /** The bin of `leasehold`. */
  readonly cli: string;
  /** The folder that a repository's `cdk8s.yaml` calls `build`. */
  readonly build: string;
  /** The bin of `cdk8s`. */
  readonly cdk8s: string;
  remove(): void;
}

/** The program, compiled once for all files of a project that does so before (test/support/run/program-once.ts), else for this one. */
export function buildProgram(): BuiltProgram {
  const once: string | undefined = inject('programFolder');
  if (once !== undefined) return { ...programIn(once), remove: () => {} };
  const folder = compileProgram();
  return { ...programIn(folder), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Compiles the program into a temporary folder, beside the packages it needs, and gives that folder. */
export function compileProgram(): string {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-program-'));
  const build = join(folder, 'build');
  execFileSync(process.execPath, [resolve('src/bundle.mjs'), build]);
  execFileSync(process.execPath, [
    resolve('src/features/page/browser/bundle.mjs'),
    join(build, 'page'),
  ]);
  copyFileSync('package.json', join(folder, 'package.json'));
  for (const part of ['node_modules', 'docs']) symlinkSync(resolve(part), join(folder, part));
  return folder;
}

function programIn(folder: string): Omit<BuiltProgram, 'remove'> {
  const build = join(folder, 'build');
  return {
    build,
    cli: join(build, 'src/cli/main.js'),
    cdk8s: resolve('node_modules/cdk8s-cli/bin/cdk8s'),
  };
}

/** Makes root a repository that `npx cdk8s synth` works in. */
export function addCdk8s(root: string, build: string): void {
  if (existsSync(join(root, 'build'))) return;
  copyFileSync(resolve('cdk8s.yaml'), join(root, 'cdk8s.yaml'));
  symlinkSync(build, join(root, 'build'));
}
