import { gitRepository } from '../repositories/git-repository.ts';
import { tempTree } from '../trees/temp-tree.ts';
import { type Finished, runInProcess } from './run-in-process.ts';

/** A copy of leasehold at a version, as `--leasehold` names it. */
export const leasehold = 'https://github.com/acme/leasehold.git#v0.1.0';

const packages = 'https://gitlab.com/api/v4/projects/7/packages/generic/leasehold/0.1.0';

/** The repository of the leases. */
export const repo = 'https://github.com/acme/leases.git';

const provider = 'akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y';

/** What different people say to `leasehold init --yes`. */
export const profiles = {
  'akash-argocd-github': [
    ...['--for', 'akash', '--provider', provider, '--pool', 'public=203.0.113.64/27'],
    ...['--reserved', 'public=203.0.113.65', '--reviewer', '@acme/network'],
    ...['--engine', 'argocd', '--repo', repo, '--forge', 'github', '--leasehold', leasehold],
  ],
  'platform-flux-gitlab': [
    ...['--for', 'platform', '--metallb', '0.15.2', '--layout', 'pool', '--shards', '16'],
    ...[
      '--cluster',
      'east',
      '--cluster',
      'west',
      '--pool',
      'public=203.0.113.64/27,2001:db8::/120',
    ],
    ...['--zone', 'public=inet', '--pool', 'edge=198.51.100.0/28', '--bgp', 'edge'],
    ...['--reviewer', '@acme/network', '--engine', 'flux', '--repo', repo, '--secret', 'leases'],
    ...['--branch', 'trunk', '--forge', 'gitlab'],
    ...['--leasehold', `${packages}/leasehold-0.1.0.tgz`],
  ],
  'platform-forgejo': [
    ...['--for', 'platform', '--pool', 'p=203.0.113.0/28', '--reviewer', '@acme/network'],
    ...['--engine', 'flux', '--repo', 'https://codeberg.org/acme/leases.git', '--forge', 'forgejo'],
    ...['--leasehold', 'https://codeberg.org/acme/leasehold.git#v0.1.0'],
  ],
  'platform-gitea': [
    ...['--for', 'platform', '--pool', 'p=203.0.113.0/28', '--reviewer', '@acme/network'],
    ...['--forge', 'gitea', '--leasehold', 'https://gitea.acme.example/net/leasehold.git#v0.1.0'],
  ],
  minimal: [
    ...['--for', 'platform', '--pool', 'p=203.0.113.0/28'],
    ...['--leasehold', './leasehold-0.1.0.tgz'],
  ],
} as const;

/** Runs `leasehold init --yes` in this process. */
export function init(root: string, ...words: readonly string[]): Promise<Finished> {
  return runInProcess(['init', '--yes', ...words], root);
}

/** A new repository without a commit. */
export function emptyRepository(files: Readonly<Record<string, string>> = {}): string {
  const root = tempTree(files);
  gitRepository(root);
  return root;
}
