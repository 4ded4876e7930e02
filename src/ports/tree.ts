/** One entry below a folder that leasehold reads. Folders themselves are not listed. */
export interface TreeEntry {
  /** Relative to the repository root, with forward slashes. */
  readonly path: string;
  /** `other` is everything that is no regular file: symbolic links, sockets, devices. */
  readonly kind: 'file' | 'other';
  /** Bytes. */
  readonly size: number;
}

/** What a use case reads. A pending journal is seen as if it had been carried out. */
export interface SourceTree {
  /** All entries below a folder, in any order; none when the folder is not there. */
  list(folder: string): readonly TreeEntry[];
  /** The bytes of a listed file. */
  read(path: string): Uint8Array;
}

/** What a use case writes: all of it, or nothing. */
export interface TargetTree {
  /** Writes and removes as one step that a kill at any moment leaves done or not done. */
  commit(changes: TreeChanges): Promise<void>;
}

/** Files to write with their whole text, and files to remove. No path is in both. */
export interface TreeChanges {
  readonly writes: ReadonlyMap<string, string>;
  readonly removes: readonly string[];
}
