import { compareText } from '../../core/model/order.ts';
import { fail, ok, startOf } from '../../core/model/problem.ts';
import type { Offer, ProviderAttribute, ReadOffer } from '../../lib/akash/provider-attributes.ts';
import type { Gpu, Inventory } from './inventory.ts';
import { inventoryFile, inventoryOf } from './part.ts';

const gpuPrefix = 'capabilities/gpu/vendor/';
const storageKey = /^capabilities\/storage\/(\d{1,9})\/(class|persistent)$/;

/**
 * The attributes of an inventory: GPUs sorted by key, then storage classes by number. A class keeps
 * the number that it has in the `written` attributes; the others get the next free ones.
 */
function attributesOf(
  { nodes, clusterStorage }: Inventory,
  written: readonly ProviderAttribute[],
): readonly ProviderAttribute[] {
  const keys = new Set(nodes.flatMap(({ gpus }) => gpus.flatMap(gpuKeys)));
  const numbers = numbersOf(clusterStorage, written);
  return [
    ...[...keys].sort(compareText).map((key) => ({ key, value: 'true' })),
    ...[...numbers].flatMap(([name, number]) => [
      { key: `capabilities/storage/${number}/class`, value: name },
      { key: `capabilities/storage/${number}/persistent`, value: String(name !== 'ram') },
    ]),
  ];
}

/** True for an attribute that offers a GPU or a storage class. */
function isOfInventory({ key }: ProviderAttribute): boolean {
  return key.startsWith(gpuPrefix) || storageKey.test(key);
}

/** A tenant may ask for a model with or without its memory and its interface. */
function gpuKeys({ vendor, model, ram, interface: bus }: Gpu): readonly string[] {
  const key = `${gpuPrefix}${vendor}/model/${model}`;
  const memory = ram === undefined ? [key] : [key, `${key}/ram/${ram}`];
  return bus === undefined ? memory : memory.flatMap((one) => [one, `${one}/interface/${bus}`]);
}

function numbersOf(
  classes: readonly string[],
  written: readonly ProviderAttribute[],
): ReadonlyMap<string, number> {
  const taken = new Set<number>();
  const byClass = new Map<string, number>();
  for (const { key, value } of written) {
    const [, number, field] = storageKey.exec(key) ?? [];
    if (number === undefined) continue;
    taken.add(Number(number));
    if (field === 'class' && !byClass.has(value)) byClass.set(value, Number(number));
  }
  let next = 1;
  const numbered = classes.map((name): readonly [string, number] => {
    const known = byClass.get(name);
    if (known !== undefined) return [name, known];
    while (taken.has(next)) next += 1;
    taken.add(next);
    return [name, next];
  });
  return new Map(numbered);
}

/** The declared inventory of a cluster as attributes of its provider. */
export const inventoryAttributes: ReadOffer = (tree, pools, cluster) => {
  const found = inventoryOf(tree, pools, cluster);
  if (!found.ok) return found;
  if (found.value) return ok(offerOf(found.value));
  const message = `there is no inventory of the cluster ${cluster}`;
  const hint = 'declare it in leases/inventory.yaml, or leave --inventory out';
  return fail([{ code: 'FILE_MISSING', message, at: startOf(inventoryFile.path), hint }]);
};

/** An inventory as what a provider offers. */
export function offerOf(inventory: Inventory): Offer {
  return { attributes: (written) => attributesOf(inventory, written), covers: isOfInventory };
}
