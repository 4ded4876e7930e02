import type { Problem } from '../../model/problem.ts';
import { declaredNames } from '../../text/nearest.ts';
import type { YamlDocument } from '../../text/yaml/yaml-document.ts';
import type { WrittenPool, WrittenPools } from './pools-schema.ts';

/**
 * What is wrong with default zones: ZONE_MISSING when there are several zones and a cluster whose declarations
 * would not know which, ZONE_UNKNOWN for one that no pool lies in, or none that the cluster announces.
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
    const message = `the pools lie in ${zones.length} zones and no defaultZone is set`;
    return [{ code: 'ZONE_MISSING', message, at: document.keyAt(['pools']) }];
  }
  if (zones.includes(defaultZone)) return [];
  const message = `no pool lies in the zone '${defaultZone}'`;
  const at = document.at(['defaultZone']);
  return [{ code: 'ZONE_UNKNOWN', message, at, ...declaredNames('zone', defaultZone, zones) }];
}

function ownZones({ clusters, pools }: WrittenPools, document: YamlDocument): Problem[] {
  return clusters.flatMap(({ name, defaultZone }, index): Problem[] => {
    const zones = zonesOf(pools.filter((pool) => pool.clusters?.includes(name) ?? true));
    if (defaultZone === undefined || zones.includes(defaultZone)) return [];
    const message = `no pool of cluster '${name}' lies in the zone '${defaultZone}'`;
    const at = document.at(['clusters', index, 'defaultZone']);
    return [{ code: 'ZONE_UNKNOWN', message, at, ...declaredNames('zone', defaultZone, zones) }];
  });
}

function zonesOf(pools: readonly WrittenPool[]): readonly string[] {
  return [...new Set(pools.map(({ zone }) => zone))];
}
