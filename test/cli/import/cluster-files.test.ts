import { describe, expect, it } from 'vitest';
import { importSchema } from '../../../src/features/import/import-answer.ts';
import {
  exportedLease,
  exportedList,
  exportedPool,
  exportedService,
  managedFields,
  tenant,
} from '../../support/imports/exported-cluster.ts';
import {
  beside,
  expectSettled,
  importedBy,
  notesOf,
  told,
} from '../../support/imports/imported-cluster.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, putFile } from '../../support/trees/temp-tree.ts';

describe('leasehold import cluster of several files', () => {
  it('reads an object that is the same in two files once', async () => {
    const app = exportedService({ name: 'app', addresses: ['192.0.2.65'] });
    const root = beside([app, ...exportedLease({ address: '192.0.2.70' }), ...exportedPool]);
    const later = { resourceVersion: '999999' };
    putFile(
      root,
      'later.yaml',
      exportedList(
        exportedService({ name: 'app', addresses: ['192.0.2.65'], metadata: later }),
        ...exportedLease({ address: '192.0.2.70' }),
        ...exportedPool,
      ),
    );
    const args = ['import', 'cluster', 'live.yaml', 'later.yaml', '-o', 'json'];
    const { status, out, err } = await runInProcess(args, root);
    expect(`${status} ${err}`).toMatch(/^0 /);
    const answer = importSchema.parse(JSON.parse(out));
    expect(told(answer)).toEqual([
      `Lease ${tenant}/18500001/1/1 added 192.0.2.70`,
      'Service web/app added 192.0.2.65',
    ]);
    const twice = answer.notes.filter(({ file }) => file === 'later.yaml');
    expect(twice.map(({ message }) => message.replace(/:\d+/, ''))).toEqual(
      Array.from({ length: 5 }, () => 'it is in live.yaml too, and is read once'),
    );
    await expectSettled(root, [
      `192.0.2.70 default/akash/${tenant}-ip-site`,
      '192.0.2.65 default/service/web/app',
    ]);
  });

  it('refuses two files that differ in a Service', async () => {
    const app = exportedService({ name: 'app', addresses: ['192.0.2.65'] });
    const root = beside([app, ...exportedPool]);
    putFile(
      root,
      'later.yaml',
      exportedList(exportedService({ name: 'app', addresses: ['192.0.2.66'] })),
    );
    const { status, out } = await runInProcess(
      ['import', 'cluster', 'live.yaml', 'later.yaml'],
      root,
    );
    expect(status).toBe(1);
    expect(out).toMatch(
      /^later\.yaml:\d+:\d+ FIELD_VALUE Service web\/app is in live\.yaml:\d+ too/m,
    );
    expect(content(root)['leases/pools.yaml']).toBeUndefined();
  });
});

const imported = (root: string) => importedBy('cluster', root);

describe('leasehold import cluster, by who writes a Service,', () => {
  it('does not declare a Service of an unknown writer', async () => {
    const root = beside([
      exportedService({
        name: 'mesh',
        addresses: ['192.0.2.65'],
        metadata: { managedFields: [managedFields('istio-operator', 'f:spec')] },
      }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(told(answer)).toEqual(['Reservation web/mesh added 192.0.2.65']);
    expect(notesOf(answer)).toEqual([
      'changed Service web/mesh: it is a Reservation, since istio-operator writes it',
    ]);
  });

  it('reports a file that does not name the writers of its Services', async () => {
    const live = ['a', 'b'].map((name, index) =>
      exportedService({
        name,
        addresses: [`192.0.2.${65 + index}`],
        metadata: { managedFields: undefined },
      }),
    );
    const answer = await imported(beside([...live, ...exportedPool]));
    expect(told(answer)).toHaveLength(2);
    expect(notesOf(answer)).toEqual([
      expect.stringMatching(
        /^changed live\.yaml: it has no managedFields: .*--show-managed-fields`$/,
      ),
    ]);
  });
});
