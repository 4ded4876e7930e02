import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { leaseText } from '../declarations/lease-text.ts';
import { synthHere } from '../run/direct-commands.ts';
import { example } from '../trees/example.ts';
import { putFile, tempTree } from '../trees/temp-tree.ts';
import { remade } from './cached-repository.ts';
import { type GitRepository, gitRepository } from './git-repository.ts';

/** The day of every commit and run. */
export const today = '2026-11-21';

/** A pull request as CI checks it out: the merge of the target and its branch. */
export interface Checkout {
  readonly root: string;
  readonly repository: GitRepository;
  /** The last commits of the target and of the pull request. */
  readonly base: string;
  readonly head: string;
}

/** What a pull request does to a fresh copy of the shipped example, and how its branches are called. */
export interface PullRequest {
  readonly change: (root: string) => void;
  /** False leaves what synth would write as it was. */
  readonly isSynthesized?: boolean;
  readonly target?: string;
  readonly branch?: string;
}

/** Makes the pull request in one repository and checks its merge out in another. */
export async function checkout(pullRequest: PullRequest): Promise<Checkout> {
  return checkoutIn(tempTree(), pullRequest);
}

/** A pull request that adds a lease, which this process makes once. */
export async function leaseAdded(isSynthesized = true): Promise<Checkout> {
  const { made } = await remade(`a lease added ${isSynthesized}`, async () => {
    const root = tempTree();
    return { root, made: await checkoutIn(root, { change: addLease, isSynthesized }) };
  });
  return made;
}

async function checkoutIn(
  place: string,
  { change, isSynthesized = true, target = 'main', branch = 'topic' }: PullRequest,
): Promise<Checkout> {
  renameSync(example(), join(place, 'origin'));
  const origin = gitRepository(join(place, 'origin')).on(today);
  origin.git('add', '-A');
  origin.git('commit', '-q', '-m', 'The example');
  const base = origin.git('rev-parse', 'HEAD').trim();
  change(origin.root);
  if (isSynthesized) await synthHere(origin.root, today);
  origin.git('add', '-A');
  origin.git('commit', '-q', '-m', 'The pull request');
  const head = origin.git('rev-parse', 'HEAD').trim();
  // As plumbing, since the names are such that a person could not give them.
  origin.git('update-ref', `refs/heads/${target}`, base);
  origin.git('update-ref', `refs/heads/${branch}`, head);
  const root = join(place, 'checkout');
  origin.git('clone', '-q', '--no-local', origin.root, root);
  const repository = gitRepository(root).on(today);
  repository.git('checkout', '-q', '--detach', base);
  repository.git('merge', '-q', '--no-ff', '-m', `Merge ${branch}`, head);
  return { root, repository, base, head };
}

/** A lease of a new owner, in a folder of its own. */
export function addLease(root: string, folder = 'ferry', service = 'web'): void {
  const text = leaseText(folder, 18_900_001, [{ name: 'site', service, port: 80 }]);
  putFile(root, `leases/${folder}/18900001.yaml`, text);
}
