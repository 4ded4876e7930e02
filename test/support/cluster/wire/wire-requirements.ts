import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { canOwnNetwork, systemPath } from '../machines/own-network.ts';

/** Why this machine cannot have a wire; undefined when it can. */
export function wireIsMissing(): string | undefined {
  if (!canOwnNetwork()) return 'this machine gives no network namespace';
  const tools = { nft: 'nftables', nsenter: 'util-linux' };
  const missing = Object.entries(tools).filter(([tool]) => !isThere(tool));
  if (missing.length === 0) return undefined;
  return `apt-get install ${missing.map(([, packageName]) => packageName).join(' ')}`;
}

/** Why this machine has no BGP peer; undefined when it has BIRD. */
export function birdIsMissing(): string | undefined {
  return isThere('bird') ? undefined : 'apt-get install bird2';
}

/** Why this machine cannot run frr-k8s; undefined when it has FRR, and what reloads it. */
export function frrIsMissing(): string | undefined {
  const parts = ['watchfrr', 'bgpd', 'frr-reload.py'];
  const isThere = parts.every((part) => existsSync(join('/usr/lib/frr', part)));
  return isThere ? undefined : 'apt-get install frr frr-pythontools';
}

/** True when a part of the suite is skipped, which it tells in one line. In CI that is a failure. */
export function isLacking(part: string, missing: string | undefined): boolean {
  if (missing === undefined) return false;
  if (process.env.CI) throw new Error(`${part}: ${missing}`);
  console.log(`skipped: ${part}; ${missing}, then npm run test:cluster`);
  return true;
}

function isThere(tool: string): boolean {
  try {
    execFileSync(tool, ['--version'], {
      stdio: 'ignore',
      env: { ...process.env, PATH: systemPath },
    });
    return true;
  } catch {
    return false;
  }
}
