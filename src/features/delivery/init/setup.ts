import type { Layout, Shards } from '../../../model/pools.ts';

/** Who a repository is for: a provider of Akash, or people who run MetalLB without it. */
export type Profile = 'akash' | 'platform';

/** A pool of a new pool file, each text as a person gave it and its schema takes it. */
export interface PoolDraft {
  readonly name: string;
  readonly zone: string;
  /** CIDR blocks, `first-last`, single addresses. At least one. */
  readonly addresses: readonly string[];
  /** Of the addresses: those that are never given out. */
  readonly reserved: readonly string[];
  readonly advertise: 'l2' | 'bgp';
}

/** What a new pool file is to say. */
export interface PoolsDraft {
  readonly profile: Profile;
  /** The bech32 address of the provider; undefined for a platform. */
  readonly provider: string | undefined;
  readonly metallb: {
    readonly version: string;
    readonly namespace: string;
    readonly layout: Layout;
  };
  /** At least one; the first is the default one. */
  readonly clusters: readonly string[];
  /** Of every cluster. */
  readonly shards: Shards;
  /** At least one; the zone of the first is the default one. */
  readonly pools: readonly PoolDraft[];
}

/** Where a repository has its leasehold from. */
export interface ToolSource {
  /** A git repository, without credentials. */
  readonly url: string;
  /** The object name of a commit, 40 hex digits: what runs does not change by itself. */
  readonly commit: string;
}

/** The engine that applies `dist/`. */
export interface SetupEngine {
  readonly kind: 'argocd' | 'flux';
  /** The repository of the leases, without credentials. */
  readonly repo: string;
  /** For Flux: the Secret with what opens the repository. */
  readonly secret: string | undefined;
}

/** What is told to a run that sets up a repository. */
export interface SetupAnswers {
  readonly profile: Profile;
  /** Undefined leaves the pool file that is there. */
  readonly pools: PoolsDraft | undefined;
  /** Who approves changes of pools and policy; undefined leaves the policy that is there. */
  readonly reviewers: readonly string[] | undefined;
  readonly engine: SetupEngine | undefined;
  readonly forge: 'github' | 'gitlab' | undefined;
  /** The branch that is applied. */
  readonly branch: string;
  readonly tool: ToolSource;
}

/**
 * What became of a file. `new`: it was not there. `same`: it is there with these bytes. `kept`: it is there, and what it
 * says was not asked for. `differs`: it is there with other bytes, and stays. `replaced`: somebody said so.
 * `old`: an engine's objects of another set-up, which stay and are still applied where somebody applied them.
 */
export type SetupState = 'new' | 'same' | 'kept' | 'differs' | 'replaced' | 'old';

/** A file of a repository that is set up. */
export interface SetupFile {
  readonly path: string;
  readonly state: SetupState;
  /** The text that is there, where the state is `differs` or `replaced`. */
  readonly before: string;
  /** The text that it would have, or has now. */
  readonly after: string;
}
