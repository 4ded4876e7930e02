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

/**
 * The known word that is nearest to a word: at most two edits away, and fewer than the letters of
 * the word. Of several one that begins with the word, then the first one. Undefined if there is none.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let fewest = Math.min(3, word.length);
  const longer = known.filter((candidate) => candidate.startsWith(word));
  for (const candidate of [...longer, ...known]) {
    if (Math.abs(candidate.length - word.length) >= fewest) continue;
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < fewest) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

/** The number of letters to add, remove or replace (Levenshtein distance). */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...left].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (letter === right[column - 1] ? 0 : 1);
      next.push(Math.min((row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
