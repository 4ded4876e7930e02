import { describe, expect, it } from 'vitest';
import type { Verification } from '../../../../../../src/features/cluster/verification-answer.ts';
import { verifyCluster } from '../../../../../../src/features/cluster/verify.ts';
import { type Applied, endpointsOf } from '../../../../../support/live/applied-objects.ts';
import {
  appliedOnCilium,
  l2Lease,
  nodeConfig,
  peerConfig,
} from '../../../../../support/live/cilium-objects.ts';
import { desiredOf, goldenCase, memoryCluster } from '../../../../../support/live/verification.ts';

/** The Service of the reservation, as its chart renders it. */
const ingress = () => ({
  metadata: {
    namespace: 'shop',
    name: 'ingress',
    labels: { 'leasehold.dev/pool': 'public' },
    annotations: { 'lbipam.cilium.io/ips': '203.0.113.10' },
  },
  spec: { type: 'LoadBalancer', ports: [{ port: 443, protocol: 'TCP' }] },
  status: { loadBalancer: { ingress: [{ ip: '203.0.113.10' }] } },
});

/** What verify finds in the cluster of the golden case `cilium`, after a change. */
async function verified(change: (objects: Applied) => void = () => {}): Promise<Verification> {
  const root = goldenCase('cilium');
  const objects = appliedOnCilium(root);
  objects.service.push(ingress());
  objects.endpointSlice.push(endpointsOf(ingress()));
  objects.l2Lease.push(l2Lease(ingress()));
  change(objects);
  return verifyCluster(await desiredOf(root), memoryCluster(objects));
}

/** Announced by L2, of two families; and by BGP. */
const [byL2, byBGP] = ['default/service/shop/web', /-ip-edge$/];

/** What is said of a holder, as `state: message -> hint`. */
function saidOf({ claims }: Verification, name: string | RegExp): readonly string[] {
  const claim = claims.find(({ holder }) => holder.search(name) >= 0);
  return claim!.details.map(({ state, message, hint }) => `${state}: ${message} -> ${hint}`);
}

function named(objects: Applied, name: string) {
  return objects.service.find(({ metadata }) => metadata.name === name)!;
}

/** A condition as LB-IPAM writes it on a Service. */
function waits(service: Applied['service'][number], reason: string, message = ''): void {
  const condition = { type: 'cilium.io/IPAMRequestSatisfied', status: 'False', reason, message };
  service.status = { loadBalancer: {}, conditions: [condition] };
}

describe('verifyCluster on Cilium', () => {
  it('finds nothing wrong with what was applied and is announced', async () => {
    const found = await verified();
    expect(found).toMatchObject({ ok: true, objects: [], findings: [], notes: [], openPools: [] });
    expect(found.claims.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
  });

  it('lists no kind of MetalLB', async () => {
    const root = goldenCase('cilium');
    const cluster = memoryCluster(appliedOnCilium(root));
    await verifyCluster(await desiredOf(root), cluster);
    expect(cluster.asked.join()).not.toMatch(/addressPool|l2Advert|serviceL2|frr|configurationSt/);
    expect(cluster.asked).toContain('l2Lease kube-system');
  });

  it.each(['ciliumPool', 'ciliumL2Policy'] as const)(
    'says that a claim is not applied without its %s',
    async (kind) => {
      const found = await verified((objects) => {
        objects[kind] = objects[kind].filter(({ metadata }) => metadata.name !== 'public');
      });
      expect(saidOf(found, byL2)[0]).toBe('not applied: does not exist -> undefined');
    },
  );

  it.each([
    ['no_pool', '', 'no_pool -> see whether its pool is there'],
    [
      'already_allocated_incompatible_service',
      "The IP '203.0.113.7' is already allocated to an incompatible service. Reason: same ports",
      "service: The IP '203.0.113.7' is already allocated to an incompatible service. Reason: same ports -> undefined",
    ],
  ])('says why a Service waits: %s', async (reason, message, said) => {
    const found = await verified((objects) => waits(named(objects, 'web'), reason, message));
    expect(saidOf(found, byL2)).toEqual([expect.stringContaining(said)]);
    expect(found.ok).toBe(false);
  });

  it('does not repeat what Cilium said of a former spec, and names the operator', async () => {
    const found = await verified((objects) => {
      const service = named(objects, 'web');
      waits(service, 'no_pool');
      service.metadata.generation = 2;
      service.status.conditions[0].observedGeneration = 1;
    });
    expect(saidOf(found, byL2)).toEqual([
      'pending: Cilium has not answered yet -> if this lasts for minutes, restart its operator: `kubectl -n kube-system rollout restart deployment cilium-operator`',
    ]);
  });

  it('says which label the Service of a reservation lacks', async () => {
    const found = await verified((objects) => {
      const service = named(objects, 'ingress');
      service.metadata.labels = {};
      waits(service, 'pool_selector_mismatch');
    });
    expect(saidOf(found, 'shop/ingress')).toEqual([
      expect.stringMatching(
        /^pending: Cilium: pool_selector_mismatch -> .*`kubectl -n shop label service ingress leasehold\.dev\/pool=public --overwrite`$/,
      ),
    ]);
  });

  it("takes the API server's default, and names a pin that was added by hand", async () => {
    const found = await verified((objects) => {
      for (const pool of objects.ciliumPool) pool.spec.disabled = false;
      named(objects, 'web').metadata.annotations['io.cilium/lb-ipam-ips'] = '203.0.113.9';
    });
    expect(saidOf(found, byL2)).toEqual([
      expect.stringMatching(
        /^changed by hand: metadata\.annotations\[io\.cilium\/lb-ipam-ips\] is/,
      ),
    ]);
  });

  it('names the other Service that has an address', async () => {
    const found = await verified((objects) => {
      waits(named(objects, 'web'), 'already_allocated');
      const thief = structuredClone(ingress());
      thief.metadata.name = 'thief';
      thief.status.loadBalancer.ingress = [{ ip: '203.0.113.7' }];
      objects.service.push(thief);
    });
    expect(saidOf(found, byL2).join('\n')).toMatch(/not ours: has 203\.0\.113\.7 -> /);
  });

  it.each<[string, string | RegExp, (objects: Applied) => void, RegExp]>([
    [
      'no node has its Lease',
      byL2,
      (objects) => {
        objects.l2Lease = [];
      },
      /^not announced: no node has the Lease cilium-l2announce-shop-web, /,
    ],
    [
      'its Lease is not renewed',
      byL2,
      ({ l2Lease: leases }) => {
        const own = leases.find(({ metadata }) => metadata.name.endsWith('-shop-web'));
        own!.spec.renewTime = '2026-11-20T09:59:44.000000Z';
      },
      /^not announced: no node renews its Lease /,
    ],
    [
      'the node of its Lease is gone',
      byL2,
      ({ l2Lease: leases }) => {
        for (const { spec } of leases) spec.holderIdentity = 'node-z';
      },
      /^not announced: no node renews its Lease /,
    ],
    [
      'no node has the labels of its policies',
      byL2,
      ({ node: [node] }) => {
        node!.metadata.labels.rack = 'c';
      },
      /^not announced: no node has the labels .* -> label a node, or change advertise\.nodeSelectors of pool public/,
    ],
    [
      'no CiliumBGPPeerConfig selects its advertisement',
      byBGP,
      (objects) => {
        objects.ciliumBGPPeerConfig = [peerConfig('other')];
      },
      /^not announced: no CiliumBGPPeerConfig selects .* ipv4 -> add .*matchLabels: \{ leasehold\.dev\/pool: edge \}/,
    ],
    [
      'no node has such a peer',
      byBGP,
      (objects) => {
        objects.ciliumBGPNodeConfig = [];
      },
      /^not announced: no node has a BGP peer with the CiliumBGPPeerConfig peers -> /,
    ],
    [
      'no session is established',
      byBGP,
      (objects) => {
        objects.ciliumBGPNodeConfig = [nodeConfig('active')];
      },
      /^not announced: no BGP session to the peers that get it is established -> /,
    ],
    [
      'no pod is ready',
      byBGP,
      (objects) => {
        objects.endpointSlice = [];
      },
      /^no endpoints: has no ready endpoint, so nothing answers at its address -> /,
    ],
  ])('says that a Service is not announced when %s', async (_, name, change, said) => {
    const found = await verified(change);
    expect(saidOf(found, name)).toEqual([expect.stringMatching(said)]);
  });

  it('says so too when only an advertisement of somebody else reaches a peer', async () => {
    const found = await verified((objects) => {
      objects.ciliumBGPPeerConfig = [peerConfig('theirs')];
      const selector = { matchExpressions: [{ key: 'no', operator: 'DoesNotExist' }] };
      const service = { addresses: ['LoadBalancerIP'] };
      objects.ciliumBGPAdvertisement.push({
        metadata: { name: 'old', labels: { 'leasehold.dev/pool': 'theirs' } },
        spec: { advertisements: [{ advertisementType: 'Service', service, selector }] },
      });
    });
    expect(saidOf(found, byBGP)).toEqual([
      expect.stringMatching(
        /^not announced: only CiliumBGPAdvertisement old, not of leasehold, announces it: no CiliumBGPPeerConfig selects .* -> add /,
      ),
    ]);
  });

  it('notes a reserved Service that asks for no address', async () => {
    const { ok, notes } = await verified((objects) => {
      named(objects, 'ingress').metadata.annotations = {};
    });
    expect([ok, notes]).toEqual([
      true,
      [expect.stringMatching(/^no address is asked for by Service shop\/ingress: made again, /)],
    ]);
  });

  it('says that policy Local has no pod on a node that announces', async () => {
    const found = await verified((objects) => {
      const service = named(objects, 'web');
      service.spec.externalTrafficPolicy = 'Local';
      for (const slice of objects.endpointSlice) slice.endpoints[0].nodeName = 'node-b';
    });
    expect(saidOf(found, byL2).join('\n')).toMatch(/not announced: externalTrafficPolicy is Local/);
  });

  it('finds a pool that Cilium does not use, one of others that overlaps it, and a policy that it cannot read', async () => {
    const found = await verified((objects) => {
      const condition = (type: string) => ({ type, status: 'True', message: 'it is wrong' });
      for (const pool of objects.ciliumPool.filter(({ metadata }) => metadata.name === 'public')) {
        pool.status = { conditions: [condition('cilium.io/PoolConflict')] };
      }
      objects.ciliumL2Policy[0]!.status = {
        conditions: [condition('io.cilium/bad-node-selector')],
      };
      objects.ciliumPool.push({
        metadata: { name: 'theirs' },
        spec: { blocks: [{ start: '203.0.113.9', stop: '203.0.113.20' }, { cidr: '10.0.0.0/24' }] },
      });
    });
    expect(found.findings.map(({ object, message }) => `${object} ${message}`)).toEqual([
      'CiliumL2AnnouncementPolicy public Cilium cannot read it: it is wrong',
      'CiliumLoadBalancerIPPool public Cilium does not use it: it is wrong',
      expect.stringMatching(
        /^CiliumLoadBalancerIPPool theirs is not managed by leasehold, and 203\.0\.113\.9-203\.0\.113\.20 overlaps .* of the declared pool public; Cilium uses one of two/,
      ),
    ]);
    expect(found.findings[2]?.hint).toMatch(
      /^a Service has an address from it, lost with the pool: remove /,
    );
  });

  it('lets others have reserved addresses, which are in no pool of leasehold', async () => {
    const found = await verified(({ ciliumPool }) => {
      ciliumPool.push({
        metadata: { name: 'theirs' },
        spec: { blocks: [{ start: '203.0.113.15' }] },
      });
    });
    expect(found.findings).toEqual([]);
  });

  it('notes another version than the declared one', async () => {
    const found = await verified(({ deployment: [operator] }) => {
      operator!.spec.template.spec.containers[0].image = 'quay.io/cilium/operator:v1.19.6';
    });
    expect(found.notes).toEqual(['Cilium 1.19.6 runs, but leases/pools.yaml declares 1.20.2']);
  });

  it('says what to install when the cluster serves no kind of Cilium', async () => {
    const found = await verified((objects) => {
      const lacking: Partial<Applied> = objects;
      for (const kind of ['ciliumPool', 'ciliumL2Policy', 'ciliumBGPAdvertisement'] as const) {
        delete lacking[kind];
      }
    });
    expect(found.findings.map(({ hint }) => hint)).toEqual([
      expect.stringMatching(/^install Cilium 1\.18\.2 or later/),
      expect.stringMatching(/^install Cilium/),
      expect.stringMatching(/^install Cilium/),
    ]);
  });
});
