import type { SourceTree } from '../../core/interfaces/tree.ts';
import { type AllocationTable, addressesHeldBy } from '../../core/model/allocation.ts';
import { type Problem, startOf } from '../../core/model/problem.ts';
import { leasesFolder } from '../../core/model/repository-paths.ts';
import { serviceIdText } from '../../core/model/service.ts';
import { formatAddress } from '../../core/net/address.ts';
import type { Workspace } from '../../core/tree/workspace.ts';
import { namedHolders } from '../../lib/edit/named-holders.ts';
import { namespacesNamed } from '../../lib/edit/named-parties.ts';
import {
  type Declared,
  Edit,
  isLabel,
  type NamedRename,
  type RenameBase,
  type RenameEdit,
  type RenameWords,
  refused,
} from './rename-collector.ts';

/**
 * Returns the edit that gives a holder, or all of a namespace, another name. When the declarations
 * have the new name already, only the `Rename` is written. `before` has the records of the branch's
 * base, and of what was renamed by hand there the claims. Problem: SDL_NOT_EDITED.
 */
export function renameEdit(
  tree: SourceTree,
  workspace: Workspace,
  words: RenameWords,
  before: RenameBase,
): NamedRename {
  const own = new Edit(tree, workspace, before);
  const found = namedHolders([words.from], workspace);
  const namespace = namespacesNamed(words.from, workspace).map(({ cluster }) => cluster);
  if (namespace.length > 1)
    return refused(
      `${words.from} is a namespace in several clusters (${namespace.join(', ')}): write <cluster>/namespace/${words.from}`,
    );
  const [cluster] = namespace;
  const services = servicesNamed(words.from, workspace);
  if (services.length > 1) {
    const ids = services.map((one) => `${one.cluster}/${serviceIdText(one)}`);
    return refused(
      `${words.from} is a Service in several clusters: write one of ${ids.join(', ')}`,
    );
  }
  const [service] = services;
  if (service) return own.service(service, words.to);
  if (found.ok && cluster !== undefined && !words.from.includes('/')) {
    return refused(
      `${words.from} is a namespace and also ${found.holders[0].id}: write ${cluster}/namespace/${words.from} or the holder`,
    );
  }
  if (cluster !== undefined) {
    const from = words.from.split('/').at(-1) ?? '';
    const to = words.to.split('/').at(-1) ?? '';
    if (!isLabel(to)) return refused(`'${words.to}' is not the name of a namespace`);
    return own.namespace(cluster, from, to);
  }
  if (!found.ok) return own.recorded(words, found.reason);
  if (found.holders.length > 1)
    return refused(`${words.from} names several holders: rename them one by one`);
  return own.holder(found.holders[0], words.to);
}

/** The declared Services of a word `NAMESPACE/NAME` or `CLUSTER/service/NAMESPACE/NAME`. */
function servicesNamed(word: string, { services }: Workspace): readonly Declared[] {
  return services.filter((one) => {
    const id = `${one.cluster}/${serviceIdText(one)}`;
    return word === id || word === `${one.namespace}/${one.name}`;
  });
}

/** RENAME_CONFLICT for a holder that has another address already, and gets none of the former one. */
export function lostAddresses({ renamed, written }: RenameEdit, table: AllocationTable): Problem[] {
  return renamed.flatMap(({ from, to, addresses }): Problem[] => {
    const kept = addressesHeldBy(table, to).map(formatAddress);
    if (addresses.length === 0 || addresses.some((address) => kept.includes(address))) return [];
    const own = kept.length > 0 ? `has ${kept.join(' and ')} already` : 'gets no address';
    return [
      {
        code: 'RENAME_CONFLICT',
        message: `${to} ${own}, and would not take over ${addresses.join(' or ')} of ${from}`,
        at: startOf(written ?? leasesFolder),
        hint: `nothing is written; once an address of ${from} is free, leasehold move ${to} --to ADDRESS gives it`,
      },
    ];
  });
}
