import { describe, expect, it } from 'vitest';
import {
  complaintsAbout,
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

const service = { metadata: { name: 'app', namespace: 'web', uid: 'one' } };
const subject = { kind: 'Service', namespace: 'web', name: 'app', uid: 'one' };
const warning = (fields: object) => ({
  metadata: { name: 'app.1', namespace: 'web' },
  type: 'Warning',
  reason: 'AllocationFailed',
  message: 'no',
  involvedObject: subject,
  ...fields,
});

/** The complaint about the Service. */
function complaint(...events: ReturnType<typeof warning>[]): string | undefined {
  return complaintsAbout([service], events).get('Service web/app');
}

describe('complaintsAbout', () => {
  it('gives reason and message', () => {
    expect(complaint(warning({}))).toBe('AllocationFailed: no');
    expect(complaint(warning({ reason: undefined, message: ' no\n' }))).toBe('Warning: no');
  });

  it('takes what parts of MetalLB say', () => {
    expect(complaint(warning({ source: { component: 'metallb-controller' } }))).toBeDefined();
    expect(complaint(warning({ reportingComponent: 'metallb-speaker' }))).toBeDefined();
    expect(complaint(warning({ source: {}, reportingComponent: '' }))).toBeDefined();
  });

  it('gives the newest, by whichever time it has', () => {
    const old = warning({ message: 'old', lastTimestamp: '2026-11-20T10:00:00Z' });
    const newer = [
      { lastTimestamp: '2026-11-20T10:00:01Z' },
      { lastTimestamp: null, eventTime: '2026-11-20T10:00:00.500000Z' },
      { series: { lastObservedTime: '2026-11-20T10:00:00.000001Z' } },
      { metadata: { name: 'a', creationTimestamp: '2026-11-20T11:00:00Z' } },
    ];
    for (const fields of newer) {
      const event = warning({ message: 'new', ...fields });
      expect(complaint(old, event), JSON.stringify(fields)).toBe('AllocationFailed: new');
      expect(complaint(event, old), JSON.stringify(fields)).toBe('AllocationFailed: new');
    }
  });

  it('chooses between two of one time by their text, whatever the order', () => {
    const [a, b] = [warning({ message: 'a' }), warning({ message: 'b' })];

    expect(complaint(a, b)).toBe(complaint(b, a));
  });

  it.each([
    ['a normal event', { type: 'Normal' }],
    ['of another kind', { involvedObject: { ...subject, kind: 'Pod' } }],
    ['of another name', { involvedObject: { ...subject, name: 'other' } }],
    ['of another namespace', { involvedObject: { ...subject, namespace: 'other' } }],
    ['of a former Service', { involvedObject: { ...subject, uid: 'two' } }],
    ['of nothing', { involvedObject: undefined }],
    ['of another controller', { source: { component: 'endpoint-slice-controller' } }],
    ['reported by another controller', { source: {}, reportingComponent: 'service-controller' }],
    ['about the prefix of an annotation', { reason: 'deprecatedAnnotation' }],
  ])('leaves out what is %s', (_, fields) => {
    expect(complaint(warning(fields))).toBeUndefined();
  });
});
