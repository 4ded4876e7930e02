import type { Gpu, Inventory } from '../../../core/model/akash/inventory.ts';
import { compareText } from '../../../core/model/order.ts';

/** An attribute of an Akash provider, as tenants filter by it. */
export interface ProviderAttribute {
  readonly key: string;
  readonly value: string;
}

/**
 * The attributes by which tenants find providers with leased IPs: that of Akash's older guide, the
 * two of its list of attributes. Akash's Console reads the last one only.
 */
export const leasedIPAttributes = ['ip-lease', 'capabilities/ip-lease', 'feat-endpoint-ip'].map(
  (key): ProviderAttribute => ({ key, value: 'true' }),
);

const gpuPrefix = 'capabilities/gpu/vendor/';
const storageKey = /^capabilities\/storage\/(\d{1,9})\/(class|persistent)$/;

/**
 * The attributes of an inventory: GPUs sorted by key, then storage classes by number. A class keeps
 * the number that it has in the `written` attributes; the others get the next free ones.
 */
export function inventoryAttributes(
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
export function isOfInventory({ key }: ProviderAttribute): boolean {
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
