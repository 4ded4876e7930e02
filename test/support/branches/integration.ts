import type { GitRepository } from '../repositories/git-repository.ts';
import { runInProcess } from '../run/run-in-process.ts';
import type { Seeded } from '../run/seeded.ts';
import { announcedTwice, heldBy, itemsOf } from './branches.ts';

/** How a branch comes into main. `update` merges main into the branch first, as a forge asks for. */
export type Method = 'merge' | 'squash' | 'rebase' | 'update';

/** All of them. */
export const methods: readonly Method[] = ['merge', 'squash', 'rebase', 'update'];

/** A branch of the repository, by the name of its ref. */
export interface Incoming {
  readonly ref: string;
  readonly method: Method;
}

/**
 * How it ended: `clean` when git and check were content, `resolved` when `leasehold resolve` made it right,
 * `refused` when it named problems that people have to decide about. `codes` are those that were named.
 */
export interface Ended {
  readonly how: 'clean' | 'resolved' | 'refused';
  readonly codes: readonly string[];
  /** True when git alone would have put one tenant's edit into another's file. */
  readonly isBlended: boolean;
}

/** The day on which branches are brought into main. */
const togetherDay = '2026-01-11';

/** Problems after which somebody has to think; the branch stays out of main. */
const people = [
  'ADDRESS_STRANDED',
  'BASE_WITHHOLDS',
  'HOLDER_CONFLICT',
  'LEASE_DUPLICATE',
  'MASS_RELEASE',
  'PIN_MOVED',
  'PIN_OUTSIDE',
  'PIN_RESERVED',
  'PIN_RETAINED',
  'PIN_TAKEN',
  'POOL_DRAINING',
  'POOL_EXHAUSTED',
  'PORT_TAKEN',
];

/** Brings a branch into `main`, as a maintainer would, and says how it went. Throws on what must never be. */
export async function integrate(
  repository: GitRepository,
  { ref, method }: Incoming,
  random: Seeded,
): Promise<Ended> {
  const { git } = repository;
  const before = git('rev-parse', 'main').trim();
  const held = heldBy(await itemsOf(await onMain(repository)));
  const first = await attempt(repository, { ref, method, before, random, options: [] });
  const isBlended = first.codes.includes('MERGE_BLENDED');
  if (isBlended) giveUp(repository, before);
  const options = ['-X', 'find-renames=100%'];
  const ended = isBlended
    ? await attempt(repository, { ref, method, before, random, options })
    : first;
  const unknown = ended.codes.filter((code) => ended.how === 'refused' && !people.includes(code));
  if (unknown.length > 0) throw new Error(`${method} of ${ref} was refused for ${unknown}`);
  if (ended.how === 'refused') giveUp(repository, before);
  else await assertPromises(repository, held);
  return { ...ended, isBlended };
}

interface Attempt {
  readonly ref: string;
  readonly method: Method;
  readonly before: string;
  readonly random: Seeded;
  /** Of git's merge. */
  readonly options: readonly string[];
}

type Outcome = Omit<Ended, 'isBlended'>;

async function attempt(repository: GitRepository, one: Attempt): Promise<Outcome> {
  const put = { merge: byMerge, squash: bySquash, rebase: byRebase, update: byUpdate }[one.method];
  return put(repository, one);
}

async function byMerge(repository: GitRepository, one: Attempt): Promise<Outcome> {
  const { isDone, git } = repository;
  const isClean = isDone('merge', '-q', '--no-ff', '--no-edit', ...one.options, one.ref);
  if (!isClean) {
    const codes = await resolveStop(repository, one.random);
    if (codes.length > 0) return { how: 'refused', codes };
    git('commit', '-q', '--no-edit');
  }
  return settle(repository, one, !isClean);
}

async function bySquash(repository: GitRepository, one: Attempt): Promise<Outcome> {
  const { isDone, git } = repository;
  git('tag', '-f', 'squashed', one.ref);
  const isClean = isDone('merge', '-q', '--squash', ...one.options, one.ref);
  if (!isClean || one.random.chance(0.5)) {
    const codes = await resolveStop(repository, one.random);
    if (codes.length > 0) return { how: 'refused', codes };
  }
  git('tag', '-d', 'squashed');
  git('commit', '-q', '--allow-empty', '-m', 'squash');
  return settle(repository, one, !isClean);
}

async function byRebase(repository: GitRepository, one: Attempt): Promise<Outcome> {
  const { isDone, git } = repository;
  git('checkout', '-q', '--detach', one.ref);
  let isClean = isDone('rebase', '-q', ...one.options, 'main');
  const isResolved = !isClean;
  while (!isClean) {
    const codes = await resolveStop(repository, one.random);
    if (codes.length > 0) return { how: 'refused', codes };
    isClean = isDone('-c', 'core.editor=true', 'rebase', '--continue');
    if (!isClean && git('ls-files', '-u') === '') isClean = isDone('rebase', '--skip');
  }
  git('checkout', '-q', '-B', 'main');
  return settle(repository, one, isResolved);
}

async function byUpdate(repository: GitRepository, one: Attempt): Promise<Outcome> {
  const { isDone, git } = repository;
  git('checkout', '-q', '-B', 'topic', one.ref);
  const isClean = isDone('merge', '-q', '--no-edit', ...one.options, 'main');
  if (!isClean) {
    const codes = await resolveStop(repository, one.random);
    if (codes.length > 0) return { how: 'refused', codes };
    git('commit', '-q', '--no-edit');
  }
  const outcome = await settle(repository, one, !isClean);
  if (outcome.how === 'refused') return outcome;
  git('checkout', '-q', 'main');
  git('merge', '-q', '--no-ff', '--no-edit', 'topic');
  return outcome;
}

/** What stands where git has stopped: people decide about declarations, resolve does the rest. */
async function resolveStop(repository: GitRepository, random: Seeded): Promise<readonly string[]> {
  const { git, root } = repository;
  const stopped = unmergedDeclarations(repository);
  if (stopped.length > 0) {
    const state = git('status', '--porcelain');
    const codes = await resolve(root);
    const own = codes.filter((code) => code !== 'FILE_UNMERGED' && code !== 'YAML_CONFLICT');
    if (own.length > 0) throw new Error(`resolve did not stop: ${codes}`);
    // It has joined the edits of both sides.
    if (codes.length === 0) return codes;
    if (git('status', '--porcelain') !== state) throw new Error('resolve changed what it refused');
    for (const path of stopped) decide(repository, path, random);
  }
  return resolve(root);
}

/**
 * Takes one side of a declaration, whichever, as that side has it: what git leaves in the index may have
 * conflict markers itself, where it takes two files for one that was renamed.
 */
function decide({ git, isDone }: GitRepository, path: string, random: Seeded): void {
  const [ours, ...theirs] = ['HEAD', 'MERGE_HEAD', 'squashed', 'REBASE_HEAD'];
  const sides = random.chance(0.5) ? [ours] : theirs;
  const side = sides.find((name) => isDone('rev-parse', '-q', '--verify', `${name}^{commit}`));
  if (!side || !isDone('checkout', '-q', side, '--', path)) git('rm', '-q', '-f', '--', path);
}

function unmergedDeclarations({ git }: GitRepository): string[] {
  const paths = git('diff', '--name-only', '--diff-filter=U', '--', 'leases').split('\n');
  return [...new Set(paths)].filter((path) => path && !path.startsWith('leases/allocations/'));
}

/** Checks what is committed; where that is not right, resolves it and commits again. */
async function settle(
  repository: GitRepository,
  one: Attempt,
  isResolved: boolean,
): Promise<Outcome> {
  const { git, root } = repository;
  const found = await judge(root, one);
  if (found.length === 0) return { how: isResolved ? 'resolved' : 'clean', codes: [] };
  if (isResolved) throw new Error(`what resolve left is not right: ${found}`);
  const codes = await resolve(root);
  if (codes.length > 0) return { how: 'refused', codes };
  git('commit', '-q', '--allow-empty', '-m', 'resolve');
  const left = await judge(root, one);
  // What git blended, and what was leased from a pool that drains on main meanwhile, is for people.
  const isForPeople = left.some((code) => code === 'MERGE_BLENDED' || code === 'BASE_WITHHOLDS');
  if (isForPeople) return { how: 'refused', codes: left };
  if (left.length > 0) throw new Error(`resolve was content, and check is not: ${left}`);
  return { how: 'resolved', codes: found };
}

/** What is wrong with the head, in itself and as what follows from main. */
function judge(root: string, { before, ref }: Attempt): Promise<readonly string[]> {
  return run(root, ['check', '--base', before, '--merged', ref, '--today', togetherDay]);
}

function resolve(root: string): Promise<readonly string[]> {
  return run(root, ['resolve', '--today', togetherDay]);
}

/** The codes of the problems that a command line names. */
async function run(root: string, argv: readonly string[]): Promise<readonly string[]> {
  const { status, out, err } = await runInProcess(argv, root);
  if (status === 0) return [];
  const codes = [...out.matchAll(/^\S+:\d+:\d+ ([A-Z_]+) /gm)].map(([, code = '']) => code);
  if (status !== 1 || codes.length === 0)
    throw new Error(`${argv.join(' ')}: ${status} ${out}${err}`);
  return [...new Set(codes)];
}

/** Back to main as it was, whatever is under way. */
function giveUp({ git, isDone }: GitRepository, before: string): void {
  for (const unfinished of ['rebase', 'merge']) isDone(unfinished, '--abort');
  isDone('tag', '-d', 'squashed');
  git('reset', '-q', '--hard');
  git('clean', '-q', '-f', '-d', 'leases', 'dist');
  git('checkout', '-q', '-B', 'main', before);
}

async function onMain({ git, root }: GitRepository): Promise<string> {
  git('checkout', '-q', '-f', 'main');
  return root;
}

/** No address twice, and what somebody held is held by the same one, or by nobody whose lease is left. */
async function assertPromises(
  { root }: GitRepository,
  before: ReadonlyMap<string, string>,
): Promise<void> {
  const twice = announcedTwice(root);
  if (twice.length > 0) throw new Error(`announced twice: ${twice}`);
  const after = heldBy(await itemsOf(root));
  const holders = new Set(after.values());
  for (const [address, holder] of before) {
    if (after.get(address) === holder || !holders.has(holder)) continue;
    throw new Error(`${holder} had ${address}, and has another address now`);
  }
}
