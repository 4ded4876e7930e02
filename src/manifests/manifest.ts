/** A value of an object tree: what JSON can say. */
export type Tree = string | number | boolean | null | readonly Tree[] | TreeMap;

/** An object of an object tree. */
export interface TreeMap {
  readonly [key: string]: Tree | undefined;
}

/** One Kubernetes object, as it is written. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [field: string]: Tree | undefined;
}

/** The metadata of every object that leasehold writes. */
export interface Metadata extends TreeMap {
  readonly name: string;
  /** Absent on objects of the whole cluster. */
  readonly namespace?: string;
  readonly labels: { [key: string]: string };
  readonly annotations: { [key: string]: string };
}

/** `kind namespace/name`, for a message. */
export function manifestName({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}

const head = ['apiVersion', 'kind', 'metadata'];

/**
 * The keys of a map in the order of every file: by code unit, and at the root of an object after
 * apiVersion, kind and metadata. cdk8s sorts or does not sort by an environment variable, so it is
 * not asked to.
 */
export function orderedKeys(map: TreeMap, isRoot: boolean): readonly string[] {
  const keys = Object.keys(map);
  // Without a function, sort() compares by code unit, and faster.
  if (!isSorted(keys)) keys.sort();
  if (!isRoot) return keys;
  return [...head.filter((key) => key in map), ...keys.filter((key) => !head.includes(key))];
}

function isSorted(keys: readonly string[]): boolean {
  let previous = '';
  for (const key of keys) {
    if (key < previous) return false;
    previous = key;
  }
  return true;
}

/** True for a list. `Array.isArray` alone does not narrow readonly lists. */
export function isList(tree: Tree): tree is readonly Tree[] {
  return Array.isArray(tree);
}
