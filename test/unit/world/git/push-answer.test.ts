import { describe, expect, it } from 'vitest';
import { pushAnswer } from '../../../../src/world/git/push-answer.ts';

const push = (line: string, ...remarks: readonly string[]) =>
  [
    'To ../origin.git',
    `!\t1111111111111111111111111111111111111111:refs/heads/main\t${line}`,
    'Done',
    ...remarks,
    "error: failed to push some refs to '../origin.git'",
  ].join('\n');

describe('the answer to a push that failed', () => {
  it.each([
    '[rejected] (fetch first)',
    '[rejected] (non-fast-forward)',
    '[rejected] (stale info)',
    '[remote rejected] (failed to update ref)',
    '[remote rejected] (incorrect old value provided)',
    "[remote rejected] (cannot lock ref 'refs/heads/main': is at 22 but expected 11)",
    "[remote rejected] (cannot lock ref 'refs/heads/main': Unable to create './refs/heads/main.lock': File exists.)",
    '[remote rejected] (reference already exists)',
  ])('is that somebody else was first: %s', (line) => {
    expect(pushAnswer(push(line))).toMatchObject({ kind: 'outrun' });
  });

  it('is the last word of a hook, with what it printed', () => {
    const remarks = ['remote: Only signed commits.   ', 'remote: ', 'remote: Ask the owner.'];
    expect(pushAnswer(push('[remote rejected] (pre-receive hook declined)', ...remarks))).toEqual({
      kind: 'refused',
      reason: 'pre-receive hook declined; Only signed commits.; Ask the owner.',
    });
  });

  it('is none when the remote was not reached', () => {
    expect(pushAnswer("fatal: '../origin.git' does not appear to be a git repository")).toBe(
      undefined,
    );
  });
});
