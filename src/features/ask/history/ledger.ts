import { allocationsFolder } from '../../../model/folders.ts';
import { compareText } from '../../../model/order.ts';
import { formatAddress, isAddress, parseAddress } from '../../../net/address.ts';
import { allocationPath } from '../../../records/allocation-file.ts';
import { type HistoryPorts, periodsOf } from './address-history.ts';
import type { HistoryPeriod } from './address-history-answer.ts';
import { historyEventsOf } from './history-events.ts';

/** Who had every address from when to when, as it took effect on a branch. */
export interface Ledger {
  /** The ref whose first parents were followed. */
  readonly ref: string;
  /** Its commit, by its full object name. */
  readonly commit: string;
  /** The committer's time of that commit, UTC, `2026-01-02T10:00:00Z`. */
  readonly at: string;
  /** True when the clone lacks older commits: what was before is not known. */
  readonly shallow: boolean;
  /** By canonical address: of each address that ever had a record what `addressHistory` tells, the oldest first. */
  readonly histories: ReadonlyMap<string, readonly HistoryPeriod[]>;
}

/**
 * The histories of all addresses in one walk of git. Without a ref, of what is in effect
 * (`CommitLog.defaultRef`). An EnvironmentError when the ref names no commit.
 */
export async function ledgerOf(
  { commits, log }: HistoryPorts,
  ref: string | undefined,
): Promise<Ledger> {
  const followed = ref ?? (await log.defaultRef());
  const { id } = await commits.resolve(followed);
  const shallow = await log.isShallow();
  const { at } = await log.logged(id);
  const files = await log.folderVersions({ base: undefined, head: id }, allocationsFolder);
  const histories = new Map<string, readonly HistoryPeriod[]>();
  for (const [path, versions] of [...files].sort(([left], [right]) => compareText(left, right))) {
    const address = addressOfPath(path);
    if (address === undefined) continue;
    const periods = periodsOf(historyEventsOf(path, versions, shallow));
    if (periods.length > 0) histories.set(address, periods);
  }
  return { ref: followed, commit: id, at, shallow, histories };
}

/** Canonical text of the address whose record a file is; undefined for a file that is no address's. */
export function addressOfPath(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.yaml$/, '');
  const address = parseAddress(/^[0-9.]+$/.test(name) ? name : name.replaceAll('-', ':'));
  if (!isAddress(address) || allocationPath(address) !== path) return undefined;
  return formatAddress(address);
}
