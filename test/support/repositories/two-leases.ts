import { accountOf, leaseText } from '../declarations/lease-text.ts';
import { providerPoolsText } from '../declarations/pools-text.ts';
import { runInProcess } from '../run/run-in-process.ts';
import { putFile, tempTree } from '../trees/temp-tree.ts';
import { type GitRepository, gitRepository } from './git-repository.ts';

const pools = providerPoolsText(`pools:
  - name: default
    zone: inet
    addresses: [203.0.113.0/28]
    strategy: lowest
`);

/** The holder of a tenant's lease, as leasehold names it. */
export function holderOf(tenant: string): string {
  return `default/akash/${accountOf(tenant)}-ip-front`;
}

/** The declaration of a tenant's lease. */
export function declarationOf(tenant: string, more: Readonly<Record<string, number>> = {}): string {
  const endpoint = { name: 'front', service: 'web', port: 8080, externalPort: 80, ...more };
  return leaseText(tenant, 1000, [endpoint]);
}

/** Writes declarations, runs synth, and commits it all. */
export async function commitLeases(
  { root, git }: GitRepository,
  ...tenants: readonly string[]
): Promise<void> {
  for (const tenant of tenants) putFile(root, `leases/${tenant}.yaml`, declarationOf(tenant));
  const { status, out, err } = await runInProcess(['synth', '--today', '2026-01-10'], root);
  if (status !== 0) throw new Error(`${out}${err}`);
  git('add', '-A');
  git('commit', '-q', '-m', tenants.join(', ') || 'synth');
}

/**
 * A repository with a lease `ann` on `main`, and two branches that each give one address to another
 * tenant: `bob` and `cat`, named after them.
 */
export async function twoLeases(): Promise<GitRepository> {
  const repository = gitRepository(
    tempTree({ 'leases/pools.yaml': pools, '.gitignore': '.leasehold/\n' }),
  );
  await commitLeases(repository, 'ann');
  for (const tenant of ['bob', 'cat']) {
    repository.git('checkout', '-q', '-b', tenant, 'main');
    await commitLeases(repository, tenant);
  }
  repository.git('checkout', '-q', 'main');
  return repository;
}
