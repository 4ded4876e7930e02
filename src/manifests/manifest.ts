import { compareText } from '../model/order.ts';

/** A value of an object tree: what JSON can say. */
export type Tree =
  | string
  | number
  | boolean
  | null
  | readonly Tree[]
  | { readonly [key: string]: Tree };

/** One Kubernetes object, as it is written. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [field: string]: unknown;
}

/** The metadata of every object that leasehold writes. */
export interface Metadata {
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

/**
 * A copy in the order of every file: apiVersion, kind, metadata, then the rest; at every level by
 * code unit. cdk8s sorts or does not sort by an environment variable, so it is not asked to. No
 * two places of the copy are one object, which YAML would write as an anchor and an alias.
 */
export function ordered(manifest: Manifest): Tree {
  const { apiVersion, kind, metadata, ...rest } = manifest;
  return {
    apiVersion,
    kind,
    metadata: sorted(metadata as unknown as Tree),
    ...(sorted(rest as unknown as Tree) as object),
  };
}

function sorted(tree: Tree): Tree {
  if (typeof tree !== 'object' || tree === null) return tree;
  if (isList(tree)) return tree.map(sorted);
  const copy: { [key: string]: Tree } = {};
  for (const key of Object.keys(tree).sort(compareText)) {
    const value = tree[key];
    if (value !== undefined) copy[key] = sorted(value);
  }
  return copy;
}

/** True for a list. `Array.isArray` alone does not narrow readonly lists. */
export function isList(tree: Tree): tree is readonly Tree[] {
  return Array.isArray(tree);
}
