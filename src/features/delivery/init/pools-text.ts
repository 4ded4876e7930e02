import { poolsPath } from '../../../model/folders.ts';
import { schemaLine } from '../../../text/yaml/schema-line.ts';
import { flow } from '../../import/pools-edit.ts';
import type { PoolDraft, PoolsDraft } from './setup.ts';

/** The text of a new pool file. What is a default of its schema is said where people will look for it. */
export function poolsText(draft: PoolsDraft): string {
  const { profile, provider, metallb, clusters, shards, pools } = draft;
  const zones = new Set(pools.map(({ zone }) => zone));
  const { version, namespace, layout } = metallb;
  return [
    schemaLine(poolsPath, 'pools'),
    '# The addresses that leasehold gives out. Nothing else may use them: what does goes under reserved.',
    'apiVersion: leasehold.dev/v1',
    'kind: Pools',
    ...(provider === undefined ? [] : [`provider: ${flow(provider)}`]),
    '# layout: pool gives MetalLB one pool for each of these, and needs Kubernetes 1.31 or later; lease gives it one for',
    '# each leased address, and is slower with every lease. It stays once there are leases.',
    `metallb: ${flow({ version, namespace, layout })}`,
    ...(profile === 'akash' ? [] : ['emit: { providerLeasedIP: false }']),
    '# The shards of a cluster stay as they are once it has leases.',
    'clusters:',
    ...clusters.map((name) => `  - ${flow({ name, shards })}`),
    ...(clusters.length > 1 ? [`defaultCluster: ${flow(clusters[0])}`] : []),
    ...(zones.size > 1 ? [`defaultZone: ${flow(pools[0]?.zone)}`] : []),
    'pools:',
    ...pools.flatMap(poolLines),
    '',
  ].join('\n');
}

function poolLines({ name, zone, addresses, reserved, advertise }: PoolDraft): readonly string[] {
  return [
    `  - name: ${flow(name)}`,
    `    zone: ${flow(zone)}`,
    `    addresses: ${flow(addresses)}`,
    ...(reserved.length > 0 ? [`    reserved: ${flow(reserved)}`] : []),
    `    advertise: { ${advertise}: {} }`,
  ];
}
