import type { Problem } from '../model/problem.ts';
import { valueAt, valueText } from '../text/field-text.ts';
import { didYouMean } from '../text/nearest.ts';
import type { YamlDocument } from '../text/yaml/yaml-document.ts';

const apiVersion = 'leasehold.dev/v1';

/** What people may declare below `leases/`: kind to apiVersion. */
const declarations = {
  Lease: apiVersion,
  Service: 'v1',
  Reservation: apiVersion,
} as const;

/** A kind of declaration. */
export type DeclarationKind = keyof typeof declarations;

/**
 * What is wrong with a file's apiVersion and kind: KIND_UNKNOWN; FIELD_MISSING and FIELD_TYPE when they
 * are not there at all are left to its schema. Nothing else of the file is worth a look then.
 */
export function kindProblems(document: YamlDocument, kind: string): readonly Problem[] {
  const version = textAt(document, 'apiVersion');
  const name = textAt(document, 'kind');
  if (version === undefined || name === undefined) return [];
  if (version !== apiVersion) return [unknown(document, 'apiVersion', [apiVersion], apiVersion)];
  return name === kind ? [] : [unknown(document, 'kind', [kind], kind)];
}

/**
 * Which declaration a file is; KIND_UNKNOWN when it is none. One that lacks its apiVersion or kind is
 * what the other one says, so that its schema can tell what is missing.
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
