import type { Command } from 'commander';
import type { World } from './world.ts';

/** What a group of commands adds itself to. */
export interface CommandLine {
  readonly world: World;
  /** A new command under its name, with the global options. */
  command(name: string, description: string): Command;
  /** Takes the exit status of the command that runs. */
  take(status: Promise<number> | number): Promise<void>;
}

/** Options of every command. */
export interface CommonOptions {
  /** `-C`: the repository's folder, relative to the current one. */
  readonly directory: string;
}
