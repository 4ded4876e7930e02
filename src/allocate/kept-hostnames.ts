import { isHeld } from '../model/allocation.ts';
import type { Day } from '../model/day.ts';
import { holderText } from '../model/holder.ts';
import {
  answeringNames,
  type Hostname,
  type HostnameRecord,
  type HostnameTable,
} from '../model/hostname.ts';
import { addToGroup } from '../model/order.ts';
import { type Problem, startOf } from '../model/problem.ts';
import { domainsAbove } from '../net/dns-name.ts';
import { hostnamePath } from '../records/hostname-file.ts';

/**
 * Records of hostnames, found by names that overlap theirs. Two names overlap when they are equal,
 * or when one is in the domain of the other, a wildcard.
 */
export class OverlapIndex {
  readonly #byName = new Map<string, HostnameRecord[]>();
  readonly #byWildcard = new Map<string, HostnameRecord[]>();

  constructor(records: Iterable<HostnameRecord>) {
    for (const record of records) {
      addToGroup(this.#byName, record.hostname, record);
      for (const domain of domainsAbove(record.hostname)) {
        addToGroup(this.#byWildcard, `*.${domain}`, record);
      }
    }
  }

  /** The records of other holders that overlap a hostname. */
  othersOf({ hostname, holder }: HostnameRecord): HostnameRecord[] {
    const above = answeringNames(hostname).flatMap((name) => this.#byName.get(name) ?? []);
    const below = this.#byWildcard.get(hostname) ?? [];
    return [...above, ...below].filter((record) => record.holder !== holder);
  }
}

/** True when a holder gets a hostname that it did not hold before. */
export function isGiven(before: HostnameRecord | undefined, after: HostnameRecord): boolean {
  const isOwn = before !== undefined && isHeld(before) && before.holder === after.holder;
  return isHeld(after) && !isOwn;
}

/**
 * HOSTNAME_KEPT for each declared hostname that its holder got while an overlapping name was kept
 * for another holder: in this run, or since a day after the release. A hostname that was held
 * before the release of the other name stays.
 */
export function keptProblems(
  hostnames: readonly Hostname[],
  { before, after }: { readonly before: HostnameTable; readonly after: HostnameTable },
  today: Day | undefined,
): Problem[] {
  const released = new OverlapIndex([...after.values()].filter((record) => !isHeld(record)));
  return hostnames.flatMap((declared): Problem[] => {
    const own = after.get(declared.hostname);
    if (!own || !isHeld(own)) return [];
    const isNew = isGiven(before.get(own.hostname), own);
    const other = released.othersOf(own).find(({ released }) => {
      if (!released || released.freeFrom <= (today ?? own.since)) return false;
      return isNew || (released.on < own.since && own.since < released.freeFrom);
    });
    return other ? [kept(declared, other)] : [];
  });
}

/** HOSTNAME_KEPT for a hostname that is kept for another holder, or overlaps one. */
export function kept({ hostname, at }: Hostname, record: HostnameRecord): Problem {
  const { freeFrom } = record.released ?? {};
  const which = record.hostname === hostname ? '' : ` overlaps ${record.hostname}, which`;
  const message = `the hostname ${hostname}${which} is kept for ${holderText(record.holder)} until ${freeFrom}`;
  const hint = `use another name, or wait until ${freeFrom}`;
  return { code: 'HOSTNAME_KEPT', message, at, also: [placeOf(record)], hint };
}

/** The place of a record: its file. */
export function placeOf({ hostname, at }: HostnameRecord): Problem['at'] {
  return at ?? startOf(hostnamePath(hostname));
}
