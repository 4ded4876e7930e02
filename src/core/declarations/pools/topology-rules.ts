import type { Position, Problem } from '../../model/problem.ts';
import { declaredNames } from '../../text/message-text.ts';
import type { YamlDocument } from '../../text/yaml/document.ts';
import type { WrittenPool, WrittenPools } from './pools-schema.ts';

/** The prefix of the holders of anycast groups, which no cluster may have as its name. */
const groupPrefix = 'anycast';

/**
 * Problems of well-formed clusters and of references to them: CLUSTER_DUPLICATE for a name or id of
 * two clusters, CLUSTER_MISSING for several clusters without a default, CLUSTER_UNKNOWN, and
 * FIELD_VALUE for a pool that lists a cluster twice and for a cluster with the name `anycast`.
 */
export function checkClusters(written: WrittenPools, document: YamlDocument): Problem[] {
  return [
    ...duplicates(written, document),
    ...defaultProblems(written, document),
    ...poolProblems(written, document),
  ];
}

/** CLUSTER_UNKNOWN for a cluster that is not declared. */
function unknownCluster({ clusters }: WrittenPools, name: string, at: Position): Problem[] {
  const names = clusters.map((cluster) => cluster.name);
  if (names.includes(name)) return [];
  const message = `the cluster '${name}' is not declared`;
  return [{ code: 'CLUSTER_UNKNOWN', message, at, ...declaredNames('cluster', name, names) }];
}

/** Names and ids share one namespace: `release --cluster` accepts either. */
function duplicates({ clusters }: WrittenPools, document: YamlDocument): Problem[] {
  const first = new Map<string, { readonly at: Position; readonly index: number }>();
  return clusters.flatMap((cluster, index): Problem[] => {
    const problems: Problem[] = [];
    if (cluster.name === groupPrefix) {
      const at = document.at(['clusters', index, 'name']);
      const message = `the cluster name '${groupPrefix}' is reserved for the holders of anycast groups, ${groupPrefix}/<name>`;
      problems.push({ code: 'FIELD_VALUE', message, at, hint: 'use another name' });
    }
    for (const field of ['name', 'id'] as const) {
      const text = cluster[field];
      if (text === undefined) continue;
      const at = document.at(['clusters', index, field]);
      const other = first.get(text);
      if (other === undefined) first.set(text, { at, index });
      else if (other.index !== index) {
        const message = `'${text}' is the name or id of two clusters`;
        problems.push({ code: 'CLUSTER_DUPLICATE', message, at, also: [other.at] });
      }
    }
    return problems;
  });
}

function defaultProblems(written: WrittenPools, document: YamlDocument): Problem[] {
  const { clusters, defaultCluster } = written;
  if (defaultCluster !== undefined) {
    return unknownCluster(written, defaultCluster, document.at(['defaultCluster']));
  }
  if (clusters.length === 1) return [];
  const message = `there are ${clusters.length} clusters, but no defaultCluster`;
  const hint = 'add defaultCluster: NAME, the cluster of the declarations that name none';
  return [{ code: 'CLUSTER_MISSING', message, at: document.keyAt(['clusters']), hint }];
}

function poolProblems(written: WrittenPools, document: YamlDocument): Problem[] {
  return written.pools.flatMap(({ clusters = [] }, index) =>
    clusters.flatMap((name, place): Problem[] => {
      const at = document.at(['pools', index, 'clusters', place]);
      if (clusters.indexOf(name) < place) {
        const message = `the cluster '${name}' is listed twice`;
        return [{ code: 'FIELD_VALUE', message, at, hint: 'remove one of the two' }];
      }
      return unknownCluster(written, name, at);
    }),
  );
}

/**
 * Problems of default zones: ZONE_MISSING when there are several zones and a cluster without a
 * default one, ZONE_UNKNOWN for a zone without pools, or without pools that the cluster announces.
 */
export function checkZones(written: WrittenPools, document: YamlDocument): Problem[] {
  return [...commonZone(written, document), ...ownZones(written, document)];
}

function commonZone(
  { clusters, defaultZone, pools }: WrittenPools,
  document: YamlDocument,
): Problem[] {
  const zones = zonesOf(pools);
  if (defaultZone === undefined) {
    if (zones.length === 1 || clusters.every((cluster) => cluster.defaultZone !== undefined)) {
      return [];
    }
    const message = `the pools are in ${zones.length} zones, but there is no defaultZone`;
    const hint = `add defaultZone, such as defaultZone: ${zones[0]}`;
    return [{ code: 'ZONE_MISSING', message, at: document.keyAt(['pools']), hint }];
  }
  if (zones.includes(defaultZone)) return [];
  const message = `no pool is in the zone '${defaultZone}'`;
  const at = document.at(['defaultZone']);
  return [{ code: 'ZONE_UNKNOWN', message, at, ...declaredNames('zone', defaultZone, zones) }];
}

function ownZones({ clusters, pools }: WrittenPools, document: YamlDocument): Problem[] {
  return clusters.flatMap(({ name, defaultZone }, index): Problem[] => {
    const zones = zonesOf(pools.filter((pool) => pool.clusters?.includes(name) ?? true));
    if (defaultZone === undefined || zones.includes(defaultZone)) return [];
    const message = `no pool of cluster '${name}' is in the zone '${defaultZone}'`;
    const at = document.at(['clusters', index, 'defaultZone']);
    return [{ code: 'ZONE_UNKNOWN', message, at, ...declaredNames('zone', defaultZone, zones) }];
  });
}

function zonesOf(pools: readonly WrittenPool[]): readonly string[] {
  return [...new Set(pools.map(({ zone }) => zone))];
}

/**
 * Problems of well-formed anycast groups: ANYCAST_DUPLICATE for two groups of one name and for a
 * Service that is a member twice, in one group or in two; CLUSTER_UNKNOWN. A member may be
 * undeclared: the operator can add it before its author declares the Service.
 */
export function checkAnycast(written: WrittenPools, document: YamlDocument): Problem[] {
  const names = new Map<string, Position>();
  const members = new Map<string, Position>();
  return written.anycast.flatMap((group, index) => [
    ...twice(names, group.name, document.at(['anycast', index, 'name']), 'the group'),
    ...group.members.flatMap((member, place) => {
      const path = ['anycast', index, 'members', place];
      const { cluster, namespace, service } = member;
      const key = `${cluster}/${namespace}/${service}`;
      return [
        ...twice(members, key, document.at(path), 'the Service'),
        ...unknownCluster(written, cluster, document.at([...path, 'cluster'])),
      ];
    }),
  ]);
}

function twice(
  first: Map<string, Position>,
  name: string,
  at: Position,
  what: 'the group' | 'the Service',
): Problem[] {
  const other = first.get(name);
  if (other === undefined) {
    first.set(name, at);
    return [];
  }
  const how = what === 'the group' ? 'is declared twice' : 'is a member twice';
  return [{ code: 'ANYCAST_DUPLICATE', message: `${what} '${name}' ${how}`, at, also: [other] }];
}
