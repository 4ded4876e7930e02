import type { AnycastGroup } from '../model/pools.ts';
import type { Problem } from '../model/problem.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';

type Named = Pick<DeclaredService, 'cluster' | 'namespace' | 'name'>;

/** The groups of a pool file by their members: a file with many groups is asked about every Service. */
const indexes = new WeakMap<readonly AnycastGroup[], ReadonlyMap<string, AnycastGroup>>();

/** Who has the address of a group. */
export function holderOfGroup({ name }: Pick<AnycastGroup, 'name'>): string {
  return `anycast/${name}`;
}

/** The group that a Service is a member of; a Service is of one at most. */
export function groupOf(
  { cluster, namespace, name }: Named,
  groups: readonly AnycastGroup[],
): AnycastGroup | undefined {
  const known = indexes.get(groups) ?? indexOf(groups);
  indexes.set(groups, known);
  return known.get(`${cluster}/${namespace}/${name}`);
}

/**
 * The namespace whose sharing key the members of one cluster have: that of the first of them in the pool file, so
 * that a member which is added below changes nothing of the others.
 */
export function homeOf(
  { members }: Pick<AnycastGroup, 'members'>,
  { cluster, namespace }: Pick<Named, 'cluster' | 'namespace'>,
): string {
  return members.find((member) => member.cluster === cluster)?.namespace ?? namespace;
}

function indexOf(groups: readonly AnycastGroup[]): ReadonlyMap<string, AnycastGroup> {
  return new Map(
    groups.flatMap((group) =>
      group.members.map(
        ({ cluster, namespace, service }) => [`${cluster}/${namespace}/${service}`, group] as const,
      ),
    ),
  );
}

/** ANYCAST_KEY for every member of a group that has a sharing key of its own: it cannot stand on two addresses. */
export function anycastProblems(
  services: readonly (DeclaredService | Reservation)[],
  groups: readonly AnycastGroup[],
): Problem[] {
  return services.flatMap((service): Problem[] => {
    const group = service.sharingKey === undefined ? undefined : groupOf(service, groups);
    if (!group) return [];
    const { namespace, name, at } = service;
    return [
      {
        code: 'ANYCAST_KEY',
        message: `the Service '${namespace}/${name}' has a sharing key, and the anycast group '${group.name}' says already what it shares its address with`,
        at,
        also: [group.at],
        hint: 'remove the sharing key, or the Service from the group',
      },
    ];
  });
}
