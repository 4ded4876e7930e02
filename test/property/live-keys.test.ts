// @module-tag counted

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claimsOfService, withLiveKeys } from '../../src/core/declarations/claims.ts';
import { holdersOf } from '../../src/core/declarations/holders.ts';
import { claimsIn } from '../../src/core/model/holder.ts';
import type { AnycastGroup } from '../../src/core/model/pools.ts';
import { startOf } from '../../src/core/model/problem.ts';
import { aReservation, aService } from '../support/declarations/services.ts';
import { runs } from '../support/run/scope.ts';

const clusters = ['east', 'west'];
const namespaces = ['mail', 'shop'];

const groups: readonly AnycastGroup[] = [
  {
    name: 'both',
    members: clusters.flatMap((cluster) =>
      namespaces.map((namespace) => ({ cluster, namespace, service: 's0' })),
    ),
    at: startOf('leases/pools.yaml'),
  },
];

/** Services and Reservations of two clusters; each has a port of its own. */
const services = fc
  .array(
    fc.record({
      kind: fc.constantFrom('Service', 'Reservation'),
      cluster: fc.constantFrom(...clusters),
      namespace: fc.constantFrom(...namespaces),
      sharingKey: fc.constantFrom(undefined, 'a', 'b'),
      liveSharingKey: fc.constantFrom(undefined, undefined, 'old', 'older'),
    }),
    { maxLength: 8 },
  )
  .map((all) =>
    all.map(({ kind, ...terms }, index) => {
      const ports = [{ port: 80 + index, targetPort: 80, protocol: 'TCP' as const }];
      const own = { ...terms, name: `s${index}`, ports };
      return kind === 'Service' ? aService(own) : aReservation(own);
    }),
  );

test('whoever is on one address in a cluster has one key: the live one, if any names it', () => {
  fc.assert(
    fc.property(services, (all) => {
      const claims = withLiveKeys(all.flatMap((one) => claimsOfService(one, groups)));
      const holders = holdersOf({ claims, promises: [] }, undefined);
      if (!holders.ok) {
        expect(holders.problems.map(({ code }) => code)).toContain('HOLDER_CONFLICT');
        expect(holders.problems.map(({ message }) => message).join()).toContain('liveSharingKey');
        return;
      }
      for (const holder of holders.value) {
        for (const cluster of holder.clusters) {
          const own = claimsIn(holder, cluster).filter((one) => one.kind === 'Service');
          const keys = new Set(own.map(({ sharingKey }) => sharingKey));
          const live = own.flatMap(({ declared }) => declared.liveSharingKey ?? []);
          expect(keys.size).toBe(1);
          expect([...keys][0]).toEqual(live[0] ?? expect.stringMatching(/^leasehold-(mail|shop)$/));
        }
      }
    }),
    { seed: 20_260_732, numRuns: runs(500) },
  );
});
