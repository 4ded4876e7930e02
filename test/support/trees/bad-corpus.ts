import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import type { Overlay } from './overlay.ts';

/** What the cases of one kind have in common, and the cases: at most four. */
export interface BadKind {
  /** The code that each of the cases raises. */
  readonly code: string;
  /** Where in the files, for a person. Code and place together name the kind. */
  readonly place: string;
  readonly cases: readonly BadCase[];
}

/** One workspace with something wrong. */
export interface BadCase {
  readonly name: string;
  /** What is laid over the sound workspace `test/golden/bad/base`. */
  readonly files: Overlay;
  /** All problems, as `CODE file:line:column`, in the order of the report. */
  readonly problems: readonly string[];
  /** The command line; default `synth`. */
  readonly run?: readonly string[];
  /** Default 2026-03-03: one address of the base is kept for its last holder until the 5th. */
  readonly today?: string;
  /**
   * Puts the workspace into git's index: the sound one, or that of the case; or commits the sound one,
   * and puts that of the case into the index; or commits that of the case on a branch that bots work on.
   */
  readonly git?: 'before' | 'after' | 'commit' | 'branch' | 'merge';
  /** With `commit`: what is laid over the sound workspace before that is committed. */
  readonly committed?: Overlay;
  /** With `merge`: what another branch lays over the sound workspace; the merge of it has stopped. */
  readonly theirs?: Overlay;
}

/** The folder of the corpus. */
export const badFolder = resolve(import.meta.dirname, '../../golden/bad');

/** Every kind of the corpus, file by file. */
export function badKinds(): readonly BadKind[] {
  return readdirSync(badFolder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .flatMap((name) => parse(readFileSync(join(badFolder, name), 'utf8')) as BadKind[]);
}
