import { isSince } from '../../model/metallb-version.ts';
import type { Cluster } from '../../model/pools.ts';
import { type Declared, readPolicyFile, readPoolFile } from '../../workspace/declared.ts';
import type { Comparison } from './comparison.ts';

/**
 * What the base declares, with the pools, quotas and policy of the commit that the head is to be merged into: what was
 * reserved, lowered or forbidden there since a branch was cut counts for the branch too, so that nobody picks an old
 * judge by the commit that a branch starts from. A rule file that is not sound there judges nothing.
 */
export function judgingBase(
  { base, target, targetTree }: Comparison,
  declared: Declared,
): Declared {
  if (target.id === base.id) return declared;
  const pools = readPoolFile(targetTree);
  const policy = readPolicyFile(targetTree);
  return {
    ...declared,
    pools: pools.ok ? pools.value : undefined,
    policy: policy.ok ? policy.value : undefined,
  };
}

/**
 * The clusters of the head, each with the older MetalLB of what the base and the head say: which of them runs when the
 * change is applied, nobody can tell.
 */
export function assumedClusters(base: Declared, head: Declared): readonly Cluster[] {
  return (head.pools?.clusters ?? []).map((cluster) => {
    const was = base.pools?.clusters.find(({ name }) => name === cluster.name)?.metallb.version;
    const { version } = cluster.metallb;
    const isOlder = was !== undefined && !isSince(was, version);
    return isOlder ? { ...cluster, metallb: { ...cluster.metallb, version: was } } : cluster;
  });
}
