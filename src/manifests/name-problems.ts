import { type Claim, claimText } from '../model/claim.ts';
import { leaseIdText } from '../model/lease.ts';
import type { Placement } from '../model/placement.ts';
import type { Cluster, Pools } from '../model/pools.ts';
import type { Problem } from '../model/problem.ts';
import { sameLease } from './metadata.ts';
import { holderPath, leasedIPName, leaseNamespace, serviceName } from './names.ts';

/** Kubernetes: a DNS-1035 label, which is also what a label value holds. */
const longestServiceName = 63;
/** Kubernetes: a DNS-1123 subdomain. */
const longestObjectName = 253;

/**
 * What is wrong with the names that placements would get: NAME_TOO_LONG, and NAME_TAKEN where two
 * claims want one namespace for two leases, one Service, one ProviderLeasedIP or one file. The
 * later claim in the order of placements is at fault, the earlier one is in `also`.
 */
export function nameProblems(pools: Pools, placements: readonly Placement[]): Problem[] {
  const taken = new TakenNames();
  const problems: Problem[] = [];
  for (const { holder } of placements) {
    const cluster = pools.clusters.find(({ name }) => name === holder.cluster);
    if (!cluster) continue;
    const [first] = holder.claims;
    problems.push(...taken.take(holderPath(holder), first, 'the file'));
    for (const claim of holder.claims) {
      problems.push(...lengthProblems(cluster, claim));
      if (pools.emit.providerLeasedIP) problems.push(...taken.takeLeasedIP(cluster, claim));
      problems.push(...taken.takeService(cluster, claim));
    }
  }
  return problems;
}

function lengthProblems({ naming }: Cluster, claim: Claim): Problem[] {
  const problem = (kind: string, name: string, most: number): Problem[] => {
    if (name.length <= most) return [];
    const message = `the ${kind} name '${name}' has ${name.length} characters, expected at most ${most}`;
    return [{ code: 'NAME_TOO_LONG', message, at: claim.at }];
  };
  return [
    ...problem('Service', serviceName(naming, claim), longestServiceName),
    ...problem('ProviderLeasedIP', leasedIPName(naming, claim), longestObjectName),
  ];
}

/** The names that are taken, each with the claim that took it first. */
class TakenNames {
  private readonly claims = new Map<string, Claim>();
  private readonly clashes = new Set<string>();

  take(key: string, claim: Claim, what: string): Problem[] {
    const first = this.claims.get(key);
    if (!first) {
      this.claims.set(key, claim);
      return [];
    }
    const message = `${what} of ${claimText(claim)} would also be that of ${claimText(first)} (${leaseIdText(first.lease)})`;
    return [{ code: 'NAME_TAKEN', message, at: claim.at, also: [first.at] }];
  }

  takeLeasedIP({ name, naming }: Cluster, claim: Claim): Problem[] {
    const object = leasedIPName(naming, claim);
    return this.take(`${name}/plip/${object}`, claim, `the ProviderLeasedIP '${object}'`);
  }

  /** A namespace of two leases is one problem, however many Services they have. */
  takeService(cluster: Cluster, claim: Claim): Problem[] {
    const namespace = leaseNamespace(cluster.naming, claim.lease);
    const namespaceKey = `${cluster.name}/namespace/${namespace}`;
    const tenant = this.claims.get(namespaceKey);
    if (tenant && !sameLease(tenant.lease, claim.lease)) {
      const clash = `${namespaceKey}/${leaseIdText(claim.lease)}`;
      if (this.clashes.has(clash)) return [];
      this.clashes.add(clash);
      return this.take(namespaceKey, claim, `the namespace '${namespace}'`);
    }
    this.claims.set(namespaceKey, tenant ?? claim);
    const name = serviceName(cluster.naming, claim);
    const key = `${namespaceKey}/service/${name}`;
    const first = this.claims.get(key);
    const together = cluster.naming === 'readable' && first?.holder === claim.holder;
    return together ? [] : this.take(key, claim, `the Service '${name}' in '${namespace}'`);
  }
}
