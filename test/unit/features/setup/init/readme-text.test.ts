import { describe, expect, test } from 'vitest';
import { pagesOf } from '../../../../../src/features/setup/init/readme-text.ts';

describe('pagesOf', () => {
  test.each([
    ['https://github.com/acme/leasehold.git', 'https://github.com/acme/leasehold/blob/HEAD/'],
    ['git@github.com:acme/leasehold.git', 'https://github.com/acme/leasehold/blob/HEAD/'],
    ['ssh://git@github.acme.com:2222/net/l', 'https://github.acme.com/net/l/blob/HEAD/'],
    ['https://gitlab.com/a/b/leasehold', 'https://gitlab.com/a/b/leasehold/-/blob/HEAD/'],
    ['https://codeberg.org/a/leasehold', 'https://codeberg.org/a/leasehold/src/commit/HEAD/'],
    ['git@gitea.acme.com:a/l.git', 'https://gitea.acme.com/a/l/src/commit/HEAD/'],
    ['ssh://gitlab.acme.com/a/l.git/', 'https://gitlab.acme.com/a/l/-/blob/HEAD/'],
  ])('links to the files of %s', (url, pages) => {
    expect(pagesOf({ kind: 'git', url, ref: 'v0.1.0' }, undefined)).toBe(pages);
  });

  test.each([
    [
      'https://github.com/acme/l/releases/download/v1/l-1.tgz',
      'https://github.com/acme/l/blob/HEAD/',
    ],
    [
      'https://gitlab.com/a/b/l/-/releases/v1/downloads/l.tgz',
      'https://gitlab.com/a/b/l/-/blob/HEAD/',
    ],
    ['https://files.example.com/l-1.tgz', 'node_modules/leasehold/'],
  ])(
    'links for the tarball %s to the files of its repository, else to those installed',
    (url, pages) => {
      expect(pagesOf({ kind: 'tarball', url, sha256: undefined }, undefined)).toBe(pages);
    },
  );

  test('takes the forge of the leases for a host without a known name', () => {
    const tool = {
      kind: 'git' as const,
      ref: 'v0.1.0',
      url: 'https://git.acme.com/net/leasehold.git',
    };
    expect(pagesOf(tool, 'gitlab')).toBe('https://git.acme.com/net/leasehold/-/blob/HEAD/');
    expect(pagesOf(tool, 'github')).toBe('https://git.acme.com/net/leasehold/blob/HEAD/');
    expect(pagesOf(tool, undefined)).toBe('https://git.acme.com/net/leasehold#');
  });
});
