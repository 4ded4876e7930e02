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
