import { execFile } from 'node:child_process';
import { createHash, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { imageSignature } from '../../run/cosign.ts';
import type { KubeObject } from '../kube.ts';
import { freePort } from '../machines/free-port.ts';
import type { Keeper } from '../machines/keeper.ts';
import { programFolder } from '../programs/programs.ts';
import { until } from '../wait.ts';

/** A registry of artifacts on loopback, without TLS, that asks for a password. */
export interface Registry {
  /** The artifact `leases`: `oci://…`. */
  readonly url: string;
  /** The Secret with what opens it. */
  secret(name: string, namespace: string): KubeObject;
  /** Pushes a folder as the tag `latest` of `leases`, as `flux push artifact` does; gives the digest. */
  push(folder: string, source: string, revision: string): Promise<string>;
  /** Signs the artifact with this digest, as `cosign sign` does, in place of earlier signatures. */
  sign(digest: string, key: KeyObject): Promise<void>;
}

const login = ['ci', 'the password'] as const;

/** Starts an empty registry. */
export async function startRegistry(keeper: Keeper): Promise<Registry> {
  const command = join(programFolder('flux-artifact'), 'flux-artifact');
  const address = `127.0.0.1:${await freePort()}`;
  const args = ['serve', address, ...login];
  const program = await keeper.start({ name: 'registry', command, args });
  const closed = 401;
  const answers = async () =>
    (await fetch(`http://${address}/v2/`)).status === closed ? true : undefined;
  await until(answers, { what: 'a registry that answers', programs: [program] });
  return {
    url: `oci://${address}/leases`,
    secret(name, namespace) {
      const [username, password] = login;
      const config = JSON.stringify({ auths: { [address]: { username, password } } });
      return {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, namespace },
        type: 'kubernetes.io/dockerconfigjson',
        stringData: { '.dockerconfigjson': config },
      };
    },
    async push(folder, source, revision) {
      const words = ['push', `${address}/leases:latest`, folder, source, revision, ...login];
      const { stdout } = await promisify(execFile)(command, words);
      return stdout.trim().split('@')[1] ?? '';
    },
    async sign(digest, key) {
      const { tag, image } = imageSignature({ digest, name: `${address}/leases` }, key);
      const place = `http://${address}/v2/leases`;
      for (const blob of image.blobs) {
        await upload('POST', `${place}/blobs/uploads/?digest=${digestOf(blob)}`, blob);
      }
      await upload('PUT', `${place}/manifests/${tag}`, image.manifest);
    },
  };
}

/** Sends bytes to the registry with its password. */
async function upload(method: string, url: string, body: Buffer): Promise<void> {
  const authorization = `Basic ${Buffer.from(login.join(':')).toString('base64')}`;
  const type = 'application/vnd.oci.image.manifest.v1+json';
  const headers = { authorization, 'content-type': type };
  const { status } = await fetch(url, { method, headers, body: new Uint8Array(body) });
  const created = 201;
  if (status !== created) throw new Error(`${method} ${url}: ${status}`);
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
