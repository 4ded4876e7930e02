import type { Position, Problem } from '../../model/problem.ts';
import type { YamlDocument } from '../../text/yaml/yaml-document.ts';
import { unknownCluster } from './cluster-rules.ts';
import type { WrittenPools } from './pools-schema.ts';

/**
 * What is wrong between well-formed anycast groups: ANYCAST_DUPLICATE for two groups of one name and for a Service
 * that is a member twice, of one group or of two; CLUSTER_UNKNOWN. A member that nobody declares is no matter: the
 * operator says where it will stand before its author does.
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
