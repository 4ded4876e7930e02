import * as z from 'zod';
import { fail, type Outcome, ok, type Problem } from '../model/problem.ts';
import { labelKey, labelValue, objectName } from '../text/common-fields.ts';
import { didYouMean, valueAt, valueText } from '../text/message-text.ts';
import { type Refusal, readShape, refusing } from '../text/shape.ts';
import type { YamlDocument } from '../text/yaml/document.ts';
import { readYaml } from '../text/yaml/yaml-document.ts';
import { annotationKey, closedDomains, domainOf } from './service/service-metadata.ts';

const apiVersion = 'leasehold.dev/v1';

/** The kinds of declarations, with their apiVersions. */
const declarations = {
  Lease: apiVersion,
  Service: 'v1',
  Reservation: apiVersion,
  Promise: apiVersion,
  Hostname: apiVersion,
  Rename: apiVersion,
} as const;

export type DeclarationKind = keyof typeof declarations;

/**
 * KIND_UNKNOWN for a file with another apiVersion or kind. The caller then skips the rest of the
 * file. Missing fields and wrong types are left to the schema.
 */
export function kindProblems(document: YamlDocument, kind: string): readonly Problem[] {
  const version = textAt(document, 'apiVersion');
  const name = textAt(document, 'kind');
  if (version === undefined || name === undefined) return [];
  if (version !== apiVersion) return [unknown(document, 'apiVersion', [apiVersion], apiVersion)];
  return name === kind ? [] : [unknown(document, 'kind', [kind], kind)];
}

/** A file of one kind, and the places of its fields. */
export interface ReadKind<Written> {
  readonly written: Written;
  readonly document: YamlDocument;
}

/**
 * Reads a file of one kind of leasehold by its schema. Problems: those of {@link readYaml},
 * KIND_UNKNOWN, FIELD_* and those of the schema.
 */
export function readKind<Schema extends z.ZodType>(
  file: string,
  bytes: Uint8Array,
  { kind, schema }: { readonly kind: string; readonly schema: Schema },
): Outcome<ReadKind<z.output<Schema>>> {
  const read = readYaml(file, bytes, 'refused');
  if (!read.ok) return read;
  const problems = kindProblems(read.value, kind);
  if (problems.length > 0) return fail(problems);
  const written = readShape(schema, read.value);
  return written.ok ? ok({ written: written.value, document: read.value }) : written;
}

/**
 * The kind of a declaration file, or KIND_UNKNOWN. When apiVersion or kind is missing, the other
 * one decides, so that the schema can report the missing field.
 */
export function declarationKind(document: YamlDocument): DeclarationKind | Problem {
  const version = textAt(document, 'apiVersion');
  const name = textAt(document, 'kind');
  if (name === undefined) return version === declarations.Service ? 'Service' : 'Lease';
  const known = isDeclarationKind(name) ? name : undefined;
  if (version === undefined) return known ?? 'Lease';
  if (known && declarations[known] === version) return known;
  if (known) {
    const wanted = `${declarations[known]} for kind ${known}`;
    return unknown(document, 'apiVersion', [declarations[known]], wanted);
  }
  const versions = [...new Set(Object.values(declarations))];
  if (!versions.some((one) => one === version)) {
    return unknown(document, 'apiVersion', versions, `${apiVersion} or ${declarations.Service}`);
  }
  const kinds = Object.keys(declarations);
  const meant = kinds.filter((kind) => isDeclarationKind(kind) && declarations[kind] === version);
  const wanted = `${meant.join(' or ')} with apiVersion ${version}`;
  return unknown(document, 'kind', kinds, wanted);
}

function isDeclarationKind(name: string): name is DeclarationKind {
  return Object.hasOwn(declarations, name);
}

function unknown(
  document: YamlDocument,
  field: string,
  known: readonly string[],
  wanted: string,
): Problem {
  const found = textAt(document, field) ?? '';
  const message = `'${field}' is ${valueText(found)}, expected ${wanted}`;
  const at = document.at([field]);
  return { code: 'KIND_UNKNOWN', message, at, ...didYouMean(found, known) };
}

function textAt(document: YamlDocument, field: string): string | undefined {
  const value = valueAt(document.value, [field]);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Optional `metadata` of leasehold's own kinds, which editors and Kubernetes tools expect. It is
 * never read or emitted. METADATA_REFUSED for keys that have a meaning on a Service. There is no
 * field `namespace`, because these objects are not namespaced.
 */
export const editorMetadata = z
  .strictObject({
    name: objectName.describe('Any name; leasehold does not read it.'),
    labels: z.record(labelKey, labelValue).superRefine(refusing(refuseServiceKeys)).optional(),
    annotations: z
      .record(annotationKey, z.string())
      .superRefine(refusing(refuseServiceKeys))
      .optional(),
  })
  .optional()
  .describe('For editors and tools. leasehold ignores it and does not emit it.');

function refuseServiceKeys(texts: Readonly<Record<string, string>>): Refusal[] {
  return Object.keys(texts)
    .filter((key) => closedDomains.includes(domainOf(key)))
    .map((key) => ({
      code: 'METADATA_REFUSED',
      message: `${key} has a meaning only on a Service`,
      hint: 'set it in spec, or remove it',
      path: [key],
    }));
}
