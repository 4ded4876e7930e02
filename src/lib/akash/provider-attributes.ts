import type { Extension } from '../../core/interfaces/extension.ts';
import type { SourceTree } from '../../core/interfaces/tree.ts';
import type { Pools } from '../../core/model/pools.ts';
import type { Outcome } from '../../core/model/problem.ts';

/** An attribute of an Akash provider, as tenants filter by it. */
export interface ProviderAttribute {
  readonly key: string;
  readonly value: string;
}

/** The declared offers of a provider beside addresses. */
export interface Offer {
  /** Its attributes, given those that the provider has. */
  attributes(written: readonly ProviderAttribute[]): readonly ProviderAttribute[];
  /** True for an attribute that offers a thing of the same kinds. */
  covers(attribute: ProviderAttribute): boolean;
}

/** Reads the offer of a cluster. FILE_MISSING when none is declared. */
export type ReadOffer = (tree: SourceTree, pools: Pools, cluster: string) => Outcome<Offer>;

/** Where a feature adds attributes to `bootstrap provider --inventory`. */
export const offeredAttributes: Extension<ReadOffer> = { name: 'attributes of a provider' };
