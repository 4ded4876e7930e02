import { describe, expect, it } from 'vitest';
import { duplicateServices } from '../../../../src/app/workspace/duplicates.ts';
import { startOf } from '../../../../src/model/problem.ts';
import { aReservation, aService } from '../../../support/service-builders.ts';

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
