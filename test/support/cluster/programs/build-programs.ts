import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  ourFiles,
  type ProgramSource,
  programFolder,
  programSources,
  sourceFolder,
} from './programs.ts';

/** Minutes that the build of all programs may take. It is about 25 on two idle cores; a job has 60. */
const budget = 45;

/** Times that go is run before a failure of the network counts. */
const attempts = 3;

/** Programs built at once: one downloads or links while another compiles. */
const builders = 2;

/** MiB for each process of a build. Every builder runs one compiler a core; half of the machine's memory is theirs. */
const compilerMemory = Math.floor(
  Math.min(2048, totalmem() / 2 ** 20 / (2 * builders * availableParallelism())),
);

/** Programs that each control plane starts. They stay optimized: what they compute costs more than their build. */
const busy: ReadonlySet<string> = new Set(['etcd', 'kubernetes', 'kube-proxy']);

const run = promisify(execFile);

/**
 * Builds the programs that the cache lacks (`$LEASEHOLD_TEST_CACHE`, or `~/.cache/leasehold-test`) from the Go
 * module proxy. A program that is built is kept, whatever happens to another. Two runs may build at once.
 * Throws, with the reason for each program that is not built.
 */
export async function buildPrograms(report: (line: string) => void): Promise<void> {
  const end = AbortSignal.timeout(budget * 60_000);
  removeStale(dirname(programFolder('etcd')));
  const missing = programSources.filter(({ name }) => !existsSync(programFolder(name)));
  const failures: string[] = [];
  const queue = [...missing];
  const work = async (): Promise<void> => {
    for (let source = queue.shift(); source; source = queue.shift()) {
      const start = performance.now();
      try {
        await build(source, end);
        const seconds = Math.round((performance.now() - start) / 1000);
        report(`built ${source.name} ${source.version} in ${seconds} s, once for this machine`);
      } catch (error) {
        const reason = end.aborted ? `not built within ${budget} minutes` : String(error);
        failures.push(`${source.name}: ${reason}`);
      }
    }
  };
  await Promise.all(Array.from({ length: builders }, work));
  if (failures.length > 0) {
    throw new Error(`the cluster suite lacks programs\n${failures.join('\n')}`);
  }
}

/** Removes what interrupted builds have left in a cache. Builds that still run are younger than the budget. */
export function removeStale(cache: string): void {
  if (!existsSync(cache)) return;
  for (const name of readdirSync(cache).filter((one) => /\.\d+$/.test(one))) {
    const folder = join(cache, name);
    const stats = statSync(folder, { throwIfNoEntry: false });
    const isOld = stats !== undefined && stats.mtimeMs < Date.now() - budget * 60_000;
    if (isOld) rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds one source into a folder of its own and gives it its name at the end. */
async function build(source: ProgramSource, end: AbortSignal): Promise<void> {
  const target = programFolder(source.name);
  const staging = `${target}.${process.pid}`;
  try {
    mkdirSync(staging, { recursive: true });
    const module = await moduleFolder(source, end);
    copyFiles(source, module, staging);
    const overlay = overlayOf(source, module, staging);
    const compile = async (command: readonly string[], binary: string, path: string) => {
      const args = [...command, '-trimpath', '-buildvcs=false', compiling(source), linking(source)];
      await go([...args, ...overlay, '-o', join(staging, binary), path], source, end);
    };
    for (const [binary, path] of Object.entries(source.binaries ?? {})) {
      await compile(['build'], binary, path);
    }
    for (const [binary, path] of Object.entries(source.tests ?? {})) {
      await compile(['test', '-c', '-vet=off'], binary, path);
    }
    keep(staging, target);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Another run may have built the same meanwhile. Its folder stays: it may be in use. */
function keep(staging: string, target: string): void {
  try {
    renameSync(staging, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  }
}

function copyFiles(source: ProgramSource, module: string, staging: string): void {
  for (const file of source.files ?? []) {
    const copy = join(staging, basename(file));
    copyBelow(join(module, file), copy);
    // Modules are kept without the bit that lets a script run.
    if (file.endsWith('.sh')) chmodSync(copy, 0o755);
  }
}

/** Copies a file or a folder. The folders of a module are read-only, and copies of them could not be removed. */
function copyBelow(from: string, to: string): void {
  if (statSync(from).isDirectory()) {
    mkdirSync(to);
    for (const name of readdirSync(from)) copyBelow(join(from, name), join(to, name));
  } else {
    copyFileSync(from, to);
  }
}

/** Without what a debugger reads. Without inlined calls a program compiles in two thirds of the time. */
function compiling({ name }: ProgramSource): string {
  return `-gcflags=all=${busy.has(name) ? '' : '-l '}-dwarf=false`;
}

/** Without symbols; with the version that the release's own build sets. */
function linking({ stamps = {} }: ProgramSource): string {
  const set = Object.entries(stamps).map(([name, text]) => `-X=${name}=${text}`);
  return `-ldflags=${['-s', '-w', ...set].join(' ')}`;
}

/** The option that makes go read the unmodified files from the module's own folder, and ours among them. */
function overlayOf(source: ProgramSource, module: string, staging: string): readonly string[] {
  if (!source.unmodified) return [];
  const files = source.unmodified.map((file) => [
    join(sourceFolder(source), file),
    join(module, file),
  ]);
  const overlay = join(staging, 'overlay.json');
  const all = [...files, ...ourFiles(source)];
  writeFileSync(overlay, JSON.stringify({ Replace: Object.fromEntries(all) }));
  return [`-overlay=${overlay}`];
}

/** Downloads the module, checked against its pinned hash, and returns its folder. */
async function moduleFolder(source: ProgramSource, end: AbortSignal): Promise<string> {
  const { name, module, version, sum } = source;
  // With a go.mod of ours the version and the hash come from it and its go.sum.
  const wanted = sum === undefined ? module : `${module}@${version}`;
  const place = sum === undefined ? source : undefined;
  const got = JSON.parse(await go(['mod', 'download', '-json', wanted], place, end));
  if (got.Version !== version) throw new Error(`${name}: go.mod has ${got.Version}`);
  if (sum !== undefined && got.Sum !== sum) throw new Error(`${wanted} has the hash ${got.Sum}`);
  return got.Dir;
}

/** Runs go as {@link goOnce} does, again when the network failed. */
async function go(...args: Parameters<typeof goOnce>): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await goOnce(...args);
    } catch (error) {
      if (attempt === attempts || args[2].aborted || !isOfNetwork(String(error))) throw error;
      await setTimeout(attempt * 5_000);
    }
  }
}

/** What Go prints when a download fails, and may not the next time. */
const networkSigns = [
  /dial tcp|i\/o timeout|no such host|TLS handshake/,
  /connection (?:reset|refused)|unexpected EOF|stream error/,
  /: (?:429|50[0234]) /,
];

/** True for the error of a download that may go well the next time. */
export function isOfNetwork(text: string): boolean {
  return networkSigns.some((sign) => sign.test(text));
}

/** Runs go in a source's folder, or outside any module, and returns what it printed. */
async function goOnce(
  args: readonly string[],
  source: ProgramSource | undefined,
  end: AbortSignal,
): Promise<string> {
  const cwd = source ? sourceFolder(source) : tmpdir();
  try {
    // The compiler collects no garbage below this limit: more memory, less time.
    const limits = { GOGC: 'off', GOMEMLIMIT: `${compilerMemory}MiB` };
    const newer = source?.toolchain ? { GOTOOLCHAIN: source.toolchain } : {};
    const env = { ...process.env, ...limits, ...newer };
    const options = { cwd, env, signal: end, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 } as const;
    return (await run('go', [...args], options)).stdout;
  } catch (error) {
    // With -json a failed download is told on standard output.
    const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string };
    const printed = `${stdout}${stderr}`.trim().slice(-2_000);
    throw new Error(`go ${args.join(' ')}: ${printed || String(error)}`);
  }
}
