import type { GitObject } from './git-objects.ts';

/** An entry of a tree object. */
interface TreeObjectEntry {
  readonly name: string;
  /** The object name, 40 or 64 hex digits. */
  readonly id: string;
  readonly kind: 'folder' | 'file' | 'other';
}

/** The entries of a tree object that git could have made, and the first one that it could not. */
export interface TreeObject {
  readonly entries: readonly TreeObjectEntry[];
  readonly refused: { readonly name: string; readonly why: string } | undefined;
}

/**
 * Parses a tree object: for each entry mode, space, name, NUL and the bytes of the object name.
 * Undefined for an object that git cannot parse either.
 */
export function parseTree({ id, type, bytes }: GitObject): TreeObject | undefined {
  if (type !== 'tree' || bytes === undefined) return undefined;
  const entries: TreeObjectEntry[] = [];
  const rules = new TreeRules();
  let refused: TreeObject['refused'];
  for (let start = 0; start < bytes.length; ) {
    const space = bytes.indexOf(0x20, start);
    const end = bytes.indexOf(0, space);
    const next = end + 1 + id.length / 2;
    if (space < 0 || end < 0 || next > bytes.length) return undefined;
    const kind = kindOf(bytes.toString('latin1', start, space));
    const raw = bytes.toString('latin1', space + 1, end);
    const name = notAscii.test(raw) ? bytes.toString('utf8', space + 1, end) : raw;
    const why = rules.faultOf(raw, kind);
    if (why === undefined) entries.push({ name, id: bytes.toString('hex', end + 1, next), kind });
    else refused ??= { name, why };
    start = next;
  }
  return { entries, refused };
}

/** Git reads the type of an entry from the first bits of its mode. */
function kindOf(mode: string): TreeObjectEntry['kind'] {
  const type = Number.parseInt(mode, 8) & 0o170000;
  if (type === 0o040000) return 'folder';
  return type === 0o100000 ? 'file' : 'other';
}

/**
 * The rules of git fsck for the entries of one tree: its messages fullPathname, emptyName, hasDot,
 * hasDotdot, hasDotgit, duplicateEntries and treeNotSorted.
 */
class TreeRules {
  #last = '';
  readonly #files = new Set<string>();

  /** Why git does not make an entry. The name has one character for each byte. */
  faultOf(name: string, kind: TreeObjectEntry['kind']): string | undefined {
    const isFolder = kind === 'folder';
    // Git sorts a folder by its name with a slash at the end.
    const sorted = isFolder ? `${name}/` : name;
    const last = this.#last;
    this.#last = sorted;
    if (refusedName.test(name)) return 'git refuses its name';
    if (sorted === last || (isFolder && this.#files.has(name))) return 'it is there twice';
    if (!isFolder) this.#files.add(name);
    return sorted < last ? 'it is out of order' : undefined;
  }
}

const refusedName = /\/|^(?:|\.\.?|\.git|git~1)$/i;
const notAscii = /[^\0-\x7f]/;
