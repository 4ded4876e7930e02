/** What stands at a path of a live object, which may have any shape; undefined when nothing does. */
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

/** The text at a path; undefined when something else, or nothing, stands there. */
export function textAt(root: unknown, ...path: readonly (string | number)[]): string | undefined {
  const value = fieldAt(root, ...path);
  return typeof value === 'string' ? value : undefined;
}

/** The number at a path; undefined when something else, or nothing, stands there. */
export function numberAt(root: unknown, ...path: readonly (string | number)[]): number | undefined {
  const value = fieldAt(root, ...path);
  return typeof value === 'number' ? value : undefined;
}

/** The list at a path; empty when something else, or nothing, stands there. */
export function listAt(root: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = fieldAt(root, ...path);
  return Array.isArray(value) ? value : [];
}
