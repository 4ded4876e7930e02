import type * as z from 'zod';
import { keysFolder } from '../model/folders.ts';
import type { DeclaredKey } from '../model/ownership.ts';
import { type Outcome, startOf } from '../model/problem.ts';
import { dnsLabel, objectName } from '../text/name-fields.ts';
import { readShape } from '../text/shape.ts';
import { readYaml } from '../text/yaml/yaml-document.ts';
import { keySchema, repositorySchema } from './key-schema.ts';
import { kindProblems } from './kind.ts';

/** What names a key: the namespace of the Services that may name it, and a name as Secrets have them. */
export type KeyName = Pick<DeclaredKey, 'namespace' | 'name'>;

/** The file of a key, from the repository root: `leases/keys/<namespace>/<name>.yaml`. */
export function keyPath({ namespace, name }: KeyName): string {
  return `${keysFolder}/${namespace}/${name}.yaml`;
}

/** The key of a path; undefined for a path that no key has. */
export function keyNameOf(path: string): KeyName | undefined {
  const [, text] = /^leases\/keys\/(.+)\.yaml$/.exec(path) ?? [];
  return text === undefined ? undefined : parseKeyName(text);
}

/** The key that `<namespace>/<name>` names; undefined where one of the two is not a name, or is `default`, which means no key. */
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

/** A key. Problems: those of {@link readYaml}, FIELD_*, KIND_UNKNOWN. */
export function readKey(file: string, name: KeyName, bytes: Uint8Array): Outcome<DeclaredKey> {
  const read = readKind(file, bytes, { kind: 'Key', schema: keySchema });
  if (!read.ok) return read;
  const { salt, publicKey } = read.value;
  return { ok: true, value: { ...name, salt, publicKey, at: startOf(file) } };
}

/** The text of the file with the repository's id. */
export function printRepositoryId(id: string): string {
  return `apiVersion: leasehold.dev/v1\nkind: Repository\nid: '${id}'\n`;
}

/** The repository's id: 32 hex digits. Problems: those of {@link readYaml}, FIELD_*, KIND_UNKNOWN. */
export function readRepositoryId(file: string, bytes: Uint8Array): Outcome<string> {
  const read = readKind(file, bytes, { kind: 'Repository', schema: repositorySchema });
  return read.ok ? { ok: true, value: read.value.id } : read;
}

function readKind<Schema extends z.ZodType>(
  file: string,
  bytes: Uint8Array,
  { kind, schema }: { readonly kind: string; readonly schema: Schema },
): Outcome<z.output<Schema>> {
  const read = readYaml(file, bytes, 'refused');
  if (!read.ok) return read;
  const problems = kindProblems(read.value, kind);
  return problems.length > 0 ? { ok: false, problems } : readShape(schema, read.value);
}
