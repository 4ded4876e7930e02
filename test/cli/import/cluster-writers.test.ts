import { describe, expect, it } from 'vitest';
import {
  exportedPool,
  exportedService,
  managedFields,
} from '../../support/imports/exported-cluster.ts';
import { beside, importedBy, notesOf, told } from '../../support/imports/imported-cluster.ts';

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
        /^changed live\.yaml: no Service in it says who writes it: .*--show-managed-fields$/,
      ),
    ]);
  });
});
