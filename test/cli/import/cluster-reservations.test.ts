import { describe, expect, it } from 'vitest';
import { exportedPool, exportedService } from '../../support/imports/exported-cluster.ts';
import {
  beside,
  expectSettled,
  importedBy,
  notesOf,
  told,
} from '../../support/imports/imported-cluster.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content } from '../../support/trees/temp-tree.ts';

const imported = (root: string) => importedBy('cluster', root);

describe('Services that leasehold import cluster cannot declare', () => {
  it.each([
    ['as an escape', '\u001b[2J'],
    ['as it is', 'safe\u202etxt'],
  ])('keep their address when an annotation has an invalid character, %s', async (_, note) => {
    const root = beside(
      [
        exportedService({ name: 'odd', addresses: ['192.0.2.65'], annotations: { note } }),
        exportedService({ name: 'app', addresses: ['192.0.2.66'] }),
        exportedPool[0] && {
          ...exportedPool[0],
          metadata: { name: 'public', annotations: { note } },
        },
      ].filter((one) => one !== undefined),
    );
    const answer = await imported(root);
    expect(told(answer)).toEqual([
      'Reservation web/odd added 192.0.2.65',
      'Service web/app added 192.0.2.66',
    ]);
    expect(notesOf(answer).join('\n')).toMatch(
      /changed Service web\/odd: it is a Reservation, since its annotation note holds U\+(001B|202E), which no declaration may hold/,
    );
    const { 'live.yaml': _export, ...written } = content(root);
    expect(Object.values(written).filter((text) => text.includes(note))).toEqual([]);
    await expectSettled(root, [
      '192.0.2.66 default/service/web/app',
      '192.0.2.65 default/service/web/odd',
    ]);
  });

  it.each([
    [{ annotations: { 'metallb.io/allow-shared-ip': 'a\u202eb' } }],
    [{ labels: { team: 'a\u202eb' } }],
    [{ spec: { selector: { app: 'a\u001bb' } } }],
  ])('reads no Service that holds it where it counts: %j', async (odd) => {
    const root = beside([
      exportedService({ name: 'odd', addresses: ['192.0.2.65'], ...odd }),
      ...exportedPool,
    ]);
    const { status, out } = await runInProcess(['import', 'cluster', 'live.yaml'], root);
    expect([status, out]).toEqual([1, expect.stringMatching(/^live\.yaml:\d+:\d+ FILE_ENCODING /)]);
    expect(content(root)).not.toHaveProperty(['leases/pools.yaml']);
  });

  it('are declared with the address for which they ask, if nobody else has it', async () => {
    const asks = (name: string, address: string) =>
      exportedService({ name, addresses: [], spec: { loadBalancerIP: address } });
    const root = beside([
      exportedService({ name: 'app', addresses: ['192.0.2.66'] }),
      asks('late', '192.0.2.66'),
      asks('other', '192.0.2.67'),
      asks('far', '198.51.100.1'),
      asks('one', '192.0.2.68'),
      asks('two', '192.0.2.68'),
      exportedService({ name: 'none', addresses: [] }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(told(answer)).toEqual([
      'Service web/app added 192.0.2.66',
      'Service web/other added 192.0.2.67',
    ]);
    expect(notesOf(answer).filter((note) => note.includes('Service web/'))).toEqual([
      'left Service web/late: it is not declared: it asks for 192.0.2.66, and so does web/app',
      'changed Service web/other: no load balancer gave it an address: it is declared with 192.0.2.67, for which it asks',
      'left Service web/far: it is not declared: no pool has 198.51.100.1',
      'left Service web/one: it is not declared: it asks for 192.0.2.68, and so does web/two; 192.0.2.68 is reserved, so that no other holder gets it',
      'left Service web/two: it is not declared: it asks for 192.0.2.68, and so does web/one; 192.0.2.68 is reserved, so that no other holder gets it',
      'left Service web/none: it is not imported: no load balancer gave it an address',
    ]);
    await expectSettled(root, [
      '192.0.2.66 default/service/web/app',
      '192.0.2.67 default/service/web/other',
    ]);
  });

  it('are reserved, each with its reason', async () => {
    const root = beside([
      exportedService({ name: 'system', namespace: 'kube-system', addresses: ['192.0.2.72'] }),
      exportedService({ name: '1digit', addresses: ['192.0.2.73'] }),
      exportedService({ name: 'elsewhere', addresses: ['198.51.100.1'] }),
      exportedService({ name: 'ext', addresses: [], spec: { externalIPs: ['192.0.2.80'] } }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(told(answer)).toEqual([]);
    expect(notesOf(answer)).toEqual([
      expect.stringMatching(
        /^left Service kube-system\/system: .*belongs to Kubernetes; 192\.0\.2\.72 is reserved/,
      ),
      expect.stringMatching(
        /^left Service web\/1digit: it is not declared: .*; 192\.0\.2\.73 is reserved/,
      ),
      'left Service web/elsewhere: it is not declared: no pool has 198.51.100.1',
      'left Service web/ext: it is not imported: no load balancer gave it an address',
      expect.stringMatching(
        /^left Service web\/ext, as an external address: .*192\.0\.2\.80 is reserved/,
      ),
    ]);
    expect(answer.pools).toMatchObject([
      { name: 'public', state: 'added', reserved: ['192.0.2.72/31', '192.0.2.80'] },
    ]);
    await expectSettled(root, []);
  });

  it('are reserved on .0 and .255 of a pool that avoids them, and the others are declared', {
    tags: 'slow',
  }, async () => {
    const live = ['192.0.2.0', '192.0.2.9', '192.0.2.255'].map((address, index) =>
      exportedService({ name: `app-${index}`, addresses: [address] }),
    );
    const [pool, advertisement] = exportedPool as readonly { spec: object }[];
    const spec = { addresses: ['192.0.2.0/24'], avoidBuggyIPs: true };
    const root = beside([...live, { ...pool, spec }, advertisement ?? {}]);
    const answer = await imported(root);
    expect(told(answer)).toEqual(['Service web/app-1 added 192.0.2.9']);
    expect(notesOf(answer).slice(0, 2)).toEqual([
      'left Service web/app-0: it is not declared: 192.0.2.0 ends in .0 or .255, which pool public avoids; 192.0.2.0 is reserved, so that no other holder gets it',
      'left Service web/app-2: it is not declared: 192.0.2.255 ends in .0 or .255, which pool public avoids; 192.0.2.255 is reserved, so that no other holder gets it',
    ]);
    await expectSettled(root, ['192.0.2.9 default/service/web/app-1']);
  });

  it('become a Reservation when a declaration cannot express a field', {
    tags: 'slow',
  }, async () => {
    const root = beside([
      exportedService({
        name: 'old',
        addresses: ['192.0.2.65'],
        annotations: { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8' },
      }),
      exportedService({
        name: 'class',
        addresses: ['192.0.2.66'],
        spec: { loadBalancerClass: 'a/b' },
      }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(told(answer)).toEqual([
      'Reservation web/class added 192.0.2.66',
      'Reservation web/old added 192.0.2.65',
    ]);
    expect(notesOf(answer)).toEqual([
      expect.stringContaining(
        'since the annotation service.beta.kubernetes.io/load-balancer-source-ranges is deprecated',
      ),
      expect.stringContaining(
        "since 'spec.loadBalancerClass' a/b gives the Service to another load balancer",
      ),
    ]);
    await expectSettled(root, [
      '192.0.2.66 default/service/web/class',
      '192.0.2.65 default/service/web/old',
    ]);
  });
});
