import * as z from 'zod';
import type { DeclaredKey } from '../model/ownership.ts';
import { type Outcome, ok, startOf } from '../model/problem.ts';
import { keysFolder } from '../model/repository-paths.ts';
import { dnsLabel, objectName } from '../text/common-fields.ts';
import { readKind } from './object-meta.ts';

/** The identity of a key: the namespace of the Services that may use it, and an object name. */
export type KeyName = Pick<DeclaredKey, 'namespace' | 'name'>;

/** The path of a key, from the repository root: `leases/keys/<namespace>/<name>.yaml`. */
export function keyPath({ namespace, name }: KeyName): string {
  return `${keysFolder}/${namespace}/${name}.yaml`;
}

/** The key at a path; undefined when the path is not one of a key. */
export function keyNameOf(path: string): KeyName | undefined {
  const [, text] = /^leases\/keys\/(.+)\.yaml$/.exec(path) ?? [];
  return text === undefined ? undefined : parseKeyName(text);
}

/**
 * Parses `<namespace>/<name>`. Undefined when either is not a valid name, or when the name is
 * `default`, which means no key.
 */
export function parseKeyName(text: string): KeyName | undefined {
  const [namespace, name, ...more] = text.split('/');
  const isName =
    more.length === 0 &&
    name !== 'default' &&
    dnsLabel.safeParse(namespace).success &&
    objectName.max(200).safeParse(name).success;
  return isName && namespace !== undefined && name !== undefined ? { namespace, name } : undefined;
}

/** The text of a key's file. */
export function printKey({ salt, publicKey }: Pick<DeclaredKey, 'salt' | 'publicKey'>): string {
  return `apiVersion: leasehold.dev/v1\nkind: Key\nsalt: '${salt}'\npublicKey: '${publicKey}'\n`;
}

/** Reads a key. Problems: those of {@link readKind}. */
export function readKey(file: string, name: KeyName, bytes: Uint8Array): Outcome<DeclaredKey> {
  const read = readKind(file, bytes, { kind: 'Key', schema: keySchema });
  if (!read.ok) return read;
  const { salt, publicKey } = read.value.written;
  return ok({ ...name, salt, publicKey, at: startOf(file) });
}

/** The text of `leases/keys/repository.yaml`. */
export function printRepositoryId(id: string): string {
  return `apiVersion: leasehold.dev/v1\nkind: Repository\nid: '${id}'\n`;
}

/** Reads the repository's id, 32 hex digits. Problems: those of {@link readKind}. */
export function readRepositoryId(file: string, bytes: Uint8Array): Outcome<string> {
  const read = readKind(file, bytes, { kind: 'Repository', schema: repositorySchema });
  return read.ok ? ok(read.value.written.id) : read;
}

/** A key of `leases/keys/<namespace>/<name>.yaml`. */
export const keySchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('Key'),
    salt: z
      .string()
      .regex(/^[A-Za-z0-9_-]{21}[AQgw]$/, 'expected 16 bytes as 22 characters of base64url')
      .describe('The salt of the secret: 16 random bytes, base64url.'),
    publicKey: z
      .string()
      .regex(
        /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/,
        'expected 32 bytes as 43 characters of base64url',
      )
      .describe('The Ed25519 public key whose seed is scrypt of the secret, base64url.'),
  })
  .describe(
    'An ownership key of leasehold. leasehold key new writes it; the secret stays with its owner.',
  );

/** The id of a repository, `leases/keys/repository.yaml`. */
export const repositorySchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('Repository'),
    id: z
      .string()
      .regex(/^[0-9a-f]{32}$/, 'expected 32 hex digits in lower case')
      .describe('Part of every signature, so that none is valid in another repository.'),
  })
  .describe('The id of a repository of leasehold. leasehold key new writes it once.');
