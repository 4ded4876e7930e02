import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Shards } from '../../../src/core/model/pools.ts';
import { gitEnvironment } from '../repositories/git-environment.ts';
import { runInProcess } from '../run/run-in-process.ts';
import { type Finished, runProcess } from '../run/run-process.ts';
import type { MetallbVersion } from './machines/metallb.ts';

/** How leasehold emits pools. */
export type Layout = 'lease' | 'pool';

/** Files to write, or to remove where the text is undefined. */
export type Edit = Readonly<Record<string, string | undefined>>;

/** A clone in which people declare leases, run leasehold, commit and push. */
export interface LeaseRepository {
  readonly root: string;
  /** Edits files, runs `leasehold synth` for a day, commits all and pushes; gives the commit. */
  change(edit: Edit, today: string): Promise<string>;
  /** Runs a command of leasehold that writes, for a day, commits all and pushes; gives the commit. */
  run(today: string, ...command: readonly string[]): Promise<string>;
  /** Edits files and runs `leasehold synth`, which must refuse; gives what it says. The edit is undone. */
  refused(edit: Edit, today: string): Promise<string>;
  /** Edits files, commits all and pushes, without a run of leasehold: nothing checks it. Gives the commit. */
  pushUnchecked(edit: Edit): Promise<string>;
  read(path: string): string;
  leasehold(...args: readonly string[]): Promise<Finished>;
  /** The same as a process of its own, each time. */
  asProcess(...args: readonly string[]): Promise<Finished>;
  /** What a command prints of what a pipe gives it. */
  piped(args: readonly string[], input: string): string;
}

/** Where a repository comes from and goes to. */
export interface Origin {
  /** The compiled CLI. */
  readonly cli: string;
  /** The repository to push to; none where nothing follows. */
  readonly url?: string;
  readonly folder: string;
}

/** What the pool file of the shipped example says instead. */
interface Declared {
  readonly metallb: MetallbVersion;
  readonly layout: Layout;
  readonly shards?: Shards;
}

/** Makes a clone that declares the shipped example's leases, without what synth wrote. */
export function leaseRepository(
  origin: Origin,
  { metallb, layout, shards }: Declared,
): LeaseRepository {
  const repository = emptyRepository(origin);
  const { root } = repository;
  const written = resolve('leases/allocations');
  cpSync(resolve('leases'), join(root, 'leases'), {
    recursive: true,
    filter: (path) => path !== written,
  });
  const pools = join(root, 'leases/pools.yaml');
  const edits = [
    [
      'version: 0.14.9, namespace: metallb-system, layout: lease',
      `version: ${metallb}, namespace: metallb-system, layout: ${layout}`,
    ],
    ['clusters: [{ name: default }]', `clusters: [{ name: default, shards: ${shards ?? 1} }]`],
  ] as const;
  let text = readFileSync(pools, 'utf8');
  for (const [declared, wanted] of edits) {
    if (!text.includes(declared)) throw new Error(`the shipped example does not say ${declared}`);
    text = text.replace(declared, wanted);
  }
  writeFileSync(pools, text);
  return repository;
}

/** Makes a clone in which nothing is declared yet. */
export function emptyRepository({ cli, url, folder }: Origin): LeaseRepository {
  const root = join(folder, 'clone');
  mkdirSync(root, { recursive: true });
  // The commits have the days of the life: a retention counts from the commit that has the release.
  let day: string | undefined;
  const git = (...args: string[]) => execFileSync('git', args, options(root, day)).trim();
  git('init', '-q', '-b', 'main');
  if (url) git('remote', 'add', 'origin', url);
  writeFileSync(join(root, '.gitignore'), '.leasehold/\n');
  let count = 0;
  // The days of a life are far apart, and the clock of the machine goes its own way.
  const daysAhead = { LEASEHOLD_ALLOW_DATE_AHEAD: '1' };
  // The compiled program takes a second to load: one command in ten is its, the others run in this process.
  const asProcess = (...args: readonly string[]): Promise<Finished> =>
    runProcess(process.execPath, [cli, ...args], { cwd: root, env: daysAhead });
  const leasehold = (...args: readonly string[]): Promise<Finished> => {
    count += 1;
    return count % 10 === 1 ? asProcess(...args) : runInProcess(args, root);
  };
  const put = (edit: Edit): void => {
    for (const [path, text] of Object.entries(edit)) {
      if (text === undefined) git('rm', '-q', path);
      else {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    }
  };
  const push = async (): Promise<string> => {
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', 'Change leases');
    // The server is in this process: it must be able to answer.
    if (url) await promisify(execFile)('git', ['push', '-q', 'origin', 'main'], options(root));
    return git('rev-parse', 'HEAD');
  };
  const run = async (today: string, ...command: readonly string[]): Promise<string> => {
    day = today;
    const { status, out, err } = await leasehold(...command, '--today', today);
    if (status !== 0) throw new Error(`leasehold ${command.join(' ')}: ${out}${err}`);
    return push();
  };
  return {
    root,
    leasehold,
    asProcess,
    piped: (args, input) =>
      execFileSync(process.execPath, [cli, ...args], {
        cwd: root,
        input,
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'ignore'],
      }),
    read: (path) => readFileSync(join(root, path), 'utf8'),
    run,
    change(edit, today) {
      put(edit);
      return run(today, 'synth');
    },
    pushUnchecked(edit) {
      put(edit);
      return push();
    },
    async refused(edit, today) {
      put(edit);
      const { status, out, err } = await leasehold('synth', '--today', today);
      git('checkout', '-q', '--', '.');
      git('clean', '-qfd');
      if (status !== 1) throw new Error(`leasehold synth ended with ${status}: ${out}${err}`);
      return out;
    },
  };
}

function options(
  cwd: string,
  day?: string,
): { cwd: string; env: NodeJS.ProcessEnv; encoding: 'utf8' } {
  const time = `${day}T12:00:00Z`;
  const dates = day === undefined ? {} : { GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time };
  return { cwd, env: { ...gitEnvironment, ...dates }, encoding: 'utf8' };
}
