import * as z from 'zod';
import { keyParts } from '../../../core/model/claim.ts';
import { type Answer, apiVersion } from '../../../core/text/answer.ts';
import { wholeNames } from '../../../core/text/short-account.ts';
import {
  type HistoryPorts,
  type HistorySpan,
  historiesOf,
  isWithin,
} from '../../../lib/history/address-history.ts';
import {
  type HistoryPeriod,
  historyBranchFields,
  historyPeriods,
} from '../../../lib/history/address-history-answer.ts';

export const holderHistorySchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('HolderHistory'),
    asked: z.string().describe('The holder, owner, namespace, Service or IP endpoint, as typed.'),
    ...historyBranchFields,
    items: z
      .array(
        z.strictObject({
          address: z.string().exactOptional().describe('In canonical form.'),
          hostname: z.string().exactOptional(),
          periods: historyPeriods,
        }),
      )
      .describe('The addresses, IPv4 first, and then the hostnames that it has or had.'),
  })
  .describe('The output of leasehold history -o json for a holder.');

export type HolderHistory = Answer<typeof holderHistorySchema>;

/**
 * Returns the periods in which a branch records an address or a hostname for a holder. A name is
 * that of {@link holderNames}. A period under a former name counts when a rename leads from it to
 * the holder. An account may be shortened as tables print it; several accounts that fit are all
 * meant. `names` are asked for in its place.
 */
export async function holderHistory(
  ports: HistoryPorts,
  asked: string,
  span: HistorySpan,
  names?: readonly string[],
): Promise<HolderHistory> {
  const { histories, hostnameHistories, ref, commit, shallow } = await historiesOf(ports, span.ref);
  const holders = [...histories.values(), ...hostnameHistories.values()].flatMap((periods) =>
    periods.flatMap(({ holder }) => holder ?? []),
  );
  const known = names ?? wholeNames(asked, holders);
  const own = (periods: readonly HistoryPeriod[]) =>
    ownPeriods(periods, known).filter((period) => isWithin(period, span));
  const items = [
    ...[...histories].map(([address, periods]) => ({ address, periods: own(periods) })),
    ...[...hostnameHistories].map(([hostname, periods]) => ({ hostname, periods: own(periods) })),
  ].filter(({ periods }) => periods.length > 0);
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'HolderHistory',
    asked,
    ref,
    commit,
    shallow,
    items,
  };
}

/** The periods of a named holder, with those before a rename. */
function ownPeriods(
  periods: readonly HistoryPeriod[],
  names: readonly string[],
): readonly HistoryPeriod[] {
  let isOwn = false;
  const found: HistoryPeriod[] = [];
  for (const period of [...periods].reverse()) {
    const isNamed =
      period.holder !== undefined &&
      holderNames(period.holder).some((name) => names.includes(name));
    if (isNamed || isOwn) found.unshift(period);
    isOwn = (isNamed || isOwn) && period.begun.event === 'renamed';
  }
  return found;
}

/**
 * The names of a recorded holder: its id, with and without its cluster; its sharing key, IP
 * endpoint, owner or group; `namespace/name` of a Service, and its namespace.
 */
function holderNames(holder: string): readonly string[] {
  const [, ...own] = holder.split('/');
  const key = own.at(-1) ?? '';
  const parts = keyParts(key);
  const ofLease = parts ? [parts.owner, parts.endpoint, `${parts.owner}/${parts.endpoint}`] : [];
  const names = [holder, own.join('/'), key, ...ofLease];
  return own.length === 3 ? [...names, own.slice(1).join('/'), own[1] ?? ''] : names;
}
