import { describe, expect, test } from 'vitest';
import { sentenceTokens } from '../../../../../src/core/text/print/commands.ts';

const commandsIn = (text: string) =>
  sentenceTokens(text).flatMap((token) => ('command' in token ? [token.command] : []));

describe('the commands in a sentence', () => {
  test.each<[string, readonly string[]]>([
    ['run leasehold synth and commit what it writes', ['leasehold synth']],
    [
      'on the branch, after a git fetch, run leasehold synth --base main and commit what it writes',
      ['git fetch', 'leasehold synth --base main'],
    ],
    [
      'git restore --source=main --staged --worktree leases/allocations, then leasehold synth',
      ['git restore --source=main --staged --worktree leases/allocations', 'leasehold synth'],
    ],
    [
      'restore it: git restore --source=0a1b2c dist && leasehold synth; then commit',
      ['git restore --source=0a1b2c dist && leasehold synth'],
    ],
    [
      "run git rm 'leases/a file.yaml' to remove it, or git restore leases/b.yaml to get it back",
      ["git rm 'leases/a file.yaml'", 'git restore leases/b.yaml'],
    ],
    ['run git merge --abort, and merge one after the other', ['git merge --abort']],
    ['on the branch, run git merge main first', ['git merge main']],
    [
      'leasehold explain LAYOUT_CHANGED shows how to change it',
      ['leasehold explain LAYOUT_CHANGED'],
    ],
    ['leasehold map edge shows which are free', ['leasehold map edge']],
    ['leasehold synth --allow-release 12', ['leasehold synth --allow-release 12']],
    [
      'run leasehold move 203.0.113.7 --to 203.0.113.9; to keep it, remove the pin',
      ['leasehold move 203.0.113.7 --to 203.0.113.9'],
    ],
    [
      'to change the secret of a key, run leasehold key rotate; for another',
      ['leasehold key rotate'],
    ],
    ['leasehold writes the annotations of MetalLB', []],
    ['only leasehold writes files to this folder', []],
    ['resolve them with git, then stop', []],
  ])('%s', (text, commands) => {
    expect(commandsIn(text)).toEqual(commands);
  });

  test('every word and every space comes out again', () => {
    const text = 'first: git rm a.yaml, (or leasehold synth). Then leasehold check?';
    const shown = sentenceTokens(text).map((token) =>
      'command' in token ? `<${token.command}>${token.after}` : token.word,
    );

    expect(shown.join(' ')).toBe(
      'first: <git rm a.yaml>, (or <leasehold synth>). Then <leasehold check>?',
    );
  });
});
