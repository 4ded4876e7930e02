import type { Position, Problem } from '../../model/problem.ts';
import { declaredNames } from '../../text/nearest.ts';
import type { YamlDocument } from '../../text/yaml/yaml-document.ts';
import type { WrittenPools } from './pools-schema.ts';

/** A holder `anycast/<name>` is of a group, so no cluster may be called so. */
const groupPrefix = 'anycast';

/**
 * What is wrong between well-formed clusters, and with what names them: CLUSTER_DUPLICATE for one name or id of
 * two, CLUSTER_MISSING without a default among several, CLUSTER_UNKNOWN wherever one is named, FIELD_VALUE for a
 * pool that names one twice and for a cluster with the name of all groups.
 */
export function checkClusters(written: WrittenPools, document: YamlDocument): Problem[] {
  return [
    ...duplicates(written, document),
    ...defaultProblems(written, document),
    ...poolProblems(written, document),
  ];
}

/** CLUSTER_UNKNOWN, or nothing for a cluster that is declared. */
export function unknownCluster({ clusters }: WrittenPools, name: string, at: Position): Problem[] {
  const names = clusters.map((cluster) => cluster.name);
  if (names.includes(name)) return [];
  const message = `the cluster '${name}' is not declared`;
  return [{ code: 'CLUSTER_UNKNOWN', message, at, ...declaredNames('cluster', name, names) }];
}

/** A name or id names one cluster: `cleanup --cluster` takes either. */
function duplicates({ clusters }: WrittenPools, document: YamlDocument): Problem[] {
  const first = new Map<string, { readonly at: Position; readonly index: number }>();
  return clusters.flatMap((cluster, index): Problem[] => {
    const problems: Problem[] = [];
    if (cluster.name === groupPrefix) {
      const at = document.at(['clusters', index, 'name']);
      const message = `a cluster is called '${groupPrefix}', and the holders of anycast groups are called ${groupPrefix}/<name>`;
      problems.push({ code: 'FIELD_VALUE', message, at, hint: 'give it another name' });
    }
    for (const field of ['name', 'id'] as const) {
      const text = cluster[field];
      if (text === undefined) continue;
      const at = document.at(['clusters', index, field]);
      const other = first.get(text);
      if (other === undefined) first.set(text, { at, index });
      else if (other.index !== index) {
        const message = `'${text}' names two clusters`;
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
  const message = `there are ${clusters.length} clusters and no defaultCluster is set`;
  return [{ code: 'CLUSTER_MISSING', message, at: document.keyAt(['clusters']) }];
}

function poolProblems(written: WrittenPools, document: YamlDocument): Problem[] {
  return written.pools.flatMap(({ clusters = [] }, index) =>
    clusters.flatMap((name, place): Problem[] => {
      const at = document.at(['pools', index, 'clusters', place]);
      if (clusters.indexOf(name) < place) {
        const message = `the cluster '${name}' is named twice, expected once`;
        return [{ code: 'FIELD_VALUE', message, at, hint: 'remove one of the two' }];
      }
      return unknownCluster(written, name, at);
    }),
  );
}
