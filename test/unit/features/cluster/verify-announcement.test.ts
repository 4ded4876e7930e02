import { describe, expect, it } from 'vitest';
import {
  addNode,
  announceFrom,
  limit,
  run,
  saidAfter,
  service,
  untold,
} from '../../../support/live/announcing.ts';
import type { Applied } from '../../../support/live/applied-objects.ts';
import { claimOf, goldenCase, saidOf, verificationOf } from '../../../support/live/verification.ts';

const exclusion = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** Gives all nodes the label that excludes them. */
function exclude({ node }: Applied): void {
  for (const { metadata } of node) metadata.labels = { ...metadata.labels, [exclusion]: '' };
}

describe('verifyCluster, for nodes that announce,', () => {
  it('says that every node is excluded from load balancers, and how to change that', async () => {
    const verification = await verificationOf(goldenCase('dual-stack'), exclude);

    expect(verification).toMatchObject({ ok: false, counts: { ok: 0, 'not announced': 1 } });
    expect(claimOf(verification, 443)).toMatchObject({
      state: 'not announced',
      details: [
        {
          object: service,
          message: `MetalLB does not announce from node-a: the label ${exclusion} excludes every node that could`,
          hint: expect.stringContaining(`kubectl label node node-a ${exclusion}-`),
        },
      ],
    });
  });

  it.each<[string, string, readonly string[]]>([
    ['MetalLB 0.13.9, which ignores the label', 'v0.13.9', []],
    ['--ignore-exclude-lb', 'v0.14.9', ['--ignore-exclude-lb']],
    ['--ignore-exclude-lb=true', 'v0.16.1', ['--port=7472', '--ignore-exclude-lb=true']],
  ])('accepts excluded nodes with %s', async (_, tag, args) => {
    const said = await saidAfter((objects) => {
      exclude(objects);
      run(objects, tag, args);
    });
    expect(said).toEqual(tag === 'v0.13.9' ? [untold('0.13.9')] : []);
  });

  it.each([
    ['v0.14.0', []],
    ['v0.16.1', ['--ignore-exclude-lb=false']],
  ])('does not accept them with %s %j', async (tag, args) => {
    const said = await saidAfter((objects) => {
      exclude(objects);
      run(objects, tag, args);
    });
    expect(said).toHaveLength(1);
  });

  it('goes by the declared version when the image has none', async () => {
    const change = (objects: Applied) => {
      exclude(objects);
      run(objects, 'main');
    };
    expect((await verificationOf(goldenCase('one-lease'), change)).ok).toBe(false);
    expect((await verificationOf(goldenCase('metallb-0-13-9'), change)).ok).toBe(true);
  });

  it('accepts one node that is not excluded', async () => {
    const said = await saidAfter((objects) => {
      exclude(objects);
      addNode(objects);
      announceFrom(objects, 'node-b');
    });
    expect(said).toEqual([]);
  });

  it('says that the nodeSelectors match no node, and where they are declared', async () => {
    const verification = await verificationOf(goldenCase('dual-stack'), (objects) =>
      limit(objects, { nodeSelectors: [{ matchLabels: { rack: 'nine' } }] }),
    );
    const silent = claimOf(verification, 443).details.find(
      ({ state }) => state === 'not announced',
    );

    expect(silent).toMatchObject({
      message:
        'no node matches the nodeSelectors of L2Advertisement metallb-system/ip-198.51.100.13',
      hint: expect.stringMatching(
        /change advertise.nodeSelectors of pool \w+ \(leases\/pools.yaml:\d+\)/,
      ),
    });
  });

  it('accepts another advertisement that announces the pool', async () => {
    const said = await saidAfter((objects) => {
      const spec = { nodeSelectors: [{ matchLabels: { rack: 'nine' } }] };
      limit(objects, spec);
      const metadata = { name: 'all', namespace: 'metallb-system' };
      objects.l2Advertisement.push({ metadata, spec: {} });
    });
    expect(said).toEqual([expect.stringMatching(/^changed by hand: L2Advertisement /)]);
  });

  it('ignores advertisements for other pools, Services and namespaces', async () => {
    const said = await saidAfter((objects) => {
      limit(objects, { nodeSelectors: [{ matchLabels: { rack: 'nine' } }] });
      const inMetalLB = { name: 'other', namespace: 'metallb-system' };
      objects.l2Advertisement.push(
        { metadata: inMetalLB, spec: { ipAddressPools: ['other'] } },
        { metadata: inMetalLB, spec: { serviceSelectors: [{ matchLabels: { a: 'b' } }] } },
        { metadata: inMetalLB, spec: { ipAddressPoolSelectors: [{ matchLabels: { a: 'b' } }] } },
        { metadata: { name: 'far', namespace: 'elsewhere' }, spec: {} },
      );
    });
    expect(said).toContainEqual(expect.stringMatching(/^not announced: .*no node matches/));
  });

  it.each([
    ['has no ready speaker', ({ pod }: Applied) => pod.splice(0), true],
    ['has a speaker that is not ready', unready, true],
    [
      'has no speaker, on the node that the nodeSelectors match',
      (objects: Applied) => {
        objects.node.push({ metadata: { name: 'node-b', labels: { rack: 'two' } } });
        limit(objects, { nodeSelectors: [{ matchLabels: { rack: 'two' } }] });
      },
      false,
    ],
  ])('says that a cluster %s', async (_, change, isNone) => {
    const said = await saidAfter((objects) => {
      change(objects);
      if (isNone) objects.daemonSet[0]!.status.numberReady = 0;
    });
    expect(said).toContainEqual(
      expect.stringMatching(/^not announced: .* no MetalLB speaker is ready on node-[ab]$/),
    );
  });

  it('does not guess about nodes when pods do not tell which speakers are ready', async () => {
    expect(await saidAfter(({ pod }) => pod.splice(0))).toEqual([]);
  });

  it('does not guess, and says so, when MetalLB has no speakers: something else announces', async () => {
    const verification = await verificationOf(goldenCase('dual-stack'), (objects) => {
      exclude(objects);
      objects.daemonSet = [];
    });
    expect(verification).toMatchObject({ ok: true, counts: { ok: 0, unknown: 1 } });
    expect(saidOf(verification, 443)).toEqual([expect.stringMatching(/has no speakers/)]);
  });

  it('knows that MetalLB 0.14.9, and no other version, passes over cordoned nodes', async () => {
    const saidOn = (tag: string) =>
      saidAfter((objects) => {
        objects.node[0]!.spec = { unschedulable: true };
        run(objects, tag);
      });
    expect(await saidOn('v0.14.9')).toEqual([
      expect.stringMatching(/^not announced: .* every node that could is cordoned$/),
    ]);
    expect([await saidOn('v0.14.8'), await saidOn('v0.15.0')]).toEqual([[], []]);
  });

  it('knows that MetalLB passes over nodes without a network', async () => {
    const saidOn = (tag: string) =>
      saidAfter((objects) => {
        objects.node[0]!.status.conditions = [{ type: 'NetworkUnavailable', status: 'True' }];
        run(objects, tag);
      });
    expect(await saidOn('v0.14.9')).toEqual([expect.stringMatching(/NetworkUnavailable$/)]);
    expect(await saidOn('v0.13.9')).toEqual([untold('0.13.9')]);
  });
});

describe('verifyCluster, for endpoints,', () => {
  it('says that a Service has none, which does not fail', async () => {
    const verification = await verificationOf(goldenCase('dual-stack'), (objects) => {
      objects.endpointSlice = [];
    });
    expect(verification).toMatchObject({ ok: true, counts: { ok: 0, 'no endpoints': 1 } });
    expect(saidOf(verification, 443)).toEqual([
      `no endpoints: ${service} has no ready endpoint, so MetalLB does not announce it`,
    ]);
  });

  it.each([
    [{ ready: false }, 'no endpoints'],
    [{ ready: false, serving: false }, 'no endpoints'],
    [{ ready: false, serving: true, terminating: true }, 'ok'],
    [{}, 'ok'],
    [undefined, 'ok'],
  ])('with the conditions %j is %s', async (conditions, state) => {
    const verification = await verificationOf(goldenCase('dual-stack'), ({ endpointSlice }) => {
      endpointSlice[0]!.endpoints[0].conditions = conditions;
    });
    expect(claimOf(verification, 443).state).toBe(state);
  });

  it('says that Local endpoints are only on nodes that do not announce', async () => {
    const local = (objects: Applied, policy: string) => {
      objects.service[0]!.spec.externalTrafficPolicy = policy;
      addNode(objects);
      announceFrom(objects, 'node-b');
      objects.node[0]!.metadata.labels = { [exclusion]: '' };
    };
    const said = await saidAfter((objects) => local(objects, 'Local'));
    expect(said).toContainEqual(
      `not announced: ${service} externalTrafficPolicy is Local, and no ready endpoint is on a node that MetalLB can announce it from`,
    );
    expect(await saidAfter((objects) => local(objects, 'Cluster'))).toEqual([]);
    const near = await saidAfter((objects) => {
      local(objects, 'Local');
      objects.endpointSlice[0]!.endpoints[0].nodeName = 'node-b';
    });
    expect(near.filter((text) => text.startsWith('not announced'))).toEqual([]);
  });
});

/** Makes the speaker's pod fail its probes. */
function unready({ pod }: Applied): void {
  pod[0]!.status.conditions[0].status = 'False';
}
