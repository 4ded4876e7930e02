import { readLeaseFile } from '../../core/declarations/lease/lease-file.ts';
import type { SourceTree, TreeChanges } from '../../core/interfaces/tree.ts';
import { addressesHeldBy } from '../../core/model/allocation.ts';
import {
  claimText,
  endpointHolder,
  isLeaseClaim,
  type LeaseClaim,
} from '../../core/model/claim.ts';
import { isSameEndpoint, leaseIdText } from '../../core/model/lease.ts';
import { fail, type Outcome, ok, type Problem } from '../../core/model/problem.ts';
import { formatAddress } from '../../core/net/address.ts';
import type { Declared } from '../../core/tree/declared.ts';
import { leaseOf } from '../../core/tree/workspace.ts';
import { newLeaseText, type WrittenClaim } from './declaration-edits.ts';
import { addParts, type LeaseName, leaseNamed, removeParts } from './lease-edits.ts';

/** A claim to declare, and its lease. */
export interface NewClaim {
  readonly lease: LeaseName & { readonly folder?: string };
  /** Already validated. */
  readonly claim: WrittenClaim;
  /** Allows it to take the claim over from another lease of the same owner. */
  readonly overwrite: boolean;
}

/** The files that declare a claim. */
export interface ClaimEdit {
  readonly changes: TreeChanges;
  /** The claim that is taken over from another lease, if any; or that no edit is needed. */
  readonly value: LeaseClaim | 'declared already' | undefined;
}

/**
 * Declares a claim: in the file of its lease, or in a new one. An equal claim of the same lease
 * needs no edit. Problems: PORT_TAKEN for a different claim on the port and for one of another
 * lease, unless it is taken over; SDL_NOT_EDITED.
 */
export function claimEdit(
  tree: SourceTree,
  declared: Declared,
  wanted: NewClaim,
): Outcome<ClaimEdit> {
  const existing = declared.claims
    .filter(isLeaseClaim)
    .find((claim) => hasPortOf(claim, wanted, declared));
  if (existing && isEqual(declared, existing, wanted)) {
    return ok({ changes: { writes: new Map(), removes: [] }, value: 'declared already' });
  }
  const refused = existing && refusal(declared, existing, wanted);
  if (refused) return fail([refused]);
  const added = addParts(tree, declared, wanted.lease, {
    claims: [wanted.claim],
    hosts: [],
  });
  if (!added.ok) return added;
  const removed = existing
    ? removeParts(tree, declared, leaseOf(declared, existing), {
        claims: [existing],
        hostnames: [],
      })
    : undefined;
  if (removed && !removed.ok) return removed;
  const changes = {
    writes: new Map([...(removed?.value.writes ?? []), ...added.value.writes]),
    removes: removed?.value.removes ?? [],
  };
  return ok({ changes, value: existing });
}

/** True for a claim on the port and of the holder of a new claim. */
export function hasPortOf(
  { holder, externalPort, protocol }: LeaseClaim,
  wanted: NewClaim,
  declared: Pick<Declared, 'pools'>,
): boolean {
  const { claim } = wanted;
  return (
    externalPort === (claim.externalPort ?? claim.port) &&
    protocol === (claim.protocol ?? 'TCP') &&
    holder === holderOf(wanted, declared)
  );
}

function holderOf({ lease, claim }: NewClaim, { pools }: Pick<Declared, 'pools'>): string {
  const cluster = lease.cluster ?? pools?.defaultCluster ?? '';
  return endpointHolder(cluster, lease.owner, claim.name);
}

/** True for a claim of the same lease that equals a new claim with its defaults. */
function isEqual(
  declared: Declared,
  existing: LeaseClaim,
  { lease: name, claim }: NewClaim,
): boolean {
  const lease = leaseOf(declared, existing);
  if (lease !== leaseNamed(declared, name)) return false;
  const wanted = { claims: [claim], hosts: [] };
  const text = newLeaseText({ ...lease.id, cluster: lease.cluster }, wanted);
  const read = readLeaseFile(lease.at.file, new TextEncoder().encode(text), declared.pools);
  const own = lease.endpoints.find(({ at }) => at === existing.at);
  if (!read.ok || !read.value || !('endpoints' in read.value) || !own) return false;
  return read.value.endpoints.every((wanted) => isSameEndpoint(own, wanted));
}

/** PORT_TAKEN, unless the claim belongs to another lease and may be taken over. */
function refusal(
  declared: Declared,
  existing: LeaseClaim,
  { lease, overwrite }: NewClaim,
): Problem | undefined {
  const isOwn = leaseOf(declared, existing) === leaseNamed(declared, lease);
  if (overwrite && !isOwn) return undefined;
  const addresses = addressesHeldBy(declared.table, existing.holder).map(formatAddress);
  const on = addresses.length > 0 ? ` on ${addresses.join(' and ')}` : '';
  const whose = isOwn ? 'this lease' : `lease ${leaseIdText(existing.lease)}`;
  return {
    code: 'PORT_TAKEN',
    message: `endpoint '${existing.endpoint}' already has ${claimText(existing)} of ${whose}${on}`,
    at: existing.at,
    hint: isOwn
      ? 'to change it, purge the claim first, or edit the file and commit it'
      : 'if this lease replaces that one, end that one in the same change: the address stays (for bots: `leasehold declare --overwrite`); else choose another external port',
  };
}
