// Git for the benches: without this machine's settings, and with commits of fixed days, so that a bench does
// the same whatever day it is. `check --base` compares the days of commits with the days of records.
import { execFileSync } from 'node:child_process';

const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
const environment = {
  ...Object.fromEntries(own),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};
const settings = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', '-c', 'gc.auto=0'];

/** Makes an empty repository of a folder that exists. */
export function initRepository(folder) {
  git(folder, ['init', '-q', '-b', 'main']);
}

/** From here on, commits go to a new branch. */
export function startBranch(folder, name) {
  git(folder, ['checkout', '-q', '-b', name]);
}

/** Tells git whatever is there, and what is gone. */
export function stageAll(folder) {
  git(folder, ['add', '-A']);
}

/** Commits whatever is there, at noon of a day. */
export function commitAll(folder, day, message) {
  const time = `${day}T12:00:00Z`;
  stageAll(folder);
  git(folder, ['commit', '-q', '--allow-empty', '-m', message], {
    GIT_AUTHOR_DATE: time,
    GIT_COMMITTER_DATE: time,
  });
}

/** One pack, as in a clone. */
export function packAll(folder) {
  git(folder, ['repack', '-a', '-d', '-q']);
}

function git(folder, args, more = {}) {
  execFileSync('git', [...settings, ...args], { cwd: folder, env: { ...environment, ...more } });
}
