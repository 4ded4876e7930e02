import {
  type ForeignFields,
  type ForeignNode,
  type ForeignReader,
  placeOf,
} from './foreign-reader.ts';

/** What another export of the same object may say otherwise. */
const passing: ReadonlySet<string> = new Set(['managedFields', 'resourceVersion']);

/** The objects that were read of all files, each with what it says. */
export class TwiceRead {
  readonly #first = new Map<string, { readonly text: string; readonly at: ForeignNode }>();

  /**
   * True for an object that was read before: one that says the same is told; FIELD_VALUE for a Service or a lease that says
   * something else, for nobody knows which of the two lives. Pools and advertisements that differ are compared by who reads them.
   */
  has(reader: ForeignReader, object: IdentifiedObject): boolean {
    const { kind, metadata, name, isLive } = object;
    const namespace = String(metadata.get('namespace')?.value ?? '');
    const subject = `${kind} ${namespace === '' ? '' : `${namespace}/`}${String(name.value)}`;
    const key = `${object.type} ${subject}`;
    const first = this.#first.get(key);
    const text = textOf(object);
    if (!first) {
      this.#first.set(key, { text, at: name });
      return false;
    }
    const { file, line } = placeOf(first.at);
    if (first.text === text) {
      reader.leave(subject, `it stands in ${file}:${line} too, and is read once`, placeOf(name));
      return true;
    }
    if (!isLive) return false;
    const message = `${subject} stands in ${file}:${line} too, and says something else there`;
    const hint = 'export all files at one time, each object once';
    reader.refuse('FIELD_VALUE', message, placeOf(name), hint);
    return true;
  }
}

interface IdentifiedObject {
  /** `<apiVersion> <kind>`. */
  readonly type: string;
  readonly kind: string;
  readonly name: ForeignNode;
  readonly metadata: ForeignFields;
  readonly fields: ForeignFields;
  /** True for what has an address. */
  readonly isLive: boolean;
}

function textOf({ metadata, fields }: IdentifiedObject): string {
  const own = [...metadata].filter(([key]) => !passing.has(key));
  const rest = [...fields].filter(([key]) => !['apiVersion', 'kind', 'metadata'].includes(key));
  return JSON.stringify([own, rest].map((part) => part.map(([key, { value }]) => [key, value])));
}
