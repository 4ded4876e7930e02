import { claimsIn, type Holder } from '../../model/holder.ts';
import { type Problem, placeText } from '../../model/problem.ts';
import type { DeclaredService, Reservation } from '../../model/service.ts';
import { declaredIn } from '../objects/declared-service.ts';

type Declared = DeclaredService | Reservation;

/**
 * SHARING_CONFLICT for each Service that cannot stand on its holder's address beside the first one there, in one
 * cluster and family: all have `externalTrafficPolicy: Cluster`, or all have Local, one selector and one
 * namespace. MetalLB gives the address to whichever comes first, and that is another one after each restart, so
 * all of them must fit. What renders the Service of a Reservation is not known: it counts as Cluster.
 * MetalLB: allocator.go sharingOK, k8salloc.go backendKey; the namespace is ours, since pods of two namespaces
 * are never the same.
 */
export function sharingProblems(holders: readonly Holder[]): Problem[] {
  return holders.flatMap((holder) =>
    holder.clusters.flatMap((cluster) => {
      const declared = declaredIn(claimsIn(holder, cluster));
      return declared.length < 2 ? [] : conflictsAmong(declared);
    }),
  );
}

function conflictsAmong(declared: readonly Declared[]): Problem[] {
  const told = new Set<Declared>();
  return (['ipv4', 'ipv6'] as const).flatMap((family) => {
    const [first, ...others] = declared.filter(
      ({ ipFamily }) => ipFamily === family || ipFamily === 'dual',
    );
    return others.flatMap((other) => {
      const what = first && !told.has(other) ? disagreement(first, other) : undefined;
      if (!first || what === undefined) return [];
      told.add(other);
      return [conflict(first, other, what)];
    });
  });
}

/** Why two Services have no backend in common, or undefined when they have. */
function disagreement(first: Declared, other: Declared): string | undefined {
  const [one, another] = [localBackend(first), localBackend(other)];
  if (one === undefined || another === undefined) {
    if (one === another) return undefined;
    const policies = another === undefined ? 'Cluster and Local' : 'Local and Cluster';
    return `have the externalTrafficPolicy ${policies}`;
  }
  if (one !== another) return 'have externalTrafficPolicy: Local and different selectors';
  return first.namespace === other.namespace
    ? undefined
    : 'have externalTrafficPolicy: Local in two namespaces, and so different pods';
}

function localBackend(declared: Declared): string | undefined {
  return declared.kind === 'Service' ? declared.localBackend : undefined;
}

function conflict(first: Declared, other: Declared, what: string): Problem {
  return {
    code: 'SHARING_CONFLICT',
    message: `${nameOf(other)} and ${nameOf(first)} in ${placeText(first.at)} share an address, but ${what}`,
    at: other.at,
    also: [first.at],
    hint: 'set externalTrafficPolicy: Cluster in both, or give one of them an address of its own',
  };
}

function nameOf({ kind, namespace, name }: Declared): string {
  return `${kind} '${namespace}/${name}'`;
}
