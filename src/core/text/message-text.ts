import { compareText, nearest } from '../model/order.ts';
import { fewOf } from '../model/problem.ts';

/** A field in a message: `spec.endpoints[0].port`. */
export function fieldText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}

/** A value in a message: short and on one line, never the content of a list or mapping. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value !== 'string') return `the ${typeof value} ${String(value)}`;
  const line = value.replace(/\s+/g, ' ');
  return `'${line.length > 60 ? `${line.slice(0, 60)}…` : line}'`;
}

/** The value at a path of plain data; undefined if there is none. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

/** The hint `did you mean 'port'?`, as a part of a problem; empty if no known word is near. */
export function didYouMean(word: string, known: readonly string[]): { readonly hint?: string } {
  const meant = nearest(word, known);
  return meant === undefined ? {} : { hint: `did you mean '${meant}'?` };
}

/** The most names in a hint; the others are counted. */
const mostNames = 10;

/**
 * The hint for a name that is not declared: `did you mean 'inet'? The zones are edge, inet`. Empty
 * if no names are declared.
 */
export function declaredNames(
  noun: 'cluster' | 'zone' | 'pool' | 'advertisement',
  word: string,
  known: readonly string[],
): { readonly hint?: string } {
  const meant = didYouMean(word, known);
  if (known.length === 0) return {};
  if (known.length === 1) return { hint: `the only ${noun} is ${known[0]}`, ...meant };
  const names = `${noun}s are ${fewOf(known.toSorted(compareText), mostNames)}`;
  return { hint: meant.hint === undefined ? `the ${names}` : `${meant.hint} The ${names}` };
}
