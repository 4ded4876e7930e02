import { claimText, declaredIn, isLeaseClaim, type LeaseClaim } from '../../model/claim.ts';
import { claimsIn, type Holder } from '../../model/holder.ts';
import { requestedFamilies } from '../../model/lease.ts';
import { sortedEntries } from '../../model/order.ts';
import type { Pools } from '../../model/pools.ts';
import { byStanding, type Problem, placeText, type Standing } from '../../model/problem.ts';
import type { DeclaredService, NodePort, Reservation } from '../../model/service.ts';
import { bothFamilies } from '../../net/address.ts';
import { claimsByService, type ServiceClaims } from '../objects/lease-objects.ts';

/**
 * Checks the leases of clusters with `naming: readable`. SELECTOR_REQUIRED: a claim has no
 * selector, and no provider labels its pods. SERVICE_CONFLICT: the claims of one Service have
 * different families or selectors.
 */
export function serviceProblems(pools: Pools, holders: readonly Holder[]): Problem[] {
  const readable = new Set(
    pools.clusters.filter(({ naming }) => naming === 'readable').map(({ name }) => name),
  );
  if (readable.size === 0) return [];
  return holders
    .map(({ claims }) => claims.filter(isLeaseClaim).filter(({ cluster }) => readable.has(cluster)))
    .flatMap((claims) => [
      ...claims.flatMap(selectorProblem),
      ...claimsByService('readable', claims).flatMap(claimConflicts),
    ]);
}

function selectorProblem(claim: LeaseClaim): Problem[] {
  if (claim.selector) return [];
  const message = `endpoint ${claimText(claim)} has no selector, but naming: readable requires one`;
  return [{ code: 'SELECTOR_REQUIRED', message, at: claim.at }];
}

function claimConflicts([first, ...others]: ServiceClaims): Problem[] {
  return others.flatMap((claim) => [
    ...(claim.ipFamily === first.ipFamily
      ? []
      : [claimConflict(first, claim, `families: ${claim.ipFamily} and ${first.ipFamily}`)]),
    ...(sameSelector(first, claim) ? [] : [claimConflict(first, claim, 'selectors')]),
  ]);
}

function claimConflict(first: LeaseClaim, claim: LeaseClaim, difference: string): Problem {
  const message = `${claimText(claim)} and ${claimText(first)} have one Service, but different ${difference}`;
  const hint = `write the ipFamily and the selector of ${placeText(first.at)} here`;
  return { code: 'SERVICE_CONFLICT', message, at: claim.at, also: [first.at], hint };
}

/** A missing selector counts as the same: it has a problem of its own. */
function sameSelector({ selector: left }: LeaseClaim, { selector: right }: LeaseClaim): boolean {
  return !left || !right || selectorText(left) === selectorText(right);
}

function selectorText(selector: Readonly<Record<string, string>>): string {
  return JSON.stringify(sortedEntries(Object.entries(selector)));
}

type Declared = DeclaredService | Reservation;

/**
 * Returns a SHARING_CONFLICT for each Service that cannot share its holder's address with the first
 * Service of the same cluster and family. Either all have `externalTrafficPolicy: Cluster`, or all
 * have Local, one selector and one namespace. MetalLB assigns the address to the Service that it
 * sees first, which may be another one after a restart, so all of them must fit. MetalLB:
 * allocator.go sharingOK, k8salloc.go backendKey. The rule about namespaces is ours: Services in two
 * namespaces never have the same pods. It is not for two Reservations, which are rendered elsewhere.
 */
export function sharingProblems(holders: readonly Holder[]): Problem[] {
  return holders
    .filter(({ claims }) => claims.length > 1)
    .flatMap((holder) =>
      holder.clusters.flatMap((cluster) => {
        const declared = reservationsFirst(declaredIn(claimsIn(holder, cluster)));
        return declared.length < 2 ? [] : sharingConflicts(declared, leaveHint(holder));
      }),
    );
}

/** What another tool renders stays as it is, so the problem is at the declared Service. */
function reservationsFirst(declared: readonly Declared[]): readonly Declared[] {
  const isReserved = ({ kind }: Declared): boolean => kind === 'Reservation';
  return [...declared.filter(isReserved), ...declared.filter((one) => !isReserved(one))];
}

/** How a Service stops sharing. */
function leaveHint({ id }: Holder): string {
  return id.startsWith('anycast/')
    ? 'take it out of its group in leases/pools.yaml so that it gets its own address'
    : 'give it another sharing key so that it gets its own address';
}

function sharingConflicts(declared: readonly Declared[], leave: string): Problem[] {
  const reported = new Set<Declared>();
  return bothFamilies.flatMap((family) => {
    const [first, ...others] = declared.filter(({ ipFamily }) =>
      requestedFamilies(ipFamily).includes(family),
    );
    return others.flatMap((other) => {
      const difference =
        first && !reported.has(other) ? backendDifference(first, other) : undefined;
      if (!first || difference === undefined) return [];
      reported.add(other);
      const { namespace, localBackend } = first;
      const policy =
        localBackend === undefined
          ? 'set externalTrafficPolicy: Cluster, or '
          : `set externalTrafficPolicy: Local and the selector ${localBackend}, or `;
      const canFit = localBackend === undefined || namespace === other.namespace;
      const hint = `${canFit ? policy : ''}${leave}`;
      return [{ ...sharingConflict(first, other, difference), hint }];
    });
  });
}

/** Explains why two Services have different backends; undefined when they have the same. */
function backendDifference(first: Declared, other: Declared): string | undefined {
  const [one, another] = [first.localBackend, other.localBackend];
  if (one === undefined || another === undefined) {
    if (one === another) return undefined;
    const policies = another === undefined ? 'Cluster and Local' : 'Local and Cluster';
    return `have the externalTrafficPolicy ${policies}`;
  }
  if (one !== another) return 'have externalTrafficPolicy: Local and different selectors';
  const isElsewhere = first.kind === 'Reservation' && other.kind === 'Reservation';
  return isElsewhere || first.namespace === other.namespace
    ? undefined
    : 'have externalTrafficPolicy: Local in two namespaces, so their pods differ';
}

function sharingConflict(first: Declared, other: Declared, difference: string): Problem {
  return {
    code: 'SHARING_CONFLICT',
    message: `${declaredText(other)} and ${declaredText(first)} in ${placeText(first.at)} share an address, but ${difference}`,
    at: other.at,
    also: [first.at],
  };
}

function declaredText({ kind, namespace, name }: Declared): string {
  return `${kind} '${namespace}/${name}'`;
}

/**
 * Returns a NODE_PORT_TAKEN for each node port that an earlier Service of the same cluster, or one of
 * better standing, has too; that one is in `also`. TCP and UDP share one range, and health checks are
 * part of it. Node ports that the API server picks are unknown here. Kubernetes:
 * pkg/registry/core/service/storage/alloc.go, allocNodePort.
 */
export function nodePortProblems(
  services: readonly Declared[],
  standing?: Standing,
): readonly Problem[] {
  const taken = new Map<string, { readonly text: string; readonly at: NodePort['at'] }>();
  const ports = services.flatMap((declared) => {
    const own = declared.kind === 'Service' ? declared.nodePorts : [];
    return own.map(({ port, at }) => ({ declared, port, at }));
  });
  return byStanding(ports, standing).flatMap(({ declared, port, at }): Problem[] => {
    const key = `${declared.cluster} ${port}`;
    const first = taken.get(key);
    if (!first) {
      taken.set(key, { text: declaredText(declared), at });
      return [];
    }
    return [
      {
        code: 'NODE_PORT_TAKEN',
        message: `node port ${port} is already used by ${first.text} in ${placeText(first.at)}`,
        at,
        also: [first.at],
        hint: 'use another one, or remove it: the API server then picks a port',
      },
    ];
  });
}
