import { accessSync, constants, statSync } from 'node:fs';
import { distFolder, leasesFolder } from '../../model/folders.ts';
import { EnvironmentError, InternalError } from '../../model/problem.ts';
import type { SignatureFault } from '../../model/signatures.ts';
import type { CommitRange, SignedCommit } from '../../ports/commit-log.ts';
import { programPath } from '../program-path.ts';
import { reasonOf } from '../system-error.ts';
import { quietGit } from './git.ts';
import { changedFiles } from './git-changed-files.ts';
import { deepen, isShallow } from './git-commits.ts';
import { logFormat, loggedCommits } from './git-log-fields.ts';
import { readObjects } from './git-objects.ts';

/**
 * The commits of a range that touched `leases/` or `dist/`, the newest first, with what is wrong with their
 * signatures. Only SSH signatures are looked at. An EnvironmentError when there is no ssh-keygen, or
 * the file of allowed signers, an absolute path, cannot be read.
 */
export async function signedCommits(
  root: string,
  range: CommitRange,
  allowedSigners: string,
): Promise<readonly SignedCommit[]> {
  assertReadable(allowedSigners);
  if (await isShallow(root)) {
    throw new EnvironmentError(
      `the clone is shallow, and what it lacks cannot be judged: ${deepen}`,
    );
  }
  const settings = sshOnly(allowedSigners);
  const ids = await touching(root, range);
  if (ids.length === 0) return [];
  const kinds = (await readObjects(root, ids)).map((object) => signatureKind(object?.bytes));
  const verdicts = await sshVerdicts(
    root,
    ids.filter((_, index) => kinds[index] === 'SSH'),
    settings,
  );
  const log = ['log', '--no-walk=unsorted', '--stdin', ...logFormat];
  const commits = loggedCommits(await quietGit(root, { input: lines(ids) }).raw(log));
  const merges = commits.filter(({ parents }) => parents.length > 1).map(({ id }) => id);
  const changing = await changedBy(root, merges, ['-c']);
  return commits.map((commit, index) => {
    const isCleanMerge = commit.parents.length > 1 && !changing.has(commit.id);
    const verdict = verdicts.get(commit.id) ?? { fault: kinds[index] ? notSSH : unsigned };
    return { commit, isCleanMerge, ...verdict };
  });
}

const unsigned: SignatureFault = 'unsigned';
const notSSH: SignatureFault = 'not an SSH signature';

/** Commits in which the folders differ from any parent; no simplification of the history leaves one out. */
async function touching(root: string, { base, head }: CommitRange): Promise<readonly string[]> {
  const range = base === undefined ? [head] : [head, `^${base}`];
  const output = await quietGit(root).raw(['rev-list', ...range, '--']);
  const all = output.split('\n').filter((id) => id !== '');
  const touched = await changedBy(root, all, ['-m', '--root']);
  return all.filter((id) => touched.has(id));
}

/** The commits that a way of comparing with parents shows to change one of the folders. */
async function changedBy(
  root: string,
  ids: readonly string[],
  way: readonly string[],
): Promise<ReadonlySet<string>> {
  const changed = await changedFiles(root, ids, way, [leasesFolder, distFolder]);
  return new Set(changed.keys());
}

/** `SSH`, `PGP` or another word, as a commit's signature begins; undefined without one. */
function signatureKind(commit: Uint8Array | undefined): string | undefined {
  const text = Buffer.from(commit ?? []).toString('latin1');
  const head = text.slice(0, text.indexOf('\n\n') + 1);
  if (!/^gpgsig(?:-sha256)? /m.test(head)) return undefined;
  return /^gpgsig(?:-sha256)? -----BEGIN (\w+) SIGNATURE-----$/m.exec(head)?.[1] ?? 'another';
}

type Verdict = Pick<SignedCommit, 'fault' | 'key' | 'signer'>;

/** What git, and ssh-keygen for it, say of commits with an SSH signature: object name to verdict. */
async function sshVerdicts(
  root: string,
  ids: readonly string[],
  settings: readonly string[],
): Promise<ReadonlyMap<string, Verdict>> {
  if (ids.length === 0) return new Map();
  const format = ['-z', '--no-show-signature', '--format=%H%x00%G?%x00%GF%x00%GS'];
  const log = ['log', '--no-walk=unsorted', '--stdin', ...format];
  const fields = (await quietGit(root, { input: lines(ids), settings }).raw(log)).split('\0');
  return new Map(
    ids.map((id, index): [string, Verdict] => {
      const [named, state, key = '', signer = ''] = fields.slice(index * 4, index * 4 + 4);
      if (named !== id) throw new InternalError(`git answers for ${named} instead of ${id}`);
      return [id, verdictOf(state, key.trim(), signer)];
    }),
  );
}

/** Git's letters: G is a good signature of somebody in the file, U a good one of a key that is not in it. */
function verdictOf(state: string | undefined, key: string, signer: string): Verdict {
  if (state === 'G') return { key, signer };
  return state === 'U' ? { fault: 'unknown key', key } : { fault: 'bad signature' };
}

/** No program but ssh-keygen judges a signature, whatever the settings of the repository say. */
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
  throw new EnvironmentError('the file of allowed signers cannot be read: it is no file');
}

function lines(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join('');
}
