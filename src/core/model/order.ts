/** Order of two texts by UTF-16 code unit, independent of machine and locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The keys of a map in {@link compareText} order. */
export function sortedKeys<Value>(map: ReadonlyMap<string, Value>): string[] {
  return [...map.keys()].sort(compareText);
}

/** Order of two items by their path. */
export function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return compareText(left.path, right.path);
}

/** Entries in {@link compareText} order of their keys. */
export function sortedEntries<Entry extends readonly [key: string, ...unknown[]]>(
  entries: Iterable<Entry>,
): Entry[] {
  return [...entries].sort(([left], [right]) => compareText(left, right));
}

/** The items by their keys, both in the order of the items. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Adds an item to the group of its key, and returns the group. */
export function addToGroup<Item, Key>(groups: Map<Key, Item[]>, key: Key, item: Item): Item[] {
  const group = groups.get(key) ?? [];
  if (group.push(item) === 1) groups.set(key, group);
  return group;
}
