import { claimsOf, offersOf, poolsFor, requestsOf } from './holder-requests.ts';
import type { SynthInput } from './ledger.ts';
import { families, familyOf, type PlainWorkspace } from './plain-workspace.ts';
import type { Entries, Entry } from './records.ts';

/**
 * The ledger once Services that took a sharing key, or joined the group over clusters, have brought their
 * addresses along: a group that lacks a family has what the first of its Services, by cluster and name, held under
 * its own name, if nobody claims that name any more and the address lies where the group may have one, in the
 * pool of what it has.
 */
export function inherited({ workspace }: SynthInput, entries: Entries): Entries {
  const requests = requestsOf(workspace);
  const offers = offersOf(workspace);
  const { listing } = offers;
  const next = new Map<string, Entry>(entries);
  const heldBy = (holder: string) =>
    [...entries].filter(([, entry]) => entry.holder === holder && !entry.released);
  for (const [group, members] of groupsOf(workspace)) {
    const kept = heldBy(group).map(([text]) => text);
    const brought = members.filter((own) => !requests.has(own)).flatMap(heldBy);
    for (const family of families) {
      const request = requests.get(group);
      if (!request?.families.has(family)) continue;
      const allowed = poolsFor(request, workspace, offers);
      if (kept.some((text) => familyOf(text) === family)) continue;
      const found = brought.find(
        ([text]) =>
          familyOf(text) === family &&
          allowed.some((pool) => pool === listing.get(text)) &&
          kept.every((other) => listing.get(other) === listing.get(text)),
      );
      if (!found) continue;
      const [text, entry] = found;
      kept.push(text);
      next.set(text, { ...entry, holder: group });
    }
  }
  return next;
}

/** The names that the Services of each group have alone, by cluster and name. */
function groupsOf({ declared }: PlainWorkspace): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const words of declared.values()) {
    if (words.kind === 'Lease') continue;
    const [claim] = claimsOf(words);
    const own = `${words.cluster}/service/${words.namespace}/${words.name}`;
    if (claim === undefined || claim.holder === own) continue;
    groups.set(claim.holder, [...(groups.get(claim.holder) ?? []), own].sort());
  }
  return groups;
}
