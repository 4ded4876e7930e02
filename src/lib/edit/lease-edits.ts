import type { SourceTree, TreeChanges } from '../../core/interfaces/tree.ts';
import type { LeaseClaim } from '../../core/model/claim.ts';
import type { LeaseHostname } from '../../core/model/hostname.ts';
import { type Lease, leaseIdText } from '../../core/model/lease.ts';
import { fail, InternalError, type Outcome, ok, type Problem } from '../../core/model/problem.ts';
import { leasesFolder } from '../../core/model/repository-paths.ts';
import type { Declared } from '../../core/tree/declared.ts';
import { textIn } from '../../core/tree/tree-reader.ts';
import {
  newLeaseText,
  type WrittenParts,
  withEndpoint,
  withHost,
  withoutEndpointList,
  withoutEndpoints,
  withoutHostnames,
} from './declaration-edits.ts';

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

/** The lease of a hostname. */
export function leaseOfHostname(
  { leases }: Pick<Declared, 'leases'>,
  { hostname, at }: LeaseHostname,
): Lease {
  const found = leases.find(({ hosts }) => hosts.some((host) => host.at === at));
  if (found === undefined) throw new InternalError(`the hostname ${hostname} has no lease`);
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

/** The lease of new endpoints and hostnames. */
interface NewLeaseName extends LeaseName {
  /** Only when it is not the cluster's. */
  readonly provider?: string;
  /** The folder of a new file; by default the owner's, `leases/<owner>`. */
  readonly folder?: string;
}

/**
 * Adds endpoints and hostnames to a lease. A lease that is not declared yet gets a new file,
 * `<folder>/<dseq>-<gseq>-<oseq>.yaml`. Problem: SDL_NOT_EDITED.
 */
export function addParts(
  tree: SourceTree,
  declared: Declared,
  name: NewLeaseName,
  parts: WrittenParts,
): Outcome<TreeChanges> {
  const lease = leaseNamed(declared, name);
  if (lease !== undefined) {
    const inSdl = sdlProblem(lease);
    if (inSdl) return fail([inSdl]);
    const withClaims = parts.claims.reduce(withEndpoint, textIn(tree, lease.at.file));
    return written(lease.at.file, parts.hosts.reduce(withHost, withClaims));
  }
  const { cluster, folder = `${leasesFolder}/${name.owner}`, ...id } = name;
  const path = freePath(tree, folder, `${name.dseq}-${name.gseq}-${name.oseq}`);
  const isDefault = cluster === undefined || cluster === declared.pools?.defaultCluster;
  return written(path, newLeaseText({ ...id, ...(isDefault ? {} : { cluster }) }, parts));
}

/** The files with the endpoints and hostnames of a lease: its SDL, or its declaration. */
export function sourcesOf({ endpoints, hosts }: Lease): readonly string[] {
  return [...new Set([...endpoints, ...hosts].map(({ at }) => at.file))];
}

/** The parts of a lease that end. */
export interface EndedParts {
  readonly claims: readonly LeaseClaim[];
  readonly hostnames: readonly LeaseHostname[];
}

/**
 * Removes claims and hostnames of a lease. When neither remains, removes its declaration, and its
 * SDL unless another lease reads it. An SDL ends with its last endpoint. SDL_NOT_EDITED when only a
 * part of it would be removed.
 */
export function removeParts(
  tree: SourceTree,
  { leases }: Pick<Declared, 'leases'>,
  lease: Lease,
  { claims, hostnames }: EndedParts,
): Outcome<TreeChanges> {
  const file = lease.at.file;
  const ended = new Set([...claims, ...hostnames].map(({ at }) => at));
  const left = {
    endpoints: lease.endpoints.filter(({ at }) => !ended.has(at)),
    hosts: lease.hosts.filter(({ at }) => !ended.has(at)),
  };
  const inSdl = sdlProblem(lease);
  const endsSdl = inSdl !== undefined && claims.length > 0;
  if (left.endpoints.length === 0 && (left.hosts.length === 0 || endsSdl)) {
    const read = new Set(leases.filter((other) => other !== lease).flatMap(sourcesOf));
    const sources = new Set([file, ...sourcesOf(lease)]);
    return ok({ writes: new Map(), removes: [...sources].filter((path) => !read.has(path)) });
  }
  if (inSdl) return fail([inSdl]);
  const text = textIn(tree, file);
  const names = new Set(hostnames.map(({ hostname }) => hostname));
  const rest = names.size === 0 ? text : withoutHostnames(text, names);
  if (claims.length === 0) return written(file, rest);
  const indexes = lease.endpoints.flatMap(({ at }, index) => (ended.has(at) ? [index] : []));
  return written(file, withoutEndpoints(rest, new Set(indexes)) ?? withoutEndpointList(rest));
}

/** SDL_NOT_EDITED at the first endpoint or hostname of a lease with an SDL. */
function sdlProblem(lease: Lease): Problem | undefined {
  const [first] = [...lease.endpoints, ...lease.hosts];
  if (first === undefined || first.at.file === lease.at.file) return undefined;
  const { at } = first;
  const what = lease.endpoints.length > 0 ? 'endpoints' : 'hostnames';
  return {
    code: 'SDL_NOT_EDITED',
    message: `the ${what} of lease ${leaseIdText(lease.id)} are in its SDL, which belongs to the tenant`,
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
