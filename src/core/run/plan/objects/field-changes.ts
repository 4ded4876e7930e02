import { compareText, sortedEntries } from '../../../model/order.ts';

/** A field that differs. A side without it is undefined. */
export interface FieldDifference {
  /** Such as `spec.ports[0].port`. */
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

/** Longer values are shortened. */
const longestValue = 120;

/** How much of what two long values have in common is shown before their difference. */
const context = 20;

/** The fields that differ between two values, by path; each value as a short text. */
export function fieldDifferences(before: unknown, after: unknown): FieldDifference[] {
  const found: FieldDifference[] = [];
  collect('', before, after, found);
  return found;
}

function collect(path: string, before: unknown, after: unknown, found: FieldDifference[]): void {
  if (before === after) return;
  const sides = [before, after];
  if (sides.some(isFilledMap) && sides.every(isMapOrNone)) {
    const [old, now] = [mapOf(before), mapOf(after)];
    const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
    for (const key of [...keys].sort(compareText)) {
      collect(path === '' ? key : `${path}.${key}`, own(old, key), own(now, key), found);
    }
  } else if (sides.some(isListOfMaps) && sides.every(isListOfMapsOrNone)) {
    collectItems(path, listOf(before), listOf(after), found);
  } else if (canonical(before) !== canonical(after)) {
    found.push({ path, ...shownValues(valueText(before), valueText(after)) });
  }
}

/**
 * Items that both lists have are left out. When each list has as many others, they are compared one by
 * one; otherwise each of them is removed or added as a whole.
 */
function collectItems(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
  found: FieldDifference[],
): void {
  const removed = without(before, after);
  const added = without(after, before);
  if (removed.length === added.length) {
    for (const [place, [index, item]] of added.entries()) {
      collect(`${path}[${index}]`, removed[place]?.[1], item, found);
    }
    const isMoved = added.length === 0 && canonical(before) !== canonical(after);
    if (isMoved) found.push({ path, ...shownValues(valueText(before), valueText(after)) });
    return;
  }
  for (const [index, item] of removed) found.push({ path: `${path}[${index}]`, before: cut(item) });
  for (const [index, item] of added) found.push({ path: `${path}[${index}]`, after: cut(item) });
}

/** The items that another list does not have, each as often as it is missing, with their indexes. */
function without(
  items: readonly unknown[],
  others: readonly unknown[],
): readonly (readonly [index: number, item: unknown])[] {
  const left = others.map(canonical);
  return [...items.entries()].filter(([, item]) => {
    const index = left.indexOf(canonical(item));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

type Values = Readonly<Record<string, unknown>>;

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFilledMap(value: unknown): boolean {
  return isMap(value) && Object.keys(value).length > 0;
}

function isMapOrNone(value: unknown): boolean {
  return value === undefined || isMap(value);
}

function isListOfMaps(value: unknown): boolean {
  return Array.isArray(value) && value.some(isFilledMap);
}

function isListOfMapsOrNone(value: unknown): boolean {
  return value === undefined || isListOfMaps(value) || (Array.isArray(value) && value.length === 0);
}

function mapOf(value: unknown): Values {
  return (value ?? {}) as Values;
}

function listOf(value: unknown): readonly unknown[] {
  return (value ?? []) as readonly unknown[];
}

function own(map: Values, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Equal for values with the same content: maps in any order. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) => {
      if (typeof part === 'bigint') return `${part}n`;
      return isMap(part) ? Object.fromEntries(sortedEntries(Object.entries(part))) : part;
    }) ?? ''
  );
}

/** A value on one line; undefined for none. */
function valueText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return isPlain(value) ? value : JSON.stringify(value);
  if (Array.isArray(value) && value.length > 0 && !value.some((item) => typeof item === 'object')) {
    return value.map(valueText).join(', ');
  }
  return canonical(value);
}

/** True for a text that cannot be taken for the absence of one, or for several. */
function isPlain(text: string): boolean {
  return text !== 'none' && /^[!#-+\--:<-~]+(?: [!#-+\--:<-~]+)*$/.test(text);
}

function cut(value: unknown): string {
  return clipped(valueText(value) ?? '', 0);
}

/** Two values, shortened so that their first difference is shown. */
function shownValues(
  before: string | undefined,
  after: string | undefined,
): Omit<FieldDifference, 'path'> {
  let same = 0;
  const [old, now] = [before ?? '', after ?? ''];
  while (same < old.length && same < now.length && old[same] === now[same]) same += 1;
  const isLong = Math.max(old.length, now.length) > longestValue;
  const start = isLong ? Math.max(0, same - context) : 0;
  return {
    ...(before === undefined ? {} : { before: clipped(before, start) }),
    ...(after === undefined ? {} : { after: clipped(after, start) }),
  };
}

/** From a start on, with `…` where something is left out; never inside a surrogate pair. */
function clipped(text: string, start: number): string {
  const shown = text
    .slice(start, start + longestValue)
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${start > 0 ? '…' : ''}${shown}${start + longestValue < text.length ? '…' : ''}`;
}
