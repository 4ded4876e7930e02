import { allocate, placementsOf, type RunInput } from '../../allocate/allocate.ts';
import { allocateHostnames, type HostnameResult } from '../../allocate/hostnames.ts';
import { keptDnsProblems } from '../../allocate/kept-hostnames.ts';
import { freshNames } from '../../declarations/dns-rules.ts';
import { holderPath } from '../../manifests/paths.ts';
import { renderDist, type WriteFile } from '../../manifests/render.ts';
import { nameProblems } from '../../manifests/rules/name-problems.ts';
import {
  nodePortProblems,
  serviceProblems,
  sharingProblems,
} from '../../manifests/rules/service-problems.ts';
import {
  type AllocationResult,
  type AllocationTable,
  type Change,
  isHeld,
  recordsByHolder,
} from '../../model/allocation.ts';
import type { Claim } from '../../model/claim.ts';
import { type Day, earlierDay } from '../../model/day.ts';
import type { Holder } from '../../model/holder.ts';
import type { Hostname, HostnameTable } from '../../model/hostname.ts';
import { compareText } from '../../model/order.ts';
import {
  byStanding,
  failSorted,
  type Outcome,
  ok,
  type Problem,
  type Standing,
} from '../../model/problem.ts';
import { distFolder, isRecordPath, recordFolders } from '../../model/repository-paths.ts';
import type { Commit, Commits } from '../../ports/commits.ts';
import type { Progress } from '../../ports/progress.ts';
import type { FileText, SourceTree, TreeChanges, TreeEntry } from '../../ports/tree.ts';
import type { History } from '../../ports/work-tree.ts';
import { type HostnameBase, hostnamesOnBase } from '../../transitions/hostnames.ts';
import type { Landings } from '../../transitions/landings.ts';
import { allocateOnBase, type Base } from '../../transitions/rebase.ts';
import { readDeclared, readRecords } from '../../workspace/declared.ts';
import { policyRefusals } from '../../workspace/policy-refusals.ts';
import { textIn } from '../../workspace/tree-reader.ts';
import { readWorkspace, type Workspace } from '../../workspace/workspace.ts';
import {
  addedPaths,
  hiddenManifests,
  recordChanges,
  TreeComparison,
  unexpectedFiles,
  unexpectedManifests,
} from './generated-files.ts';
import { heedingLandings } from './late-landings.ts';
import { type LiveRecords, liveChanges, lostHostnames } from './live-changes.ts';
import {
  type JudgedReleases,
  judgedReleases,
  type Records,
  type ReleaseTerms,
  withMarksOf,
} from './mass-releases.ts';
import { strandedPromises, takenPromiseFiles, tooLongPromises } from './promise-rules.ts';
import { isClash, placed, standingIn } from './standing.ts';

/** The address changes and file changes of a run that is not written yet. */
export interface PlannedRun {
  readonly workspace: Workspace;
  /** The table after the run. */
  readonly table: AllocationTable;
  readonly changes: readonly Change[];
  /** The records of hostnames after the run, and their changes. */
  readonly hostnames: HostnameResult;
  /** Only the files whose bytes differ. */
  readonly files: TreeChanges<FileText>;
  /** The files of `files.removes` that are promises: a lease has their addresses. */
  readonly takenPromises: readonly string[];
  /** The merge base, if the run recorded something else because of it. */
  readonly rebasedOn: RunBase | undefined;
}

export interface RunOptions {
  readonly moves?: RunInput['moves'];
  readonly withheld?: RunInput['withheld'];
  /** What the branch starts from. Without it, every committed record counts. */
  readonly base?: RunBase | undefined;
  /** Decides which of two declarations is right in a clash; the base when left out. */
  readonly before?: SourceTree | undefined;
  /** The same for hostnames only. */
  readonly hostnameBase?: HostnameBase | undefined;
  /** Judges the releases of the run. Without it, a run may release any number. */
  readonly releases?: ReleaseTerms | undefined;
  readonly progress?: Progress | undefined;
}

/**
 * Reads, allocates and renders without writing. A frozen run has no `today`, and `before` as its
 * only option. A run on a red base is made on its lawful records: where the base makes a difference,
 * and where a holder gets an address that has a manifest in the base.
 */
export async function planRun(
  tree: SourceTree,
  history: History,
  today: Day | undefined,
  options: RunOptions = {},
): Promise<Outcome<PlannedRun>> {
  const source = { tree, history, today };
  const run = await planRanked(source, options);
  const isPlain = run.ok && !run.value.rebasedOn && !(await givesToLive(run.value, options.base));
  const base = isPlain ? undefined : await options.base?.lawful?.();
  return base ? planRanked(source, { ...options, base }) : run;
}

/** True if a holder with a manifest in the base gets an address that it does not hold there. */
async function givesToLive(
  { workspace, table }: PlannedRun,
  base: RunBase | undefined,
): Promise<boolean> {
  if (!base) return false;
  const given = [...table].flatMap(([text, record]) => {
    const before = base.table.get(text);
    const isOwn = before !== undefined && isHeld(before) && before.holder === record.holder;
    return isHeld(record) && !isOwn ? [record.holder] : [];
  });
  if (given.length === 0) return false;
  const ids = new Set(given);
  const paths = new Set((await base.tree()).list(distFolder).map(({ path }) => path));
  return workspace.holders.some(
    (holder) =>
      ids.has(holder.id) &&
      workspace.pools.clusters.some(
        (cluster) =>
          holder.clusters.includes(cluster.name) && paths.has(holderPath(cluster, holder)),
      ),
  );
}

/** A run with clashes is made again with the standing of the declarations. */
async function planRanked(source: RunSource, options: RunOptions): Promise<Outcome<PlannedRun>> {
  const run = await planRunBy(undefined, source, options);
  if (run.ok || !run.problems.some(isClash)) return run;
  const standing = standingIn(source.tree, options.before ?? (await options.base?.tree()));
  const again = await planRunBy(standing, source, options);
  return again.ok ? again : failSorted(again.problems.map((one) => placed(one, standing)));
}

interface RunSource {
  readonly tree: SourceTree;
  readonly history: History;
  readonly today: Day | undefined;
}

async function planRunBy(
  standing: Standing | undefined,
  { tree, history, today }: RunSource,
  options: RunOptions,
): Promise<Outcome<PlannedRun>> {
  const { moves = [], withheld = [], base, hostnameBase = base?.hostnames, progress } = options;
  const entries = tree.list(distFolder);
  const unexpected = unexpectedFiles(entries);
  const workspace = await readWorkspace(tree, history, standing);
  if (!workspace.ok) return failSorted([...unexpected, ...workspace.problems]);
  const { pools, holders, services, table, hostnames, inventories } = workspace.value;
  const refused = [...unexpected, ...refusedDeclarations(workspace.value, today, standing)];
  progress?.begin('allocate');
  const landings = base?.landings ?? history.landings;
  const allocated = await heedingLandings(
    { table, base, today, landings },
    (table, base, late): Outcome<AllocationResult & { readonly isRebased?: boolean }> =>
      base && today !== undefined
        ? allocateOnBase(pools, holders, table, { today, moves, base, withheld: late })
        : allocate(pools, holders, table, { today, moves, withheld: [...withheld, ...late] }),
  );
  const named = await heedingLandings(
    { table: workspace.value.hostnameTable, base: hostnameBase, today, landings },
    (hostnameTable, base) => hostnamesOf({ ...workspace.value, hostnameTable }, today, base),
  );
  if (!named.ok) refused.push(...named.problems);
  else if (today !== undefined) {
    const after = named.value.table;
    refused.push(...(await keptDnsNames(workspace.value, after, { today, base, history })));
  }
  if (!allocated.ok) refused.push(...allocated.problems);
  if (!allocated.ok || !named.ok || refused.length > 0) {
    return failSorted(refused);
  }
  const placements = placementsOf(pools, holders, allocated.value.table);
  const render = (write: WriteFile): void =>
    renderDist(pools, { placements, services, hostnames, inventories }, write);
  progress?.begin('render', Math.max(entries.length, placements.length));
  const comparison = compared(render, tree, entries, progress);
  const dist = comparison.changes();
  const records = { before: table, after: allocated.value.table, clusters: pools.clusters };
  const stopped = liveChanges(tree, entries, dist, records);
  // Manifests that only the branch has were never live.
  const live = base && stopped.length > 0 ? await liveOn(base, render, records) : stopped;
  // With a base, the run records what the base has.
  const lost = hostnameBase ? [] : lostHostnames(entries, workspace.value.hostnameTable);
  const hidden = hiddenManifests(
    tree,
    () => comparison.paths(),
    () => addedPaths(dist, entries),
  );
  const problems = [...unexpectedManifests(tree, dist.removes), ...hidden, ...live, ...lost];
  if (problems.length > 0) return failSorted(problems);
  const judged = await withJudgedReleases(
    workspace.value,
    { table: allocated.value.table, hostnameTable: named.value.table },
    { today, base, releases: options.releases },
  );
  if (judged.mass) return failSorted([judged.mass]);
  const recorded = recordChanges(
    tree,
    workspace.value.entries.filter(({ path }) => isRecordPath(path)),
    { before: table, after: judged.table },
    judged.hostnameTable,
  );
  const takenPromises = takenPromiseFiles(holders);
  const files = {
    writes: new Map([...recorded.writes, ...dist.writes]),
    removes: [...recorded.removes, ...dist.removes, ...takenPromises],
  };
  const { changes, isRebased } = allocated.value;
  const rebasedOn = isRebased || named.value.isRebased ? base : undefined;
  progress?.end();
  const hostnameRun = { ...named.value, table: judged.hostnameTable };
  const run = { changes, hostnames: hostnameRun, files, takenPromises, rebasedOn };
  return ok({ workspace: workspace.value, table: judged.table, ...run });
}

/** The records of a run with the marks of confirmed releases, judged if the run asks for it. */
async function withJudgedReleases(
  workspace: Workspace,
  made: Records,
  {
    today,
    base,
    releases,
  }: Pick<RunOptions, 'base' | 'releases'> & { readonly today: Day | undefined },
): Promise<JudgedReleases> {
  if (today === undefined) return { ...made, mass: undefined };
  const after = {
    table: withMarksOf(made.table, workspace.table),
    hostnameTable: withMarksOf(made.hostnameTable, workspace.hostnameTable),
  };
  if (!releases) return { ...after, mass: undefined };
  const before = base && {
    table: base.table,
    hostnameTable: base.hostnames.table,
    readHolders: async () => readDeclared(await base.tree()).holders,
  };
  return judgedReleases(workspace, after, releases, { today, base: before });
}

/** The records of hostnames after a run. */
function hostnamesOf(
  { pools, hostnames, hostnameTable }: Workspace,
  today: Day | undefined,
  base: HostnameBase | undefined,
): Outcome<HostnameResult & { readonly isRebased?: boolean }> {
  const { cooldownDays } = pools.hostnames;
  return base && today !== undefined
    ? hostnamesOnBase(hostnames, hostnameTable, { today, cooldownDays }, base)
    : allocateHostnames(hostnames, hostnameTable, { today, cooldownDays });
}

/** {@link keptDnsProblems} of the names that the base, or else the newest commit, does not have. */
async function keptDnsNames(
  { holders, pools }: Workspace,
  table: HostnameTable,
  {
    today,
    base,
    history,
  }: {
    readonly today: Day;
    readonly base: RunBase | undefined;
    readonly history: History;
  },
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
  const textOf = (path: string): string => (files.has(path) ? textIn(tree, path) : '');
  return holders
    .filter(({ id }) => held.has(id))
    .flatMap((holder) =>
      holder.claims.map((claim) => {
        const cluster = pools.clusters.find(({ name }) => name === claim.cluster);
        if (!pools.emit.dnsEndpoints || !cluster || claim.dns.length === 0) return claim;
        const written = new Set(textOf(holderPath(cluster, holder)).split(/[\s'"]+/));
        return { ...claim, dns: claim.dns.filter(({ name }) => written.has(name)) };
      }),
    );
}

/** The problems of valid declarations that a run refuses to allocate for. */
function refusedDeclarations(
  workspace: Workspace,
  today: Day | undefined,
  standing: Standing | undefined,
): Problem[] {
  const { pools, policy, promises } = workspace;
  const holders = standing ? ranked(workspace.holders, standing) : workspace.holders;
  const services = byStanding(workspace.services, standing);
  const hostnames = byStanding(workspace.hostnames, standing);
  return [
    ...nameProblems(pools, holders, { services, hostnames }, standing),
    ...serviceProblems(pools, holders),
    ...sharingProblems(holders),
    ...nodePortProblems(services, standing),
    ...strandedPromises(holders),
    ...(policy ? policyRefusals(policy, workspace) : []),
    ...(today === undefined ? [] : tooLongPromises(promises, today)),
  ];
}

/** The holders and their claims, the ones with the better standing first. */
function ranked(holders: readonly Holder[], standing: Standing): readonly Holder[] {
  const own = holders.map((holder) => ({ ...holder, claims: byStanding(holder.claims, standing) }));
  const textOf = ({ claims: [first], at }: Holder): string => standing(first ?? { at });
  return own.toSorted((left, right) => compareText(textOf(left), textOf(right)));
}

/** Renders the manifests and compares each with the tree at once, to keep few in memory. */
function compared(
  render: (write: WriteFile) => void,
  tree: SourceTree,
  entries: readonly TreeEntry[],
  progress?: Progress,
): TreeComparison {
  const comparison = new TreeComparison(tree, entries);
  render((path, text) => {
    comparison.add(path, text);
    progress?.step('render');
  });
  return comparison;
}

/** {@link liveChanges} between the manifests of the base and the new ones. */
async function liveOn(
  base: RunBase,
  render: (write: WriteFile) => void,
  records: LiveRecords,
): Promise<readonly Problem[]> {
  const tree = await base.tree();
  const entries = tree.list(distFolder).filter(({ kind }) => kind === 'file');
  const changes = compared(render, tree, entries).changes();
  const { table: before, restored } = base;
  return liveChanges(tree, entries, changes, { ...records, before, restored });
}

/** The merge base that a run on a branch starts from. */
export interface RunBase extends Base {
  readonly commit: Commit;
  readonly hostnames: HostnameBase;
  readonly landings: Landings;
  /** See {@link LiveRecords}. */
  readonly restored?: LiveRecords['restored'];
  /** The same with the lawful records of a red commit; undefined if it is not red. */
  lawful?(): Promise<RunBase | undefined>;
  /** Reads the whole tree of the commit. */
  tree(): Promise<SourceTree>;
}

/** The commits that decide the base of a run on a branch. */
export interface RunRefs {
  /** The newest commit of the branch that this one is to be merged into. */
  readonly target: Commit;
  /** HEAD, and the commits that are being merged into it. */
  readonly heads: readonly string[];
}

/**
 * Returns the merge base of the target and the next commit. Undefined when there is not exactly
 * one, or when its records cannot be read: what the target never had is then unknown.
 */
export async function runBase(
  commits: Commits,
  { target, heads }: RunRefs,
  today: Day,
): Promise<RunBase | undefined> {
  const [commit, ...others] = await commits.mergeBases(target.id, ...heads);
  if (commit === undefined || others.length > 0) return undefined;
  const own = readRecords(await commits.tree(commit.id, recordFolders));
  if (own.problems.length > 0) return undefined;
  const targetDay = earlierDay(target.day, today);
  return {
    commit,
    table: own.table,
    target: targetDay,
    hostnames: {
      table: own.hostnameTable,
      target: targetDay,
    },
    landings: (days) => commits.landings(target.id, recordFolders, days),
    tree: () => commits.tree(commit.id),
  };
}

/** The released ones of ended hostnames. One that the target branch never had is free at once. */
export function releasedHostnames(
  { hostnames: { changes, table } }: PlannedRun,
  ended: readonly Hostname[],
  today: Day,
): readonly { hostname: string; holder: string; freeFrom: string }[] {
  const names = new Set(ended.map(({ hostname }) => hostname));
  return changes
    .filter(({ hostname }) => names.has(hostname))
    .map(({ hostname, holder }) => {
      return { hostname, holder, freeFrom: table.get(hostname)?.released?.freeFrom ?? today };
    });
}
