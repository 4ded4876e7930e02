import type { Forge } from '../../../core/model/forges/forges.ts';
import type { Layout, Plane } from '../../../core/model/planes.ts';
import type { Shards } from '../../../core/model/pools.ts';
import type { Engine } from '../../../core/model/repository-paths.ts';

/** The kind of repository: for an Akash provider, or for a platform without Akash. */
export const profiles = ['akash', 'platform'] as const;
export type Profile = (typeof profiles)[number];

/** A pool of a new pool file, in texts that are valid for its schema. */
export interface PoolDraft {
  readonly name: string;
  readonly zone: string;
  /** CIDR blocks, `first-last`, single addresses. At least one. */
  readonly addresses: readonly string[];
  /** Those of the addresses that are never assigned. */
  readonly reserved: readonly string[];
  readonly advertise: 'l2' | 'bgp';
}

/** The content of a new pool file. */
export interface PoolsDraft {
  readonly profile: Profile;
  /** The bech32 address of the provider; undefined for a platform. */
  readonly provider: string | undefined;
  readonly plane: {
    readonly kind: Plane['kind'];
    readonly version: string;
    readonly namespace: string;
    /** Of MetalLB: Cilium has one layout only. */
    readonly layout: Layout;
  };
  /** At least one; the first is the default one. */
  readonly clusters: readonly string[];
  /** Of every cluster. */
  readonly shards: Shards;
  /** At least one; the zone of the first is the default one. */
  readonly pools: readonly PoolDraft[];
}

/** The source of the leasehold that a repository runs. */
export type ToolSource =
  | {
      readonly kind: 'git';
      /** A git repository, without credentials. */
      readonly url: string;
      /** A tag such as `v0.1.0`, a branch or a commit. */
      readonly ref: string;
    }
  | {
      readonly kind: 'tarball';
      /** The https URL of the tarball of a release, without credentials. */
      readonly url: string;
      /** Its digest in hexadecimal digits; undefined if CI takes any tarball at the URL. */
      readonly sha256: string | undefined;
    }
  | {
      readonly kind: 'path';
      /** A tarball or a folder, relative to the repository. */
      readonly path: string;
    };

/** The engine that applies `dist/`. */
export interface SetupEngine {
  readonly kind: Engine;
  /** The repository of the leases, without credentials. */
  readonly repo: string;
  /** For Flux: the Secret with the credentials of the repository. */
  readonly secret: string | undefined;
}

/** The validated answers from which `init` sets up a repository. */
export interface SetupAnswers {
  readonly profile: Profile;
  /** Undefined to keep the existing pool file. */
  readonly pools: PoolsDraft | undefined;
  /** The Akash provider of an existing pool file that names none; undefined for a platform. */
  readonly provider: string | undefined;
  /** Who approves changes of pools and policy; undefined to keep the existing policy. */
  readonly reviewers: readonly string[] | undefined;
  readonly engine: SetupEngine | undefined;
  readonly forge: Forge | undefined;
  /** The branch that the engine applies. */
  readonly branch: string;
  readonly tool: ToolSource;
}

/**
 * The outcome for a file. `new`: created. `same`: exists with these bytes. `kept`: exists, and its
 * content was not asked for. `differs`: exists with other bytes, and is kept. `replaced`:
 * overwritten on request. `completed`: got an answer that it lacked, and kept the rest. `old`:
 * engine objects of an earlier set-up, kept and still applied in their cluster.
 */
export type SetupState = 'new' | 'same' | 'kept' | 'differs' | 'replaced' | 'completed' | 'old';

/** A file that a set-up compares or writes. */
export interface SetupFile {
  readonly path: string;
  readonly state: SetupState;
  /** The existing text, if any. */
  readonly before: string;
  /** The text that init writes, or would write. */
  readonly after: string;
}
