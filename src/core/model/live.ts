import { type LiveKind, liveKinds } from './kinds.ts';

/** The unique name of an object in messages: `Service web/app`, or `Namespace web`. */
export function objectName(
  kind: string,
  { namespace, name }: { readonly namespace?: string | undefined; readonly name: string },
): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** The {@link objectName} of an object that leasehold reads. */
export function liveObjectName(kind: LiveKind, { metadata }: LiveObject): string {
  return objectName(liveKinds[kind].kind, metadata);
}

/** An object as the API server returns it. Only the shape of its metadata is known. */
export interface LiveObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly [field: string]: unknown;
}

/** An object in `dist/`. */
export interface WantedObject {
  readonly kind: LiveKind;
  /** Its {@link liveObjectName}. */
  readonly name: string;
  readonly object: LiveObject;
}

/** The value at a path of a live object; undefined if there is none. */
export function fieldAt(root: unknown, ...path: readonly (string | number)[]): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      return undefined;
    }
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

/** The text at a path; undefined for any other value. */
export function textAt(root: unknown, ...path: readonly (string | number)[]): string | undefined {
  const value = fieldAt(root, ...path);
  return typeof value === 'string' ? value : undefined;
}

/** The number at a path; undefined for any other value. */
export function numberAt(root: unknown, ...path: readonly (string | number)[]): number | undefined {
  const value = fieldAt(root, ...path);
  return typeof value === 'number' ? value : undefined;
}

/** The list at a path; empty for any other value. */
export function listAt(root: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = fieldAt(root, ...path);
  return Array.isArray(value) ? value : [];
}
