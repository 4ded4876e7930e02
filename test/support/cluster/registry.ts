import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import type { Keeper } from './keeper.ts';
import { programFolder } from './programs.ts';
import { until } from './wait.ts';

/** A registry of artifacts on loopback, without TLS and without a password. */
export interface Registry {
  /** The artifact `leases`: `oci://…`. */
  readonly url: string;
  /** Pushes a folder as the tag `latest` of `leases`, as `flux push artifact` does; gives the digest. */
  push(folder: string, source: string, revision: string): Promise<string>;
}

/** Starts an empty registry. */
export async function startRegistry(keeper: Keeper): Promise<Registry> {
  const command = join(programFolder('flux-artifact'), 'flux-artifact');
  const address = `127.0.0.1:${await freePort()}`;
  const program = await keeper.start({ name: 'registry', command, args: ['serve', address] });
  const answers = async () => ((await fetch(`http://${address}/v2/`)).ok ? true : undefined);
  await until(answers, { what: 'a registry that answers', programs: [program] });
  return {
    url: `oci://${address}/leases`,
    async push(folder, source, revision) {
      const args = ['push', `${address}/leases:latest`, folder, source, revision];
      const { stdout } = await promisify(execFile)(command, args);
      return stdout.trim().split('@')[1] ?? '';
    },
  };
}
