import type { Position } from '../../../model/problem.ts';
import type { ForeignFields, ForeignReader } from '../../../text/foreign-reader.ts';
import type { ForeignObject } from './metallb-objects.ts';

/** What another export of the same object may say otherwise. */
const passing: ReadonlySet<string> = new Set(['managedFields', 'resourceVersion']);

/** The objects that were read of all files, each with what it says. */
export class TwiceRead {
  readonly #first = new Map<string, { readonly text: string; readonly at: Position }>();

  /**
   * True for an object that was read before: one that says the same is told; FIELD_VALUE for a Service or a lease that says
   * something else, for nobody knows which of the two lives. Pools and advertisements that differ are compared by who reads them.
   */
  has(reader: ForeignReader, object: IdentifiedObject): boolean {
    const { kind, name, namespace, at, isLive } = object;
    const subject = `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
    const key = `${object.type} ${subject}`;
    const first = this.#first.get(key);
    const text = textOf(object);
    if (!first) {
      this.#first.set(key, { text, at });
      return false;
    }
    const { file, line } = first.at;
    if (first.text === text) {
      reader.leave(subject, `it stands in ${file}:${line} too, and is read once`, at);
      return true;
    }
    if (!isLive) return false;
    const message = `${subject} stands in ${file}:${line} too, and says something else there`;
    const hint = 'export all files at one time, each object once';
    reader.refuse('FIELD_VALUE', message, at, hint);
    return true;
  }
}

interface IdentifiedObject
  extends Pick<ForeignObject, 'kind' | 'name' | 'namespace' | 'at' | 'metadata'> {
  /** `<apiVersion> <kind>`. */
  readonly type: string;
  readonly fields: ForeignFields;
  /** True for what has an address. */
  readonly isLive: boolean;
}

function textOf({ metadata, fields }: IdentifiedObject): string {
  const own = [...metadata].filter(([key]) => !passing.has(key));
  const rest = [...fields].filter(([key]) => !['apiVersion', 'kind', 'metadata'].includes(key));
  return JSON.stringify([own, rest].map((part) => part.map(([key, { value }]) => [key, value])));
}
