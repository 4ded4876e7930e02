import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scope } from '../../run/scope.ts';

/** A program of the cluster suite, one of our own or of a module, or a module of which only files are read. */
export interface ProgramSource {
  /** Its folder in `test/cluster/programs`, with the go.mod that builds it. */
  readonly name: string;
  readonly module: string;
  readonly version: string;
  /** Variables that the linker sets, as a release does: name to text. */
  readonly stamps?: Readonly<Record<string, string>>;
  /** The Go that its module needs, where that is newer than the one the suite asks for; go downloads it once. */
  readonly toolchain?: string;
  /** Name of each binary, to the package it is built from. */
  readonly binaries?: Readonly<Record<string, string>>;
  /** Name of each test binary, to the package it is built from. */
  readonly tests?: Readonly<Record<string, string>>;
  /** Files and folders of the module that are kept beside the binaries, under their base names. */
  readonly files?: readonly string[];
  /** Go files of the module that are compiled in their places among ours, as they are: nothing of them is kept here. */
  readonly unmodified?: readonly string[];
  /** Folders of the module that get our Go files, to the folder in `test/cluster/programs` that has them for several sources. */
  readonly ours?: Readonly<Record<string, string>>;
  /** True for an older version that only a full run needs. */
  readonly isOfFullRun?: true;
  /** The module's hash, where no go.sum of ours has it. */
  readonly sum?: string;
}

const sources = fileURLToPath(new URL('../../../cluster/programs/', import.meta.url));

/** The programs of every run, from programs.json. */
export const everySource: readonly ProgramSource[] = JSON.parse(
  readFileSync(join(sources, 'programs.json'), 'utf8'),
);

/** What this run of the suite builds, and in which versions: programs.json alone says so. */
export const programSources = everySource.filter(
  ({ isOfFullRun }) => !isOfFullRun || scope === 'full',
);

/** The folder of a source's go.mod and of what we wrote ourselves. */
export function sourceFolder(source: ProgramSource): string {
  return join(sources, source.name);
}

/** The Go files that stand among those of a module: each place in the source's folder, to where the file is. */
export function ourFiles(source: ProgramSource): readonly (readonly [string, string])[] {
  return Object.entries(source.ours ?? {}).flatMap(([folder, from]) =>
    readdirSync(join(sources, from))
      .sort()
      .map(
        (file) => [join(sourceFolder(source), folder, file), join(sources, from, file)] as const,
      ),
  );
}

/** The folder with a source's binaries and files. It exists once the source is built. */
export function programFolder(name: string): string {
  return join(cacheFolder(), `${name}-${digestOf(sourceNamed(name))}`);
}

/** The version of a source, as people write it: without the `v`. */
export function versionOf(name: string): string {
  return sourceNamed(name).version.slice(1);
}

function sourceNamed(name: string): ProgramSource {
  const source = everySource.find((candidate) => candidate.name === name);
  if (!source) throw new Error(`programs.json names no ${name}`);
  return source;
}

/** Changes with everything that the cached folder depends on. */
function digestOf(source: ProgramSource): string {
  const hash = createHash('sha256').update(`${process.arch} ${JSON.stringify(source)}`);
  const entries = source.binaries
    ? readdirSync(sourceFolder(source), { recursive: true, withFileTypes: true })
    : [];
  const files = entries.filter((entry) => entry.isFile());
  const own = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  for (const file of [...own, ...ourFiles(source).map(([, file]) => file)]) {
    hash.update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

function cacheFolder(): string {
  const cache = process.env.LEASEHOLD_TEST_CACHE ?? join(homedir(), '.cache', 'leasehold-test');
  return join(cache, 'programs');
}
