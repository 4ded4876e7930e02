import { type Claim, isLeaseClaim } from '../../core/model/claim.ts';
import type { Hostname } from '../../core/model/hostname.ts';
import type { AddressPromise } from '../../core/model/lease.ts';
import { compareText } from '../../core/model/order.ts';
import type { Workspace } from '../../core/tree/workspace.ts';

/** A namespace of Services in a cluster. */
export interface NamedNamespace {
  readonly cluster: string;
  readonly namespace: string;
}

/** The declarations of addresses and hostnames. */
export interface Owned {
  readonly claims: readonly Claim[];
  readonly promises: readonly AddressPromise[];
  readonly hostnames: readonly Hostname[];
}

/**
 * The namespaces with Services that a word names, sorted by cluster: `NAME`, `CLUSTER/NAME` as
 * quotas name an owner, or `CLUSTER/namespace/NAME`.
 */
export function namespacesNamed(word: string, { services }: Workspace): readonly NamedNamespace[] {
  const [, only, long] = /^([^/]+)\/(?:namespace\/)?([^/]+)$/.exec(word) ?? [];
  const name = long ?? word;
  const clusters = services
    .filter(({ namespace, cluster }) => namespace === name && (only ?? cluster) === cluster)
    .map(({ cluster }) => cluster);
  return [...new Set(clusters)].sort(compareText).map((cluster) => ({ cluster, namespace: name }));
}

/** All that the Services of a namespace claim, and its hostnames. */
export function ofNamespace({ cluster, namespace }: NamedNamespace, workspace: Workspace): Owned {
  const claims = workspace.holders
    .flatMap((holder) => holder.claims)
    .filter(
      (claim) =>
        claim.kind === 'Service' &&
        claim.cluster === cluster &&
        claim.declared.namespace === namespace,
    );
  const hostnames = workspace.hostnames.filter(
    (one) => !one.lease && one.cluster === cluster && one.namespace === namespace,
  );
  return { claims, promises: [], hostnames };
}

/** All leases, promises and hostnames of an Akash account, in all clusters; undefined for another word. */
export function ofAccount(word: string, workspace: Workspace): Owned | undefined {
  if (!/^akash1[a-z0-9]{38}$/.test(word)) return undefined;
  const { holders, hostnames } = workspace;
  const owned = {
    claims: holders
      .flatMap((holder) => holder.claims)
      .filter((claim) => isLeaseClaim(claim) && claim.lease.owner === word),
    promises: workspace.promises.filter(({ owner }) => owner === word),
    hostnames: hostnames.filter((one) => one.lease?.owner === word),
  };
  return Object.values(owned).some(({ length }) => length > 0) ? owned : undefined;
}
