/**
 * A second implementation of the rules of hostnames: who may get which name, and what is recorded of it. It shares no
 * code with the product.
 */

import { daysAfter, isOverlap } from '../allocations/naive-rules.ts';
import { promisedUntil, stillPromised } from '../allocations/retention.ts';

/** What is recorded of a hostname. */
interface HostnameEntry {
  readonly hostname: string;
  readonly holder: string;
  readonly since: string;
  readonly retain: number;
  readonly keepUntil: string | undefined;
  readonly released: { readonly on: string; readonly freeFrom: string } | undefined;
}

/** What is recorded of all hostnames, by name. */
export type HostnameEntries = ReadonlyMap<string, HostnameEntry>;

/** What a run of synth sees: the holder of each declared name, and the day. */
export interface HostnameInput {
  readonly declared: ReadonlyMap<string, string>;
  readonly retentionDays: number;
  readonly today: string;
}

/** What is recorded after a run that is not refused. */
export function recordedAfter(
  before: HostnameEntries,
  { declared, retentionDays, today }: HostnameInput,
): HostnameEntries {
  const after = new Map<string, HostnameEntry>();
  for (const [hostname, entry] of before) {
    if (entry.released) after.set(hostname, entry);
    else if (declared.has(hostname)) after.set(hostname, refreshed(entry, retentionDays, today));
    else after.set(hostname, releasedOn(entry, today));
  }
  for (const [hostname, holder] of declared) {
    const former = before.get(hostname);
    if (former && !former.released) continue;
    const made = { hostname, holder, since: today, retain: retentionDays };
    const kept = former?.holder === holder ? former.released?.freeFrom : undefined;
    const isLonger = kept !== undefined && kept > daysAfter(today, retentionDays);
    after.set(hostname, { ...made, keepUntil: isLonger ? kept : undefined, released: undefined });
  }
  return after;
}

function releasedOn(entry: HostnameEntry, today: string): HostnameEntry {
  const released = { on: today, freeFrom: promisedUntil(entry, today) };
  return { ...entry, keepUntil: undefined, released };
}

function refreshed(entry: HostnameEntry, retain: number, today: string): HostnameEntry {
  return { ...entry, retain, keepUntil: stillPromised(entry, retain, today) };
}

/** Why a run must be refused; empty when it must go well. */
export function hostnameRefusals(before: HostnameEntries, input: HostnameInput): string[] {
  const { declared, today } = input;
  const after = recordedAfter(before, input);
  return [...declared].flatMap(([hostname, holder]) => {
    const former = before.get(hostname);
    const isOwn = former?.holder === holder && !former.released;
    const declaredToo = [...declared]
      .filter(([other, its]) => its !== holder && isOverlap(hostname, other))
      .map(([other]) => `${hostname} of ${holder} overlaps ${other}`);
    const held =
      former && !former.released && former.holder !== holder
        ? [`${hostname} of ${holder} is held by ${former.holder}`]
        : [];
    const kept = [...before.values(), ...after.values()]
      .filter((other) => !isOwn && other.holder !== holder && isOverlap(hostname, other.hostname))
      .filter(({ released }) => released !== undefined && released.freeFrom > today)
      .map((other) => `${hostname} of ${holder} is kept for ${other.holder} by ${other.hostname}`);
    return [...declaredToo, ...held, ...kept];
  });
}

/** What is wrong in a table: a holder without its names, or two for one. */
export function hostnameFaults(
  entries: HostnameEntries,
  { declared }: Pick<HostnameInput, 'declared'>,
): string[] {
  const held = [...entries.values()].filter(({ released }) => !released);
  const missing = [...declared]
    .filter(([name, holder]) => !held.some((one) => one.hostname === name && one.holder === holder))
    .map(([name, holder]) => `${holder} has not ${name}`);
  const astray = held
    .filter(({ hostname }) => !declared.has(hostname))
    .map(({ hostname }) => `${hostname} is held without a declaration`);
  const twice = held.flatMap((one) =>
    held
      .filter(({ hostname, holder }) => holder > one.holder && isOverlap(hostname, one.hostname))
      .map(({ hostname }) => `${hostname} and ${one.hostname} have two holders`),
  );
  return [...missing, ...astray, ...twice];
}
