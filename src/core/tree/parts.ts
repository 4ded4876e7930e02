import type { AddedFile } from '../manifests/paths.ts';
import { addProblemCodes, type CodeExplanation } from '../model/codes/problem-codes.ts';
import type { Cluster, Pools } from '../model/pools.ts';
import type { Outcome } from '../model/problem.ts';

/** A file of `leases/` at one path. Without its feature the path has a declaration of an unknown kind. */
export interface LeaseFileKind<Value = unknown> {
  /** Such as `leases/inventory.yaml`. No two features have the same. */
  readonly path: string;
  /** Reads the file. `pools` is undefined when the pool file is missing or invalid. */
  read(file: string, bytes: Uint8Array, pools: Pools | undefined): Outcome<Value>;
  /** Its files of a cluster in `dist/`. */
  files(value: Value, cluster: Cluster): readonly AddedFile[];
}

/** The file of one kind in a tree, read. */
export interface LeaseFile {
  readonly kind: LeaseFileKind;
  readonly value: unknown;
}

/** The additions of a feature to core. */
export interface Part {
  readonly leaseFiles?: readonly LeaseFileKind[];
  /** The codes of problems that only this feature finds. */
  readonly codes?: Readonly<Record<string, CodeExplanation>>;
}

/** Loads the part of a feature. */
export interface HasPart {
  readonly part?: () => Promise<Part>;
}

const kinds = new Map<string, LeaseFileKind>();

/** Makes the parts of the features known. A program does so before it reads the first tree. */
export async function loadParts(features: readonly HasPart[]): Promise<void> {
  for (const { leaseFiles = [], codes = {} } of await partsOf(features)) {
    for (const kind of leaseFiles) kinds.set(kind.path, kind);
    addProblemCodes(codes);
  }
}

/** The parts of the features that have one. */
export async function partsOf(features: readonly HasPart[]): Promise<readonly Part[]> {
  const loads = features.flatMap(({ part }) => (part ? [part()] : []));
  return Promise.all(loads);
}

/** The kind of the file at a path that a feature has added; undefined for any other path. */
export function leaseFileKindAt(path: string): LeaseFileKind | undefined {
  return kinds.get(path);
}
