import {
  newLeaseText,
  type WrittenClaim,
  withEndpoint,
  withoutEndpoints,
} from '../declarations/declaration-edits.ts';
import { readLeaseFile } from '../declarations/lease/lease-file.ts';
import { addressesHeldBy } from '../model/allocation.ts';
import { claimText, isLeaseClaim, type LeaseClaim, sharingKey } from '../model/claim.ts';
import { type Endpoint, isSameEndpoint, type Lease, leaseIdText } from '../model/lease.ts';
import { fail, InternalError, type Outcome, ok, type Problem } from '../model/problem.ts';
import { leasesFolder } from '../model/repository-paths.ts';
import { formatAddress } from '../net/address.ts';
import type { SourceTree, TreeChanges } from '../ports/tree.ts';
import type { Declared } from './declared.ts';
import { textIn } from './tree-reader.ts';

/** A lease as a caller names it: its id without the provider, and a cluster or the default one. */
export interface LeaseName {
  readonly owner: string;
  readonly dseq: string;
  readonly gseq: number;
  readonly oseq: number;
  readonly cluster: string | undefined;
}

/** `owner/dseq/gseq/oseq`. */
export function leaseNameText({ owner, dseq, gseq, oseq }: LeaseName): string {
  return `${owner}/${dseq}/${gseq}/${oseq}`;
}

/** The lease of a claim. */
export function leaseOf(
  { leases }: Pick<Declared, 'leases'>,
  { lease, cluster }: LeaseClaim,
): Lease {
  const id = leaseIdText(lease);
  const found = leases.find((other) => other.cluster === cluster && leaseIdText(other.id) === id);
  if (found === undefined) throw new InternalError(`the claim of ${id} has no lease`);
  return found;
}

/** The declared lease of a name; undefined when it is not declared. */
export function leaseNamed({ leases, pools }: Declared, name: LeaseName): Lease | undefined {
  const cluster = name.cluster ?? pools?.defaultCluster;
  return leases.find(
    (lease) =>
      lease.cluster === cluster && leaseNameText({ ...lease.id, cluster }) === leaseNameText(name),
  );
}

/** The lease of new endpoints. */
interface NewLeaseName extends LeaseName {
  /** Only when it is not the cluster's. */
  readonly provider?: string;
  /** The folder of a new file; by default the owner's, `leases/<owner>`. */
  readonly folder?: string;
}

/**
 * Adds endpoints to a lease. A lease that is not declared yet gets a new file,
 * `<folder>/<dseq>-<gseq>-<oseq>.yaml`. Problem: SDL_NOT_EDITED.
 */
export function addClaims(
  tree: SourceTree,
  declared: Declared,
  name: NewLeaseName,
  [first, ...others]: readonly [WrittenClaim, ...WrittenClaim[]],
): Outcome<TreeChanges> {
  const lease = leaseNamed(declared, name);
  if (lease !== undefined) {
    const inSdl = sdlProblem(lease);
    if (inSdl) return fail([inSdl]);
    const text = [first, ...others].reduce(withEndpoint, textIn(tree, lease.at.file));
    return written(lease.at.file, text);
  }
  const { cluster, folder = `${leasesFolder}/${name.owner}`, ...id } = name;
  const path = freePath(tree, folder, `${name.dseq}-${name.gseq}-${name.oseq}`);
  const isDefault = cluster === undefined || cluster === declared.pools?.defaultCluster;
  const text = newLeaseText({ ...id, ...(isDefault ? {} : { cluster }) }, first);
  return written(path, others.reduce(withEndpoint, text));
}

/**
 * Removes claims of a lease. When none remains, removes its declaration, and its SDL unless another
 * lease reads it. SDL_NOT_EDITED when only some endpoints of an SDL would be removed.
 */
export function removeClaims(
  tree: SourceTree,
  { leases }: Pick<Declared, 'leases'>,
  lease: Lease,
  gone: readonly LeaseClaim[],
): Outcome<TreeChanges> {
  const file = lease.at.file;
  const isGone = ({ at }: Endpoint): boolean => gone.some((claim) => claim.at === at);
  if (lease.endpoints.every(isGone)) {
    const others = leases.filter((other) => other !== lease).flatMap(({ endpoints }) => endpoints);
    const read = new Set(others.map(({ at }) => at.file));
    const sources = new Set(lease.endpoints.map(({ at }) => at.file));
    const removes = [...new Set([file, ...sources])].filter((path) => !read.has(path));
    return ok({ writes: new Map(), removes });
  }
  const inSdl = sdlProblem(lease);
  if (inSdl) return fail([inSdl]);
  const indexes = lease.endpoints.flatMap((endpoint, index) => (isGone(endpoint) ? [index] : []));
  return written(file, withoutEndpoints(textIn(tree, file), new Set(indexes)) ?? '');
}

/** SDL_NOT_EDITED at the first endpoint of a lease with an SDL. */
function sdlProblem(lease: Lease): Problem | undefined {
  const at = lease.endpoints[0]?.at;
  if (at === undefined || at.file === lease.at.file) return undefined;
  return {
    code: 'SDL_NOT_EDITED',
    message: `the endpoints of lease ${leaseIdText(lease.id)} are in its SDL, which belongs to the tenant`,
    at,
    also: [lease.at],
    hint: 'change the SDL and commit it',
  };
}

/** An unused path: a declaration of the same name in another cluster may have the first one. */
export function freePath(tree: SourceTree, folder: string, name: string): string {
  const taken = new Set(tree.list(folder).map(({ path }) => path));
  let path = `${folder}/${name}.yaml`;
  for (let count = 2; taken.has(path); count += 1) path = `${folder}/${name}-${count}.yaml`;
  return path;
}

function written(path: string, text: string): Outcome<TreeChanges> {
  return ok({ writes: new Map([[path, text]]), removes: [] });
}

/** A claim to declare, and its lease. */
export interface ClaimRequest {
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
  request: ClaimRequest,
): Outcome<ClaimEdit> {
  const existing = declared.claims
    .filter(isLeaseClaim)
    .find((claim) => isRequested(claim, request, declared));
  if (existing && isEqual(declared, existing, request)) {
    return ok({ changes: { writes: new Map(), removes: [] }, value: 'declared already' });
  }
  const refused = existing && refusal(declared, existing, request);
  if (refused) return fail([refused]);
  const added = addClaims(tree, declared, request.lease, [request.claim]);
  if (!added.ok) return added;
  const removed = existing
    ? removeClaims(tree, declared, leaseOf(declared, existing), [existing])
    : undefined;
  if (removed && !removed.ok) return removed;
  const changes = {
    writes: new Map([...(removed?.value.writes ?? []), ...added.value.writes]),
    removes: removed?.value.removes ?? [],
  };
  return ok({ changes, value: existing });
}

/** True for a claim on the requested port of the requested holder. */
export function isRequested(
  { holder, externalPort, protocol }: LeaseClaim,
  { lease, claim }: ClaimRequest,
  { pools }: Pick<Declared, 'pools'>,
): boolean {
  const cluster = lease.cluster ?? pools?.defaultCluster;
  return (
    externalPort === (claim.externalPort ?? claim.port) &&
    protocol === (claim.protocol ?? 'TCP') &&
    holder === `${cluster}/akash/${sharingKey(lease.owner, claim.name)}`
  );
}

/** True for a claim of the requested lease that is equal to the requested one, with defaults applied. */
function isEqual(
  declared: Declared,
  existing: LeaseClaim,
  { lease: name, claim }: ClaimRequest,
): boolean {
  const lease = leaseOf(declared, existing);
  if (lease !== leaseNamed(declared, name)) return false;
  const text = newLeaseText({ ...lease.id, cluster: lease.cluster }, claim);
  const read = readLeaseFile(lease.at.file, new TextEncoder().encode(text), declared.pools);
  const own = lease.endpoints.find(({ at }) => at === existing.at);
  if (!read.ok || !read.value || !('endpoints' in read.value) || !own) return false;
  return read.value.endpoints.every((wanted) => isSameEndpoint(own, wanted));
}

/** PORT_TAKEN, unless the claim belongs to another lease and may be taken over. */
function refusal(
  declared: Declared,
  existing: LeaseClaim,
  { lease, overwrite }: ClaimRequest,
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
      : 'declare --overwrite takes it over from the other lease of this owner',
  };
}
