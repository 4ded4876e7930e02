import { keptDnsProblems } from '../../allocate/kept-hostnames.ts';
import { freshNames } from '../../declarations/dns-rules.ts';
import type { History } from '../../interfaces/work-tree.ts';
import { holderPath } from '../../manifests/paths.ts';
import { isHeld, recordsByHolder } from '../../model/allocation.ts';
import type { Claim } from '../../model/claim.ts';
import type { Day } from '../../model/day.ts';
import type { HostnameTable } from '../../model/hostname.ts';
import type { Problem } from '../../model/problem.ts';
import { distFolder } from '../../model/repository-paths.ts';
import { readDeclared } from '../../tree/declared.ts';
import { textIn } from '../../tree/tree-reader.ts';
import type { Workspace } from '../../tree/workspace.ts';
import type { RunBase } from './run-base.ts';

/** The day of a run, and what it starts from. */
interface NamingRun {
  readonly today: Day;
  readonly base: RunBase | undefined;
  readonly history: History;
}

/** {@link keptDnsProblems} of the names that the base, or else the newest commit, does not have. */
export async function keptDnsNames(
  { holders, pools }: Workspace,
  table: HostnameTable,
  { today, base, history }: NamingRun,
): Promise<readonly Problem[]> {
  const claims = holders.flatMap((holder) => holder.claims);
  const found = keptDnsProblems(claims, table, { pools, today });
  if (found.length === 0) return found;
  const before = base ? readDeclared(await base.tree()).claims : await recordedClaims(history);
  return keptDnsProblems(freshNames(before, claims), table, { pools, today });
}

/**
 * The claims of the newest commit that a run has recorded, each with the DNS names that their
 * manifests have: a name that was committed without a run is not given by the next one.
 */
async function recordedClaims(history: History): Promise<readonly Claim[]> {
  const tree = await history.committed?.();
  if (!tree) return [];
  const { pools, holders = [], table, problems } = readDeclared(tree);
  if (!pools || problems.some(({ code }) => code === 'HOSTNAME_TAKEN')) return [];
  const held = recordsByHolder(table, isHeld);
  const files = new Set(tree.list(distFolder).map(({ path }) => path));
  const fileText = (path: string): string => (files.has(path) ? textIn(tree, path) : '');
  return holders
    .filter(({ id }) => held.has(id))
    .flatMap((holder) =>
      holder.claims.map((claim) => {
        const cluster = pools.clusters.find(({ name }) => name === claim.cluster);
        if (!pools.emit.dnsEndpoints || !cluster || claim.dns.length === 0) return claim;
        const written = new Set(fileText(holderPath(cluster, holder)).split(/[\s'"]+/));
        return { ...claim, dns: claim.dns.filter(({ name }) => written.has(name)) };
      }),
    );
}
