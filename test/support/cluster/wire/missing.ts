import { execFileSync } from 'node:child_process';
import { canOwnNetwork, systemPath } from '../machines/own-network.ts';

/** Why this machine cannot have a wire; undefined when it can. */
export function wireIsMissing(): string | undefined {
  if (!canOwnNetwork()) return 'this machine gives no network namespace';
  const tools = { nft: 'nftables', nsenter: 'util-linux' };
  const missing = Object.entries(tools).filter(([tool]) => !isThere(tool));
  if (missing.length === 0) return undefined;
  return `apt-get install ${missing.map(([, packageName]) => packageName).join(' ')}`;
}

/** True when BIRD is there. */
export function hasBird(): boolean {
  return isThere('bird');
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
