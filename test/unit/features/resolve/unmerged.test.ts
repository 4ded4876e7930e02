import { describe, expect, it } from 'vitest';
import type { MergeState } from '../../../../src/core/interfaces/work-tree.ts';
import { EnvironmentError } from '../../../../src/core/model/problem.ts';
import { mergeNotice } from '../../../../src/core/run/review/merge-notice.ts';
import { resolvableState, unmergedProblems } from '../../../../src/features/resolve/unmerged.ts';
import { treeOf } from '../../../support/trees/memory-tree.ts';

function stateOf(incoming: readonly string[], ...paths: readonly string[]): MergeState {
  const unmerged = paths.map((path) => ({ path, isSubmodule: false, stages: [1, 2, 3] }));
  return { unfinished: 'merge', incoming, onto: undefined, unmerged };
}

const tree = treeOf({
  'leases/a.yaml': 'x: 1\n<<<<<<< HEAD\ny: 2\n=======\ny: 3\n>>>>>>> other\n',
  'leases/b.yaml': 'x: 1\n',
});

const record = 'leases/hostnames/com/example/shop.example.com.yaml';

describe('mergeNotice', () => {
  it.each(['leases/a.yaml', record, 'dist/default/ab/x.yaml'])('names resolve for %s', (path) => {
    expect(mergeNotice(stateOf(['other'], path), [])).toBe(
      'a merge is in progress: first run `leasehold resolve`, which resolves leases/allocations/, leases/hostnames/ and dist/, and says which other files to edit',
    );
  });
});

describe('unmergedProblems', () => {
  it.each([
    ['leases/a.yaml', ['YAML_CONFLICT']],
    ['leases', ['FILE_UNMERGED']],
    ['leases/allocations/10.0.0/10.0.0.1.yaml', []],
    [record, []],
    ['dist/default/ab/x.yaml', []],
    ['README.md', []],
    ['leasesx/a.yaml', []],
  ])('of %s are %j', (path, codes) => {
    const problems = unmergedProblems(tree, stateOf(['other'], path));
    expect(problems.map(({ code }) => code)).toEqual(codes);
  });

  it('differ for a file that the working tree lacks', () => {
    const messageOf = (path: string) =>
      unmergedProblems(tree, stateOf(['other'], path))[0]?.message;
    expect(messageOf('leases/b.yaml')).toBe('the merge has left this file unresolved');
    expect(messageOf('leases/c.yaml')).toContain('the working tree does not have it');
  });

  it('name the command that compares the versions of the index', () => {
    const hintOf = (path: string, stages: readonly number[]) => {
      const unmerged = [{ path, isSubmodule: false, stages }];
      const [problem] = unmergedProblems(tree, { ...stateOf(['other']), unmerged });
      return problem?.hint;
    };
    const rest =
      'edit it so that it has what is right of both sides, and `git add` it; `git rm` it if it should go';
    expect(hintOf('leases/b.yaml', [1, 2, 3])).toBe(
      `compare with \`git diff :2:./leases/b.yaml :3:./leases/b.yaml\`; ${rest}`,
    );
    expect(hintOf('leases/b.yaml', [1, 3])).toBe(
      `compare with \`git diff :1:./leases/b.yaml :3:./leases/b.yaml\`; ${rest}`,
    );
    expect(hintOf('leases/b.yaml', [2])).toContain('`git add` it, and `git mv` it');
  });

  it('do not read a link', () => {
    const linked = {
      list: (path: string) => [{ path, kind: 'other' as const, size: 0 }],
      read: (path: string) => {
        throw new Error(`${path} is a link`);
      },
    };
    const [problem] = unmergedProblems(linked, stateOf(['other'], 'leases/a.yaml'));
    expect(problem?.code).toBe('FILE_UNMERGED');
  });
});

describe('resolvableState', () => {
  const read = (state: MergeState) => resolvableState({ state: async () => state });
  const sub = [{ path: 'leases/sub', isSubmodule: true, stages: [2, 3] }];

  it.each([
    ['more than two branches', stateOf(['other', 'third']), /more than two branches/],
    ['an unknown merge', stateOf([], 'leases/b.yaml'), /no merge, rebase, cherry-pick/],
    ['a submodule', { ...stateOf(['other']), unmerged: sub }, /leases\/sub is a submodule/],
  ])('refuses %s', async (_, state, message) => {
    await expect(read(state)).rejects.toThrow(EnvironmentError);
    await expect(read(state)).rejects.toThrow(message);
  });

  it.each([
    ['a merge of two branches', stateOf(['other'], 'leases/a.yaml')],
    ['unmerged files elsewhere', stateOf([], 'README.md')],
  ])('is the state of %s', async (_, state) => {
    expect(await read(state)).toBe(state);
  });
});
