import { describe, expect, test } from 'vitest';
import { actionName } from '../../../../../src/features/delivery/init/forge-setup.ts';
import { npmSource, parseTool } from '../../../../../src/features/delivery/init/tool.ts';

const commit = 'a1'.repeat(20);

describe('parseTool', () => {
  test.each([
    [
      'https://github.com/acme/leasehold.git',
      'acme/leasehold',
      'git+https://github.com/acme/leasehold.git',
    ],
    [
      'https://git.example.com/acme/leasehold/',
      'acme/leasehold',
      'git+https://git.example.com/acme/leasehold/',
    ],
    [
      'ssh://git@host:22/acme/lease.hold',
      'acme/lease.hold',
      'git+ssh://git@host:22/acme/lease.hold',
    ],
    ['git@host:acme/leasehold.git', 'acme/leasehold', 'git+ssh://git@host/acme/leasehold.git'],
    ['https://host/group/sub/leasehold', undefined, 'git+https://host/group/sub/leasehold'],
  ])('%s', (url, action, npm) => {
    expect(parseTool(`${url}#${commit}`, undefined)).toEqual({ url, commit });
    expect(actionName(url)).toBe(action);
    expect(npmSource({ url, commit })).toBe(`${npm}#${commit}`);
  });

  test.each([
    ['', undefined, /expected a git repository and a full commit/],
    [`https://host/a/b`, undefined, /a full commit/],
    [`https://host/a/b#main`, undefined, /a full commit/],
    [`https://host/a/b#${commit.slice(1)}`, undefined, /a full commit/],
    [`https://host/a/b#${commit}#${commit}`, undefined, /a full commit/],
    [`https://u:p@host/a/b#${commit}`, undefined, /contains credentials/],
    [`https://host/a/$(b)#${commit}`, undefined, /has characters/],
    [`/srv/leasehold#${commit}`, undefined, /is not an address/],
    [`https://host/a/b/c#${commit}`, 'github', /OWNER\/NAME/],
    [`git@host:a/b#${commit}`, 'gitlab', /no ssh key/],
  ] as const)('refuses %j for %s', (text, forge, reason) => {
    expect(parseTool(text, forge)).toMatch(reason);
  });
});
