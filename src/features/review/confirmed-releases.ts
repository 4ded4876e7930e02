import { heldCount, isHeld, leftAddresses } from '../../model/allocation.ts';
import { addDays, type Day } from '../../model/day.ts';
import { isPromiseOver } from '../../model/lease.ts';
import type { Problem } from '../../model/problem.ts';
import { formatAddress } from '../../net/address.ts';
import type { Commit } from '../../ports/commits.ts';
import { type Declared, readDeclared } from '../../workspace/declared.ts';
import type { PlannedRun, RunBase } from '../synth/planned-run.ts';
import { massRelease, type Releases } from '../synth/synth.ts';
import type { Comparison } from './comparison.ts';

/** The records of the head. */
type Records = Pick<Declared, 'table' | 'hostnameTable'>;

/** The base of a pull request, and the records of its head. */
interface Sides {
  readonly base: Declared;
  readonly head: Records;
}

/** MASS_RELEASE, unless the option or a commit of the pull request confirms the releases. */
export function unconfirmedReleases(
  { day, between }: Comparison,
  { base, head }: Sides,
  allowRelease: number | undefined,
): Problem | undefined {
  const allowed = [
    ...(allowRelease === undefined ? [] : [allowRelease]),
    ...confirmedReleases(between),
  ];
  return massRelease({ ...releasesOf({ base, head }, day), allowed }, trailerHint);
}

/**
 * The line after a run with releases that `--allow-release` confirms: the trailer that the pull
 * request needs for all its releases, or the command that names it when the base of the branch is
 * unknown. Empty when it needs none, and without the option.
 */
export async function releaseTrailerText(
  allowRelease: number | undefined,
  { changes, hostnames, table }: Pick<PlannedRun, 'changes' | 'hostnames' | 'table'>,
  { today, base }: { readonly today: Day; readonly base?: RunBase | undefined },
): Promise<string> {
  if (allowRelease === undefined) return '';
  if (!base) {
    const isReleasing = [...changes, ...hostnames.changes].some(({ kind }) => kind === 'released');
    return isReleasing
      ? 'a pull request with these releases can need a trailer: leasehold check --base names it\n'
      : '';
  }
  const head = { table, hostnameTable: hostnames.table };
  const releases = releasesOf({ base: readDeclared(await base.tree()), head }, today);
  if (!massRelease({ ...releases, allowed: [] }, trailerHint)) return '';
  const count = releases.addresses.files.length + releases.hostnames.files.length;
  return `${trailerHint(count)}, for all its releases\n`;
}

/** The releases of a pull request, and what its base holds. */
function releasesOf({ base, head }: Sides, day: Day): Omit<Releases, 'allowed'> {
  return {
    addresses: { held: heldCount(base.table), files: releasedFiles(base, head, day) },
    hostnames: { held: heldCount(base.hostnameTable), files: releasedHostnames(base, head) },
  };
}

/**
 * The allocation files of addresses that are held in the base but not in the head, without moves
 * and without those of promises that are over.
 */
function releasedFiles(base: Declared, head: Records, day: Day): string[] {
  const left = leftAddresses(head.table);
  // One day more, for clock skew.
  const over = new Set(
    (base.holders ?? [])
      .filter(({ claims, promise }) => {
        return claims.length === 0 && promise && isPromiseOver(promise, addDays(day, 1));
      })
      .map(({ id }) => id),
  );
  return [...base.table.values()]
    .filter((record) => isHeld(record) && !over.has(record.holder))
    .flatMap((record) => {
      const address = formatAddress(record.address);
      const after = head.table.get(address);
      const stays = after !== undefined && isHeld(after);
      return stays || left.has(`${record.holder} ${address}`) ? [] : (record.at?.file ?? []);
    });
}

/** The records of hostnames that are held in the base but not in the head. */
function releasedHostnames(base: Declared, head: Records): string[] {
  return [...base.hostnameTable.values()].filter(isHeld).flatMap(({ hostname, at }) => {
    const after = head.hostnameTable.get(hostname);
    return after && isHeld(after) ? [] : (at?.file ?? []);
  });
}

const allowTrailer = /^Leasehold-Allow-Release: (\d{1,9})$/gm;

/**
 * The number of releases that a pull request confirms: that of the newest commit with the trailer.
 * A commit with several numbers confirms none.
 */
function confirmedReleases(commits: readonly Commit[]): readonly number[] {
  for (const { message } of commits) {
    const numbers = new Set([...message.matchAll(allowTrailer)].map(([, count]) => Number(count)));
    if (numbers.size > 0) return numbers.size === 1 ? [...numbers] : [];
  }
  return [];
}

function trailerHint(count: number): string {
  return `add the trailer Leasehold-Allow-Release: ${count} to a commit of the pull request`;
}
