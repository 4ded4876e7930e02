import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { CommitRange, SignatureFault, SignedCommit } from '../../interfaces/commit-log.ts';
import { EnvironmentError, InternalError } from '../../model/problem.ts';
import { distFolder, leasesFolder } from '../../model/repository-paths.ts';
import { reasonOf } from '../system-error.ts';
import type { Git } from './git.ts';
import { deepen } from './git-commits.ts';
import { changedFiles } from './git-differences.ts';
import { logFormat, loggedCommits } from './git-log-format.ts';
import { linesIn, linesOf } from './git-text.ts';

/**
 * The commits of a range that touched `leases/` or `dist/`, newest first, with the faults of their
 * signatures. Only SSH signatures are verified. An EnvironmentError when ssh-keygen is missing or
 * the file of allowed signers, an absolute path, cannot be read.
 */
export async function signedCommits(
  git: Git,
  range: CommitRange,
  allowedSigners: string,
): Promise<readonly SignedCommit[]> {
  assertReadable(allowedSigners);
  if (await git.isShallow()) {
    throw new EnvironmentError(
      `the clone is shallow, and what it lacks cannot be judged: ${deepen}`,
    );
  }
  const settings = sshOnly(allowedSigners);
  const ids = await touching(git, range);
  if (ids.length === 0) return [];
  const kinds = (await git.objects.read(ids)).map((object) => signatureKind(object?.bytes));
  const verdicts = await sshVerdicts(
    git,
    ids.filter((_, index) => kinds[index] === 'SSH'),
    settings,
  );
  const log = ['log', '--no-walk=unsorted', '--stdin', ...logFormat];
  const commits = loggedCommits(await git.read(log, { input: linesOf(ids) }));
  const merges = commits.filter(({ parents }) => parents.length > 1).map(({ id }) => id);
  const changing = await changedBy(git, merges, ['-c']);
  return commits.map((commit, index) => {
    const isCleanMerge = commit.parents.length > 1 && !changing.has(commit.id);
    const verdict = verdicts.get(commit.id) ?? { fault: kinds[index] ? notSSH : unsigned };
    return { commit, isCleanMerge, ...verdict };
  });
}

const unsigned: SignatureFault = 'unsigned';
const notSSH: SignatureFault = 'not an SSH signature';

/** The commits in which the folders differ from any parent, without history simplification. */
async function touching(git: Git, { base, head }: CommitRange): Promise<readonly string[]> {
  const range = base === undefined ? [head] : [head, `^${base}`];
  const all = linesIn(await git.read(['rev-list', ...range, '--']));
  const touched = await changedBy(git, all, ['-m', '--root']);
  return all.filter((id) => touched.has(id));
}

/** The commits that change one of the folders, by the given options of diff-tree. */
async function changedBy(
  git: Git,
  ids: readonly string[],
  options: readonly string[],
): Promise<ReadonlySet<string>> {
  const changed = await changedFiles(git, ids, options, [leasesFolder, distFolder]);
  return new Set(changed.keys());
}

/** The kind that a commit's signature names, such as `SSH` or `PGP`; undefined without one. */
function signatureKind(commit: Uint8Array | undefined): string | undefined {
  const text = Buffer.from(commit ?? []).toString('latin1');
  const head = text.slice(0, text.indexOf('\n\n') + 1);
  if (!/^gpgsig(?:-sha256)? /m.test(head)) return undefined;
  return /^gpgsig(?:-sha256)? -----BEGIN (\w+) SIGNATURE-----$/m.exec(head)?.[1] ?? 'another';
}

type Verdict = Pick<SignedCommit, 'fault' | 'key' | 'signer'>;

/** Git's verdict, by ssh-keygen, on commits with an SSH signature, by object name. */
async function sshVerdicts(
  git: Git,
  ids: readonly string[],
  settings: readonly string[],
): Promise<ReadonlyMap<string, Verdict>> {
  if (ids.length === 0) return new Map();
  const format = ['-z', '--no-show-signature', '--format=%H%x00%G?%x00%GF%x00%GS'];
  const log = ['log', '--no-walk=unsorted', '--stdin', ...format];
  const fields = (await git.run(log, { input: linesOf(ids), settings })).split('\0');
  return new Map(
    ids.map((id, index): [string, Verdict] => {
      const [named, state, key = '', signer = ''] = fields.slice(index * 4, index * 4 + 4);
      if (named !== id) throw new InternalError(`git answers for ${named} instead of ${id}`);
      return [id, verdictOf(state, key.trim(), signer)];
    }),
  );
}

/** Git prints G for a good signature of an allowed signer, U for a good one of an unknown key. */
function verdictOf(state: string | undefined, key: string, signer: string): Verdict {
  if (state === 'G') return { key, signer };
  return state === 'U' ? { fault: 'unknown key', key } : { fault: 'bad signature' };
}

/** Settings by which ssh-keygen verifies every signature, also against the repository's own. */
function sshOnly(allowedSigners: string): readonly string[] {
  const program = programPath('ssh-keygen', process.env.PATH);
  if (program === undefined) {
    throw new EnvironmentError(
      'ssh-keygen is needed to check signatures, and it is not installed: install OpenSSH',
    );
  }
  return [
    'gpg.format=ssh',
    `gpg.program=${program}`,
    `gpg.openpgp.program=${program}`,
    `gpg.x509.program=${program}`,
    `gpg.ssh.program=${program}`,
    `gpg.ssh.allowedSignersFile=${allowedSigners}`,
  ];
}

function assertReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
    if (statSync(file).isFile()) return;
  } catch (error) {
    throw new EnvironmentError(`the file of allowed signers cannot be read: ${reasonOf(error)}`);
  }
  throw new EnvironmentError('the file of allowed signers cannot be read: it is not a file');
}

/**
 * The path of a program on a search path such as `PATH`; undefined when it is not found. Relative
 * folders are skipped: they would run programs of the current folder.
 */
export function programPath(name: string, searchPath: string | undefined): string | undefined {
  return (searchPath ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
