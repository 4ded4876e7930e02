import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { schemas } from '../../../imports/schemas.ts';
import { InternalError } from '../../model/problem.ts';
import { type Manifest, manifestName } from '../manifest.ts';

const ajv = new Ajv({
  strictSchema: true,
  strictTypes: true,
  strictTuples: true,
  unicodeRegExp: false,
  // Lengths are counted in code units: every text that has one is ASCII by its pattern.
  unicode: false,
  // Ajv warns of that option on every run's stderr; what matters in a schema throws.
  logger: false,
});
const compiled = new Map<string, ValidateFunction>();

/**
 * Holds an object against the closed schema of its kind. The API server drops unknown fields
 * without a word, and a running provider cannot read what is left: throws InternalError instead,
 * as it does for a kind without a schema.
 */
export function checkSchema(manifest: Manifest): void {
  const validate = validatorOf(manifest);
  if (validate(manifest)) return;
  const errors = (validate.errors ?? []).map(errorText).join('; ');
  throw new InternalError(`${manifestName(manifest)} does not fit its schema: ${errors}`);
}

function validatorOf(manifest: Manifest): ValidateFunction {
  const key = `${manifest.apiVersion}/${manifest.kind}`;
  const known = compiled.get(key);
  if (known) return known;
  const schema = schemas[key];
  if (!schema) throw new InternalError(`${manifestName(manifest)}: ${key} has no schema`);
  const validate = ajv.compile(schema);
  compiled.set(key, validate);
  return validate;
}

function errorText({ instancePath, message, params }: ErrorObject): string {
  const field = 'additionalProperty' in params ? ` '${params.additionalProperty}'` : '';
  return `${instancePath || '/'} ${message}${field}`;
}
