import { describe, expect, it } from 'vitest';
import { type LiveKind, liveKinds } from '../../../../src/core/model/kinds.ts';
import { EnvironmentError } from '../../../../src/core/model/problem.ts';
import { type Committed, diagnose } from '../../../../src/features/cluster/diagnose.ts';
import { findingCodes } from '../../../../src/features/cluster/doctor/finding-codes.ts';
import type { LiveCluster } from '../../../../src/lib/kubernetes/live-cluster.ts';
import { thePools } from '../../../support/declarations/pools-and-claims.ts';
import { findings } from '../../../support/live/findings.ts';
import { HealthyCluster, workload } from '../../../support/live/healthy-cluster.ts';

const pools = thePools({ cluster: { provider: undefined }, pools: [] });
const cluster = pools.clusters[0]!;

/** No IPAddressPool is in `dist/`, and no feature checks anything. */
const none: Committed = { written: new Set(), checks: [] };

describe('diagnose', () => {
  it('is ok for a healthy cluster', async () => {
    const live = new HealthyCluster();
    const { findings, ...rest } = await diagnose(live, pools, cluster, none);

    expect(rest).toEqual({
      apiVersion: 'leasehold.dev/v1',
      kind: 'Diagnosis',
      cluster: 'default',
      asked: live.name,
      ok: true,
    });
    expect(findings.map(({ level }) => level)).toEqual(findings.map(() => 'ok'));
    expect(findings.length).toBeGreaterThanOrEqual(12);
  });

  it('is not ok with one problem, and ok with cautions', async () => {
    const noWebhook = new HealthyCluster({ objects: { webhook: [] } });
    const old = { ...cluster, plane: { ...cluster.plane, version: '0.14.8' } };

    expect((await diagnose(noWebhook, pools, cluster, none)).ok).toBe(false);
    expect((await diagnose(new HealthyCluster(), pools, old, none)).ok).toBe(true);
  });

  it('sorts findings by code order', async () => {
    const order = Object.keys(findingCodes);
    const found = (await findings()).map(({ code }) => order.indexOf(code));

    expect(found).toEqual(found.toSorted((left, right) => left - right));
  });

  it('reports denied requests as unknown and continues', async () => {
    const kinds = Object.keys(liveKinds) as LiveKind[];
    const operator = workload('operator-ip', { namespace: 'akash-services' });
    for (const kind of kinds) {
      const objects = { deployment: [operator] };
      const found = await findings({ denied: [kind], objects });
      const unknowns = found.filter(({ level }) => level === 'unknown');

      expect(
        unknowns.every((one) => one.found !== '' && one.fix !== ''),
        kind,
      ).toBe(true);
      expect(found.length, kind).toBeGreaterThan(8);
    }
    const denied = await findings({ denied: kinds });
    expect(denied.filter(({ level }) => level === 'problem')).toEqual([]);
    expect(denied.filter(({ level }) => level === 'unknown').length).toBeGreaterThan(8);
  });

  it('throws when the cluster is unreachable', async () => {
    const live: LiveCluster = Object.assign(new HealthyCluster(), {
      list: async () => Promise.reject(new EnvironmentError('the cluster is gone')),
    });

    await expect(diagnose(live, pools, cluster, none)).rejects.toThrow('the cluster is gone');
  });

  it("makes one dry run, of a pool in MetalLB's namespace", async () => {
    const live = new HealthyCluster();
    await diagnose(live, pools, cluster, none);

    expect(live.dryRuns).toEqual([
      {
        apiVersion: 'metallb.io/v1beta1',
        kind: 'IPAddressPool',
        metadata: { name: 'leasehold-doctor', namespace: 'metallb-system' },
        spec: { addresses: ['192.0.2.0/24', '192.0.2.0/25'], autoAssign: false },
      },
    ]);
  });

  it.each([
    ['no namespace', { namespace: [] }],
    ['no such kind', { addressPool: undefined }],
  ])('makes no dry run with %s', async (_, objects) => {
    const live = new HealthyCluster({ objects });
    await diagnose(live, pools, cluster, none);

    expect(live.dryRuns).toEqual([]);
  });

  it('reads ConfigMaps, pods and logs only from the namespaces of providers and operators', async () => {
    const live = new HealthyCluster({
      objects: {
        deployment: [workload('operator-ip', { namespace: 'akash-services' })],
        statefulSet: [workload('akash-provider', { namespace: 'akash-services' })],
        pod: [
          {
            metadata: { name: 'one', namespace: 'akash-services', labels: { app: 'operator-ip' } },
          },
        ],
      },
    });
    await diagnose(live, pools, cluster, none);

    const narrow = live.asked.filter((one) => /configMap|pod|endpointSlice|^log/.test(one));
    expect(narrow.toSorted()).toEqual([
      'list configMap akash-services',
      'list configMap kube-system',
      'list endpointSlice akash-services',
      'list pod akash-services',
      'list pod metallb-system',
      'log akash-services/one 200',
    ]);
  });
});
