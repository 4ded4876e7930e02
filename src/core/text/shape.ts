import * as z from 'zod';
import type { ProblemCode } from '../model/codes/problem-codes.ts';
import { fewOf, type Outcome, ok, okUnless, type Problem, placeText } from '../model/problem.ts';
import { didYouMean, fieldText, valueAt, valueText } from './message-text.ts';
import type { YamlDocument } from './yaml/document.ts';

/** An error that a check of a schema found. `path` is relative to the checked value. */
export interface Refusal {
  readonly code: ProblemCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly path?: readonly PropertyKey[];
}

/** Rules of a file's kind beside its schema. */
export interface ShapeRules {
  /** Fields whose numbers, if not in plain decimal, have another code than FIELD_VALUE. */
  readonly numberCodes?: ReadonlyMap<string, ProblemCode>;
}

/** Makes a schema check of a function that returns the errors of a value. */
export function refusing<Value>(
  check: (value: Value) => Refusal | readonly Refusal[] | undefined,
): (value: Value, context: z.RefinementCtx<Value>) => void {
  return (value, context) => {
    const found = check(value) ?? [];
    for (const { code, message, hint, path = [] } of Array.isArray(found) ? found : [found]) {
      context.addIssue({ code: 'custom', message, path: [...path], params: { code, hint } });
    }
  };
}

/**
 * Reads a document by a schema, with defaults. Problems: FIELD_UNKNOWN at the key, FIELD_MISSING at
 * the mapping without it, FIELD_TYPE, FIELD_VALUE, and the codes of the schema's own checks. A
 * number must be in plain decimal, because YAML readers disagree about `010` and `1e3`.
 */
export function readShape<Schema extends z.ZodType>(
  schema: Schema,
  document: YamlDocument,
  rules: ShapeRules = {},
): Outcome<z.output<Schema>> {
  const parsed = schema.safeParse(document.value);
  if (parsed.success && document.nonCanonicalNumbers.length === 0) return ok(parsed.data);
  const sources = document.nonCanonicalNumbers.map(
    ({ path, source }) => [fieldText(path), source] as const,
  );
  const context = { schema, document, rules, sources: new Map(sources) };
  const issues = parsed.success ? [] : withoutLengths(ofBranches(parsed.error.issues, document));
  const misspelt = new Set(issues.flatMap((issue) => meantFields(issue, context)));
  const problems = issues
    .filter(
      ({ path }) => !misspelt.has(fieldText(path)) || valueAt(document.value, path) !== undefined,
    )
    .flatMap((issue) => problemsOf(issue, context));
  problems.push(...nonCanonicalNumbers(issues, context));
  return okUnless(problems, parsed.data as z.output<Schema>);
}

interface Context {
  readonly schema: z.ZodType;
  readonly document: YamlDocument;
  readonly rules: ShapeRules;
  /** The text of numbers that are not in plain decimal, by field. */
  readonly sources: ReadonlyMap<string, string>;
}

type Issue = z.core.$ZodIssue;

/** A mapping or a list in place of one of several forms has the errors of the one form of its type. */
function ofBranches(issues: readonly Issue[], document: YamlDocument): readonly Issue[] {
  return issues.flatMap((issue): readonly Issue[] => {
    const { path } = issue;
    if (issue.code !== 'invalid_union' || !isNested(valueAt(document.value, path))) return [issue];
    const isOfType = ({ code, path: own }: Issue) => code !== 'invalid_type' || own.length > 0;
    const [branch, other] = issue.errors.filter((errors) => errors.every(isOfType));
    if (!branch || other) return [issue];
    return branch.map((one) => ({ ...one, path: [...path, ...one.path] }));
  });
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Drops errors of length for a value of the wrong type, such as a text instead of a list. */
function withoutLengths(issues: readonly Issue[]): readonly Issue[] {
  const mistyped = new Set(
    issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => fieldText(path)),
  );
  const isLength = ({ code }: Issue): boolean => code === 'too_small' || code === 'too_big';
  return issues.filter((issue) => !isLength(issue) || !mistyped.has(fieldText(issue.path)));
}

function problemsOf(issue: Issue, context: Context): Problem[] {
  const { document } = context;
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownField([...path, key], context));
  }
  if (issue.code === 'custom' && issue.params?.code !== undefined) {
    const { code, hint } = issue.params as Pick<Refusal, 'code' | 'hint'>;
    const at = document.at(path);
    return [{ code, message: issue.message, at, ...(hint !== undefined && { hint }) }];
  }
  const value = valueAt(document.value, path);
  if (value === undefined && path.length > 0) return [missingField(path, document)];
  if (issue.code === 'invalid_key') {
    const message = `the key ${valueText(path.at(-1))} is not allowed, ${expected(issue.issues[0])}`;
    return [{ code: 'FIELD_VALUE', message, at: document.keyAt(path) }];
  }
  const isEndless = typeof value === 'number' && !Number.isFinite(value);
  const wanted = isEndless ? 'expected a finite number' : expected(issue);
  const message = `${fieldName(path)} ${foundText(issue, value, context)}, ${wanted}`;
  if (!isTypeIssue(issue, value)) {
    const meant = meantValue(issue, value);
    return [{ code: 'FIELD_VALUE', message, at: document.at(path), ...meant }];
  }
  const hint = wantsQuotes(issue, value)
    ? inQuotes(sourceOf(context, path, value))
    : { ...wantedForm(issue, value, context), ...withoutQuotes(issue, value) };
  return [{ code: 'FIELD_TYPE', message, at: document.at(path), ...hint }];
}

/** At the key without a value, or at that of the mapping that lacks the field. */
function missingField(path: readonly PropertyKey[], document: YamlDocument): Problem {
  const parent = path.slice(0, -1);
  if (placeText(document.at(path)) !== placeText(document.at(parent))) {
    const message = `${fieldName(path)} has no value`;
    const hint = `write a value after '${String(path.at(-1))}:'`;
    return { code: 'FIELD_MISSING', message, at: document.keyAt(path), hint };
  }
  const message = `${fieldName(parent)} lacks the field '${String(path.at(-1))}'`;
  return { code: 'FIELD_MISSING', message, at: document.keyAt(parent) };
}

/** The allowed value that is nearest to a misspelt one. */
function meantValue(issue: Issue, value: unknown): { readonly hint?: string } {
  if (issue.code !== 'invalid_value' || typeof value !== 'string') return {};
  return didYouMean(value, issue.values.map(String));
}

function fieldName(path: readonly PropertyKey[]): string {
  return path.length > 0 ? `'${fieldText(path)}'` : 'the file';
}

/** `is 'IPv4'`, or `has 0 entries` if the number of entries is wrong. */
function foundText(issue: Issue, value: unknown, context: Context): string {
  const isCount = issue.code === 'too_small' || issue.code === 'too_big';
  if (isCount && Array.isArray(value)) return `has ${value.length} entries`;
  if (typeof value !== 'number') return `is ${valueText(value)}`;
  return `is the number ${sourceOf(context, issue.path, value)}`;
}

/** A number or boolean as written: `0.10` is read as 0.1. */
function sourceOf({ sources }: Context, path: readonly PropertyKey[], value: unknown): string {
  return sources.get(fieldText(path)) ?? String(value);
}

/** The missing fields that unknown ones stand for: one mistake is one problem. */
function meantFields(issue: Issue, { schema }: Context): readonly string[] {
  if (issue.code !== 'unrecognized_keys') return [];
  return issue.keys.flatMap((key) => {
    const { hint = '' } = didYouMean(key, fieldsAt(schema, [...issue.path, key]));
    const meant = /^did you mean '([^']+)'/.exec(hint)?.[1];
    return meant === undefined ? [] : [fieldText([...issue.path, meant])];
  });
}

function unknownField(path: readonly PropertyKey[], context: Context): Problem {
  const { document, schema } = context;
  const at = document.keyAt(path);
  const key = String(path.at(-1));
  const message = `the field '${fieldText(path)}' is unknown`;
  const fields = fieldsAt(schema, path);
  const meant = didYouMean(otherNames.get(key) ?? key, fields);
  return { code: 'FIELD_UNKNOWN', message, at, ...fieldNames(fields), ...meant };
}

function fieldNames(fields: readonly string[]): { readonly hint?: string } {
  if (fields.length === 0) return {};
  const names = fewOf(fields, mostFields);
  return {
    hint:
      fields.length === 1 ? `the only field there is ${names}` : `the fields there are ${names}`,
  };
}

/** The most fields in a hint; the others are counted. */
const mostFields = 12;

/** Former names of fields. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['cooldownDays', 'retentionDays'],
  ['retentionPeriodDays', 'retentionDays'],
]);

function nonCanonicalNumbers(issues: readonly Issue[], { document, rules }: Context): Problem[] {
  const reported = new Set(issues.map((issue) => fieldText(issue.path)));
  return document.nonCanonicalNumbers.flatMap(({ path, source }): Problem[] => {
    const name = fieldText(path);
    if (reported.has(name)) return [];
    const field = fieldText(path.filter((step) => typeof step !== 'number'));
    const code = rules.numberCodes?.get(field) ?? 'FIELD_VALUE';
    const at = document.at(path);
    if (/^[1-9]\d*$/.test(source)) {
      const message = `'${name}' is the number ${source}, which loses digits when it is read`;
      return [{ code, message, at, ...inQuotes(source) }];
    }
    const message = `'${name}' is written ${valueText(source)}, expected a plain decimal number`;
    return [{ code, message, at }];
  });
}

function isTypeIssue(issue: Issue | undefined, value: unknown): boolean {
  if (issue === undefined) return false;
  if (issue.code === 'invalid_type') return true;
  if (issue.code === 'invalid_union') {
    return issue.errors.length > 0 && issue.errors.every(([first]) => isTypeIssue(first, value));
  }
  return (
    issue.code === 'invalid_value' &&
    issue.values.every((allowed) => typeof allowed !== typeof value)
  );
}

function wantsQuotes(issue: Issue, value: unknown): boolean {
  const wantsText = issue.code === 'invalid_type' && issue.expected === 'string';
  return wantsText && (typeof value === 'number' || typeof value === 'boolean');
}

function inQuotes(source: string): { readonly hint: string } {
  return { hint: `write it in quotes: '${source}'` };
}

/** A plain number or boolean that stands in quotes. */
function withoutQuotes(issue: Issue, value: unknown): { readonly hint?: string } {
  if (issue.code !== 'invalid_type' || typeof value !== 'string') return {};
  const isMeant = issue.expected === 'boolean' ? /^(?:true|false)$/ : /^(?:0|[1-9]\d{0,15})$/;
  const isPlain = ['boolean', 'number', 'int'].includes(issue.expected) && isMeant.test(value);
  return isPlain ? { hint: `write it without quotes: ${value}` } : {};
}

/** What to write in place of a value of another type. */
function wantedForm(issue: Issue, value: unknown, { schema }: Context): { readonly hint?: string } {
  if (issue.code !== 'invalid_type') return {};
  switch (issue.expected) {
    case 'object': {
      const fields = fewOf(fieldsAt(schema, [...issue.path, '']), mostFields);
      const dash = Array.isArray(value) ? ', without a dash' : '';
      return fields === '' ? {} : { hint: `write its fields below it${dash}: ${fields}` };
    }
    case 'array':
      if (isNested(value)) return { hint: 'write a dash before each entry, or [ ] around them' };
      return { hint: `write a list, such as [${isPlainWord(value) ? value : 'a, b'}]` };
    case 'int':
      if (typeof value === 'number' && Number.isFinite(value))
        return { hint: `write ${Math.floor(value)} or ${Math.ceil(value)}` };
      return { hint: 'write digits, such as 80' };
    case 'number':
      return { hint: 'write digits, such as 80' };
    case 'boolean':
      return { hint: 'write true or false, without quotes' };
    default:
      return {};
  }
}

/** True for a text that needs no quotes in a list. */
function isPlainWord(value: unknown): boolean {
  return typeof value === 'string' && /^[\w./-]{1,40}$/.test(value);
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

/** The expectation of a schema in a message: `expected at most 65535`. */
function expected(issue: Issue | undefined): string {
  switch (issue?.code) {
    case 'invalid_type':
      return `expected ${typeWords[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `expected ${issue.values.map((value) => String(value)).join(' or ')}`;
    case 'too_small':
      return `expected at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`;
    case 'too_big':
      return `expected at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`;
    case 'invalid_union': {
      const words = issue.errors.map(([first]) => expected(first).replace('expected ', ''));
      return `expected ${words.join(' or ')}`;
    }
    default:
      return issue?.message ?? 'expected something else';
  }
}

function unitOf(origin: string, count: number | bigint): string {
  if (origin === 'number' || origin === 'int') return '';
  const isText = origin === 'string';
  if (Number(count) === 1) return isText ? ' character' : ' entry';
  return isText ? ' characters' : ' entries';
}

/** The fields that the mapping at the parent of a path can have. */
function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let current: unknown = schema;
  for (const step of path.slice(0, -1)) {
    const inner = unwrapped(current, typeof step === 'number' ? z.ZodArray : z.ZodObject);
    if (inner instanceof z.ZodObject) current = inner.shape[String(step)];
    else if (inner instanceof z.ZodArray) current = inner.element;
    else return [];
  }
  const inner = unwrapped(current, z.ZodObject);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

/** Of several forms, that of the wanted type. */
function unwrapped(schema: unknown, wanted: typeof z.ZodArray | typeof z.ZodObject): unknown {
  let inner = schema;
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPrefault
  ) {
    inner = inner.unwrap();
  }
  if (!(inner instanceof z.ZodUnion)) return inner;
  return inner.options.find((option) => option instanceof wanted);
}
