import { annotationKeysRead } from '../../../declarations/service/service-metadata.ts';
import type { Position } from '../../../model/problem.ts';
import {
  type ForeignFields,
  type ForeignNode,
  type ForeignReader,
  placeOf,
} from '../../../text/foreign-reader.ts';
import { forbiddenWithin } from '../../../text/yaml/yaml-text.ts';

/** A Kubernetes object. */
export interface ForeignObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Where its name stands. */
  readonly at: Position;
  readonly metadata: ForeignFields;
  readonly spec: ForeignFields;
  readonly status: ForeignNode | undefined;
}

/** How an object is called, and where it says so; undefined where that is no text, which is a problem. */
export function namesOf(
  reader: ForeignReader,
  metadata: ForeignFields,
  { kind, node }: { kind: string; node: ForeignNode },
): Pick<ForeignObject, 'name' | 'namespace' | 'at'> | undefined {
  const nameNode = metadata.get('name');
  if (nameNode === undefined || nameNode.value === null) {
    reader.refuse('FIELD_MISSING', `the ${kind} has no metadata.name`, placeOf(node));
    return undefined;
  }
  const name = reader.text(nameNode);
  const namespace = reader.text(metadata.get('namespace'));
  return name === undefined ? undefined : { name, namespace, at: placeOf(nameNode) };
}

export function areSound(reader: ForeignReader, fields: ForeignFields): boolean {
  return [...fields].every(([key, field]) => isSound(reader, field, key));
}

/**
 * Whether a part of an object, or a file, holds only what a declaration may hold; FILE_ENCODING where not. Of `metadata` the annotations
 * that nothing is read from may hold anything: a Service that would take one along says itself why it cannot be declared.
 */
export function isSound(reader: ForeignReader, node: ForeignNode, key?: string): boolean {
  const looked =
    key === 'metadata' ? withoutNotes(Object(node.value) as Record<string, unknown>) : node.value;
  const character = forbiddenWithin(looked);
  if (character === undefined) return true;
  reader.refuse(
    'FILE_ENCODING',
    `the object holds ${character}, which is not allowed`,
    placeOf(node),
  );
  return false;
}

function withoutNotes({ annotations, managedFields: _, ...metadata }: Record<string, unknown>) {
  const read = Object.entries(Object(annotations)).filter(([key]) =>
    annotationKeysRead.includes(key),
  );
  return { ...metadata, annotations: Object.fromEntries(read) };
}

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
