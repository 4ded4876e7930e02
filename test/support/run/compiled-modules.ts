import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Compiles a source file and what it imports into a temporary folder, so that another process can
 * run it: for all tests of a file, since it takes seconds. Returns the module's address, and what removes it.
 */
export function compiled(file: string): { readonly url: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-build-'));
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
  return {
    url: pathToFileURL(join(folder, 'build', file.replace(/\.ts$/, '.js'))).href,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
