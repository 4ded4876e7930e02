import { namesOf } from '../declarations/dns-rules.ts';
import { isFree, isHeld, ownerOf } from '../model/allocation.ts';
import type { Claim } from '../model/claim.ts';
import type { Day } from '../model/day.ts';
import { holderText } from '../model/holder.ts';
import {
  answeringNames,
  type Hostname,
  type HostnameRecord,
  type HostnameTable,
  isOfRoutes,
} from '../model/hostname.ts';
import { addToGroup } from '../model/order.ts';
import type { Pools } from '../model/pools.ts';
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

  /** The records that overlap a name. */
  of(name: string): HostnameRecord[] {
    const above = answeringNames(name).flatMap((one) => this.#byName.get(one) ?? []);
    return [...above, ...(this.#byWildcard.get(name) ?? [])];
  }

  /** The records of other holders that overlap a hostname. */
  othersOf({ hostname, holder }: HostnameRecord): HostnameRecord[] {
    return this.of(hostname).filter((record) => record.holder !== holder);
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

/**
 * HOSTNAME_KEPT for each DNS name of claims that overlaps a hostname that is kept for another owner
 * today. Without the names of the Service that routes hostnames: they lead to it.
 */
export function keptDnsProblems(
  claims: readonly Claim[],
  table: HostnameTable,
  { pools, today }: { readonly pools: Pools; readonly today: Day },
): Problem[] {
  const index = new OverlapIndex(
    [...table.values()].filter((record) => !isHeld(record) && !isFree(record, today)),
  );
  const own = claims.filter((claim) => !isOfRoutes(claim, pools));
  return namesOf(own).flatMap(({ holder, declared: { name, at } }): Problem[] => {
    const owner = ownerOf(holder);
    const other = index
      .of(name)
      .find((record) => owner === undefined || ownerOf(record.holder) !== owner);
    return other ? [kept({ what: 'DNS name', hostname: name, at }, other)] : [];
  });
}

/** HOSTNAME_KEPT for a name that is kept for another holder, or overlaps one. */
export function kept(
  { what = 'hostname', hostname, at }: KeptName,
  record: HostnameRecord,
): Problem {
  const { freeFrom } = record.released ?? {};
  const which = record.hostname === hostname ? '' : ` overlaps ${record.hostname}, which`;
  const message = `the ${what} ${hostname}${which} is kept for ${holderText(record.holder)} until ${freeFrom}`;
  const wait = `use another name, or wait until ${freeFrom}`;
  const hint =
    what === 'hostname'
      ? wait
      : `${wait}; or, if the Service routes the hostnames, name it in routes.service of the cluster`;
  return { code: 'HOSTNAME_KEPT', message, at, also: [placeOf(record)], hint };
}

interface KeptName extends Pick<Hostname, 'hostname' | 'at'> {
  readonly what?: 'hostname' | 'DNS name';
}

/** The place of a record: its file. */
export function placeOf({ hostname, at }: HostnameRecord): Problem['at'] {
  return at ?? startOf(hostnamePath(hostname));
}
