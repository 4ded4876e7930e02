import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readPools } from '../../../../src/core/declarations/pools/pools-file.ts';
import { type LiveKind, liveKinds } from '../../../../src/core/model/kinds.ts';
import { diagnose } from '../../../../src/features/cluster/diagnose.ts';
import { inventoryCheck } from '../../../../src/features/inventory/checks.ts';
import { poolsText } from '../../../support/declarations/pools-text.ts';
import { HealthyCluster, workload } from '../../../support/live/healthy-cluster.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}
interface Role {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string };
  readonly rules?: readonly Rule[];
}

/** `metallb-system list metallb.io/ipaddresspools`; `*` for the ClusterRole. */
function granted(): string[] {
  const roles = parseAllDocuments(readFileSync('docs/rbac/doctor.yaml', 'utf8')).map(
    (document): Role => document.toJS(),
  );
  return roles.flatMap(({ metadata, rules = [] }) =>
    rules.flatMap(({ apiGroups, resources, verbs, resourceNames = [] }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          verbs.map((verb) =>
            [metadata.namespace ?? '*', verb, `${group}/${resource}`, ...resourceNames].join(' '),
          ),
        ),
      ),
    ),
  );
}

/** The grants that everything asked of a cluster with MetalLB and all of Akash needs. */
async function needed(): Promise<string[]> {
  const namespace = 'akash-services';
  const live = new HealthyCluster({
    objects: {
      deployment: [workload('operator-ip', { namespace })],
      statefulSet: [workload('akash-provider', { namespace })],
      pod: [{ metadata: { name: 'one', namespace, labels: { app: 'operator-ip' } } }],
      service: [
        {
          metadata: { name: 'app', namespace: 'web' },
          status: { loadBalancer: { ingress: [{ ip: '203.0.113.2' }] } },
        },
      ],
    },
  });
  const pools = readPools(
    'leases/pools.yaml',
    Buffer.from(
      poolsText(
        'pools: [{ name: a, zone: a, addresses: [203.0.113.0/28], advertise: { l2: { interfaces: [bond0] } } }]\n',
      ),
    ),
  );
  if (!pools.ok) throw new Error('the pool file has problems');
  const inventory = {
    ...{ cluster: 'default', clusterStorage: ['beta3'], nodes: [] },
    exclude: { nodes: [], nodeStorage: [] },
  };
  const committed = { written: new Set<string>(), checks: [inventoryCheck(inventory)] };
  await diagnose(live, pools.value, pools.value.clusters[0]!, committed);
  const clusterWide = ['default', '*'];
  return live.asked.map((asked) => {
    const [verb, what = '', where = ''] = asked.replace('dry run', 'create').split(' ');
    if (verb === 'proxy') {
      const [where = '', name] = what.split('/');
      return `${where} get /services/proxy ${name}`;
    }
    if (verb === 'log') return `${what.split('/')[0]} get /pods/log`;
    const { group, plural } = liveKinds[what as LiveKind];
    return `${clusterWide.includes(where) ? '*' : where} ${verb} ${group}/${plural}`;
  });
}

describe('docs/rbac/doctor.yaml', () => {
  it('grants exactly the permissions that doctor uses', async () => {
    expect(granted().toSorted()).toEqual([...new Set(await needed())].toSorted());
  });
});
