import { openSdl, type Sdl } from '../declarations/lease/sdl.ts';
import { firstProblems, type Outcome, type Problem, startOf } from '../model/problem.ts';
import type { SourceTree, TreeEntry } from '../ports/tree.ts';
import { explainTemplates } from '../text/template-hints.ts';
import { tooLarge } from '../text/yaml/yaml-text.ts';

/** Bytes. A file up to this size costs so little that it is always read; nearly all declarations are smaller. */
const smallFile = 4 * 1024;

/** Bytes of larger files with problems, after which no larger file is read: the run fails anyway, and each may take a second. */
const mostRefused = 4 * 1024 * 1024;

/** Reads the files of one tree that people write, in a time that is bounded whatever stands in them. */
export class TreeReading {
  readonly #tree: SourceTree;
  readonly #sdls = new Map<string, Sdl | 'refused'>();
  /** Bytes of larger files that had problems. */
  #refused = 0;

  constructor(tree: SourceTree) {
    this.#tree = tree;
  }

  /**
   * What a reader makes of a file. Besides the reader's problems, of which only the first are told: FILE_TOO_LARGE, before
   * a byte of it is read, and FILE_UNREAD.
   */
  read<Value>(entry: TreeEntry, reader: (bytes: Uint8Array) => Outcome<Value>): Outcome<Value> {
    const { path, size } = entry;
    const isSmall = size <= smallFile;
    const unread = tooLarge(path, size) ?? (isSmall ? undefined : this.#unread(path));
    if (unread) return { ok: false, problems: [unread] };
    const bytes = this.#tree.read(path);
    const outcome = explainTemplates(reader(bytes), [{ name: path, bytes }]);
    if (outcome.ok) return outcome;
    if (!isSmall) this.#refused += size;
    return { ok: false, problems: firstProblems(outcome.problems) };
  }

  /** An SDL, which is read once however many leases name it; no problems when they were told before. */
  readSdl(entry: TreeEntry): Outcome<Sdl> {
    const known = this.#sdls.get(entry.path);
    if (known === 'refused') return { ok: false, problems: [] };
    if (known) return { ok: true, value: known };
    const read = this.read(entry, (bytes) => openSdl(entry.path, bytes));
    this.#sdls.set(entry.path, read.ok ? read.value : 'refused');
    return read;
  }

  #unread(path: string): Problem | undefined {
    if (this.#refused < mostRefused) return undefined;
    return {
      code: 'FILE_UNREAD',
      message: `the file was not read: ${this.#refused} bytes of larger files have problems already`,
      at: startOf(path),
      hint: 'mend those files first',
    };
  }
}
