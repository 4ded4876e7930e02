import { describe, expect, test } from 'vitest';
import { actionOf } from '../../../../../src/features/setup/init/forge-setup.ts';
import type { ToolSource } from '../../../../../src/features/setup/init/setup.ts';
import { npmSource, parseTool } from '../../../../../src/features/setup/init/tool.ts';

const commit = 'a1'.repeat(20);
const digest = '0a'.repeat(32);

function parsed(text: string): ToolSource {
  const tool = parseTool(text, undefined);
  if (typeof tool === 'string') throw new Error(tool);
  return tool;
}

describe('parseTool', () => {
  test.each([
    [
      'https://github.com/acme/leasehold.git#v0.1.0',
      'acme/leasehold@v0.1.0',
      'git+https://github.com/acme/leasehold.git#v0.1.0',
    ],
    [
      `https://git.example.com/acme/leasehold/#${commit}`,
      `acme/leasehold@${commit}`,
      `git+https://git.example.com/acme/leasehold/#${commit}`,
    ],
    [
      'ssh://git@host:22/acme/lease.hold#main',
      'acme/lease.hold@main',
      'git+ssh://git@host:22/acme/lease.hold#main',
    ],
    [
      'git@host:acme/leasehold.git#release/1',
      'acme/leasehold@release/1',
      'git+ssh://git@host/acme/leasehold.git#release/1',
    ],
    ['https://host/group/sub/leasehold#v1', undefined, 'git+https://host/group/sub/leasehold#v1'],
    [
      'https://github.com/acme/leasehold/releases/download/v0.1.0/leasehold-0.1.0.tgz',
      'acme/leasehold@v0.1.0',
      'https://github.com/acme/leasehold/releases/download/v0.1.0/leasehold-0.1.0.tgz',
    ],
    [
      `https://github.com/acme/leasehold/releases/download/v0.1.0/leasehold-0.1.0.tgz#sha256=${digest}`,
      'acme/leasehold@v0.1.0',
      `https://github.com/acme/leasehold/releases/download/v0.1.0/leasehold-0.1.0.tgz#sha256=${digest}`,
    ],
    ['https://host/files/leasehold.tgz', undefined, 'https://host/files/leasehold.tgz'],
    ['./leasehold-0.1.0.tgz', undefined, 'file:./leasehold-0.1.0.tgz'],
    ['files/leasehold-0.1.0.tgz', undefined, 'file:files/leasehold-0.1.0.tgz'],
    ['../leasehold', undefined, 'file:../leasehold'],
    ['/srv/leasehold', undefined, 'file:/srv/leasehold'],
  ])('%s', (text, action, npm) => {
    expect(actionOf(parsed(text))).toBe(action);
    expect(npmSource(parsed(text))).toBe(npm);
    expect(parsed(npm.replace(/^(?:git\+|file:)/, ''))).toEqual({
      ...parsed(text),
      ...(text.startsWith('git@') && { url: 'ssh://git@host/acme/leasehold.git' }),
    });
  });

  test.each([
    ['', undefined, /^expected a tarball or a folder/],
    ['0.1.0', undefined, /^expected a tarball/],
    ['leasehold', undefined, /^expected a tarball/],
    ['leasehold@0.1.0', undefined, /^expected a tarball/],
    ['https://host/a/b', undefined, /^expected a tarball/],
    ['http://host/a/b.tgz', undefined, /^expected a tarball/],
    ['./a\nb.tgz', undefined, /^expected a tarball/],
    ['https://host/a/b#semver:^1', undefined, /^expected a tarball/],
    ['https://host/a/b#-x', undefined, /^expected a tarball/],
    ['https://host/a/b#a..b', undefined, /^expected a tarball/],
    ['https://host/a/b.tgz#sha256=0a', undefined, /^expected a tarball/],
    [`https://host/a/b#sha256=${digest}`, undefined, /^expected a tarball/],
    [`https://host/a/b#${commit}#${commit}`, undefined, /^expected a tarball/],
    ['https://u:p@host/a/b#v1', undefined, /contains credentials/],
    ['https://u:p@host/a/b.tgz', undefined, /contains credentials/],
    ['https://host/a/$(b)#v1', undefined, /has characters/],
    ['https://host/a/$(b).tgz', undefined, /has characters/],
    ['/srv/leasehold#v1', undefined, /is not an address/],
    ['https://host/a/b/c#v1', 'github', /OWNER\/NAME/],
    ['https://host/a/b.tgz', 'github', /OWNER\/NAME/],
    ['./leasehold-0.1.0.tgz', 'github', /OWNER\/NAME/],
    ['./leasehold-0.1.0.tgz', 'gitlab', /no file of a merge request/],
    ['git@host:a/b#v1', 'gitlab', /no ssh key/],
    ['git@host:a/b#v1', 'forgejo', /^the Forgejo jobs have no ssh key/],
    ['./l.tgz', 'gitea', /^the Gitea jobs take no file of a pull request/],
    ['ssh://git@host/a/b#v1', 'gitlab', /no ssh key/],
  ] as const)('refuses %j for %s', (text, forge, reason) => {
    expect(parseTool(text, forge)).toMatch(reason);
  });
});
