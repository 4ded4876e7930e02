import { describe, expect, test } from 'vitest';
import type { Shards } from '../../../../../src/core/model/pools.ts';
import { manifestPlan } from '../../../../../src/core/run/plan/manifest-plan.ts';
import type { Review } from '../../../../../src/core/run/review/review.ts';
import type { FileChange } from '../../../../../src/core/tree/file-changes.ts';
import { thePools } from '../../../../support/declarations/pools-and-claims.ts';
import { aDeclared } from '../../../../support/plans/plan-builders.ts';

function service(name: string, port = 80): string {
  return `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\n  namespace: team\nspec:\n  ports:\n    - port: ${port}\n`;
}

function planned(manifests: readonly FileChange[], [before, after]: readonly Shards[] = [1, 1]) {
  const declared = (shards: Shards = 1) => aDeclared({ pools: thePools({ cluster: { shards } }) });
  const review: Partial<Review> = { base: declared(before), head: declared(after), manifests };
  return manifestPlan(review as Review).map(({ path, movedFrom, objects, diff }) => ({
    path,
    movedFrom,
    objects: objects.length,
    diff,
  }));
}

const gone = (path: string, before: string): FileChange => ({ path, before, after: undefined });
const added = (path: string, after: string): FileChange => ({ path, before: undefined, after });

describe('a file whose objects are in another file of the base', () => {
  test('moved, and its objects do not change', () => {
    expect(
      planned([
        gone('dist/default/4e/web-4e2f.yaml', service('web')),
        added('dist/default/team/web.yaml', service('web')),
      ]),
    ).toEqual([
      {
        path: 'dist/default/team/web.yaml',
        movedFrom: 'dist/default/4e/web-4e2f.yaml',
        objects: 0,
        diff: '',
      },
    ]);
  });

  test('moved with a change of an object', () => {
    const [file] = planned([
      gone('dist/default/4e/web-4e2f.yaml', service('web')),
      added('dist/default/team/web.yaml', service('web', 81)),
    ]);
    expect(file).toMatchObject({ movedFrom: 'dist/default/4e/web-4e2f.yaml', objects: 1 });
    expect(file?.diff).toContain('+    - port: 81');
  });

  test.each<[string, readonly FileChange[], (readonly Shards[])?]>([
    [
      'the objects differ',
      [
        gone('dist/default/4e/a.yaml', service('web')),
        added('dist/default/t/b.yaml', service('b')),
      ],
    ],
    [
      'the cluster differs',
      [
        gone('dist/default/4e/a.yaml', service('web')),
        added('dist/other/team/web.yaml', service('web')),
      ],
    ],
    [
      'the shard differs',
      [
        gone('dist/default/4/team/a.yaml', service('web')),
        added('dist/default/5/team/web.yaml', service('web')),
      ],
      [16, 16],
    ],
    [
      'the number of shards changes',
      [
        gone('dist/default/team/web.yaml', service('web')),
        added('dist/default/5/team/web.yaml', service('web')),
      ],
      [1, 16],
    ],
  ])('did not move when %s', (_, manifests, shards) => {
    const files = planned(manifests, shards);
    expect(files.map(({ movedFrom }) => movedFrom)).toEqual(manifests.map(() => undefined));
    expect(files.map(({ objects }) => objects)).toEqual(manifests.map(() => 1));
  });

  test('did not move when two files have these objects, and none of them changes', () => {
    const files = planned([
      gone('dist/default/4e/a.yaml', service('web')),
      gone('dist/default/4e/b.yaml', service('web')),
      added('dist/default/team/web.yaml', service('web')),
    ]);
    expect(files.map(({ movedFrom, objects }) => [movedFrom, objects])).toEqual(
      files.map(() => [undefined, 0]),
    );
  });

  test('changes when another file of the same cluster has it with other fields', () => {
    const review: Partial<Review> = {
      base: aDeclared(),
      head: aDeclared(),
      manifests: [
        {
          path: 'dist/default/team/a.yaml',
          before: `${service('a')}---\n${service('b')}`,
          after: service('a'),
        },
        added('dist/default/team/shared.b.yaml', service('b', 81)),
      ],
    };
    expect(manifestPlan(review as Review).map(({ objects }) => objects)).toEqual([
      [],
      [
        {
          action: 'changed',
          object: 'Service team/b',
          fields: [{ path: 'spec.ports[0].port', before: '80', after: '81', grade: 'reach' }],
        },
      ],
    ]);
  });
});
