import {
  type Claim,
  claimsIn,
  claimText,
  declarerText,
  type Holder,
  type LeaseClaim,
} from '../model/claim.ts';
import { leaseIdText } from '../model/lease.ts';
import type { Cluster, Pools } from '../model/pools.ts';
import type { Problem } from '../model/problem.ts';
import { sameLease } from './metadata.ts';
import { holderPath, leasedIPName, leaseNamespace, serviceName } from './names.ts';

/** Kubernetes: a DNS-1035 label, which is also what a label value holds. */
const longestServiceName = 63;
/** Kubernetes: a DNS-1123 subdomain. */
const longestObjectName = 253;

/** Who took which name first, in one cluster. */
interface TakenNames {
  readonly files: Map<string, Claim>;
  readonly leasedIPs: Map<string, Claim>;
  readonly namespaces: Map<string, LeaseClaim>;
  readonly services: Map<string, Claim>;
  /** Leases already named in a problem of their namespace. */
  readonly clashes: Set<string>;
}

/**
 * What is wrong with the names that holders' objects would get, whatever their addresses: NAME_TOO_LONG, and NAME_TAKEN where two
 * claims want one namespace for two leases, one Service, one ProviderLeasedIP or one file. The
 * later claim in the order of `holders` is at fault, the earlier one is in `also`.
 */
export function nameProblems(pools: Pools, holders: readonly Holder[]): Problem[] {
  return pools.clusters.flatMap((cluster) => {
    const taken: TakenNames = {
      files: new Map(),
      leasedIPs: new Map(),
      namespaces: new Map(),
      services: new Map(),
      clashes: new Set(),
    };
    return holders
      .filter((holder) => holder.clusters.includes(cluster.name))
      .flatMap((holder) => [
        ...take(taken.files, holderPath(cluster.name, holder), holder.claims[0], 'the file'),
        ...claimsIn(holder, cluster.name).flatMap((claim) =>
          claim.kind === 'Lease' ? claimProblems(pools, cluster, taken, claim) : [],
        ),
      ]);
  });
}

function claimProblems(
  { emit }: Pools,
  { naming }: Cluster,
  taken: TakenNames,
  claim: LeaseClaim,
): Problem[] {
  const leasedIP = leasedIPName(naming, claim);
  const service = serviceName(naming, claim);
  const problems = [
    ...tooLong('ProviderLeasedIP', leasedIP, longestObjectName, claim),
    ...tooLong('Service', service, longestServiceName, claim),
  ];
  if (emit.providerLeasedIP) {
    problems.push(...take(taken.leasedIPs, leasedIP, claim, `the ProviderLeasedIP '${leasedIP}'`));
  }
  const namespace = leaseNamespace(naming, claim.lease);
  const tenant = taken.namespaces.get(namespace);
  if (!tenant || sameLease(tenant.lease, claim.lease)) {
    if (!tenant) taken.namespaces.set(namespace, claim);
    const key = `${namespace}/${service}`;
    const first = taken.services.get(key);
    const together = naming === 'readable' && first?.holder === claim.holder;
    if (together) return problems;
    const hint =
      naming === 'readable'
        ? 'give both endpoints one name, so that they share an address'
        : 'give one of the two another externalPort';
    const clash = take(taken.services, key, claim, `the Service '${key}'`);
    return [...problems, ...clash.map((problem) => ({ ...problem, hint }))];
  }
  // A namespace of two leases is one problem, however many Services they have.
  const lease = leaseIdText(claim.lease);
  if (!taken.clashes.has(lease)) {
    taken.clashes.add(lease);
    problems.push(...take(taken.namespaces, namespace, claim, `the namespace '${namespace}'`));
  }
  return problems;
}

function tooLong(kind: string, name: string, most: number, { at }: Claim): Problem[] {
  if (name.length <= most) return [];
  const message = `the ${kind} name '${name}' has ${name.length} characters, expected at most ${most}`;
  return [{ code: 'NAME_TOO_LONG', message, at }];
}

function take<Taker extends Claim>(
  taken: Map<string, Taker>,
  name: string,
  claim: Taker,
  what: string,
): Problem[] {
  const first = taken.get(name);
  if (!first) {
    taken.set(name, claim);
    return [];
  }
  const message = `${what} of ${claimText(claim)} would also be that of ${claimText(first)} of ${first.kind === 'Lease' ? 'lease ' : ''}${declarerText(first)}`;
  return [{ code: 'NAME_TAKEN', message, at: claim.at, also: [first.at] }];
}
