import * as z from 'zod';
import type { Rename } from '../model/holder.ts';
import { type Outcome, ok } from '../model/problem.ts';
import { holderPattern, labelPattern } from '../text/common-fields.ts';
import { type Refusal, readShape, refusing } from '../text/shape.ts';
import type { YamlDocument } from '../text/yaml/document.ts';
import { editorMetadata } from './object-meta.ts';

const pattern = new RegExp(`^(?:${holderPattern}|${labelPattern}/namespace/${labelPattern})$`);

/** The holder of addresses, or of the hostnames of a namespace. */
const holder = z
  .string()
  .max(320)
  .regex(
    pattern,
    'expected a holder as `leasehold list` prints it, such as default/service/shop/web',
  );

/** A `Rename`: holders that go on under other names, with their addresses. */
export const renameSchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('Rename'),
    metadata: editorMetadata,
    spec: z.strictObject({
      holders: z
        .array(
          z
            .strictObject({
              from: holder.describe('The former holder, which is no longer declared.'),
              to: holder.describe('The holder that is declared in its place.'),
            })
            .superRefine(refusing(otherPlace)),
        )
        .min(1)
        .max(1000)
        .describe('Each holder keeps the addresses of the former one.'),
    }),
  })
  .describe('A rename of leasehold: an address stays when the name of its holder changes.');

/** A value that holds several renames. */
export interface Renames {
  readonly kind: 'Rename';
  readonly holders: readonly Rename[];
}

/** Reads a `Rename` declaration. Problems: FIELD_*. */
export function readRename(document: YamlDocument): Outcome<Renames> {
  const written = readShape(renameSchema, document);
  if (!written.ok) return written;
  const holders = written.value.spec.holders.map(({ from, to }, index) => ({
    from,
    to,
    at: document.at(['spec', 'holders', index]),
  }));
  return ok({ kind: 'Rename', holders });
}

/** An address cannot go from one cluster to another while it is in use. */
function otherPlace({ from, to }: { readonly from: string; readonly to: string }) {
  if (![from, to].every((id) => pattern.test(id))) return undefined;
  if (from === to) {
    const message = `${from} would be renamed to itself`;
    return { code: 'FIELD_VALUE', message, path: ['to'] } satisfies Refusal;
  }
  const isNamespace = (id: string): boolean => id.split('/')[1] === 'namespace';
  if (isNamespace(from) !== isNamespace(to)) {
    const message = `${from} and ${to} are not of one kind: a namespace holds hostnames, the others hold addresses`;
    return { code: 'FIELD_VALUE', message, path: ['to'] } satisfies Refusal;
  }
  if (from.split('/')[0] === to.split('/')[0]) return undefined;
  const message = `${from} and ${to} are in different clusters, and both would announce the address for a while`;
  const hint = 'release it in the one, and declare it in the other once the first is applied';
  return { code: 'FIELD_VALUE', message, hint, path: ['to'] } satisfies Refusal;
}
