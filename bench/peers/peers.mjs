// The programs that people would use instead, at pinned versions from the registries of npm and of Go modules. Each is built once,
// into a cache outside of the tree, so that the product gets no dependency. One that cannot be built is left out, with a line.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { helm } from './helm/peer.mjs';
import { jsonnet } from './jsonnet/peer.mjs';
import { kosko } from './kosko/peer.mjs';
import { kustomize } from './kustomize/peer.mjs';

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'leasehold-bench');

/** The peers that are built, or that can be, each with the folder that it is built in. */
export async function availablePeers({ mayBuild }) {
  const found = [];
  for (const peer of [kosko, jsonnet, helm, kustomize]) {
    const folder = join(cache, `${peer.name}-${peer.version}`);
    try {
      if (!existsSync(folder)) await build(peer, folder, mayBuild);
      found.push({ ...peer, folder });
    } catch (error) {
      console.log(`without ${peer.name}: ${reasonOf(error)}`);
    }
  }
  return found;
}

async function build(peer, folder, mayBuild) {
  if (!mayBuild) throw new Error('it is not built');
  console.log(`building ${peer.name} ${peer.version}`);
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    if (peer.program) installProgram(peer, unfinished);
    else await peer.build(unfinished);
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Builds a program of Go with the versions that its own go.mod names. */
function installProgram({ program, version }, folder) {
  execFileSync('go', ['install', '-trimpath', `${program}@${version}`], {
    cwd: folder,
    env: { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** The last line of what a failed build said. */
function reasonOf(error) {
  return (
    String(error.stderr ?? '')
      .trim()
      .split('\n')
      .at(-1) || error.message
  );
}
