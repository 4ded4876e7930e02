import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A program of the cluster suite, one of our own or of a module, or a module of which only files are read. */
export interface ProgramSource {
  /** Its folder in `test/cluster/programs`, with the go.mod that builds it. */
  readonly name: string;
  readonly module: string;
  readonly version: string;
  /** Variables that the linker sets, as a release does: name to text. */
  readonly stamps?: Readonly<Record<string, string>>;
  /** Name of each binary, to the package it is built from. */
  readonly binaries?: Readonly<Record<string, string>>;
  /** Files of the module that are kept beside the binaries, under their base names. */
  readonly files?: readonly string[];
  /** Go files of the module that are compiled in their places among ours, as they are: nothing of them is kept here. */
  readonly unmodified?: readonly string[];
  /** The module's hash, where no go.sum of ours has it. */
  readonly sum?: string;
}

const folder = fileURLToPath(new URL('../../cluster/programs/', import.meta.url));

/** What the suite builds, and in which versions: the one place that says so. */
export const programSources: readonly ProgramSource[] = JSON.parse(
  readFileSync(join(folder, 'programs.json'), 'utf8'),
);

/** Building all of them must be done after this time: milliseconds. */
const budget = 40 * 60_000;

const run = promisify(execFile);

/** The folder with a source's binaries and files; {@link buildPrograms} made it. */
export function programFolder(name: string): string {
  return join(cacheFolder(), `${name}-${digestOf(sourceNamed(name))}`);
}

/** The version of a source, as people write it: without the `v`. */
export function versionOf(name: string): string {
  return sourceNamed(name).version.slice(1);
}

/**
 * Builds what is not in the cache yet (`$LEASEHOLD_TEST_CACHE`, or `~/.cache/leasehold-test`) from the Go
 * module proxy. Throws, naming what is missing, when that takes longer than 40 minutes in all.
 */
export async function buildPrograms(say: (line: string) => void): Promise<void> {
  const end = Date.now() + budget;
  const missing = programSources.filter(({ name }) => !existsSync(programFolder(name)));
  for (const [index, source] of missing.entries()) {
    say(`building ${source.name} (${index + 1} of ${missing.length}), once`);
    const staging = `${programFolder(source.name)}.${process.pid}`;
    try {
      await build(source, staging, end);
    } catch (error) {
      rmSync(staging, { recursive: true, force: true });
      const rest = missing.slice(index).map(({ name }) => name);
      const reason = Date.now() >= end ? 'they were not built in 40 minutes' : String(error);
      throw new Error(`the cluster suite lacks ${rest.join(', ')}: ${reason}`);
    }
  }
}

/** Why the suite cannot run on this machine, and how to change that; undefined when it can. */
export async function whatIsMissing(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (!(await answers('go', ['version']))) return 'it needs Go 1.26 (https://go.dev/dl)';
  if (!(await answers('redis-server', ['--version']))) {
    return 'it needs redis-server (apt-get install redis-server)';
  }
  if (!(await hasHttpBackend())) {
    return 'it needs git with its http-backend (apt-get install git)';
  }
  return undefined;
}

/** git's CGI program for smart HTTP. */
export async function httpBackend(): Promise<string> {
  const { stdout } = await run('git', ['--exec-path']);
  return join(stdout.trim(), 'git-http-backend');
}

async function hasHttpBackend(): Promise<boolean> {
  try {
    return existsSync(await httpBackend());
  } catch {
    return false;
  }
}

async function answers(command: string, args: readonly string[]): Promise<boolean> {
  try {
    await run(command, [...args]);
    return true;
  } catch {
    return false;
  }
}

async function build(source: ProgramSource, staging: string, end: number): Promise<void> {
  mkdirSync(staging, { recursive: true });
  const module = await moduleFolder(source, end);
  const overlay = overlayOf(source, module, staging);
  for (const [binary, target] of Object.entries(source.binaries ?? {})) {
    const stamps = Object.entries(source.stamps ?? {}).map(([name, text]) => `-X=${name}=${text}`);
    const linking = `-ldflags=${['-s', '-w', ...stamps].join(' ')}`;
    const args = ['build', '-trimpath', '-buildvcs=false', linking, ...overlay];
    await go([...args, '-o', join(staging, binary), target], join(folder, source.name), end);
  }
  for (const file of source.files ?? []) {
    const copy = join(staging, basename(file));
    copyFileSync(join(module, file), copy);
    // Modules are kept without the bit that lets a script run.
    if (file.endsWith('.sh')) chmodSync(copy, 0o755);
  }
  renameSync(staging, programFolder(source.name));
}

/** What makes go see files of the module where ours are: it reads them from the module's own folder. */
function overlayOf(source: ProgramSource, module: string, staging: string): readonly string[] {
  if (!source.unmodified) return [];
  const place = join(folder, source.name);
  const files = source.unmodified.map((file) => [join(place, file), join(module, file)]);
  const overlay = join(staging, 'overlay.json');
  writeFileSync(overlay, JSON.stringify({ Replace: Object.fromEntries(files) }));
  return [`-overlay=${overlay}`];
}

async function moduleFolder(source: ProgramSource, end: number): Promise<string> {
  if (source.sum === undefined) {
    const place = join(folder, source.name);
    return (await go(['list', '-m', '-f', '{{.Dir}}', source.module], place, end)).trim();
  }
  const wanted = `${source.module}@${source.version}`;
  const got = JSON.parse(await go(['mod', 'download', '-json', wanted], tmpdir(), end));
  if (got.Sum !== source.sum) throw new Error(`${wanted} has the hash ${got.Sum}`);
  return got.Dir;
}

/** Runs go to its end, or until the budget is over. */
function go(args: readonly string[], cwd: string, end: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('go', [...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), Math.max(0, end - Date.now()));
    const texts = { out: '', err: '' };
    child.stdout.on('data', (part) => {
      texts.out += part;
    });
    child.stderr.on('data', (part) => {
      texts.err += part;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(texts.out);
      else reject(new Error(`go ${args.join(' ')}: ${texts.err.trim().slice(-2_000)}`));
    });
  });
}

function sourceNamed(name: string): ProgramSource {
  const source = programSources.find((candidate) => candidate.name === name);
  if (!source) throw new Error(`programs.json names no ${name}`);
  return source;
}

/** Changes with everything that the cached folder depends on. */
function digestOf(source: ProgramSource): string {
  const hash = createHash('sha256').update(`${process.arch} ${JSON.stringify(source)}`);
  const place = join(folder, source.name);
  const sources = source.binaries
    ? readdirSync(place, { recursive: true, withFileTypes: true })
    : [];
  const files = sources.filter((entry) => entry.isFile());
  for (const file of files.map((entry) => join(entry.parentPath, entry.name)).sort()) {
    hash.update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

function cacheFolder(): string {
  const cache = process.env.LEASEHOLD_TEST_CACHE ?? join(homedir(), '.cache', 'leasehold-test');
  return join(cache, 'programs');
}
