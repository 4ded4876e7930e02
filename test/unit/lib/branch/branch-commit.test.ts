import { describe, expect, it } from 'vitest';
import { EnvironmentError } from '../../../../src/core/model/problem.ts';
import {
  addCommit,
  type CommitStep,
  commitMessage,
  trailerOf,
} from '../../../../src/lib/branch/branch-commit.ts';
import type { Pushed, RemoteBranch } from '../../../../src/lib/branch/remote-branch.ts';

/** A branch with scripted answers to pushes, whose head moves between them unless `stays` is true. */
function deskWith(
  answers: readonly (Pushed | Error)[],
  { arrives = false, stays = false }: { readonly arrives?: boolean; readonly stays?: boolean } = {},
) {
  const left = [...answers];
  const pauses: number[] = [];
  let heads = 0;
  let time = 0;
  let written = 0;
  const branch: RemoteBranch = {
    name: 'main of origin',
    head: async () => {
      heads += 1;
      time += 100;
      return `head-${stays ? 1 : heads}`;
    },
    treeOf: async () => 'tree',
    treeWith: async () => 'tree',
    write: async () => {
      written += 1;
      return `commit-${written}`;
    },
    push: async () => {
      const answer = left.shift() ?? { kind: 'pushed' };
      if (answer instanceof Error) throw answer;
      return answer;
    },
    comesFrom: async () => arrives,
    fetch: async () => true,
    isBehind: async () => false,
  };
  const waiting = {
    now: () => time,
    pause: async (milliseconds: number) => {
      pauses.push(milliseconds);
      time += milliseconds;
    },
  };
  const told: string[] = [];
  const reportWait = (line: string) => void told.push(line);
  return { desk: { branch, waiting, chance: () => 0.5, reportWait }, pauses, told, waiting };
}

const outrun: Pushed = { kind: 'outrun', reason: 'fetch first' };

const committing = async (head: string | undefined): Promise<CommitStep<string>> => ({
  kind: 'commit',
  draft: { tree: 'tree', parent: head, message: 'm' },
  value: `on ${head}`,
});

describe('a commit to a branch', () => {
  it('starts again from the new head when another push comes first', async () => {
    const { desk, pauses } = deskWith([outrun, outrun, outrun]);
    expect(await addCommit(desk, committing)).toEqual({
      kind: 'done',
      commit: 'commit-4',
      value: 'on head-4',
    });
    // Half of 2, 4 and 8 times the 100 ms that an attempt takes.
    expect(pauses).toEqual([100, 200, 400]);
  });

  it('is not needed any more when a new head has it', async () => {
    const { desk } = deskWith([outrun]);
    const ended = await addCommit(desk, async (head) =>
      head === 'head-1' ? committing(head) : { kind: 'nothing', value: 'there' },
    );
    expect(ended).toEqual({ kind: 'done', commit: undefined, value: 'there' });
  });

  it('is given up after so many times, with a sentence', async () => {
    const { desk, pauses } = deskWith(Array.from({ length: 200 }, () => outrun));
    await expect(addCommit(desk, committing)).rejects.toThrow(
      new EnvironmentError(
        'other pushes to main of origin were first 100 times; run it again: fetch first',
      ),
    );
    expect(Math.max(...pauses)).toBe(800);
  });

  it('is given up after half a minute in which the head stays the same, after one report', async () => {
    const locked: Pushed = { kind: 'outrun', reason: 'failed to update ref' };
    const { desk, told, waiting } = deskWith(
      Array.from({ length: 200 }, () => locked),
      { stays: true },
    );
    const what =
      'main of origin accepts no push, although its head stays the same (failed to update ref)';
    await expect(addCommit(desk, committing)).rejects.toThrow(
      new EnvironmentError(
        `${what}: a push that was killed may have left its lock there; run it again`,
      ),
    );
    expect(told).toEqual([`${what}; retrying for 30 s`]);
    expect(waiting.now()).toBeGreaterThanOrEqual(30_000);
    expect(waiting.now()).toBeLessThan(31_000);
  });

  it('is tried for longer when the branch moves, and nothing is told', async () => {
    const { desk, told, waiting } = deskWith(Array.from({ length: 90 }, () => outrun));
    expect(await addCommit(desk, committing)).toMatchObject({ commit: 'commit-91' });
    expect(waiting.now()).toBeGreaterThan(60_000);
    expect(told).toEqual([]);
  });

  it('is not tried again when the remote refuses it', async () => {
    const { desk, pauses } = deskWith([{ kind: 'refused', reason: 'hook declined' }]);
    await expect(addCommit(desk, committing)).rejects.toThrow(
      new EnvironmentError('main of origin refuses the commit: hook declined'),
    );
    expect(pauses).toEqual([]);
  });

  it('counts as pushed when its push was cut off after it had arrived', async () => {
    const lost = new EnvironmentError('the connection was reset');
    expect(await addCommit(deskWith([lost], { arrives: true }).desk, committing)).toMatchObject({
      commit: 'commit-1',
    });
    await expect(addCommit(deskWith([lost]).desk, committing)).rejects.toThrow(lost);
  });
});

describe('a commit message', () => {
  it('is subject, body and trailers', () => {
    const trailers = [
      ['Leasehold-Address', '203.0.113.7'],
      ['Leasehold-Address', '2001:db8::7'],
    ] as const;
    expect(commitMessage({ subject: 'Lease it', body: ['one', 'two'], trailers })).toBe(
      'Lease it\n\none\ntwo\n\nLeasehold-Address: 203.0.113.7\nLeasehold-Address: 2001:db8::7\n',
    );
    expect(commitMessage({ subject: 'Lease it' })).toBe('Lease it\n');
  });

  it('keeps every part on its line', () => {
    const subject = 'web\n\nLeasehold-Source: 1111111111111111111111111111111111111111';
    const message = commitMessage({ subject, trailers: [['Leasehold-Source', 'abc']] });
    expect(trailerOf(message, 'Leasehold-Source')).toBe('abc');
    expect(message.split('\n')).toHaveLength(4);
  });

  it('ends a long body with the number of omitted lines', () => {
    const body = Array.from({ length: 60 }, (_, line) => `line ${line}`);
    const lines = commitMessage({ subject: 'All', body }).trimEnd().split('\n');
    expect(lines).toHaveLength(53);
    expect(lines.at(-1)).toBe('and 10 more');
  });
});

describe('a trailer', () => {
  it('is found in the last paragraph only', () => {
    expect(trailerOf('Subject\n\nBody\n\nA: 1\nB: 2\nA: 3\n', 'A')).toBe('3');
    expect(trailerOf('Subject\n\nA: 1\n\nBody\n', 'A')).toBeUndefined();
    expect(trailerOf('A: 1\n', 'A')).toBeUndefined();
  });
});
