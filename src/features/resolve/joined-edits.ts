import type { Commit, Commits } from '../../core/interfaces/commits.ts';
import type { SourceTree } from '../../core/interfaces/tree.ts';
import type { Problem } from '../../core/model/problem.ts';
import { leasesFolder } from '../../core/model/repository-paths.ts';
import { type DroppedEdit, droppedEdits, editTexts } from '../../core/run/review/dropped-edits.ts';
import {
  blendedOf,
  mixedUp,
  mixupMessage,
  mixupProblems,
} from '../../core/run/review/merge-mixups.ts';
import { type MergedSide, mergedItems } from '../../core/run/review/merged-items.ts';
import { changedTree } from '../../core/tree/changed-tree.ts';
import { readDeclared } from '../../core/tree/declared.ts';
import { textIn } from '../../core/tree/tree-reader.ts';
import type { Workspace } from '../../core/tree/workspace.ts';
import type { MergeTrees } from './merge-trees.ts';
import {
  type JoinedCommits,
  joinedCommits,
  type MergeContext,
  type MergeWay,
} from './merge-ways.ts';
import { unmergedDeclarations } from './unmerged.ts';

const names = { ours: 'HEAD', theirs: 'the other side' } as const;

/** The merge whose result is checked. */
interface CheckedMerge {
  readonly commits: Commits;
  readonly trees: MergeTrees;
  readonly head: Commit;
  readonly way: MergeWay;
  readonly joined: JoinedCommits | undefined;
}

/**
 * MERGE_BLENDED for every claim, promise and hostname of the working tree that git has joined from
 * both sides of the unfinished merge without a conflict, and for those of the merges since the live
 * commit. What a person has written in the merge is a decision.
 */
export async function mixupsOfMerge(
  { commits, trees, head, way, joined }: CheckedMerge,
  { pools, holders, promises, hostnames }: Workspace,
  tree: SourceTree,
): Promise<readonly Problem[]> {
  const claims = holders.flatMap((holder) => holder.claims);
  const own = mergedItems({ claims, promises, hostnames });
  const before = await mixupProblems(
    commits,
    {
      base: way.floor,
      headTree: tree,
      between: await commits.between(way.floor.id, head.id),
      merged: [],
    },
    own,
  );
  if (!joined) return before;
  const { ours, theirs, base, isMerge } = joined;
  const declared: MergedSide[] = [
    { name: names.ours, items: await trees.items(ours, pools) },
    { name: names.theirs, items: await trees.items(theirs, pools) },
  ];
  const merge = {
    ours: ours.id,
    theirs: theirs.id,
    base: isMerge ? undefined : base?.id,
    attributesOf: ours.id,
  };
  const blended = await blendedOf(commits, merge, { items: mixedUp(own, declared), tree });
  const now = blended.map((item): Problem => {
    const { file } = item.at;
    const side = declared.findIndex(({ items }) => items.some(({ at }) => at.file === file));
    const id = [ours, theirs][side]?.id.slice(0, 12);
    const command = id === undefined ? '' : `: \`git checkout ${id} -- ${file}\``;
    return {
      code: 'MERGE_BLENDED',
      message: mixupMessage('the merge', item, declared),
      at: item.at,
      hint: `if both edits are meant, add a comment line (#) that says so to the file, and run \`leasehold resolve\` again; otherwise take the file from one side${command}; or, if git took it for a renamed one, abort the merge, and merge again with -X find-renames=100%`,
    };
  });
  return [...before, ...now];
}

/**
 * The unmerged declarations that git joins when the attribute `-merge` does not stop it, as text by
 * path. Some files are left to a person: one that a side or the base lacks, because git may see a
 * rename there; one that was edited during the merge; and one whose joined text has a claim that
 * neither side declares.
 */
export async function joinedFiles(
  disk: SourceTree,
  { commits, trees }: Pick<CheckedMerge, 'commits' | 'trees'>,
  context: MergeContext,
): Promise<ReadonlyMap<string, string>> {
  const paths = unmergedDeclarations(context.state);
  const joined = paths.length > 0 ? await joinedCommits(commits, context) : undefined;
  if (!joined?.base) return new Map();
  const { ours, theirs, base, isMerge } = joined;
  const own = await trees.tree(ours);
  const [other, before] = [await trees.tree(theirs), await trees.tree(base)];
  const inAll = [disk, own, other, before].map(filesOf);
  const isAsOurs = (path: string) =>
    inAll.every((files) => files.has(path)) && textIn(disk, path) === textIn(own, path);
  const merge = { ours: ours.id, theirs: theirs.id, base: isMerge ? undefined : base.id };
  const made = await commits.automerge(merge, paths.filter(isAsOurs));
  const files = new Map(
    [...(made ?? [])].flatMap(([path, bytes]): [string, string][] =>
      typeof bytes === 'string' ? [] : [[path, Buffer.from(bytes).toString('utf8')]],
    ),
  );
  const result = changedTree(disk);
  await result.commit({ writes: files, removes: [] });
  const declared = readDeclared(result);
  const sides = [own, other].map((tree) => ({
    items: mergedItems(readDeclared(tree, declared.pools)),
  }));
  for (const { at } of mixedUp(mergedItems(declared), sides)) files.delete(at.file);
  return files;
}

function filesOf(tree: SourceTree): ReadonlySet<string> {
  const files = tree.list(leasesFolder).filter(({ kind }) => kind === 'file');
  return new Set(files.map(({ path }) => path));
}

/** The edits of both sides of an unfinished merge that its result lacks, HEAD's first. */
export async function droppedInMerge(
  trees: MergeTrees,
  {
    joined,
    workspace: { pools },
  }: { readonly joined: JoinedCommits | undefined; readonly workspace: Workspace },
  result: SourceTree,
): Promise<readonly DroppedEdit[]> {
  if (!joined?.base) return [];
  const base = await trees.tree(joined.base);
  const dropped: DroppedEdit[] = [];
  for (const side of ['ours', 'theirs'] as const) {
    const sides = { base, side: await trees.tree(joined[side]), result };
    dropped.push(...droppedEdits(sides, names[side], pools));
  }
  return dropped;
}

/** Adds to FILE_UNMERGED what each side has changed in the file, and how to see it. */
export async function withEdits(
  problems: readonly Problem[],
  commits: Commits,
  context: MergeContext,
): Promise<readonly Problem[]> {
  const joined = await joinedCommits(commits, context);
  if (!joined?.base) return problems;
  const base = readDeclared(await commits.tree(joined.base.id));
  const edits: [name: string, file: string, text: string][] = [];
  for (const side of ['ours', 'theirs'] as const) {
    const own = readDeclared(await commits.tree(joined[side].id), base.pools);
    for (const { at, text } of editTexts(mergedItems(base), mergedItems(own))) {
      edits.push([names[side], at.file, text]);
    }
  }
  return problems.map((problem) => {
    const own = edits.filter(([, file]) => file === problem.at.file);
    if (problem.code !== 'FILE_UNMERGED' || own.length === 0) return problem;
    const bySide = Object.values(names).flatMap((name) => {
      const texts = own.filter(([side]) => side === name).map(([, , text]) => text);
      return texts.length > 0 ? [`${name} has ${texts.join(' and ')}`] : [];
    });
    return { ...problem, message: `${problem.message}: ${bySide.join('; ')}` };
  });
}
