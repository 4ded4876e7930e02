import { annotationKeysRead } from '../../../core/declarations/service/service-metadata.ts';
import type { Position } from '../../../core/model/problem.ts';
import { forbiddenWithin } from '../../../core/text/yaml/yaml-text.ts';
import {
  type SourceFields,
  type SourceNode,
  type SourceReader,
  sourcePlace,
} from '../../../lib/foreign/source-reader.ts';

/** A Kubernetes object of a source. */
export interface SourceObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Position of its name. */
  readonly at: Position;
  readonly metadata: SourceFields;
  readonly spec: SourceFields;
  readonly status: SourceNode | undefined;
}

/** The name and namespace of an object; undefined, with a problem, when they are not text. */
export function namesOf(
  reader: SourceReader,
  metadata: SourceFields,
  { kind, node }: { kind: string; node: SourceNode },
): Pick<SourceObject, 'name' | 'namespace' | 'at'> | undefined {
  const nameNode = metadata.get('name');
  if (nameNode === undefined || nameNode.value === null) {
    reader.refuse('FIELD_MISSING', `the ${kind} has no metadata.name`, sourcePlace(node));
    return undefined;
  }
  const name = reader.text(nameNode);
  const namespace = reader.text(metadata.get('namespace'));
  return name === undefined ? undefined : { name, namespace, at: sourcePlace(nameNode) };
}

export function areSound(reader: SourceReader, fields: SourceFields): boolean {
  return [...fields].every(([key, field]) => isSound(reader, field, key));
}

/**
 * True when a part of an object contains only characters that a declaration may contain; otherwise
 * FILE_ENCODING.
 */
export function isSound(reader: SourceReader, node: SourceNode, key?: string): boolean {
  const character = forbiddenIn(node, key);
  if (character === undefined) return true;
  reader.refuse(
    'FILE_ENCODING',
    `the object holds ${character}, which is not allowed`,
    sourcePlace(node),
  );
  return false;
}

/**
 * A character of a part of an object that a declaration may not contain. Annotations that leasehold
 * does not read may contain anything: a Service that would include one reports it itself.
 */
export function forbiddenIn(node: SourceNode, key?: string): string | undefined {
  const looked =
    key === 'metadata' ? withoutNotes(Object(node.value) as Record<string, unknown>) : node.value;
  return forbiddenWithin(looked);
}

function withoutNotes({ annotations, managedFields: _, ...metadata }: Record<string, unknown>) {
  const read = Object.entries(Object(annotations)).filter(([key]) =>
    annotationKeysRead.includes(key),
  );
  return { ...metadata, annotations: Object.fromEntries(read) };
}

/** Metadata that differs between two exports of the same object. */
const passing: ReadonlySet<string> = new Set(['managedFields', 'resourceVersion']);

/** Finds objects that occur more than once in the files. */
export class Deduplicator {
  readonly #first = new Map<string, { readonly text: string; readonly at: Position }>();

  /**
   * True for an object that was read before. An identical copy is noted. A different copy of a
   * Service or lease is FIELD_VALUE, since either may be current. Different pools and
   * advertisements are left to their readers.
   */
  has(reader: SourceReader, object: IdentifiedObject): boolean {
    const { kind, name, namespace, at, isLive } = object;
    const subject = `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
    const key = `${object.type} ${subject}`;
    const first = this.#first.get(key);
    const text = contentText(object);
    if (!first) {
      this.#first.set(key, { text, at });
      return false;
    }
    const { file, line } = first.at;
    if (first.text === text) {
      reader.leave(subject, `it is in ${file}:${line} too, and is read once`, at);
      return true;
    }
    if (!isLive) return false;
    const message = `${subject} is in ${file}:${line} too, with different content`;
    const hint = 'export all files at one time, each object once';
    reader.refuse('FIELD_VALUE', message, at, hint);
    return true;
  }
}

interface IdentifiedObject
  extends Pick<SourceObject, 'kind' | 'name' | 'namespace' | 'at' | 'metadata'> {
  /** `<apiVersion> <kind>`. */
  readonly type: string;
  readonly fields: SourceFields;
  /** True for objects that have addresses. */
  readonly isLive: boolean;
}

function contentText({ metadata, fields }: IdentifiedObject): string {
  const own = [...metadata].filter(([key]) => !passing.has(key));
  const rest = [...fields].filter(([key]) => !['apiVersion', 'kind', 'metadata'].includes(key));
  return JSON.stringify([own, rest].map((part) => part.map(([key, { value }]) => [key, value])));
}
