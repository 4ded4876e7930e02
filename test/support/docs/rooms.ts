import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

/** The folders of src that each folder of src imports from, read from the import lines. */
export type RoomImports = ReadonlyMap<string, ReadonlySet<string>>;

const source = join(import.meta.dirname, '../../../src');
const imported = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/** Each room with the rooms that its files import from. `roomOf` names the room of a file; undefined leaves it out. */
export function roomImports(roomOf: (path: string) => string | undefined): RoomImports {
  const imports = new Map<string, Set<string>>();
  for (const path of readdirSync(source, { recursive: true, encoding: 'utf8' }).sort()) {
    const room = roomOf(path);
    if (!path.endsWith('.ts') || room === undefined) continue;
    const found = imports.get(room) ?? new Set<string>();
    imports.set(room, found);
    for (const [, target = ''] of readFileSync(join(source, path), 'utf8').matchAll(imported)) {
      const other = roomOf(relative(source, normalize(join(source, dirname(path), target))));
      if (other !== undefined && other !== room) found.add(other);
    }
  }
  return imports;
}

/** The modules of src that import each module of src, by absolute path. */
export function importersByFile(): ReadonlyMap<string, ReadonlySet<string>> {
  const paths = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(source, path))
    .sort();
  const importers = new Map(paths.map((path) => [path, new Set<string>()]));
  for (const path of paths) {
    for (const [, target = ''] of readFileSync(path, 'utf8').matchAll(imported)) {
      importers.get(normalize(join(dirname(path), target)))?.add(path);
    }
  }
  return importers;
}

/** A flowchart of Mermaid: an arrow for each import that no longer way through other rooms implies. */
export function drawn(imports: RoomImports): string {
  const arrows = [...imports].flatMap(([room, others]) =>
    [...others]
      .filter((other) => ![...others].some((way) => way !== other && reaches(imports, way, other)))
      .map((other) => `  ${room} --> ${other}`),
  );
  return ['```mermaid', 'flowchart TD', ...arrows.sort(), '```', ''].join('\n');
}

function reaches(imports: RoomImports, from: string, to: string): boolean {
  return [...(imports.get(from) ?? [])].some((next) => next === to || reaches(imports, next, to));
}
