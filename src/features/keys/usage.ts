import type { KeyName } from '../../declarations/key-file.ts';
import { keyText } from '../../model/ownership.ts';
import { serviceIdText } from '../../model/service.ts';
import { compareAddresses } from '../../net/address.ts';
import type { SourceTree } from '../../ports/tree.ts';
import { readDeclared } from '../../workspace/declared.ts';
import type { KeyUsage } from './key-usage.ts';
import { type Answered, refused } from './refusal.ts';

/** Where a key of the tree counts, in all declarations and records that are sound. */
export function usageOf(tree: SourceTree, name: KeyName): Answered<KeyUsage> {
  const { keys, services, table } = readDeclared(tree);
  const key = keys.byName.get(keyText(name));
  if (!key) return refused(`leases/keys/ has no sound key ${keyText(name)}`);
  const naming = services.filter(
    ({ namespace, secret }) => namespace === name.namespace && secret?.name === name.name,
  );
  const records = [...table.values()].filter((record) => record.key === key.publicKey);
  return {
    ok: true,
    value: {
      key,
      namedBy: naming.map((service) => ({ service: serviceIdText(service), at: service.at })),
      records: records.sort((left, right) => compareAddresses(left.address, right.address)),
    },
  };
}
