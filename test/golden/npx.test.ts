import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const repository = resolve(import.meta.dirname, '../..');

/*
 * Nobody holds the name leasehold on npm's registry, so anybody may take it, and npx fetches and runs that wherever leasehold is
 * not installed: with `--no` it ends instead (test/slow/npx.test.ts). An option before `--` is npx's own: with -C it looks for
 * leasehold in another folder, and then in the registry. Where npx is left out, an option comes after the command in every text,
 * since a reader may put `npx --no` before it. The image has leasehold on its path.
 */
const tellsWhatNotToType = [
  'src/core/cli/progress/chosen-display.ts',
  'test/golden/npx.test.ts',
  'test/slow/image.test.ts',
  'test/slow/npx.test.ts',
];

test('no text has an option before the command of leasehold, or runs whatever the registry calls so', () => {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: repository,
      encoding: 'utf8',
    },
  );
  const files = listed
    .split('\0')
    .filter(
      (path) => /\.(?:md|ts|mjs|txt|ya?ml|json)$/.test(path) && !tellsWhatNotToType.includes(path),
    );
  const told = files.flatMap((path) =>
    readFileSync(join(repository, path), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        /\bnpx leasehold\b|\bnpx --no -- leasehold -|\bleasehold (?:-C|-h|--help)\b/.test(line)
          ? [`${path}:${index + 1}`]
          : [],
      ),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(told).toEqual([]);
});
