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
   * The bytes of a listed file; undefined for one of more than `mostBytes`, which is not read. A disk
   * has this, because it looks at the size as it opens the file. Other trees know all sizes.
   */
  readonly readUpTo?: ((path: string, mostBytes: number) => Uint8Array | undefined) | undefined;
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
}
