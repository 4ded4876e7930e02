import {
  newLeaseText,
  type WrittenClaim,
  withEndpoint,
  withoutEndpointList,
  withoutEndpoints,
} from '../declarations/declaration-edits.ts';
import type { LeaseClaim } from '../model/claim.ts';
import { type Endpoint, type Lease, leaseIdText } from '../model/lease.ts';
import { fail, InternalError, type Outcome, ok, type Problem } from '../model/problem.ts';
import { leasesFolder } from '../model/repository-paths.ts';
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

/** The files with the endpoints and hostnames of a lease: its SDL, or its declaration. */
export function sourcesOf({ endpoints, hosts }: Lease): readonly string[] {
  return [...new Set([...endpoints, ...hosts].map(({ at }) => at.file))];
}

/**
 * Removes claims of a lease. When none remains, removes its declaration, unless it has hostnames,
 * and its SDL unless another lease reads it. SDL_NOT_EDITED when only some endpoints of an SDL would
 * be removed.
 */
export function removeClaims(
  tree: SourceTree,
  { leases }: Pick<Declared, 'leases'>,
  lease: Lease,
  gone: readonly LeaseClaim[],
): Outcome<TreeChanges> {
  const file = lease.at.file;
  const isGone = ({ at }: Endpoint): boolean => gone.some((claim) => claim.at === at);
  const isOver = lease.endpoints.every(isGone);
  const sources = sourcesOf(lease);
  if (isOver && (lease.hosts.length === 0 || !sources.includes(file))) {
    const read = new Set(leases.filter((other) => other !== lease).flatMap(sourcesOf));
    const removes = [...new Set([file, ...sources])].filter((path) => !read.has(path));
    return ok({ writes: new Map(), removes });
  }
  if (isOver) return written(file, withoutEndpointList(textIn(tree, file)));
  const inSdl = sdlProblem(lease);
  if (inSdl) return fail([inSdl]);
  const indexes = lease.endpoints.flatMap((endpoint, index) => (isGone(endpoint) ? [index] : []));
  return written(file, withoutEndpoints(textIn(tree, file), new Set(indexes)) ?? '');
}

/** SDL_NOT_EDITED at the first endpoint of a lease with an SDL. */
function sdlProblem(lease: Lease): Problem | undefined {
  const at = [...lease.endpoints, ...lease.hosts][0]?.at;
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
