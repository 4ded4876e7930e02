/** One entry below a folder. Folders themselves are not listed. */
export interface TreeEntry {
  /** Relative to the repository root, with forward slashes. */
  readonly path: string;
  /** `other` is everything except regular files: symbolic links, sockets, devices. */
  readonly kind: 'file' | 'other';
  /** Bytes. */
  readonly size: number;
}

/** A tree to read. A pending journal is shown as if it had been carried out. */
export interface SourceTree {
  /** All entries below a folder, in any order; none for a missing folder. */
  list(folder: string): readonly TreeEntry[];
  /** The bytes of a listed file. */
  read(path: string): Uint8Array;
  /**
   * The bytes of a listed file; undefined for one of more than `mostBytes`. A disk and a commit
   * have this, because they learn the size when they read the file. Other trees know all sizes.
   */
  readonly readUpTo?: ((path: string, mostBytes: number) => Uint8Array | undefined) | undefined;
  /** A name of a file's content, equal for equal bytes; undefined for a missing path. */
  idOf?(path: string): string | undefined;
  /** Shared by trees whose content names are of one kind. */
  readonly parsed?: ParseCache | undefined;
}

/**
 * Results of readers for files, kept for other trees that have the same files: by reader, then by
 * path.
 */
export type ParseCache = Map<unknown, Map<string, CachedParse>>;

/** The result of a reader for a file with one content. */
export interface CachedParse {
  /** The name of the content. */
  readonly id: string;
  readonly value: unknown;
  /** The same for another content of the path. */
  readonly other: CachedParse | undefined;
}

/** A tree to write. */
export interface TargetTree {
  /** Writes and removes files atomically, also when the process is killed. */
  commit(changes: TreeChanges): Promise<void>;
}

/** Files to write, with their whole text, and files to remove. No path is in both. */
export interface TreeChanges {
  readonly writes: ReadonlyMap<string, string>;
  readonly removes: readonly string[];
  /** The files that are added to git's index with the change, also removed ones; none by default. */
  readonly staged?: readonly string[] | undefined;
}
