import type { Position } from './problem.ts';

/** A file to import, by the name that somebody gave it. */
export interface ImportFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * What an import tells of one thing that it met. `changed`: it was taken, and says something else than in the
 * source. `left`: it was not taken.
 */
export interface ImportNote {
  readonly effect: 'changed' | 'left';
  /** What it is about: a pool's name, or a kind and a name. */
  readonly subject: string;
  /** One sentence, without a trailing period. */
  readonly message: string;
  readonly at: Position;
}
