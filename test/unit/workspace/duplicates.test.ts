import { describe, expect, it } from 'vitest';
import type { Lease } from '../../../src/model/lease.ts';
import { startOf } from '../../../src/model/problem.ts';
import { duplicateLeases, duplicateServices } from '../../../src/workspace/duplicates.ts';
import { alice, provider } from '../../support/builders.ts';
import { aReservation, aService } from '../../support/service-builders.ts';

describe('duplicateServices', () => {
  it('names both files of a Service that is declared twice', () => {
    const first = aService({ at: startOf('leases/a.yaml') });
    const second = aReservation({ at: startOf('leases/b.yaml') });
    const third = aService({ at: startOf('leases/c.yaml') });

    expect(duplicateServices([first, second, third])).toMatchObject([
      { code: 'SERVICE_DUPLICATE', at: second.at, also: [first.at] },
      { code: 'SERVICE_DUPLICATE', at: third.at, also: [first.at] },
    ]);
  });

  it('takes one name in two namespaces and in two clusters for three Services', () => {
    const services = [
      aService(),
      aService({ namespace: 'other' }),
      aReservation({ cluster: 'second' }),
    ];

    expect(duplicateServices(services)).toEqual([]);
  });
});

describe('duplicateLeases', () => {
  const id = { owner: alice, dseq: '1', gseq: 1, oseq: 1, provider };
  const lease = (changes: Partial<Lease>): Lease => {
    return { id, cluster: 'default', at: startOf('leases/a.yaml'), endpoints: [], ...changes };
  };

  it('names both files of a lease that is declared twice', () => {
    const second = startOf('leases/b.yaml');
    expect(duplicateLeases([lease({}), lease({ at: second })])).toMatchObject([
      { code: 'LEASE_DUPLICATE', at: second, also: [startOf('leases/a.yaml')] },
    ]);
  });

  it('takes one lease in two clusters, and another bid for it, for three', () => {
    const leases = [lease({}), lease({ cluster: 'second' }), lease({ id: { ...id, oseq: 2 } })];
    expect(duplicateLeases(leases)).toEqual([]);
  });
});
