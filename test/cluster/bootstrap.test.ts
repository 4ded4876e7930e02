import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { KubeObject } from '../support/cluster/kube.ts';
import { type ControlPlane, startControlPlane } from '../support/cluster/machines/control-plane.ts';
import type { Keeper } from '../support/cluster/machines/keeper.ts';
import { temporaryKeeper } from '../support/cluster/machines/machine.ts';
import { objectsIn } from '../support/cluster/manifests.ts';
import { programFolder } from '../support/cluster/programs/programs.ts';
import { poolsText } from '../support/declarations/pools-text.ts';
import { runInProcess } from '../support/run/run-in-process.ts';
import { tempTree } from '../support/trees/temp-tree.ts';

const pools = poolsText(`provider: akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y
pools:
  - { name: p, zone: z, addresses: [203.0.113.0/28], advertise: { bgp: {} } }
`);

/** Kinds whose definitions are of programs that the suite does not build. */
const withoutDefinition = ['HelmRelease'];

/** What a command prints. */
async function printed(...words: readonly string[]): Promise<readonly KubeObject[]> {
  const root = tempTree({ 'leases/pools.yaml': pools });
  const { status, out, err } = await runInProcess(['bootstrap', ...words], root);
  if (status !== 0) throw new Error(err);
  return objectsIn(out);
}

describe.skipIf(inject('clusterIsMissing'))('What bootstrap prints, on a real API server', () => {
  let plane: ControlPlane;
  let keeper: Keeper;
  beforeAll(async () => {
    keeper = temporaryKeeper();
    plane = await startControlPlane(keeper, join(keeper.folder, 'plane'));
    const flux = programFolder('flux-source');
    const files = [
      join(programFolder('argocd'), 'core-install.yaml'),
      ...readdirSync(flux)
        .filter((name) => name.endsWith('.yaml'))
        .map((name) => join(flux, name)),
    ];
    const objects = files.flatMap((file) => objectsIn(readFileSync(file, 'utf8')));
    for (const object of objects) {
      if (object.kind === 'CustomResourceDefinition') await plane.kube.apply(object);
    }
    for (const name of ['argocd', 'flux-system', 'akash-services', 'leasehold', 'lb']) {
      await plane.kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
  });
  afterAll(async () => {
    plane?.kube.close();
    await keeper?.close();
  });

  test.each([
    ['namespace', ['Namespace']],
    ['monitoring', ['Service']],
    ['monitoring --installed-by manifest', ['Service']],
    [
      'serve --image a/b:1 --repo ssh://git@git.example.com/a/b.git --secret key',
      ['ServiceAccount', 'Service', 'Deployment'],
    ],
    [
      'verify --image a/b:1 --repo https://git.example.com/a/b.git --secret key --reach',
      [
        ...['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
        'CronJob',
      ],
    ],
    ['metallb --for argocd', ['AppProject', 'Application']],
    ['metallb --for flux', ['Namespace', 'HelmRepository', 'HelmRelease']],
    [
      'rbac --doctor',
      [
        ...['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
        ...['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
        ...['Role', 'RoleBinding', 'Role', 'RoleBinding'],
      ],
    ],
  ])('bootstrap %s is taken, field by field', async (words, kinds) => {
    const objects = await printed(...words.split(' '));
    expect(objects.map(({ kind }) => kind)).toEqual(kinds);
    for (const object of objects) {
      if (withoutDefinition.includes(object.kind)) continue;
      const taken = await plane.kube.apply(object);
      expect(taken).toMatchObject(object);
    }
  });

  test('the API server gives the Service for metrics the name and port that the operator asks for', async () => {
    const [service] = await printed('monitoring');
    const live = await plane.kube.get(service!);
    expect([live?.metadata.name, live?.metadata.namespace]).toEqual([
      'controller',
      'metallb-system',
    ]);
    expect(live?.spec.ports).toMatchObject([{ name: 'monitoring', port: 7472, protocol: 'TCP' }]);
  });
});
