import type { Commit, Commits } from '../../interfaces/commits.ts';
import type { Problem } from '../../model/problem.ts';
import { readDeclared } from '../../tree/declared.ts';
import {
  massRelease,
  type Releases,
  releasesOf,
  unconfirmedCount,
} from '../synth/mass-releases.ts';
import { type Comparison, type Sides, shownRef } from './comparison.ts';

/**
 * MASS_RELEASE, unless the records, the option or a commit of the pull request confirm the releases.
 * A forge, or a merge train, merges each pull request into the target by a commit of its own: then
 * each is judged by itself.
 */
export async function unconfirmedReleases(
  commits: Commits,
  comparison: Comparison,
  { base, head }: Sides,
  allowRelease: number | undefined,
): Promise<readonly Problem[]> {
  const { day, between, merged, targetRef } = comparison;
  const found = releasesOf(base, head, day);
  const ref = shownRef(targetRef) ?? comparison.base.id.slice(0, 12);
  const mass = massRelease(found, (count) => {
    return `run \`leasehold synth --base ${ref} --allow-release ${count}\`, and commit what it writes: the records then say that the releases are confirmed`;
  });
  if (!mass) return [];
  const messages = [between];
  for (const { id } of merged) messages.push(await commits.between(comparison.base.id, id));
  const allowed = [allowRelease, ...messages.map(confirmedNumber)];
  if (allowed.some((number) => isConfirmed(found, number))) return [];
  return (await isConfirmedByMerges(commits, comparison)) ? [] : [mass];
}

/** True when a number is that of all releases, or of those whose record has no confirmation. */
function isConfirmed(releases: Releases, number: number | undefined): boolean {
  const count = unconfirmedCount(releases);
  const { addresses, hostnames } = releases;
  return number === count || number === count + addresses.confirmed + hostnames.confirmed;
}

/** True when the target gets the change in several merge commits, and the releases of each are few or confirmed. */
async function isConfirmedByMerges(commits: Commits, comparison: Comparison): Promise<boolean> {
  const merges = mergesOf(comparison);
  if (merges.length < 2) return false;
  for (const { id, parents, day } of merges) {
    const [before = ''] = parents;
    const base = readDeclared(await commits.tree(before));
    const found = releasesOf(base, readDeclared(await commits.tree(id)), day);
    const number = confirmedNumber(await commits.between(before, id));
    if (massRelease(found, () => '') && !isConfirmed(found, number)) return false;
  }
  return true;
}

/** The commits along first parents from the head to the base; none unless all are merges. */
function mergesOf({ base, head, between, isUncommitted }: Comparison): readonly Commit[] {
  if (isUncommitted) return [];
  const byId = new Map(between.map((commit) => [commit.id, commit]));
  const merges: Commit[] = [];
  for (let id = head.id; id !== base.id; ) {
    const commit = byId.get(id);
    const [before, other] = commit?.parents ?? [];
    if (!commit || before === undefined || other === undefined) return [];
    merges.push(commit);
    id = before;
  }
  return merges;
}

const allowTrailer = /^Leasehold-Allow-Release: (\d{1,9})\r?$/gm;

/**
 * The number of releases that commits confirm: that of the newest one with the trailer. A commit
 * with several numbers confirms none. Earlier versions asked for this trailer.
 */
function confirmedNumber(commits: readonly Commit[]): number | undefined {
  for (const { message } of commits) {
    const numbers = new Set([...message.matchAll(allowTrailer)].map(([, count]) => Number(count)));
    if (numbers.size > 0) return numbers.size === 1 ? [...numbers][0] : undefined;
  }
  return undefined;
}
