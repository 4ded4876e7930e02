import type * as z from 'zod';
import { type IPFamily, longestRetention } from '../../model/lease.ts';
import type { Position, Problem } from '../../model/problem.ts';
import { valueText } from '../../text/field-text.ts';
import { dnsLabel, objectName } from '../../text/name-fields.ts';
import type { YamlDocument } from '../../text/yaml/yaml-document.ts';
import { leaseholdKeys, metallbKeys } from './service-keys.ts';
import type { WrittenServiceFile } from './service-schema.ts';

/** The annotations of one Service, and where each stands. */
export interface Annotations {
  readonly values: Readonly<Record<string, string>>;
  at(key: string): Position;
}

/** The annotations of a Service as written. */
export function annotationsOf(
  { metadata }: WrittenServiceFile,
  document: YamlDocument,
): Annotations {
  return {
    values: metadata.annotations,
    at: (key) => document.at(['metadata', 'annotations', key]),
  };
}

/** What a Service's annotations say, each as its author wrote it; undefined where they say nothing. */
export interface SaidTerms {
  readonly cluster: string | undefined;
  readonly zone: string | undefined;
  readonly pool: { readonly name: string; readonly at: Position } | undefined;
  readonly ipFamily: IPFamily | undefined;
  readonly retentionPeriodDays: number;
  readonly sharingKey: string | undefined;
  readonly secret: { readonly name: string; readonly at: Position } | undefined;
  readonly signature: { readonly text: string; readonly at: Position } | undefined;
  readonly denyExternalCleanup: boolean;
}

/** What sound annotations say: see {@link checkAnnotations}. An empty sharing key is none, as in MetalLB. */
export function saidTerms({ values, at }: Annotations): SaidTerms {
  const {
    [leaseholdKeys.retentionPeriodDays]: days = '0',
    [leaseholdKeys.secret]: secret,
    [leaseholdKeys.signature]: signature,
    [leaseholdKeys.denyExternalCleanup]: deny = 'false',
  } = values;
  const pool = poolKeys.find((key) => values[key]);
  return {
    cluster: values[leaseholdKeys.cluster],
    zone: values[leaseholdKeys.zone],
    pool: pool === undefined ? undefined : { name: values[pool] ?? '', at: at(pool) },
    ipFamily: values[leaseholdKeys.ipFamily] as IPFamily | undefined,
    retentionPeriodDays: Number(days),
    sharingKey: sharingKeys.map((key) => values[key]).find((text) => text),
    secret:
      secret === undefined || secret === 'default'
        ? undefined
        : { name: secret, at: at(leaseholdKeys.secret) },
    signature:
      signature === undefined ? undefined : { text: signature, at: at(leaseholdKeys.signature) },
    denyExternalCleanup: trueText.test(deny),
  };
}

const poolKeys = [leaseholdKeys.pool, ...metallbKeys.map(({ pool }) => pool)];
const sharingKeys = [leaseholdKeys.sharingKey, ...metallbKeys.map(({ sharingKey }) => sharingKey)];

/** The spellings of true that Go's strconv.ParseBool takes. */
export const trueText = /^(?:1|t|T|TRUE|true|True)$/;
/** Those for false. */
export const falseText = /^(?:0|f|F|FALSE|false|False)$/;

/** Why a value is not one that its annotation takes, or undefined. */
type Check = (text: string) => string | undefined;

const checks: ReadonlyMap<string, Check> = new Map(
  Object.entries({
    [leaseholdKeys.denyExternalCleanup]: (text) =>
      trueText.test(text) || falseText.test(text) ? undefined : 'expected true or false',
    [leaseholdKeys.ipFamily]: (text) =>
      ['ipv4', 'ipv6', 'dual'].includes(text) ? undefined : 'expected ipv4, ipv6 or dual',
    [leaseholdKeys.retentionPeriodDays]: (text) =>
      /^(?:0|[1-9]\d?)$/.test(text) && Number(text) <= longestRetention
        ? undefined
        : `expected a whole number of days from 0 to ${longestRetention}, in plain decimal`,
    [leaseholdKeys.secret]: fits(objectName),
    [leaseholdKeys.zone]: fits(dnsLabel),
    [leaseholdKeys.cluster]: fits(dnsLabel),
    [leaseholdKeys.pool]: fits(dnsLabel),
    [leaseholdKeys.signature]: (text) =>
      text.length > 0 && text.length <= 1000 ? undefined : 'expected 1 to 1000 characters',
    [metallbKeys[0].pool]: orEmpty(fits(dnsLabel)),
    [metallbKeys[1].pool]: orEmpty(fits(dnsLabel)),
  }),
);

/** Annotations whose values are what their keys take, and what is wrong with the others. */
export interface CheckedAnnotations {
  readonly sound: Annotations;
  readonly problems: readonly Problem[];
}

/**
 * Looks at the values of annotations: FIELD_VALUE where one is not what its key takes, and
 * ANNOTATION_CONFLICT where two say different pools or sharing keys.
 */
export function checkAnnotations(annotations: Annotations): CheckedAnnotations {
  const { values, at } = annotations;
  const sound: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const [key, text] of Object.entries(values)) {
    const expected = checks.get(key)?.(text);
    if (expected === undefined) sound[key] = text;
    else {
      const message = `the annotation ${key} is ${valueText(text)}, ${expected}`;
      problems.push({ code: 'FIELD_VALUE', message, at: at(key) });
    }
  }
  problems.push(
    ...disagreements(annotations, poolKeys),
    ...disagreements(annotations, sharingKeys),
  );
  return { sound: { values: sound, at }, problems };
}

function disagreements({ values, at }: Annotations, keys: readonly string[]): Problem[] {
  const [first, ...others] = keys.filter((key) => values[key] !== undefined);
  if (first === undefined) return [];
  return others
    .filter((key) => values[key] !== values[first])
    .map((key) => ({
      code: 'ANNOTATION_CONFLICT',
      message: `the annotations ${first} and ${key} say different things`,
      at: at(key),
      also: [at(first)],
      hint: `remove ${key}: leasehold writes it`,
    }));
}

function fits(schema: z.ZodType): Check {
  return (text) => {
    const issue = schema.safeParse(text).error?.issues[0];
    if (issue?.code === 'too_big') return `expected at most ${issue.maximum} characters`;
    return issue?.message;
  };
}

function orEmpty(check: Check): Check {
  return (text) => (text === '' ? undefined : check(text));
}
