import type { LiveKind, LiveObject } from '../model/live.ts';

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

/** What a use case asks of git. */
export interface History {
  /** Files below a folder that git's index has, or undefined outside a git repository. Without git, an EnvironmentError. */
  tracked(folder: string): Promise<readonly string[] | undefined>;
  /** Takes files that are gone from the tree out of git's index; those it does not know are no matter. */
  forget(paths: readonly string[]): Promise<void>;
}

/**
 * What a use case asks of a live cluster; nothing is ever changed there. Every method throws an
 * EnvironmentError when the cluster is not reached, or refuses the token or the request: a DeniedError
 * when it is its RBAC that refuses.
 */
export interface LiveCluster {
  /** Which cluster it is, for people: context and server. */
  readonly name: string;
  /**
   * Every object of a kind, of one namespace or of all, read page by page; undefined when the cluster
   * does not serve the kind.
   */
  list(kind: LiveKind, namespace?: string): Promise<readonly LiveObject[] | undefined>;
  /** The API server's version, such as `v1.34.1`. */
  version(): Promise<string>;
  /** What a dry run of creating an object answers. */
  dryRun(kind: LiveKind, object: LiveObject): Promise<DryRunAnswer>;
  /** The last lines of a pod's log; undefined when it has none, or may not be read. */
  log(namespace: string, pod: string, lines: number): Promise<string | undefined>;
}

/** `refused` is admission's or validation's word, `denied` means that one may not ask. */
export interface DryRunAnswer {
  readonly verdict: 'accepted' | 'refused' | 'denied' | 'failed';
  readonly message: string;
}

/** The clock of a use case that waits. */
export interface Waiting {
  /** Milliseconds since some moment. */
  now(): number;
  /** Resolves after some milliseconds. */
  pause(milliseconds: number): Promise<void>;
}
