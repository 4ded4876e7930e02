import { describe, expect, it } from 'vitest';
import {
  verifyClaim,
  type WantedClaim,
} from '../../../../../src/features/cluster/live/claim-state.ts';
import { Snapshot } from '../../../../../src/features/cluster/live/snapshot.ts';
import type { VerifiedClaim } from '../../../../../src/features/cluster/verification-answer.ts';
import type { LiveObject } from '../../../../../src/model/live.ts';

const reserved: WantedClaim = {
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
  objects: [],
  isReserved: true,
};
const ports = [{ port: 443, protocol: 'TCP' }];

function aLive(changes: { metadata?: object; spec?: object; status?: object } = {}): LiveObject {
  return {
    metadata: { name: 'traefik', namespace: 'charts', ...changes.metadata },
    spec: { type: 'LoadBalancer', ports, ...changes.spec },
    status: changes.status ?? { loadBalancer: { ingress: [{ ip: '203.0.113.7' }] } },
  };
}

function verified(live: readonly LiveObject[], wanted = reserved): VerifiedClaim {
  const snapshot = new Snapshot();
  snapshot.add('service', live);
  const holders = new Map([[wanted.service, wanted.holder]]);
  const complaints = new Map([[wanted.service, 'AllocationFailed: no']]);
  return verifyClaim(wanted, { live: snapshot, detailsOf: () => [], holders, complaints });
}

describe('the Service of a Reservation', () => {
  it('is ok on its address, whatever else its chart says', () => {
    expect(verified([aLive({ spec: { externalTrafficPolicy: 'Cluster' } })])).toMatchObject({
      state: 'ok',
      details: [],
    });
  });

  it.each<[string, readonly LiveObject[], string]>([
    [
      'nobody has rendered',
      [],
      'is not there; leasehold reserves its address, and something else renders it',
    ],
    [
      'is being deleted',
      [aLive({ metadata: { deletionTimestamp: '2026-11-20T00:00:00Z', finalizers: ['a/b'] } })],
      'is being deleted, and waits for a/b',
    ],
    [
      'has another type',
      [aLive({ spec: { type: 'NodePort' }, status: {} })],
      'is of type NodePort, and has no address',
    ],
    [
      'has not the port',
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

  it('is pending while MetalLB gives it nothing, and tells its complaint', () => {
    expect(verified([aLive({ status: {} })])).toMatchObject({
      state: 'pending',
      details: [{ message: 'MetalLB: AllocationFailed: no' }],
    });
  });

  it('has a wrong address when its chart asks for another one', () => {
    const status = { loadBalancer: { ingress: [{ ip: '203.0.113.9' }] } };
    expect(verified([aLive({ status })])).toMatchObject({
      state: 'wrong address',
      details: [{ message: 'has 203.0.113.9 in place of 203.0.113.7' }],
    });
  });

  it('is not asked for where dist/ has it', () => {
    expect(verified([], { ...reserved, isReserved: false }).details).toEqual([]);
  });
});
