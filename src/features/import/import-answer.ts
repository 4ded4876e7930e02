import * as z from 'zod';
import { comparePositions } from '../../core/model/problem.ts';
import { type Answer, answeredState, apiVersion } from '../../core/text/answer.ts';
import type { ImportNote } from '../../lib/foreign/source-reader.ts';
import { importSources } from './sources.ts';

/** A pool of the source, and its state in the pool file. */
const answeredPool = z.strictObject({
  name: z.string(),
  state: z
    .enum(['added', 'present', 'extended'])
    .describe(
      'added to leases/pools.yaml, or present in it before. extended: present, and it has more addresses now, or more of them reserved.',
    ),
  addresses: z.array(z.string()).describe('Canonical, in the order of the source.'),
  reserved: z
    .array(z.string())
    .describe('The addresses that this import reserves: they are never given out.'),
  avoidBuggyIPs: z.boolean(),
  advertise: z.enum(['l2', 'bgp', 'l2 and bgp']),
  file: z.string().describe('As it was named; - for standard input.'),
  line: z.int(),
});
export type ImportAnswerPool = Answer<typeof answeredPool>;

/** A declaration of a live object, and its state. */
const answeredDeclaration = z.strictObject({
  kind: z.enum(['Service', 'Reservation', 'Lease', 'Hostname']),
  name: z
    .string()
    .describe('<namespace>/<name> of the Service, or <owner>/<dseq>/<gseq>/<oseq> of the lease.'),
  state: z
    .enum(['added', 'present', 'extended'])
    .describe(
      'added, or declared before. extended: declared before, and it has more endpoints or hostnames now.',
    ),
  addresses: z.array(z.string()).describe('The addresses of the object.'),
  hostnames: z.array(z.string()).describe('The hostnames of the object, sorted.'),
  path: z.string().describe('The declaration.'),
  file: z.string().describe('The file as it was named, or the object of the cluster.'),
  line: z.int(),
});
export type ImportAnswerDeclaration = Answer<typeof answeredDeclaration>;

/** The output of `leasehold import -o json`. */
export const importSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Import'),
    ...answeredState,
    source: z.enum(importSources),
    pools: z.array(answeredPool).describe('The pools of the source, in its order.'),
    declarations: z
      .array(answeredDeclaration)
      .describe('The declarations of live objects or of an SDL, by kind and name.'),
    notes: z
      .array(
        z.strictObject({
          effect: z
            .enum(['changed', 'left'])
            .describe('changed: imported, with a difference. left: not imported.'),
          subject: z.string().describe('The object or field that the note is about.'),
          message: z.string(),
          file: z.string(),
          line: z.int(),
          column: z.int(),
        }),
      )
      .describe('The differences from the source, and the parts that are not imported.'),
    edited: z
      .array(z.string())
      .describe('The declarations that were written; none the second time.'),
  })
  .describe('The output of leasehold import -o json.');
export type ImportAnswer = Answer<typeof importSchema>;
export type ImportAnswerNote = ImportAnswer['notes'][number];

/** Notes in the form of the answer, sorted by position. */
export function sortedNotes(notes: readonly ImportNote[]): ImportAnswer['notes'] {
  const sorted = notes.toSorted((left, right) => comparePositions(left.at, right.at));
  return sorted.map(({ effect, subject, message, at }) => ({ effect, subject, message, ...at }));
}
