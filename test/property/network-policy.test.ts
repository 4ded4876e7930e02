// @module-tag counted

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aClaim, aPlacement, thePools } from '../support/declarations/pools-and-claims.ts';
import { ofKind, type Rendered, rendered } from '../support/manifests/rendered.ts';
import { runs } from '../support/run/scope.ts';

const anyClaim = fc
  .record({
    ipFamily: fc.constantFrom('ipv4' as const, 'ipv6' as const, 'dual' as const),
    service: fc.constantFrom('web', 'api', 'akash-apiserver'),
    port: fc.integer({ min: 1, max: 65_535 }),
    externalPort: fc.integer({ min: 1, max: 65_535 }),
    protocol: fc.constantFrom('TCP' as const, 'UDP' as const),
    selector: fc.constantFrom(undefined, { app: 'own' }),
    lease: fc.record({ dseq: fc.constantFrom('1', '2') }),
  })
  .map(aClaim);

/** Claims of one holder, no two on one port. */
const someClaims = fc.uniqueArray(anyClaim, {
  minLength: 1,
  maxLength: 6,
  selector: ({ externalPort, protocol }) => `${externalPort}/${protocol}`,
});

/** What IPv6 has to reach for a Service to answer: `namespace selector port/protocol`. */
function wantedOf({ metadata, spec }: Rendered): readonly string[] {
  if (!spec.ipFamilies.includes('IPv6')) return [];
  return spec.ports.map((port: { targetPort: number; protocol: string }) =>
    opening(metadata.namespace, spec.selector, port.targetPort, port.protocol),
  );
}

/** What a NetworkPolicy opens to IPv6. */
function openedBy({ metadata, spec }: Rendered): readonly string[] {
  expect(spec.ingress).toHaveLength(1);
  const [{ from, ports }] = spec.ingress;
  expect(from).toEqual([{ ipBlock: { cidr: '::/0' } }]);
  return ports.map((one: { port: number; protocol: string }) =>
    opening(metadata.namespace, spec.podSelector.matchLabels, one.port, one.protocol),
  );
}

function opening(
  namespace: string | undefined,
  selector: object,
  port: number,
  protocol: string,
): string {
  return `${namespace} ${JSON.stringify(selector)} ${port}/${protocol}`;
}

test('the NetworkPolicies open exactly the ports of the IPv6 Services to IPv6, once each', () => {
  let opened = 0;
  fc.assert(
    fc.property(someClaims, (claims) => {
      const addresses = ['203.0.113.7', '2001:db8::7'];
      const objects = rendered(thePools(), [aPlacement({ claims, addresses })]);
      const policies = ofKind(objects, 'NetworkPolicy');
      opened += policies.length;
      expect(policies.flatMap(openedBy)).toEqual(ofKind(objects, 'Service').flatMap(wantedOf));
    }),
    { seed: 31, numRuns: runs(500) },
  );
  expect(opened).toBeGreaterThan(runs(500));
});
