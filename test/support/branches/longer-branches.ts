import { leaseText } from '../declarations/lease-text.ts';
import type { FileTexts } from '../trees/tree-bytes.ts';
import { baseDeclarations } from './branch-kinds.ts';
import { type Branch, type Branches, branchDay, commitState } from './branches.ts';

const web = { name: 'front', service: 'web', port: 8080, externalPort: 80 };

/** Branches of several commits, and of a holder that comes back: the declarations after each commit. */
function moreBranches(base: FileTexts): ReadonlyMap<string, readonly FileTexts[]> {
  const put = (files: FileTexts, owner: string, dseq: number, zone: string): FileTexts =>
    new Map([
      ...files,
      [`leases/${owner}/${dseq}.yaml`, leaseText(owner, dseq, [{ ...web, zone }])],
    ]);
  const without = (files: FileTexts, path: string): FileTexts =>
    new Map([...files].filter(([other]) => other !== path));
  const back = put(base, 'old', 1999, 'tiny');
  const low = put(base, 'pam', 2200, 'rack');
  const ended = without(base, 'leases/max/1013.yaml');
  return new Map([
    ['a former holder comes back', [back]],
    ['take two of the lowest, one after the other', [low, put(low, 'pat', 2201, 'rack')]],
    ['end a lease, then lease', [ended, put(ended, 'pip', 2202, 'rack')]],
  ]);
}

/** All branches of a repository by what they do: those of its kinds, with their side, and some more. */
export async function branchesByName(made: Branches): Promise<ReadonlyMap<string, string>> {
  const named = made.branches.map(({ kind, side, commit }: Branch) => {
    return [`${kind.name} ${side}`, commit] as const;
  });
  const { repository } = made;
  const { base } = baseDeclarations();
  const more: (readonly [string, string])[] = [];
  for (const [name, states] of moreBranches(base)) {
    repository.git('checkout', '-q', '--detach', '-f', made.base);
    let before = base;
    for (const files of states) {
      await commitState(repository, before, { files, today: branchDay });
      before = files;
    }
    more.push([name, repository.git('rev-parse', 'HEAD').trim()]);
  }
  return new Map([...named, ...more]);
}
