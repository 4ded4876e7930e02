import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What to lay over a folder: path to what shall stand there. */
export type Overlay = Readonly<Record<string, Layer>>;

/** What shall stand at a path: a whole text, or one of the others. */
type Layer =
  | string
  /** The text that stands there with parts replaced; each part stands there exactly once. */
  | { readonly change: readonly (readonly [part: string, by: string])[] }
  /** Bytes in hex. */
  | { readonly bytes: string | number }
  | {
      readonly repeat: string;
      readonly times: number;
      readonly before?: string;
      readonly after?: string;
    }
  /** The text that stands there, its lines ended as on Windows. */
  | { readonly lineEnds: 'crlf' }
  | { readonly link: string }
  | { readonly pipe: true }
  /** Nothing: the file or the whole folder goes. */
  | { readonly removed: true };

/** Lays the files over a folder. */
export function lay(root: string, overlay: Overlay): void {
  for (const [path, layer] of Object.entries(overlay)) {
    const place = join(root, path);
    const bytes = bytesOf(place, layer);
    rmSync(place, { recursive: true, force: true });
    mkdirSync(dirname(place), { recursive: true });
    if (bytes !== undefined) writeFileSync(place, bytes);
    else if (typeof layer === 'object' && 'link' in layer) symlinkSync(layer.link, place);
    else if (typeof layer === 'object' && 'pipe' in layer) execFileSync('mkfifo', [place]);
  }
}

/** The bytes that a layer comes to; undefined for what is no regular file. */
function bytesOf(place: string, layer: Layer): Uint8Array | string | undefined {
  if (typeof layer === 'string') return layer;
  if ('bytes' in layer) return Buffer.from(String(layer.bytes), 'hex');
  if ('repeat' in layer) {
    return `${layer.before ?? ''}${layer.repeat.repeat(layer.times)}${layer.after ?? ''}`;
  }
  if ('change' in layer) return changed(readFileSync(place, 'utf8'), layer.change);
  if ('lineEnds' in layer) return readFileSync(place, 'utf8').replaceAll('\n', '\r\n');
  if ('link' in layer || 'pipe' in layer || 'removed' in layer) return undefined;
  throw new Error(`${place} has a layer of no known form: ${JSON.stringify(layer)}`);
}

function changed(text: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((before, [part, by]) => {
    const [head, tail, ...more] = before.split(part);
    if (head === undefined || tail === undefined || more.length > 0) {
      throw new Error(`'${part}' does not stand exactly once in\n${before}`);
    }
    return head + by + tail;
  }, text);
}
