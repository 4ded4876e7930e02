import { remade } from './cached-repository.ts';
import type { GitRepository } from './git-repository.ts';
import { type LeaseCheckout, leaseCheckout } from './lease-checkout.ts';
import { twoLeases } from './two-leases.ts';

/** A {@link leaseCheckout} of these files, which this process makes once. */
export function remadeCheckout(files: Readonly<Record<string, string>>): Promise<LeaseCheckout> {
  return remade(`checkout ${JSON.stringify(files)}`, () => leaseCheckout(files));
}

/** The repository of {@link twoLeases}, which this process makes once. */
export function remadeTwoLeases(): Promise<GitRepository> {
  return remade('two leases', twoLeases);
}
