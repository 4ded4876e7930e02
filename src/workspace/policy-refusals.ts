import { PoolIndex } from '../declarations/pools/pool-index.ts';
import { type AllocationTable, isHeld, recordsByHolder } from '../model/allocation.ts';
import type { Holder } from '../model/claim.ts';
import type { Lease } from '../model/lease.ts';
import { type Policy, partyText, tenantOf } from '../model/policy.ts';
import type { Pools } from '../model/pools.ts';
import { compareProblems, type Problem } from '../model/problem.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';
import { claimBreaches, serviceBreaches } from './breaches.ts';
import { reachedPools } from './reached-pools.ts';

/** What a policy judges of a tree. */
export interface Judged {
  readonly pools: Pools;
  readonly leases: readonly Lease[];
  readonly services: readonly (DeclaredService | Reservation)[];
  readonly holders: readonly Holder[];
  readonly table: AllocationTable;
}

/**
 * POLICY_REFUSED for each claim and each kind of what its tenant may not declare: owner, namespace, cluster, zone,
 * pool, port; for a Service that wants no address; and for an SDL of another tenant than its declaration. By place.
 */
export function policyRefusals(policy: Policy, judged: Judged): Problem[] {
  const index = new PoolIndex(judged.pools);
  const held = recordsByHolder(judged.table, isHeld);
  const problems = [
    ...judged.holders.flatMap((holder) => {
      const pools = reachedPools(index, holder, held.get(holder.id) ?? []);
      const zone = index.zoneOf(holder);
      return holder.claims.flatMap((claim) => {
        const tenant = tenantOf(policy, claim.at.file);
        return tenant ? claimBreaches(tenant, claim, { zone, pools }) : [];
      });
    }),
    ...judged.services.flatMap((service) => {
      const tenant = tenantOf(policy, service.at.file);
      return tenant ? serviceBreaches(tenant, service) : [];
    }),
    ...judged.leases.flatMap((lease) => foreignSdl(policy, lease)),
  ];
  return unique(problems.sort(compareProblems));
}

/** Otherwise whoever owns the folder of the SDL could change what somebody else declares. */
function foreignSdl(policy: Policy, { at, endpoints }: Lease): Problem[] {
  const sdl = endpoints.find((endpoint) => endpoint.at.file !== at.file)?.at;
  if (!sdl) return [];
  const [own, other] = [tenantOf(policy, at.file), tenantOf(policy, sdl.file)];
  if (own === other) return [];
  const whose = (tenant: typeof own): string => partyText(tenant ? [tenant] : []);
  return [
    {
      code: 'POLICY_REFUSED',
      message: `the SDL ${sdl.file} belongs to ${whose(other)}, and its declaration to ${whose(own)}`,
      at,
      also: [other, own].flatMap((tenant) => (tenant ? [tenant.at] : [])),
      hint: 'put the SDL beside its declaration',
    },
  ];
}

/** The claims of one Service stand at one place, and what is wrong with it is said once. */
function unique(problems: readonly Problem[]): Problem[] {
  return problems.filter((problem, index) => {
    const before = problems[index - 1];
    return before === undefined || compareProblems(before, problem) !== 0;
  });
}
