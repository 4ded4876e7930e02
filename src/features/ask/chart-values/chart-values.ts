import { placementsOf } from '../../../allocate/placements.ts';
import { declaredIn, firstClaims } from '../../../manifests/objects/declared-service.ts';
import { claimsIn } from '../../../model/claim.ts';
import type { Placement } from '../../../model/placement.ts';
import type { Pools } from '../../../model/pools.ts';
import type { Outcome } from '../../../model/problem.ts';
import type { Reservation } from '../../../model/service.ts';
import type { History } from '../../../ports/history.ts';
import type { SourceTree } from '../../../ports/tree.ts';
import { readWorkspace } from '../../../workspace/workspace.ts';
import type { ChartValues } from './chart-values-answer.ts';
import { chartValues } from './pinned-values.ts';

/** What charts must say for their Reservations, and Reservations that have no address yet. */
export interface AllChartValues {
  /** By holder, then cluster, then as its claims are sorted. */
  readonly values: readonly ChartValues[];
  /** As `namespace/name`, in the order of their files. */
  readonly waiting: readonly string[];
}

/** The values of all Reservations, or of those that `what` names: a holder, or `namespace/name`. */
export async function allChartValues(
  tree: SourceTree,
  history: History,
  what: string | undefined,
): Promise<Outcome<AllChartValues>> {
  const workspace = await readWorkspace(tree, history);
  if (!workspace.ok) return workspace;
  const { pools, holders, services, table } = workspace.value;
  const holderOf = new Map(
    holders.flatMap(({ id, claims }) => declaredIn(claims).map((one) => [one, id] as const)),
  );
  const isMeant = (reservation: Reservation): boolean =>
    what === undefined || what === nameOf(reservation) || what === holderOf.get(reservation);
  const placements = placementsOf(pools, holders, table);
  const placed = new Set(placements.map(({ holder }) => holder.id));
  const values = placements.flatMap((placement) => valuesOf(pools, placement, isMeant));
  const waiting = services.flatMap((declared) =>
    declared.kind === 'Reservation' &&
    isMeant(declared) &&
    !placed.has(holderOf.get(declared) ?? '')
      ? [nameOf(declared)]
      : [],
  );
  return { ok: true, value: { values, waiting } };
}

function valuesOf(
  pools: Pools,
  { holder, addresses }: Placement,
  isMeant: (reservation: Reservation) => boolean,
): ChartValues[] {
  return pools.clusters.flatMap((cluster) =>
    firstClaims(claimsIn(holder, cluster.name)).flatMap((claim) =>
      claim.declared.kind === 'Reservation' && isMeant(claim.declared)
        ? [chartValues(cluster, claim, claim.declared, addresses)]
        : [],
    ),
  );
}

function nameOf({ namespace, name }: Reservation): string {
  return `${namespace}/${name}`;
}
