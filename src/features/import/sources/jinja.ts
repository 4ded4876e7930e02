import {
  type ForeignNode,
  type ForeignReader,
  keyPlaceOf,
  placeOf,
} from '../../../text/foreign-reader.ts';

const jinja = /\{[{%]/;

/** Told of a pool that a Jinja expression is a part of. */
export const notKnown = 'it is not taken, since a part of it is not known';

/** True for the name of a pool that is a Jinja expression, which is told. */
export function tellsJinjaName(reader: ForeignReader, name: string, node: ForeignNode): boolean {
  if (!jinja.test(name)) return false;
  reader.leave(
    `pool ${name}`,
    'its name is a Jinja expression, which cannot be read',
    keyPlaceOf(node),
  );
  return true;
}

/**
 * True when a value of an Ansible inventory, or a part of it, is a Jinja expression (`{{ … }}`, `{% … %}`): what it
 * comes to is known to Ansible only. Each one is told.
 */
export function tellsJinja(
  reader: ForeignReader,
  subject: string,
  node: ForeignNode | undefined,
): boolean {
  if (node === undefined) return false;
  if (typeof node.value === 'string') {
    if (!jinja.test(node.value)) return false;
    reader.leave(subject, 'it is a Jinja expression, which cannot be read', placeOf(node));
    return true;
  }
  if (!Array.isArray(node.value)) return false;
  const found = reader.list(node).map((item) => tellsJinja(reader, subject, item));
  return found.includes(true);
}
