import { describe, expect, test } from 'vitest';
import { replaceCommands, sentenceTokens } from '../../../../../src/core/text/print/sentence.ts';

const commandsIn = (text: string) =>
  sentenceTokens(text).flatMap((token) => ('command' in token ? [token.command] : []));

describe('the commands in a sentence', () => {
  test.each<[string, readonly string[]]>([
    ['run `leasehold synth` and commit what it writes', ['leasehold synth']],
    [
      'after a `git fetch`, run `leasehold synth --base main`, and commit it',
      ['git fetch', 'leasehold synth --base main'],
    ],
    [
      "run `git rm 'leases/a file.yaml'` to remove it, or `git restore leases/b.yaml`.",
      ["git rm 'leases/a file.yaml'", 'git restore leases/b.yaml'],
    ],
    ['the clone is shallow (`git fetch --unshallow`; fetch-depth: 0)', ['git fetch --unshallow']],
    ['leasehold writes the annotations of MetalLB', []],
    ['resolve them with git, then stop', []],
    ['a name with one ` in it', []],
    ['the Services constructor and toString are not declared', []],
    ['names with `more of` them in`side a `word', ['more of']],
  ])('%s', (text, commands) => {
    expect(commandsIn(text)).toEqual(commands);
  });

  test('every word and every mark comes out again', () => {
    const text = 'first: `git rm a.yaml`, (or `leasehold synth`). Then `leasehold check`?';
    const shown = sentenceTokens(text).map((token) =>
      'command' in token ? `${token.before}<${token.command}>${token.after}` : token.word,
    );

    expect(shown.join(' ')).toBe(
      'first: <git rm a.yaml>, (or <leasehold synth>). Then <leasehold check>?',
    );
  });

  test('are replaced, and nothing else is', () => {
    const text = 'leasehold synth is prose; run `leasehold synth` or `git add .`';

    expect(replaceCommands(text, (command) => command.toUpperCase())).toBe(
      'leasehold synth is prose; run `LEASEHOLD SYNTH` or `GIT ADD .`',
    );
  });
});
