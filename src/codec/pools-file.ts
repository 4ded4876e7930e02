import type { Advertise, Cluster, Pool, Pools } from '../model/pools.ts';
import { compareProblems, type Outcome, type Problem } from '../model/problem.ts';
import { compareRanges } from '../net/range.ts';
import { rangeSetOf } from '../net/range-set.ts';
import { kindProblems } from './kind.ts';
import { didYouMean } from './nearest.ts';
import { checkPools } from './pools-rules.ts';
import { poolsSchema, type WrittenPool, type WrittenPools } from './pools-schema.ts';
import { readShape } from './shape.ts';
import { readYaml, type YamlDocument } from './yaml-document.ts';

/**
 * The pool file, `leases/pools.yaml`, normalized. Problems: those of {@link readYaml}, FIELD_*,
 * KIND_UNKNOWN, NOT_YET, OWNER_INVALID, METALLB_VERSION, ADDRESS_INVALID, POOL_*,
 * RESERVED_OUTSIDE, CLUSTER_UNKNOWN, ZONE_UNKNOWN, ZONE_MISSING and BGP_AGGREGATION.
 */
export function readPools(file: string, bytes: Uint8Array): Outcome<Pools> {
  const document = readYaml(file, bytes, 'refused');
  if (!document.ok) return document;
  const kind = kindProblems(document.value, 'Pools');
  if (kind.length > 0) return { ok: false, problems: kind };
  const written = readShape(poolsSchema, document.value);
  if (!written.ok) return written;
  const problems = [
    ...clusterProblems(written.value, document.value),
    ...zoneProblems(written.value, document.value),
    ...checkPools(written.value.pools, layoutOf(written.value), document.value),
  ];
  if (problems.length > 0) return { ok: false, problems: problems.toSorted(compareProblems) };
  return { ok: true, value: normalized(written.value, document.value) };
}

function clusterProblems(written: WrittenPools, document: YamlDocument): Problem[] {
  const names = written.clusters.map(({ name }) => name);
  const problems = names.slice(1).map((_, index): Problem => {
    const message = 'more than one cluster is not supported yet';
    return { code: 'NOT_YET', message, at: document.at(['clusters', index + 1]) };
  });
  const { defaultCluster } = written;
  if (defaultCluster !== undefined && !names.includes(defaultCluster)) {
    const message = `the cluster '${defaultCluster}' is not declared`;
    const at = document.at(['defaultCluster']);
    problems.push({ code: 'CLUSTER_UNKNOWN', message, at, ...didYouMean(defaultCluster, names) });
  }
  return problems;
}

function zoneProblems({ defaultZone, pools }: WrittenPools, document: YamlDocument): Problem[] {
  const zones = [...new Set(pools.map(({ zone }) => zone))];
  if (defaultZone === undefined) {
    if (zones.length === 1) return [];
    const message = `the pools lie in ${zones.length} zones and no defaultZone is set`;
    return [{ code: 'ZONE_MISSING', message, at: document.keyAt(['pools']) }];
  }
  if (zones.includes(defaultZone)) return [];
  const message = `no pool lies in the zone '${defaultZone}'`;
  const at = document.at(['defaultZone']);
  return [{ code: 'ZONE_UNKNOWN', message, at, ...didYouMean(defaultZone, zones) }];
}

function normalized(written: WrittenPools, document: YamlDocument): Pools {
  const clusters = written.clusters.map((cluster): Cluster => {
    const { version, namespace, layout } = cluster.metallb;
    return {
      name: cluster.name,
      id: cluster.id,
      labels: cluster.labels,
      defaultZone: cluster.defaultZone,
      provider: cluster.provider ?? written.provider,
      metallb: {
        version: version ?? written.metallb.version,
        namespace: namespace ?? written.metallb.namespace,
        layout: layout ?? written.metallb.layout,
      },
      naming: cluster.naming ?? written.naming,
    };
  });
  return {
    clusters,
    defaultCluster: written.defaultCluster ?? clusters[0]?.name ?? '',
    defaultZone: written.defaultZone ?? written.pools[0]?.zone ?? '',
    emit: written.emit,
    quotas: {
      default: written.quotas.default,
      owners: new Map(Object.entries(written.quotas.owners)),
    },
    anycast: written.anycast.map(({ name, members }, index) => ({
      name,
      members,
      at: document.at(['anycast', index]),
    })),
    pools: written.pools.map((pool, index) => normalizedPool(pool, index, document)),
  };
}

function normalizedPool(written: WrittenPool, index: number, document: YamlDocument): Pool {
  const { addresses, reserved, advertise, clusters, ...rest } = written;
  return {
    ...rest,
    clusters,
    ranges: addresses.toSorted(compareRanges),
    reserved: rangeSetOf(reserved),
    advertise: normalizedAdvertise(advertise),
    at: document.at(['pools', index]),
  };
}

function normalizedAdvertise({ l2, bgp }: WrittenPool['advertise']): Advertise {
  if (bgp === undefined) {
    return { kind: 'l2', interfaces: l2?.interfaces ?? [], nodeSelectors: l2?.nodeSelectors ?? [] };
  }
  return { kind: 'bgp', ...bgp, localPref: bgp.localPref };
}

/** The layout of the only cluster. */
function layoutOf({
  clusters,
  metallb,
}: WrittenPools): Pools['clusters'][number]['metallb']['layout'] {
  return clusters[0]?.metallb.layout ?? metallb.layout;
}
