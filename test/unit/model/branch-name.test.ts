import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { isBranchName } from '../../../src/model/branch-name.ts';

const names = [
  ...['main', 'deploy/default', 'a.b', 'a@b', 'ä', '{x}', "it's", '$(id)', 'a;b', 'x/-y', 'lock'],
  ...['', '-x', '--force', 'a..b', 'a b', 'a~1', 'a^', 'a:b', 'a?', 'a*', 'a[', 'a\\b', 'HEAD'],
  ...[
    'a@{1}',
    '/a',
    'a/',
    'a//b',
    '.a',
    'a/.b',
    'a.lock',
    'a.lock/b',
    'a.',
    'a\nb',
    'a\x7fb',
    'a\tb',
  ],
];

it('says no to what git would take for another name', () => {
  expect(['@', '@{-1}'].filter(isBranchName)).toEqual([]);
});

it.each(names)('says of the branch name %j what git says', (name) => {
  const { status } = spawnSync('git', ['check-ref-format', '--branch', name]);
  expect(isBranchName(name)).toBe(status === 0);
});
