import type * as z from 'zod';
import { labelSelector } from '../../../core/declarations/pools/advertise-schema.ts';
import type { LabelSelector } from '../../../core/model/pools.ts';
import type { Position } from '../../../core/model/problem.ts';
import { dnsLabel, objectName } from '../../../core/text/common-fields.ts';
import {
  type SourceNode,
  type SourceReader,
  sourcePlace,
} from '../../../lib/foreign/source-reader.ts';
import { poolSubject } from './announced-pools.ts';

/**
 * The name of a pool, if both Kubernetes and `leases/pools.yaml` accept it. FIELD_VALUE when
 * Kubernetes refuses it. A name of several parts or over 63 characters is valid for Kubernetes
 * only; the pool is noted and not imported.
 */
export function readPoolName(reader: SourceReader, name: string, at: Position): string | undefined {
  if (dnsLabel.safeParse(name).success) return name;
  if (!objectName.safeParse(name).success) {
    const message = `'${name}' is not a valid Kubernetes name: expected lower-case letters, digits and -, with a letter or digit at both ends`;
    reader.refuse('FIELD_VALUE', message, at);
    return undefined;
  }
  const message =
    'it is not imported: a pool of leasehold has a name of at most 63 characters without dots';
  reader.leave(poolSubject(name), message, at);
  return undefined;
}

/** The supported selectors of a list; the others are noted. */
export function readSelectors(
  reader: SourceReader,
  subject: string,
  list: SourceNode | undefined,
): readonly LabelSelector[] {
  return held(reader, subject, labelSelector, reader.list(list));
}

/** The values that a schema accepts; each other one is noted. */
export function held<Value>(
  reader: SourceReader,
  subject: string,
  schema: z.ZodType<Value>,
  nodes: readonly SourceNode[],
): readonly Value[] {
  return nodes.flatMap((node) => {
    const parsed = schema.safeParse(node.value);
    if (parsed.success) return [parsed.data];
    const [issue] = parsed.error.issues;
    const what = String(node.path.findLast((step) => typeof step === 'string') ?? 'value');
    const value = typeof node.value === 'string' ? ` '${node.value}'` : '';
    const reason = issue?.message ?? 'expected something else';
    reader.leave(subject, `${what}${value} is not imported: ${reason}`, sourcePlace(node));
    return [];
  });
}

/** A whole number in some bounds; another value is noted. */
export function readNumber(
  reader: SourceReader,
  subject: string,
  node: SourceNode | undefined,
  [least, most]: readonly [number, number],
): number | undefined {
  if (node === undefined || node.value === null) return undefined;
  const { value } = node;
  if (typeof value === 'number' && Number.isInteger(value) && least <= value && value <= most) {
    return value;
  }
  const message = `'${String(node.path.at(-1))}' is not imported: expected a whole number from ${least} to ${most}`;
  reader.leave(subject, message, sourcePlace(node));
  return undefined;
}
