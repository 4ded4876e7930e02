import { describe, expect, it } from 'vitest';
import { verifyCluster } from '../../../../src/features/cluster/verify.ts';
import { type Applied, applied } from '../../../support/live/applied-objects.ts';
import {
  desiredOf,
  goldenCase,
  memoryCluster,
  verificationOf,
} from '../../../support/live/verification.ts';

describe('verifyCluster, for routes of hostnames,', () => {
  it.each([
    [undefined, ['its Gateway has not said whether it accepts the route']],
    [['True', 'True'], []],
    [['False', 'True'], ['its condition Accepted is False: NotAllowed: from another namespace']],
    [
      ['True', 'Unknown'],
      ['its condition ResolvedRefs is Unknown: NotAllowed: from another namespace'],
    ],
  ] as const)('reports a route that its Gateway has not accepted: %j', async (states, messages) => {
    const parentRef = { namespace: 'gateways', name: 'public' };
    const conditions = ['Accepted', 'ResolvedRefs'].map((type, index) => ({
      type,
      status: states?.[index],
      ...(states?.[index] === 'True'
        ? {}
        : { reason: 'NotAllowed', message: 'from another namespace' }),
    }));
    const { findings } = await verificationOf(goldenCase('hostnames'), ({ httpRoute }) => {
      for (const route of httpRoute) {
        route.status = states ? { parents: [{ parentRef, conditions }] } : {};
      }
    });
    expect(new Set(findings.map(({ message }) => message))).toEqual(new Set(messages));
  });

  it.each([
    [
      'Accepted',
      'NotAllowedByListeners',
      'allow HTTPRoutes of this namespace in allowedRoutes of a listener for HTTP or HTTPS that is Programmed in the status of the Gateway',
    ],
    ['Accepted', 'NoMatchingListenerHostname', 'give the Gateway a listener whose hostname'],
    [
      'Accepted',
      'NoMatchingParent',
      'give the Gateway a listener for HTTP or HTTPS that is Programmed in its status',
    ],
    ['Accepted', 'UnsupportedValue', 'read the message for the value that the controller'],
    ['Accepted', 'IncompatibleFilters', 'find what adds filters to the route'],
    ['Accepted', 'Pending', 'wait; if it stays so, read the log of the controller'],
    ['Accepted', 'VendorOwn', 'read the status of the Gateway'],
    [
      'ResolvedRefs',
      'RefNotPermitted',
      'find what changes the backendRefs of the route, or correct the BackendTLSPolicy of its Service: leasehold writes a Service of its own namespace',
    ],
    ['ResolvedRefs', 'InvalidKind', 'find what changes the backendRefs of the route'],
    [
      'ResolvedRefs',
      'BackendNotFound',
      'create the Service with the port in the namespace of the route, or correct service and port of the declaration',
    ],
    ['ResolvedRefs', 'UnsupportedProtocol', 'give the port of the Service an appProtocol'],
    ['ResolvedRefs', 'VendorOwn', 'check that the Service exists and has the port'],
  ])('has a hint for a condition %s with the reason %s', async (type, reason, hint) => {
    const { findings } = await verifiedRoutes(1, (condition) =>
      condition.type === type ? { ...condition, status: 'False', reason } : condition,
    );
    expect(findings).not.toEqual([]);
    for (const finding of findings) {
      expect(finding.message).toBe(`its condition ${type} is False: ${reason}`);
      expect(finding.hint.slice(0, hint.length)).toBe(hint);
    }
  });

  it.each([
    [1, 'True', 'its Gateway has not judged the last change of the route yet'],
    [1, 'False', 'its Gateway has not judged the last change of the route yet'],
    [2, 'True', undefined],
    [2, 'False', 'its condition Accepted is False: Own'],
    [undefined, 'True', undefined],
  ] as const)(
    'judges a route by conditions of its own generation only: %j %s',
    async (observedGeneration, status, message) => {
      const { findings } = await verifiedRoutes(2, (condition) =>
        condition.type === 'Accepted'
          ? { ...condition, status, reason: 'Own', observedGeneration }
          : condition,
      );
      expect([...new Set(findings.map((finding) => finding.message))]).toEqual(
        message === undefined ? [] : [message],
      );
    },
  );
});

describe('verifyCluster, for the Gateway of hostnames,', () => {
  const parentRef = { namespace: 'gateways', name: 'public' };
  const conditions = ['Accepted', 'ResolvedRefs'].map((type) => ({ type, status: 'True' }));
  const accept = (live: Applied) => {
    for (const route of live.httpRoute) route.status = { parents: [{ parentRef, conditions }] };
  };

  it('reports one that does not exist, whatever was said of its routes before', async () => {
    const { findings } = await verificationOf(goldenCase('hostnames'), (live) => {
      accept(live);
      live.gateway = [{ metadata: { namespace: 'gateways', name: 'private' } }];
    });
    expect(findings).toEqual([
      {
        object: 'Gateway gateways/public',
        message: 'does not exist, so no hostname is routed',
        hint: 'create it, or correct gateway in routes of the cluster in leases/pools.yaml and run `leasehold synth`',
      },
    ]);
  });

  it('needs none where no hostname is routed', async () => {
    const root = goldenCase('hostnames');
    const objects = applied(root);
    const desired = await desiredOf(root);
    const others = [...desired.objects].filter(([, { kind }]) => kind !== 'httpRoute');
    const without = { ...objects, httpRoute: [], gateway: [] };
    const { findings } = await verifyCluster(
      { ...desired, objects: new Map(others) },
      memoryCluster(without),
    );
    expect(findings).toEqual([]);
  });
});

describe('verifyCluster, for policies of routes,', () => {
  const accepted = { type: 'Accepted', status: 'True' };
  const conflicted = { ...accepted, status: 'False', reason: 'Conflicted', message: 'of another' };
  it.each([
    [[], ['no controller has said whether it accepts the policy']],
    [[[accepted]], []],
    [[[accepted], [conflicted]], ['its condition Accepted is False: Conflicted: of another']],
    [[[]], ['its condition Accepted is missing']],
  ] as const)('reports one that its controller has not accepted: %j', async (states, messages) => {
    const ancestors = states.map((conditions) => ({ conditions }));
    const policies: string[] = [];
    const { findings } = await verificationOf(goldenCase('http-options'), (live) => {
      for (const policy of [...live.clientSettingsPolicy, ...live.proxySettingsPolicy]) {
        policy.status = { ancestors };
        policies.push(policy.metadata.name);
      }
    });
    const found = findings.filter(({ object }) => /SettingsPolicy /.test(object));
    expect(policies.sort()).toEqual([
      ...['api.shop.example.com', 'shop.example.com', 'shop.example.com'],
      ...['www.shop.example.com', 'www.shop.example.com'],
    ]);
    expect(found.map(({ message }) => message)).toEqual(policies.flatMap(() => messages));
  });
});

interface RouteCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly observedGeneration?: number | undefined;
}

/** Verifies accepted routes of a generation, with changed conditions. */
function verifiedRoutes(
  generation: number,
  change: (condition: RouteCondition) => RouteCondition,
): ReturnType<typeof verificationOf> {
  const parentRef = { namespace: 'gateways', name: 'public' };
  const conditions = ['Accepted', 'ResolvedRefs'].map((type) =>
    change({ type, status: 'True', reason: type, observedGeneration: generation }),
  );
  return verificationOf(goldenCase('hostnames'), ({ httpRoute }) => {
    for (const route of httpRoute) {
      Object.assign(route.metadata, { generation });
      route.status = { parents: [{ parentRef, conditions }] };
    }
  });
}
