import { describe, expect, it } from 'vitest';
import type { LiveObject } from '../../../../../src/core/model/live.ts';
import {
  type DesiredClaim,
  verifyClaim,
} from '../../../../../src/features/cluster/live/claim-state.ts';
import { Snapshot } from '../../../../../src/features/cluster/live/snapshot.ts';
import { metallbWaiting } from '../../../../../src/features/cluster/planes/metallb/metallb.ts';
import type { VerifiedClaim } from '../../../../../src/features/cluster/verification-answer.ts';

const reserved: DesiredClaim = {
  claim: {
    namespace: 'charts',
    service: 'traefik',
    externalPort: 443,
    protocol: 'TCP',
    file: 'leases/traefik.yaml:1',
  },
  holder: 'default/service/charts/traefik',
  addresses: ['203.0.113.7'],
  service: 'Service charts/traefik',
  announcedBy: {
    interfaces: 'advertise.l2.interfaces of pool public (leases/pools.yaml:5)',
    nodeSelectors: 'advertise.nodeSelectors of pool public (leases/pools.yaml:5)',
  },
  objects: [],
  isReserved: true,
  gateway: undefined,
};
const ports = [{ port: 443, protocol: 'TCP' }];

function aLive(changes: { metadata?: object; spec?: object; status?: object } = {}): LiveObject {
  return {
    metadata: { name: 'traefik', namespace: 'charts', ...changes.metadata },
    spec: { type: 'LoadBalancer', ports, ...changes.spec },
    status: changes.status ?? { loadBalancer: { ingress: [{ ip: '203.0.113.7' }] } },
  };
}

const healing =
  'no Service in the cluster has that port there: MetalLB still counts one that was deleted while its controller started; restart it';

/** Another Service with the address. */
function aUser(port: number): LiveObject {
  const metadata = { name: 'other' };
  return aLive({ metadata, spec: { ports: [{ port, protocol: 'TCP' }] } });
}

function verified(
  live: readonly LiveObject[],
  wanted = reserved,
  warning = 'AllocationFailed: no',
): VerifiedClaim {
  const snapshot = new Snapshot();
  snapshot.add('service', live);
  const holders = new Map([[wanted.service, wanted.holder]]);
  const warnings = new Map([[wanted.service, warning]]);
  return verifyClaim(wanted, {
    live: snapshot,
    detailsOf: () => [],
    holders,
    waitingFor: metallbWaiting({ live: snapshot, warnings, restart: 'restart it' }),
    announcementOf: () => [],
  });
}

describe('verifyClaim, for a Reservation,', () => {
  it('is ok with its address, whatever else the chart sets', () => {
    expect(verified([aLive({ spec: { externalTrafficPolicy: 'Cluster' } })])).toMatchObject({
      state: 'ok',
      details: [],
    });
  });

  it.each<[string, readonly LiveObject[], string]>([
    [
      'does not exist',
      [],
      'does not exist; leasehold only reserves its address, and another tool renders it',
    ],
    [
      'is being deleted',
      [aLive({ metadata: { deletionTimestamp: '2026-11-20T00:00:00Z', finalizers: ['a/b'] } })],
      'is being deleted, and waits for a/b',
    ],
    [
      'has another type',
      [aLive({ spec: { type: 'NodePort' }, status: {} })],
      'is of type NodePort, which has no address',
    ],
    [
      'lacks the port',
      [
        aLive({
          spec: {
            ports: [
              { port: 443, protocol: 'UDP' },
              { port: 80, protocol: 'TCP' },
            ],
          },
        }),
      ],
      'has no port 443/TCP',
    ],
  ])('is not applied when it %s', (_, live, message) => {
    expect(verified(live).details).toEqual([
      { state: 'not applied', object: 'Service charts/traefik', message },
    ]);
  });

  it("is pending without an address, with MetalLB's warning", () => {
    expect(verified([aLive({ status: {} })])).toMatchObject({
      state: 'pending',
      details: [{ message: 'MetalLB: AllocationFailed: no' }],
    });
  });

  it.each<[string, string, readonly LiveObject[], string | undefined]>([
    [
      'another Service has the port',
      'port TCP/443 is already in use on "203.0.113.7"',
      [aUser(443)],
      undefined,
    ],
    [
      'no other Service has the port',
      'port TCP/443 is already in use on "203.0.113.7"',
      [aUser(80)],
      healing,
    ],
    [
      'no other Service has the address',
      'port TCP/443 is already in use on "203.0.113.7"',
      [],
      healing,
    ],
    [
      'no other Service has the IPv6 address',
      'port TCP/443 is already in use on "2001:db8::1"',
      [],
      healing,
    ],
    ['MetalLB has another reason', 'pool p not compatible for ip assignment', [], undefined],
  ])('has a hint for a Service that is gone, and no other: %s', (_, said, others, hint) => {
    const { details } = verified([aLive({ status: {} }), ...others], reserved, said);
    expect(details.find(({ state }) => state === 'pending')?.hint).toBe(hint);
  });

  it('has a wrong address when its chart requests another one', () => {
    const status = { loadBalancer: { ingress: [{ ip: '203.0.113.9' }] } };
    expect(verified([aLive({ status })])).toMatchObject({
      state: 'wrong address',
      details: [{ message: 'has 203.0.113.9 instead of 203.0.113.7' }],
    });
  });

  it('is not required when dist/ has the Service', () => {
    expect(verified([], { ...reserved, isReserved: false }).details).toEqual([]);
  });
});
