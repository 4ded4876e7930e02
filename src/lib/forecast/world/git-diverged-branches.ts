import type { FileDifference } from '../../../core/interfaces/commit-log.ts';
import { type Day, parseDay } from '../../../core/model/day.ts';
import { EnvironmentError } from '../../../core/model/problem.ts';
import { Git } from '../../../core/world/git/git.ts';
import type { RawDifference } from '../../../core/world/git/git-differences.ts';
import { linesIn } from '../../../core/world/git/git-text.ts';
import type { DivergedBranches } from '../../branch/diverged-branches.ts';
import { type ReadLines, treeDifferences } from './tree-differences.ts';

/**
 * Branches of others in the repository around root. `signal` ends a command that takes too long.
 */
export function gitDivergedBranches(root: string, signal?: AbortSignal): DivergedBranches {
  const git = new Git(root);
  const read: ReadLines = (command, lines) => git.readBounded(command, lines, signal);
  return {
    async days(commits) {
      const command = ['log', '--no-walk=unsorted', '--no-show-signature', '--format=%H %ct'];
      return daysIn(await read([...command, '--stdin'], commits));
    },
    async forkPoints(target, heads) {
      const command = ['rev-list', '--parents', '--stdin'];
      const parents = parentsIn(await read(command, [...heads, `^${target}`]));
      return new Map(heads.map((head) => [head, forkPointsOf(head, parents)]));
    },
    async firstParents({ base, head }) {
      const without = base === undefined ? [] : [`^${base}`];
      const output = await read(['rev-list', '--first-parent', '--stdin'], [head, ...without]);
      return linesIn(output);
    },
    async differences(divergences, folder) {
      const found = await treeDifferences(read, divergences, folder);
      const contents = await contentsOf(git, [...found.values()].flat(), read);
      return new Map([...found].map(([head, files]) => [head, withContents(files, contents)]));
    },
  };
}

function daysIn(output: string): ReadonlyMap<string, Day> {
  return new Map(
    output.split('\n').flatMap((line): [string, Day][] => {
      const [, id, seconds] = /^([0-9a-f]+) (-?\d+)$/.exec(line) ?? [];
      const day = dayOf(Number(seconds));
      return id === undefined || day === undefined ? [] : [[id, day]];
    }),
  );
}

/** Undefined for a day that is not within the years 0000 to 9999. */
function dayOf(seconds: number): Day | undefined {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? undefined : parseDay(time.toISOString().slice(0, 10));
}

/** The parents of each commit that the heads have and the target lacks. */
function parentsIn(output: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    linesIn(output).map((line): [string, readonly string[]] => {
      const [id = '', ...parents] = line.split(' ');
      return [id, parents];
    }),
  );
}

/** The first commits of the target on all ways back from a head. */
function forkPointsOf(
  head: string,
  parents: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const seen = new Set([head]);
  const found: string[] = [];
  for (const id of seen) {
    const own = parents.get(id);
    if (own === undefined) found.push(id);
    else for (const parent of own) seen.add(parent);
  }
  return found;
}

/** The largest file that is read. A record of an address has some hundreds of bytes. */
const mostBytes = 16 * 1024;

/** The most bytes of files that are compared together. */
const mostBytesTogether = 64 * 1024 * 1024;

async function contentsOf(
  git: Git,
  files: readonly RawDifference[],
  read: ReadLines,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const ids = files.flatMap(({ before, after }) => [before, after]);
  const names = new Set(ids.filter((id) => id !== undefined));
  const small: string[] = [];
  let together = 0;
  for (const line of (await read(['cat-file', '--batch-check'], [...names])).split('\n')) {
    const [, id, size] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? [];
    if (id === undefined || Number(size) > mostBytes) continue;
    small.push(id);
    together += Number(size);
  }
  if (together > mostBytesTogether) throw new EnvironmentError('it is too large to be read');
  const objects = await git.objects.read(small);
  return new Map(small.map((id, index) => [id, objects[index]?.bytes ?? nothing]));
}

const nothing = new Uint8Array();

function withContents(
  files: readonly RawDifference[],
  contents: ReadonlyMap<string, Uint8Array>,
): ReadonlyMap<string, FileDifference> {
  const content = (id: string | undefined) =>
    id === undefined ? undefined : (contents.get(id) ?? nothing);
  return new Map(
    files.map(({ path, before, after }) => [
      path,
      { before: content(before), after: content(after) },
    ]),
  );
}
