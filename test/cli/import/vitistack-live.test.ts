import { describe, expect, it } from 'vitest';
import type { LiveObject } from '../../../src/core/model/live.ts';
import { importSchema } from '../../../src/features/import/import-answer.ts';
import { exportedPool, exportedService } from '../../support/imports/exported-cluster.ts';
import { heldIn, notesOf, told } from '../../support/imports/imported-cluster.ts';
import {
  api,
  besideOperator,
  exported,
  importedFromOperator,
  web,
  zones,
} from '../../support/imports/vitistack-cluster.ts';
import { operatorPool, operatorService } from '../../support/imports/vitistack-operator.ts';
import { applied } from '../../support/live/applied-objects.ts';
import { fakeApiServer } from '../../support/live/fake-api-server.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, putFile, tempTree } from '../../support/trees/temp-tree.ts';

describe('an import from vitistack', () => {
  it('takes Services without the annotations as import cluster does', async () => {
    const plain = exportedService({ name: 'old', addresses: ['192.0.2.70'] });
    const root = besideOperator([plain, ...exportedPool]);
    const answer = await importedFromOperator(root);
    expect(told(answer)).toEqual(['Service web/old added 192.0.2.70']);
    expect(await heldIn(root)).toEqual(['192.0.2.70 default/service/web/old']);
  });

  it('writes nothing of half a list, of a name that Kubernetes refuses, or of one address in two pools', async () => {
    const half = `{"apiVersion": "v1", "kind": "List", "metadata": {"continue": "next"}, "items": []}\n`;
    const root = besideOperator([]);
    const run = (text: string) => {
      putFile(root, 'live.yaml', text);
      return runInProcess(['import', 'vitistack', 'live.yaml'], root);
    };
    expect(await run(half)).toMatchObject({
      status: 1,
      out: expect.stringContaining('the list is incomplete'),
    });
    const twice = [operatorPool('inet', ['192.0.2.7']), operatorPool('b', ['192.0.2.7'])];
    expect(await run(exported(...twice))).toMatchObject({
      status: 1,
      out: expect.stringContaining('POOL_OVERLAP'),
    });
    expect(await run(exported(operatorPool('Inet', ['192.0.2.7'])))).toMatchObject({
      status: 1,
      out: expect.stringContaining('FIELD_VALUE'),
    });
    expect(Object.keys(content(root)).filter((path) => !path.startsWith('.git'))).toEqual([
      'live.yaml',
    ]);
  });

  it('reserves the address of a Service that has a name that Kubernetes refuses', async () => {
    const odd = operatorService({ name: '0odd', addresses: ['192.0.2.7'], ipam: { zone: 'inet' } });
    const even = operatorService({ name: 'e', addresses: ['192.0.2.8'], ipam: { zone: 'inet' } });
    const root = besideOperator([odd, even, operatorPool('inet', ['192.0.2.7', '192.0.2.8'])]);
    const answer = await importedFromOperator(root);
    expect(told(answer)).toEqual(['Service web/e added 192.0.2.8']);
    expect(notesOf(answer).join('\n')).toContain(
      '192.0.2.7 is reserved, so that no other holder gets it',
    );
  });

  it('leaves a pool of which nothing can be declared, and takes the others', {
    tags: 'slow',
  }, async () => {
    const far = operatorService({
      name: 'far',
      namespace: 'kube-system',
      addresses: ['192.0.2.7'],
    });
    const lone = operatorPool('inet', ['192.0.2.7']);
    const root = besideOperator([far, lone, api, zones[0] ?? {}]);
    const answer = await importedFromOperator(root);
    expect(answer.pools.map(({ name }) => name)).toEqual(['hnet-private']);
    expect(notesOf(answer)).toContain(
      'left pool inet: nothing that has its addresses can be declared: it stays as it is',
    );
    expect(await heldIn(root)).toEqual(['10.0.0.4 default/service/shop/api']);
    const alone = await runInProcess(
      ['import', 'vitistack', 'live.yaml'],
      besideOperator([far, lone]),
    );
    expect(alone).toMatchObject({ status: 1, out: expect.stringContaining('POOL_EMPTY') });
  });

  it('asks the cluster where no file is named', { tags: 'slow' }, async () => {
    const [pool = {}] = exportedPool;
    const listed = (object: object): readonly LiveObject[] => {
      const { apiVersion: _, kind: __, ...item } = object as Record<string, unknown>;
      return [item as unknown as LiveObject];
    };
    const app = operatorService({
      name: 'app',
      addresses: ['192.0.2.65'],
      ipam: { zone: 'public' },
    });
    const server = await fakeApiServer({
      service: listed(app),
      addressPool: listed(pool),
      l2Advertisement: [],
      bgpAdvertisement: [],
      leasedIP: [],
      deployment: [],
    });
    const root = tempTree();
    gitRepository(root);
    const args = ['import', 'vitistack', '--kubeconfig', server.kubeconfig, '-o', 'json'];
    const { status, out } = await runInProcess(args, root);
    await server.close();
    expect(status).toBe(0);
    const answer = importSchema.parse(JSON.parse(out));
    expect(answer.source).toBe('vitistack');
    expect(told(answer)).toEqual(['Service web/app added 192.0.2.65']);
    expect(await heldIn(root)).toEqual(['192.0.2.65 default/service/web/app']);
  });
});

describe('an applied import from vitistack', () => {
  it('differs from the live objects in the requested pool only', { tags: 'slow' }, async () => {
    const root = besideOperator([web, api, ...zones]);
    await importedFromOperator(root, '--metallb', '0.15.3');
    const objects = applied(root);
    const left = new Map(
      [web, api].map((object) => {
        const { metadata } = object as unknown as LiveObject;
        return [metadata.name, metadata.annotations as Readonly<Record<string, string>>];
      }),
    );
    for (const { metadata } of objects.service) {
      metadata.annotations = { ...left.get(metadata.name), ...metadata.annotations };
    }
    const server = await fakeApiServer(objects);
    const verify = () => runInProcess(['verify', '--kubeconfig', server.kubeconfig], root);
    const first = await verify();
    expect(first.status).toBe(1);
    expect(first.out.match(/metadata\.\S+|spec\.\S+/g)).toEqual([
      'metadata.annotations[metallb.io/address-pool]',
      'metadata.annotations[metallb.io/address-pool]',
    ]);
    for (const { metadata } of objects.service) {
      metadata.annotations = Object.fromEntries(
        Object.entries(metadata.annotations ?? {}).filter(([key]) => !key.endsWith('address-pool')),
      );
    }
    const second = await verify();
    await server.close();
    expect(second.out).toMatch(/\n2 ok\n/);
  });
});
