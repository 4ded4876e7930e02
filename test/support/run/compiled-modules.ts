import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';

/**
 * Compiles a source file and what it imports into a temporary folder, so that another process can
 * run it. Returns the module's address; removed when the test is over.
 */
export function compiled(file: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-build-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = {
    extends: resolve('tsconfig.build.json'),
    compilerOptions: {
      noCheck: true,
      rootDir: resolve('.'),
      outDir: join(folder, 'build'),
      typeRoots: [resolve('node_modules/@types')],
    },
    include: [],
    files: [resolve(file)],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  execFileSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder]);
  return pathToFileURL(join(folder, 'build', file.replace(/\.ts$/, '.js'))).href;
}
