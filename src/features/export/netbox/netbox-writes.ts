import { EnvironmentError } from '../../../core/model/problem.ts';
import type { NetBox, NetBoxFields, NetBoxWrite } from './netbox.ts';
import type { NetBoxProblem } from './netbox-export-answer.ts';

/** One object to write. */
export interface Write extends Pick<NetBoxWrite, 'method' | 'list'> {
  /** Its addresses or its name, for a problem. */
  readonly name: string;
  readonly object: NetBoxWrite['objects'][number];
  /** An earlier write of the object that this one refers to with `nat_inside`. */
  readonly inside?: Write;
}

/** How far the writes came. */
export interface Written {
  readonly done: ReadonlySet<Write>;
  readonly problems: readonly NetBoxProblem[];
  /** Why the rest was not tried. */
  readonly failure?: string;
}

/** Objects of one request. NetBox writes all of them or none. */
const objectsPerRequest = 50;

/**
 * Writes in order, many objects at a time. After a request that NetBox refuses, it writes each of
 * its objects alone, since NetBox does not say which of them it refuses, and then stops.
 */
export async function writeAll(netbox: NetBox, writes: readonly Write[]): Promise<Written> {
  const done = new Set<Write>();
  const written = new Map<Write, NetBoxFields | undefined>();
  const problems: NetBoxProblem[] = [];
  async function write(batch: readonly [Write, ...Write[]]): Promise<void> {
    const [first] = batch;
    const { method, list } = first;
    const objects = batch.map(({ object, inside }) =>
      inside ? { ...object, nat_inside: idOf(netbox, written.get(inside)) } : object,
    );
    const answer = await netbox.write({ method, list, objects });
    if ('objects' in answer) {
      for (const [index, one] of batch.entries()) {
        done.add(one);
        written.set(one, answer.objects[index]);
      }
    } else if (batch.length > 1) for (const one of batch) await write([one]);
    else problems.push({ addresses: first.name, reason: `NetBox refuses it: ${answer.refused}` });
  }
  try {
    for (const batch of batchesOf(writes)) {
      await write(batch);
      if (problems.length > 0) break;
    }
  } catch (error) {
    if (error instanceof EnvironmentError) return { done, problems, failure: error.message };
    throw error;
  }
  return { done, problems };
}

/** The id of a written object. */
function idOf({ address }: NetBox, object: NetBoxFields | undefined): number {
  if (typeof object?.id === 'number') return object.id;
  throw new EnvironmentError(
    `${address} does not answer with the objects that it has created: NetBox 4.0 or later is needed`,
  );
}

/** Consecutive writes of one list with one method; none refers to another one of its batch. */
function batchesOf(writes: readonly Write[]): readonly [Write, ...Write[]][] {
  const batches: [Write, ...Write[]][] = [];
  for (const write of writes) {
    const last = batches.at(-1);
    const isAlike = last?.[0].method === write.method && last[0].list === write.list;
    const isApart = write.inside !== undefined && last?.includes(write.inside);
    if (last && isAlike && !isApart && last.length < objectsPerRequest) last.push(write);
    else batches.push([write]);
  }
  return batches;
}
