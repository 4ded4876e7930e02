import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { emptyRepository, profiles } from '../support/run/init-run.ts';
import { runInProcess } from '../support/run/run-in-process.ts';
import { content, filesOf } from '../support/trees/temp-tree.ts';

/*
 * What `leasehold init` makes, byte for byte: each file of init/ is a whole repository, with a line `=== path` before
 * each of its files. UPDATE_GOLDEN=1 writes them anew.
 */
const update = process.env.UPDATE_GOLDEN === '1' && !process.env.CI;

/** A repository as one text. */
function textOf(root: string): string {
  const files = Object.entries(filesOf(content(root))).filter(
    ([path]) => !path.startsWith('.git/'),
  );
  return files.map(([path, text]) => `=== ${path}\n${text}`).join('');
}

describe('the files that init writes', () => {
  test.each(Object.entries(profiles))('%s', async (name, words) => {
    const root = emptyRepository();
    const { status, out, err } = await runInProcess(['init', '--yes', ...words], root);
    expect({ status, err }).toMatchObject({ status: 0 });
    const made = `${textOf(root)}=== standard output\n${out}`;
    const path = join(resolve(import.meta.dirname, 'init'), `${name}.txt`);
    if (update) writeFileSync(path, made);
    expect(existsSync(path) ? readFileSync(path, 'utf8') : '').toBe(made);
  });
});
