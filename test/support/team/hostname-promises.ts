import { isOverlap } from '../allocations/naive-rules.ts';
import type { HostnameRecordView } from './hostname-view.ts';
import type { TreeView } from './view.ts';

/** The promises about hostnames that main breaks, beside those of each name alone. */
export function brokenHostnames(before: TreeView | undefined, after: TreeView): readonly string[] {
  return [...unrouted(after), ...heldTwice(after), ...givenEarly(before, after)];
}

/** Every declared hostname has a record of its holder and one route, and nothing else has. */
function unrouted({ hostnames, hostnameRecords, routed }: TreeView): readonly string[] {
  const declared = new Map(hostnames.map(({ hostname, holder }) => [hostname, holder]));
  const wrong = hostnames.flatMap(({ hostname, holder }) => {
    const record = hostnameRecords.get(hostname);
    const isHeld = record?.holder === holder && record.freeFrom === undefined;
    return isHeld ? [] : [`${hostname} of ${holder} has no record`];
  });
  if (declared.size < hostnames.length) wrong.push('a hostname is declared twice');
  for (const { hostname } of heldIn({ hostnameRecords })) {
    if (!declared.has(hostname)) wrong.push(`${hostname} is held without a declaration`);
    if (routed.get(hostname)?.length !== 1) wrong.push(`${hostname} is not routed once`);
  }
  for (const hostname of routed.keys()) {
    if (!declared.has(hostname)) wrong.push(`${hostname} is routed without a declaration`);
  }
  return wrong;
}

/** No two names that overlap have two holders. */
function heldTwice(view: TreeView): readonly string[] {
  const held = heldIn(view);
  return held.flatMap((one) =>
    held
      .filter(({ hostname, holder }) => holder > one.holder && isOverlap(hostname, one.hostname))
      .map(({ hostname }) => `${hostname} and ${one.hostname} have two holders`),
  );
}

/** Nobody gets a name that overlaps one that is kept for another holder. */
function givenEarly(before: TreeView | undefined, after: TreeView): readonly string[] {
  const kept = [before, after].flatMap((view) => [...(view?.hostnameRecords.values() ?? [])]);
  return heldIn(after).flatMap(({ hostname, holder, since }) => {
    const former = before?.hostnameRecords.get(hostname);
    if (former?.holder === holder && former.freeFrom === undefined) return [];
    return kept
      .filter((other) => other.holder !== holder && isOverlap(other.hostname, hostname))
      .filter(({ freeFrom = '' }) => since < freeFrom)
      .map((other) => `${hostname} goes to ${holder} on ${since}, and ${other.hostname} is kept`);
  });
}

function heldIn({
  hostnameRecords,
}: Pick<TreeView, 'hostnameRecords'>): readonly HostnameRecordView[] {
  return [...hostnameRecords.values()].filter(({ freeFrom }) => freeFrom === undefined);
}
