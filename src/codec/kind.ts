import type { Problem } from '../model/problem.ts';
import { valueAt, valueText } from './field-text.ts';
import { didYouMean } from './nearest.ts';
import type { YamlDocument } from './yaml-document.ts';

const apiVersion = 'leasehold.dev/v1';

/** Kinds that a later version will read, as `apiVersion kind`. */
const notYet = ['v1 Service', `${apiVersion} Reservation`];

/**
 * What is wrong with a declaration's apiVersion and kind: KIND_UNKNOWN, NOT_YET, or FIELD_MISSING
 * and FIELD_TYPE when they are not there at all. Nothing else of the file is worth a look then.
 */
export function kindProblems(document: YamlDocument, kind: string): readonly Problem[] {
  const version = textAt(document, 'apiVersion');
  const name = textAt(document, 'kind');
  if (version === undefined || name === undefined) return [];
  if (notYet.includes(`${version} ${name}`)) {
    const message = `kind ${name} is not supported yet`;
    return [{ code: 'NOT_YET', message, at: document.at(['kind']) }];
  }
  if (version !== apiVersion) return [unknown(document, 'apiVersion', apiVersion)];
  return name === kind ? [] : [unknown(document, 'kind', kind)];
}

function unknown(document: YamlDocument, field: string, wanted: string): Problem {
  const found = textAt(document, field) ?? '';
  const message = `'${field}' is ${valueText(found)}, expected ${wanted}`;
  const at = document.at([field]);
  return { code: 'KIND_UNKNOWN', message, at, ...didYouMean(found, [wanted]) };
}

function textAt(document: YamlDocument, field: string): string | undefined {
  const value = valueAt(document.value, [field]);
  return typeof value === 'string' ? value : undefined;
}
