import type { Allocation } from '../../model/allocation.ts';
import type { Claim } from '../../model/claim.ts';
import type { Day } from '../../model/day.ts';
import { EnvironmentError, type Outcome, ok } from '../../model/problem.ts';
import type { WorkspaceSnapshot } from '../ask/workspace-snapshot.ts';
import { type LongWork, longWorkMethods, type ReadTree } from './long-work.ts';

/** Records and holders of a part: one is read from its message in a millisecond or two. */
const partSize = 200;

/** A tree without its records and claims, which follow in parts. */
interface TreeHead extends Omit<ReadTree, 'snapshot'> {
  readonly snapshot: Outcome<
    Omit<WorkspaceSnapshot, 'table' | 'claims'> & { readonly parts: number }
  >;
}

interface TreePart {
  readonly records: readonly (readonly [address: string, record: Allocation])[];
  readonly claims: readonly (readonly [holder: string, claims: readonly Claim[]])[];
}

/**
 * Long work in another thread that sends a tree in parts. To read the message of a whole large tree
 * would keep the receiving thread from answering requests for that time.
 */
export interface PartedWork extends Omit<LongWork, 'read' | 'readKept'> {
  read(day: Day): Promise<TreeHead>;
  readKept(day: Day): Promise<TreeHead | undefined>;
  /** Returns a part of the tree that was read last. */
  part(index: number): Promise<TreePart>;
}

/** The names of all methods of {@link PartedWork}. */
export const partedWorkMethods = [...longWorkMethods, 'part'] as const;

/** Divides the trees of the work. */
export function inParts(work: LongWork): PartedWork {
  let parts: readonly TreePart[] = [];
  const headOf = ({ snapshot, ...state }: ReadTree): TreeHead => {
    if (!snapshot.ok) return { ...state, snapshot };
    const { table, claims, ...rest } = snapshot.value;
    parts = partsOf([...table], [...claims]);
    return { ...state, snapshot: ok({ ...rest, parts: parts.length }) };
  };
  return {
    ...work,
    read: async (day) => headOf(await work.read(day)),
    async readKept(day) {
      const read = await work.readKept(day);
      return read && headOf(read);
    },
    async part(index) {
      const part = parts[index];
      if (part === undefined) throw new EnvironmentError('the tree has to be read again');
      if (index === parts.length - 1) parts = [];
      return part;
    },
  };
}

function partsOf(records: TreePart['records'], claims: TreePart['claims']): readonly TreePart[] {
  const count = Math.ceil(Math.max(records.length, claims.length) / partSize);
  return Array.from({ length: count }, (_, index) => {
    const [from, to] = [index * partSize, (index + 1) * partSize];
    return { records: records.slice(from, to), claims: claims.slice(from, to) };
  });
}

/** Puts the trees of the work together. */
export function inWhole(work: PartedWork): LongWork {
  const treeOf = async ({ snapshot, ...state }: TreeHead): Promise<ReadTree> => {
    if (!snapshot.ok) return { ...state, snapshot };
    const { parts, ...rest } = snapshot.value;
    const table = new Map<string, Allocation>();
    const claims = new Map<string, readonly Claim[]>();
    for (let index = 0; index < parts; index += 1) {
      const part = await work.part(index);
      for (const [address, record] of part.records) table.set(address, record);
      for (const [holder, own] of part.claims) claims.set(holder, own);
    }
    return { ...state, snapshot: ok({ ...rest, table, claims }) };
  };
  return {
    ...work,
    read: async (day) => treeOf(await work.read(day)),
    async readKept(day) {
      const head = await work.readKept(day);
      return head && treeOf(head);
    },
  };
}
