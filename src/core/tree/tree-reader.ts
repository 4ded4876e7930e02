import { readDeclaration } from '../declarations/declaration-file.ts';
import { keyNameOf, readKey, readRepositoryId } from '../declarations/key-file.ts';
import { openSdl, requestsIn, type Sdl, type SdlEndpoint } from '../declarations/lease/sdl.ts';
import type { Renames } from '../declarations/rename-file.ts';
import type { CachedParse, SourceTree, TreeEntry } from '../interfaces/tree.ts';
import type { Hostname } from '../model/hostname.ts';
import type { AddressPromise, Endpoint, Lease } from '../model/lease.ts';
import { type DeclaredKey, type Keys, keyText } from '../model/ownership.ts';
import type { Pools } from '../model/pools.ts';
import {
  fail,
  firstProblems,
  type Outcome,
  ok,
  type Position,
  type Problem,
  startOf,
} from '../model/problem.ts';
import { isRecordPath, repositoryIdPath } from '../model/repository-paths.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';
import { explainTemplates } from '../text/yaml/template-hints.ts';
import { tooLarge } from '../text/yaml/yaml-text.ts';
import type { LeaseFiles } from './lease-files.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text of a listed file, with its byte order mark. Bytes that are not UTF-8 are replaced. */
export function textIn(tree: SourceTree, path: string): string {
  return decoder.decode(tree.read(path));
}

/** The bytes of a listed file; undefined for one of more than `mostBytes`. */
export function bytesUpTo(
  tree: SourceTree,
  entry: TreeEntry,
  mostBytes: number,
): Uint8Array | undefined {
  if (tree.readUpTo) return tree.readUpTo(entry.path, mostBytes);
  return entry.size <= mostBytes ? tree.read(entry.path) : undefined;
}

/** Bytes. Files up to this size are always read; nearly all declarations are smaller. */
const smallFile = 4 * 1024;

/**
 * Bytes. Once larger files with problems exceed this in total, no further larger file is read: the
 * run fails anyway, and each file may take a second.
 */
const mostRefused = 4 * 1024 * 1024;

/** Reads the files of one tree, in bounded time for any contents. */
export class TreeReader {
  readonly #tree: SourceTree;
  readonly #sdls = new Map<string, Sdl | 'refused'>();
  /** Bytes of larger files that had problems. */
  #refused = 0;

  constructor(tree: SourceTree) {
    this.#tree = tree;
  }

  /**
   * Reads a file with `reader`. Problems: the first ones of `reader`, FILE_TOO_LARGE without
   * reading the file, and FILE_UNREAD. What a file means may depend on another one, the `context`:
   * a file that is equal in several trees is read once for each context.
   */
  read<Value>(
    entry: TreeEntry,
    reader: (bytes: Uint8Array) => Outcome<Value>,
    context?: object,
  ): Outcome<Value> {
    const id = this.#tree.parsed && this.#tree.idOf?.(entry.path);
    if (!this.#tree.parsed || id === undefined) return this.#read(entry, reader);
    const parsed = this.#tree.parsed.get(context) ?? new Map<string, CachedParse>();
    this.#tree.parsed.set(context, parsed);
    const newest = parsed.get(entry.path);
    let known = newest;
    while (known && known.id !== id) known = known.other;
    if (known) return known.value as Outcome<Value>;
    const value = this.#read(entry, reader);
    if (value.ok) parsed.set(entry.path, { id, value, other: newest });
    return value;
  }

  #read<Value>(entry: TreeEntry, reader: (bytes: Uint8Array) => Outcome<Value>): Outcome<Value> {
    const { path } = entry;
    const small = bytesUpTo(this.#tree, entry, smallFile);
    const unread = small ? undefined : (tooLarge(path, entry.size) ?? this.#unread(path));
    if (unread) return fail([unread]);
    const bytes = small ?? this.#tree.read(path);
    const outcome = reader(bytes);
    if (outcome.ok) return outcome;
    if (!small) this.#refused += bytes.length;
    const explained = explainTemplates<Value>(outcome, [{ name: path, bytes }]);
    if (explained.ok) return explained;
    const problems = firstProblems(explained.problems);
    return fail(isRecordPath(path) ? problems.map(withoutAdvice) : problems);
  }

  /**
   * Reads an SDL once for all leases that name it, and returns its problems the first time only.
   */
  readSdl(entry: TreeEntry): Outcome<Sdl> {
    const known = this.#sdls.get(entry.path);
    if (known === 'refused') return fail([]);
    if (known) return ok(known);
    const read = this.read(entry, (bytes) => openSdl(entry.path, bytes));
    this.#sdls.set(entry.path, read.ok ? read.value : 'refused');
    return read;
  }

  #unread(path: string): Problem | undefined {
    if (this.#refused < mostRefused) return undefined;
    return {
      code: 'FILE_UNREAD',
      message: `the file was not read: other large files with problems have ${this.#refused} bytes in total`,
      at: startOf(path),
      hint: 'correct those files first',
    };
  }
}

/** A declaration; the endpoints and hostnames of a lease with an SDL are read from it. */
export type ReadDeclaration =
  | Lease
  | DeclaredService
  | Reservation
  | AddressPromise
  | Hostname
  | Renames;

/**
 * Reads a declaration file, and the SDL that it names. The value is undefined when the pools are
 * unknown and everything else is valid.
 */
export function readDeclarationOf(
  reader: TreeReader,
  files: LeaseFiles,
  entry: TreeEntry,
  pools: Pools | undefined,
): Outcome<ReadDeclaration | undefined> {
  const written = reader.read(entry, (bytes) => readDeclaration(entry.path, bytes, pools), pools);
  if (!written.ok) return written;
  if (!written.value || !('sdl' in written.value)) return ok(written.value);
  const { id, cluster, at, sdl, isRouted } = written.value;
  const file = files.sdls.get(sdl.path);
  if (!file) return fail([sdlMissing(sdl)]);
  const read = reader.readSdl(file);
  if (!read.ok) return read;
  const requests = requestsIn(read.value, { gseq: id.gseq, isRouted });
  if (!requests.ok) return requests;
  const { endpoints, hosts } = requests.value;
  return ok({ id, cluster, at, endpoints: endpoints.map(endpointOf), hosts });
}

/**
 * Fields that an SDL does not have get their defaults: IPv4, the default zone, no pin, no
 * retention, no DNS names.
 */
function endpointOf(endpoint: SdlEndpoint): Endpoint {
  return {
    // Node 20 gives each object that begins with a spread a hidden class of its own.
    zone: undefined,
    pool: undefined,
    advertisement: undefined,
    ipFamily: 'ipv4',
    address: undefined,
    retentionDays: 0,
    selector: undefined,
    liveSharingKey: undefined,
    dns: [],
    ...endpoint,
  };
}

function sdlMissing(sdl: { readonly path: string; readonly at: Position }): Problem {
  return {
    code: 'FILE_MISSING',
    message: `the file ${sdl.path} does not exist`,
    at: sdl.at,
    hint: 'name an *.sdl.yaml file beside or below the declaration',
  };
}

/** Reads `leases/keys/`. FILE_MISSING when there are keys, but no repository id. */
export function readKeys(
  reader: TreeReader,
  files: LeaseFiles,
  found: (readonly Problem[])[],
): Keys {
  const byName = new Map<string, DeclaredKey>();
  for (const entry of files.keys) {
    const name = keyNameOf(entry.path);
    if (!name) continue;
    const key = reader.read(entry, (bytes) => readKey(entry.path, name, bytes));
    if (key.ok) byName.set(keyText(name), key.value);
    else found.push(key.problems);
  }
  return { repository: readRepository(reader, files, found), byName };
}

function readRepository(
  reader: TreeReader,
  files: LeaseFiles,
  found: (readonly Problem[])[],
): string | undefined {
  const entry = files.repositoryId;
  if (!entry) {
    if (files.keys.length > 0) found.push([repositoryMissing()]);
    return undefined;
  }
  const id = reader.read(entry, (bytes) => readRepositoryId(entry.path, bytes));
  if (id.ok) return id.value;
  found.push(id.problems);
  return undefined;
}

function repositoryMissing(): Problem {
  return {
    code: 'FILE_MISSING',
    message: 'there are keys, but no repository id, which every signature contains',
    at: startOf(repositoryIdPath),
    hint: 'restore it with git; when there is none, `leasehold key new` writes a new one',
  };
}

/** Nobody writes a record: how to correct its text is no advice. */
function withoutAdvice({ hint, ...problem }: Problem): Problem {
  const isOfText = /^(?:FIELD|YAML)_/.test(problem.code);
  return isOfText || hint === undefined ? problem : { ...problem, hint };
}
