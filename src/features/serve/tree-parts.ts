import type { Allocation } from '../../core/model/allocation.ts';
import type { Claim } from '../../core/model/claim.ts';
import type { Day } from '../../core/model/day.ts';
import { sha256Hex } from '../../core/model/digest.ts';
import { EnvironmentError, InternalError, type Outcome, ok } from '../../core/model/problem.ts';
import type { WorkspaceSnapshot } from '../../lib/list/workspace-snapshot.ts';
import { type LongWork, longWorkMethods, type ReadTree } from './long-work.ts';

/** A part ends after a key of which the hash is a multiple of this: it has as many items on average. */
const usualSize = 128;
/** A part of this size ends anyway: one is read from its message in a millisecond or two. */
const mostItems = 300;

/** A tree without its records and claims, which follow in parts. */
interface TreeHead extends Omit<ReadTree, 'snapshot'> {
  readonly snapshot: Outcome<
    Omit<WorkspaceSnapshot, 'table' | 'claims'> & {
      /** The digests of the parts. */
      readonly parts: readonly string[];
    }
  >;
}

interface TreePart {
  readonly records: readonly (readonly [address: string, record: Allocation])[];
  readonly claims: readonly (readonly [holder: string, claims: readonly Claim[]])[];
}

interface ReadRequest {
  readonly day: Day;
  /** The digests of the parts that the receiver has. */
  readonly known: readonly string[];
}

/**
 * Long work in another thread that sends a tree in parts, and only those that the receiver lacks. To
 * read the message of a whole large tree, and to collect the garbage of it, would keep the receiving
 * thread from answering requests for that time.
 */
export interface PartedWork extends Omit<LongWork, 'read' | 'readKept'> {
  read(request: ReadRequest): Promise<TreeHead>;
  readKept(request: ReadRequest): Promise<TreeHead | undefined>;
  /** Returns a part of the tree that was read last. Each is given once. */
  part(digest: string): Promise<TreePart>;
}

/** The names of all methods of {@link PartedWork}. */
export const partedWorkMethods = [...longWorkMethods, 'part'] as const;

/** Divides the trees of the work. */
export function inParts(work: LongWork): PartedWork {
  const wanted = new Map<string, TreePart>();
  const headOf = ({ snapshot, ...state }: ReadTree, { known }: ReadRequest): TreeHead => {
    wanted.clear();
    if (!snapshot.ok) return { ...state, snapshot };
    const { table, claims, ...rest } = snapshot.value;
    const had = new Set(known);
    const parts = [
      ...divided(table).map((records): TreePart => ({ records, claims: [] })),
      ...divided(claims).map((own): TreePart => ({ records: [], claims: own })),
    ].map((part) => {
      const digest = digestOf(part);
      if (!had.has(digest)) wanted.set(digest, part);
      return digest;
    });
    return { ...state, snapshot: ok({ ...rest, parts }) };
  };
  return {
    ...work,
    read: async (request) => headOf(await work.read(request.day), request),
    async readKept(request) {
      const read = await work.readKept(request.day);
      return read && headOf(read, request);
    },
    async part(digest) {
      const part = wanted.get(digest);
      if (part === undefined) throw new EnvironmentError('the tree has to be read again');
      wanted.delete(digest);
      return part;
    },
  };
}

/**
 * Divides a map at keys that the keys themselves decide, so that an item more or less changes one
 * part and not all that follow.
 */
function divided<Value>(
  items: ReadonlyMap<string, Value>,
): readonly (readonly [string, Value][])[] {
  const parts: [string, Value][][] = [];
  let part: [string, Value][] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < mostItems && hashOf(item[0]) % usualSize !== 0) continue;
    parts.push(part);
    part = [];
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  }
  return hash >>> 0;
}

function digestOf(part: TreePart): string {
  return sha256Hex(JSON.stringify(part, plain));
}

/** A value as JSON can tell it from others: big integers as texts. Of a map JSON would see nothing. */
function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Map || value instanceof Set) throw new InternalError('a part has a map');
  return value;
}

/** Puts the trees of the work together. Equal parts of two trees are the same objects. */
export function inWhole(work: PartedWork): LongWork {
  let known: ReadonlyMap<string, TreePart> = new Map();
  const request = (day: Day): ReadRequest => ({ day, known: [...known.keys()] });
  const treeOf = async ({ snapshot, ...state }: TreeHead): Promise<ReadTree> => {
    if (!snapshot.ok) return { ...state, snapshot };
    const { parts, ...rest } = snapshot.value;
    const table = new Map<string, Allocation>();
    const claims = new Map<string, readonly Claim[]>();
    const read = new Map<string, TreePart>();
    for (const digest of parts) {
      const part = known.get(digest) ?? read.get(digest) ?? (await work.part(digest));
      read.set(digest, part);
      for (const [address, record] of part.records) table.set(address, record);
      for (const [holder, own] of part.claims) claims.set(holder, own);
    }
    known = read;
    return { ...state, snapshot: ok({ ...rest, table, claims }) };
  };
  return {
    ...work,
    read: async (day) => treeOf(await work.read(request(day))),
    async readKept(day) {
      const head = await work.readKept(request(day));
      return head && treeOf(head);
    },
  };
}
