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
  renameOfHolder,
  renameOfService,
  renamesOfNamespace,
} from './declared-renames.ts';
import {
  type FoundRenames,
  type FromTo,
  inSeveralClusters,
  type RenameContext,
  type RenameEdit,
  refused,
} from './rename-file.ts';
import { renamesByHand } from './renames-by-hand.ts';

/**
 * The renames of a holder, or of all that a namespace has, or the reason why the words name neither.
 * When the declarations have the new name already, they are not edited. `before` of the context has
 * the records of the branch's base, and of what was renamed by hand there the claims.
 */
export function foundRenames(context: RenameContext, words: FromTo): FoundRenames {
  const { workspace } = context;
  const found = namedHolders([words.from], workspace);
  const clusters = namespacesNamed(words.from, workspace).map((one) => one.cluster);
  const [cluster] = clusters;
  if (clusters.length > 1) return inSeveralClusters(words.from, clusters);
  const services = servicesNamed(words.from, workspace);
  const [service] = services;
  if (services.length > 1) {
    const ids = services.map((one) => `${one.cluster}/${serviceIdText(one)}`);
    return refused(
      `${words.from} is a Service in several clusters: write one of ${ids.join(', ')}`,
    );
  }
  if (service) return renameOfService(workspace, service, words.to);
  if (found.ok && cluster !== undefined && !words.from.includes('/')) {
    return refused(
      `${words.from} is a namespace and also ${found.holders[0].id}: write ${cluster}/namespace/${words.from} or the holder`,
    );
  }
  if (cluster !== undefined) {
    return renamesOfNamespace(workspace, cluster, words);
  }
  if (!found.ok) return renamesByHand(context, words, found.reason);
  if (found.holders.length > 1)
    return refused(`${words.from} names several holders: rename them one by one`);
  return renameOfHolder(workspace, found.holders[0], words.to);
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
        hint: `nothing is written; once an address of ${from} is free, \`leasehold move ${to} --to ADDRESS\` gives it`,
      },
    ];
  });
}
