import { execFileSync } from 'node:child_process';

/** Before all tests: the page's script, of the sources of now, where the program looks for it. */
export function setup(): void {
  execFileSync(process.execPath, ['src/features/page/browser/bundle.mjs']);
}
