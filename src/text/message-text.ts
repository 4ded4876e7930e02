import { compareText } from '../model/order.ts';
import { fewOf } from '../model/problem.ts';

/** `spec.endpoints[0].port`: how a message names a field. */
export function fieldText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}

/** A value as a message shows it: short, on one line, never the whole of a list or mapping. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value !== 'string') return `the ${typeof value} ${String(value)}`;
  const line = value.replace(/\s+/g, ' ');
  return `'${line.length > 60 ? `${line.slice(0, 60)}…` : line}'`;
}

/** The value at a path of plain data; undefined when there is none. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

/**
 * The known word that a person most likely meant: at most two edits away and fewer than the word
 * has letters; the first such one of the fewest edits. Undefined when there is none.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let fewest = Math.min(3, word.length);
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= fewest) continue;
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < fewest) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

/** `did you mean 'port'?`, as a part of a problem; nothing when no known word is near. */
export function didYouMean(word: string, known: readonly string[]): { readonly hint?: string } {
  const meant = nearest(word, known);
  return meant === undefined ? {} : { hint: `did you mean '${meant}'?` };
}

/** More names than these are counted. */
const mostNames = 10;

/**
 * What a person may have meant by a name that is not declared: `did you mean 'inet'? The zones are edge, inet`. Nothing
 * when there is none to name.
 */
export function declaredNames(
  noun: 'cluster' | 'zone' | 'pool',
  word: string,
  known: readonly string[],
): { readonly hint?: string } {
  const meant = didYouMean(word, known);
  if (known.length === 0) return {};
  if (known.length === 1) return { hint: `the only ${noun} is ${known[0]}`, ...meant };
  const names = `${noun}s are ${fewOf(known.toSorted(compareText), mostNames)}`;
  return { hint: meant.hint === undefined ? `the ${names}` : `${meant.hint} The ${names}` };
}

/** Letters to add, remove or replace to make one word the other (Levenshtein). */
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
