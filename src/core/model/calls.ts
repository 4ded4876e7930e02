import { EnvironmentError } from './problem.ts';

/** Returns a function that computes its value once for each object, as long as the object lives. */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/** Returns what a call gives; undefined when it throws an EnvironmentError. */
export async function ifAvailable<Value>(call: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof EnvironmentError) return undefined;
    throw error;
  }
}

/** Calls `work` for each item, at most `atOnce` calls at a time; the values are in the order of the items. */
export async function mapAtOnce<Item, Value>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Value>,
): Promise<readonly Value[]> {
  const values: Value[] = [];
  const waiting = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, item] = next;
      values[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return values;
}
