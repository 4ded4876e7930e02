/** Order of two texts by UTF-16 code unit: the same on every machine and in every locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The keys of a map in {@link compareText} order. */
export function sortedKeys<Value>(map: ReadonlyMap<string, Value>): string[] {
  return [...map.keys()].sort(compareText);
}
