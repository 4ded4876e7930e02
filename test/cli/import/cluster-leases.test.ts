import { describe, expect, it } from 'vitest';
import {
  exportedLease,
  exportedPool,
  exportedService,
  provider,
  tenant,
} from '../../support/imports/exported-cluster.ts';
import {
  beside,
  expectSettled,
  importedBy,
  notesOf,
  told,
} from '../../support/imports/imported-cluster.ts';
import { content } from '../../support/trees/temp-tree.ts';

const imported = (root: string) => importedBy('cluster', root);

/** An object of that kind as it is while it is being deleted; any other as it is. */
function goingIf(kind: string, object: object): object {
  const { kind: own, metadata } = object as { kind: string; metadata: object };
  if (own !== kind) return object;
  return { ...object, metadata: { ...metadata, deletionTimestamp: '2026-11-01T00:00:00Z' } };
}

describe('leases of Akash in an import of a cluster', () => {
  it('declares leases of Akash with the addresses of their Services, which are not declared again', {
    tags: 'slow',
  }, async () => {
    const root = beside([
      ...exportedLease({ address: '192.0.2.70' }),
      ...exportedLease({ address: '192.0.2.70', externalPort: 443, service: 'tls' }),
      ...exportedLease({
        address: '192.0.2.71',
        dseq: '18500002',
        endpoint: 'game',
        protocol: 'UDP',
      }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(told(answer)).toEqual([
      `Lease ${tenant}/18500001/1/1 added 192.0.2.70`,
      `Lease ${tenant}/18500002/1/1 added 192.0.2.71`,
    ]);
    expect(notesOf(answer)).toEqual([]);
    expect(content(root)['leases/pools.yaml']).toContain(`provider: ${provider}\n`);
    expect(content(root)[`leases/${tenant}/18500001-1-1.yaml`]).toBe(`apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id:
    owner: ${tenant}
    dseq: '18500001'
    gseq: 1
    oseq: 1
  endpoints:
    - name: site
      service: web
      port: 3000
      externalPort: 80
      address: 192.0.2.70
    - name: site
      service: tls
      port: 3000
      externalPort: 443
      address: 192.0.2.70
`);
    await expectSettled(root, [
      `192.0.2.71 default/akash/${tenant}-ip-game`,
      `192.0.2.70 default/akash/${tenant}-ip-site`,
    ]);
  });

  it('skips leases that are ambiguous or without a provider, one by one', {
    tags: 'slow',
  }, async () => {
    const [leased, service] = exportedLease({
      dseq: '3',
      endpoint: 'other',
      address: '192.0.2.72',
    });
    const { spec } = leased as { spec: { lease_id: object } };
    const unknown = { ...spec, lease_id: { ...spec.lease_id, provider: 'akash1zzz' } };
    const root = beside([
      ...exportedLease({ dseq: '1', endpoint: 'one', address: '192.0.2.70' }),
      ...exportedLease({ dseq: '2', endpoint: 'two', address: '192.0.2.70', externalPort: 81 }),
      { ...leased, spec: unknown },
      service,
      exportedService({ name: 'app', addresses: ['192.0.2.65'] }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(told(answer)).toEqual(['Service web/app added 192.0.2.65']);
    const left = notesOf(answer).filter((note) => note.includes('ProviderLeasedIP'));
    expect(left).toEqual([
      expect.stringMatching(
        /-ip-one-tcp-80: .*-ip-two has 192\.0\.2\.70 too; 192\.0\.2\.70 is reserved/,
      ),
      expect.stringMatching(
        /-ip-two-tcp-81: .*-ip-one has 192\.0\.2\.70 too; 192\.0\.2\.70 is reserved/,
      ),
      expect.stringContaining('-ip-other-tcp-80: it is not declared'),
      expect.stringContaining('no ProviderLeasedIP names its lease'),
    ]);
    expect(content(root)['leases/pools.yaml']).toContain('reserved: [192.0.2.70, 192.0.2.72]');
    expect(content(root)['leases/pools.yaml']).not.toContain('akash1zzz');
    await expectSettled(root, ['192.0.2.65 default/service/web/app']);
  });

  it('declares no lease whose Service has another sharing key, and keeps its address', {
    tags: 'slow',
  }, async () => {
    const [leased] = exportedLease({ address: '192.0.2.70' });
    const [, service] = exportedLease({ address: '192.0.2.70', endpoint: 'other' });
    const root = beside([leased, service, ...exportedPool]);
    const answer = await imported(root);
    expect(told(answer)).toEqual([]);
    expect(notesOf(answer)).toEqual([
      expect.stringMatching(/-ip-site-tcp-80: .* has the sharing key akash1\w+-ip-other/),
      expect.stringMatching(/no ProviderLeasedIP names its lease; 192\.0\.2\.70 is reserved/),
    ]);
    await expectSettled(root, []);
  });

  it.each([
    ['ProviderLeasedIP', 'it is being deleted'],
    ['Service', 'its Service is being deleted'],
  ])(
    'declares no lease whose %s goes, and keeps its address',
    { tags: 'slow' },
    async (kind, reason) => {
      const lease = exportedLease({ address: '192.0.2.70' });
      const root = beside([...lease.map((one) => goingIf(kind, one)), ...exportedPool]);
      const answer = await imported(root);
      expect(told(answer)).toEqual([]);
      expect(notesOf(answer)).toEqual([
        expect.stringContaining(`it is not declared: ${reason}; 192.0.2.70 is reserved`),
      ]);
      await expectSettled(root, []);
    },
  );

  it('reserves the addresses of leases that cannot be declared', { tags: 'slow' }, async () => {
    const [, alone] = exportedLease({ address: '192.0.2.75', dseq: '18500009' });
    const [waiting] = exportedLease({ address: '192.0.2.76', dseq: '18500008', endpoint: 'late' });
    const root = beside([
      alone,
      waiting,
      ...exportedLease({ address: '192.0.2.70', endpoint: 'dkp6evv330kmn93vqlo61ska' }),
      ...exportedLease({
        address: '192.0.2.71',
        dseq: '18500002',
        endpoint: '5ppjdn4ena3uuhpdulkc6l42',
      }),
      ...exportedLease({ address: '192.0.2.72', dseq: '18500003', endpoint: 'two' }),
      ...exportedLease({
        address: '192.0.2.73',
        dseq: '18500004',
        endpoint: 'two',
        externalPort: 81,
      }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(told(answer)).toEqual([
      `Lease ${tenant}/18500001/1/1 added 192.0.2.70`,
      `Lease ${tenant}/18500003/1/1 added 192.0.2.72`,
    ]);
    expect(notesOf(answer)).toEqual([
      expect.stringMatching(
        /^left Service .*: no ProviderLeasedIP names its lease; 192\.0\.2\.75 is reserved/,
      ),
      expect.stringMatching(
        /^left ProviderLeasedIP .*-ip-late-tcp-80: it is not declared: there is no Service [0-9a-v]{45}\/web-ip-80-tcp with an address/,
      ),
      expect.stringMatching(
        /^changed ProviderLeasedIP .*: the endpoint is declared as dkp6evv330kmn93vqlo61ska, the hash of its name/,
      ),
      expect.stringMatching(
        /^left ProviderLeasedIP .*: its sharing key has a hash .* SDL; 192\.0\.2\.71 is reserved/,
      ),
      expect.stringMatching(
        /^left ProviderLeasedIP .*: it has 192\.0\.2\.73, and another port with its sharing key has 192\.0\.2\.72; 192\.0\.2\.73 is reserved/,
      ),
    ]);
    await expectSettled(root, [
      `192.0.2.70 default/akash/${tenant}-ip-dkp6evv330kmn93vqlo61ska`,
      `192.0.2.72 default/akash/${tenant}-ip-two`,
    ]);
  });
});
