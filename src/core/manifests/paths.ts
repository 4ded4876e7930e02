import { isLeaseClaim } from '../model/claim.ts';
import { sha256Hex } from '../model/digest.ts';
import type { Holder } from '../model/holder.ts';
import { type Cluster, type Shards, shardDigits } from '../model/pools.ts';
import { distFolder } from '../model/repository-paths.ts';
import { type Manifest, managedBy } from './manifest.ts';

/**
 * The cluster of a path. Below `dist/<cluster>/` a file has this path:
 *
 * | file | path |
 * | --- | --- |
 * | the address of an Akash endpoint | `<owner>/<endpoint>.yaml` |
 * | the address of a Service | `<namespace>/<name>.yaml` |
 * | the address of Services with one sharing key | `<namespace>/shared.<key>.yaml` |
 * | the address of an anycast group | `_groups/<name>.yaml` |
 * | a Namespace | `_namespaces/<name>.yaml` |
 * | the route of a hostname | `_hostnames/<hostname>.yaml`; `_wildcard` for `*` |
 * | a declared pool, with `layout: pool` | `_pools/<name>.yaml` |
 * | a file that a feature adds | `_<folder>/<name>.yaml` |
 *
 * In a cluster with shards the shard comes first: `<shard>/<owner>/<endpoint>.yaml`. It is the
 * first hex digits of the SHA-256 of the file's identity, which is the id of its holder, or
 * `<cluster>/namespace/<name>` and the like.
 *
 * A path depends on its own identity only, so that a change of one lease renames no other file. Two
 * identities never have the same path, even on a case-insensitive file system: a Kubernetes name
 * has neither `_` nor `.`, and a name that is not plain is shortened and gets a digest after a dot.
 * A hostname has dots but no `_`, so a shortened one also starts with `_`.
 */
export type PathCluster = Pick<Cluster, 'name' | 'shards'>;

/** Returns the path of the file that every shard has. `shard` is one of shardFolders. */
export function keepPath(cluster: string, shard = ''): string {
  return `${folderOf(cluster, shard)}/leasehold.yaml`;
}

/** Returns the path of the admission policy. `shard` is the first of shardFolders. */
export function admissionPath(cluster: string, shard = ''): string {
  return `${folderOf(cluster, shard)}/leasehold-admission.yaml`;
}

/** Returns the path of the objects of a holder in a cluster. */
export function holderPath(cluster: PathCluster, holder: Holder): string {
  const { id, claims } = holder;
  const lease = claims.find(isLeaseClaim);
  if (lease) return pathIn(cluster, id, lease.lease.owner, plain(lease.endpoint, id));
  const [, kind = '', namespace, name = ''] = id.split('/');
  if (namespace === undefined) {
    return pathIn(cluster, id, '_groups', plain(kind, id));
  }
  if (kind === 'service') return servicePath(cluster, namespace, name);
  return pathIn(cluster, id, namespaceFolder(namespace), `shared.${plain(name, id)}`);
}

/** Returns the path of a declared Service that shares no address. */
export function servicePath(cluster: PathCluster, namespace: string, service: string): string {
  const identity = `${cluster.name}/service/${namespace}/${service}`;
  return pathIn(cluster, identity, namespaceFolder(namespace), plain(service, identity));
}

/** Returns the path of a Namespace. */
export function namespacePath(cluster: PathCluster, name: string): string {
  const identity = `${cluster.name}/namespace/${name}`;
  return pathIn(cluster, identity, '_namespaces', plain(name, identity));
}

/** Returns the path of the route of a hostname. */
export function routePath(cluster: PathCluster, hostname: string): string {
  const identity = `${cluster.name}/hostname/${hostname}`;
  const [first = ''] = hostname.split('.');
  const isPlain = hostname.length <= 80 && !deviceName.test(first);
  const name = isPlain ? hostname.replace('*', '_wildcard') : `_${withDigest(hostname, identity)}`;
  return pathIn(cluster, identity, '_hostnames', name);
}

/** Reports whether a path below `dist/` is that of a route. */
export function isRoutePath(path: string): boolean {
  return path.split('/').at(-2) === '_hostnames';
}

/** Returns the path of a declared pool, with `layout: pool`. */
export function poolPath(cluster: PathCluster, name: string): string {
  const identity = `${cluster.name}/pool/${name}`;
  return pathIn(cluster, identity, '_pools', plain(name, identity));
}

/** A file of a cluster whose objects a feature renders. */
export interface AddedFile {
  /** The folder below the cluster, such as `_inventory`. */
  readonly folder: string;
  /** Without `.yaml`. */
  readonly name: string;
  /** Unique in the cluster; it decides the shard. */
  readonly identity: string;
  readonly objects: readonly Manifest[];
}

/** Returns the path of a file that a feature adds. */
export function addedPath(cluster: PathCluster, { identity, folder, name }: AddedFile): string {
  return pathIn(cluster, `${cluster.name}/${identity}`, folder, name);
}

function pathIn(cluster: PathCluster, identity: string, folder: string, file: string): string {
  const digits = shardDigits(cluster.shards);
  const shard = digits === 0 ? '' : sha256Hex(identity).slice(0, digits);
  return `${folderOf(cluster.name, shard)}/${folder}/${file}.yaml`;
}

function folderOf(cluster: string, shard: string): string {
  return `${distFolder}/${cluster}${shard === '' ? '' : `/${shard}`}`;
}

const akashOwner = /^akash1[a-z0-9]{38}$/;

/** Returns the folder of a namespace. Names of Akash owners and Windows devices get a digest. */
function namespaceFolder(namespace: string): string {
  return akashOwner.test(namespace) || reservedName.test(namespace)
    ? withDigest(namespace, namespace)
    : namespace;
}

const plainName = /^[a-z0-9](?:[-_a-z0-9]{0,78}[a-z0-9])?$/;

const devices = 'con|prn|aux|nul|com[0-9]|lpt[0-9]';

/** The names of Windows devices. */
const deviceName = new RegExp(`^(?:${devices})$`);

/** The names of other files of leasehold, and of Windows devices. */
const reservedName = new RegExp(`^(?:leasehold|leasehold-admission|${devices})$`);

function plain(name: string, identity: string): string {
  return plainName.test(name) && !reservedName.test(name) ? name : withDigest(name, identity);
}

/** Returns `<at most 80 letters, digits and ->.<32 hex digits>`. */
function withDigest(name: string, identity: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replace(/^-|-$/g, '');
  return `${slug || '_'}.${sha256Hex(identity).slice(0, 32)}`;
}

/** Returns the shard that a file of a cluster is in: one of shardFolders. */
export function shardOf(path: string, shards: Shards): string {
  return shards === 1 ? '' : (path.split('/')[2] ?? '');
}

const cluster = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const part = '[a-z0-9_][-_.a-z0-9]{0,127}';
const manifestPath = new RegExp(
  `^${distFolder}/${cluster}/(?:[0-9a-f]{1,2}/)?(?:leasehold(?:-admission)?|${part}/${part})\\.yaml$`,
);

/** Reports whether leasehold may write a file of this path, or wrote it in an earlier version. */
export function isManifestPath(path: string): boolean {
  return manifestPath.test(path);
}

const ownLabel =
  Object.entries(managedBy).map(([key, value]) => `\n    ${key}: ${value}\n`)[0] ?? '';

/**
 * Reports whether leasehold wrote a file below `dist/`: the path is one of its own, and an object
 * in it has the managed-by label. A run removes such a file when it is no longer needed, and no
 * other file.
 */
export function isOwnManifest(path: string, text: string): boolean {
  return isManifestPath(path) && text.includes(ownLabel);
}

const hashedPath = /\/([0-9a-f]{2})\/[a-z0-9-]+-\1[0-9a-f]{10}\.yaml$/;

/** Reports whether leasehold up to 0.1 gave a path to a holder: `<2 hex>/<name>-<12 hex>.yaml`. */
export function isHashedPath(path: string): boolean {
  return hashedPath.test(path);
}
