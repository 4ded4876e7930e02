import type * as z from 'zod';
import {
  type DeclaredDnsName,
  type IPFamily,
  ipFamilies,
  longestRetention,
} from '../../model/lease.ts';
import type { Plane } from '../../model/planes.ts';
import {
  fail,
  failSorted,
  type Outcome,
  ok,
  type Position,
  type Problem,
} from '../../model/problem.ts';
import { checkDnsName, dnsLabel, mostDnsNames, objectName } from '../../text/common-fields.ts';
import { valueText } from '../../text/message-text.ts';
import type { YamlDocument } from '../../text/yaml/document.ts';
import {
  leaseholdKeys,
  liveSharingKeyText,
  metallbKeys,
  ownPlaneKeys,
  planeKeys,
} from './service-metadata.ts';
import type { WrittenServiceFile } from './service-schema.ts';

/** The annotations of one Service, with their places. */
export interface Annotations {
  readonly values: Readonly<Record<string, string>>;
  at(key: string): Position;
}

/** The annotations of a Service in a cluster on a plane, without those of other planes that it does not read. */
export function annotationsOf(
  { metadata }: WrittenServiceFile,
  plane: Plane['kind'],
  document: YamlDocument,
): Annotations {
  const isForeign = (key: string) => ownPlaneKeys.cilium.has(key) && !ownPlaneKeys[plane].has(key);
  const read = Object.entries(metadata.annotations).filter(([key]) => !isForeign(key));
  return {
    values: Object.fromEntries(read),
    at: (key) => document.at(['metadata', 'annotations', key]),
  };
}

/** The terms that the annotations of a Service set; undefined for those that they do not set. */
export interface AnnotatedTerms {
  readonly cluster: string | undefined;
  readonly zone: string | undefined;
  readonly pool: { readonly name: string; readonly at: Position } | undefined;
  readonly advertisement: string | undefined;
  readonly ipFamily: IPFamily | undefined;
  readonly retentionDays: number;
  readonly sharingKey: string | undefined;
  readonly liveSharingKey: string | undefined;
  readonly secret: { readonly name: string; readonly at: Position } | undefined;
  readonly signature: { readonly text: string; readonly at: Position } | undefined;
  readonly denyExternalCleanup: boolean;
}

/**
 * The terms in annotations that {@link checkAnnotations} accepted. As in MetalLB, an empty sharing
 * key means no sharing.
 */
export function annotatedTerms({ values, at }: Annotations): AnnotatedTerms {
  const {
    [leaseholdKeys.retentionDays]: days = '0',
    [leaseholdKeys.secret]: secret,
    [leaseholdKeys.signature]: signature,
    [leaseholdKeys.denyExternalCleanup]: deny = 'false',
  } = values;
  const pool = poolKeys.find((key) => values[key]);
  return {
    cluster: values[leaseholdKeys.cluster],
    zone: values[leaseholdKeys.zone],
    pool: pool === undefined ? undefined : { name: values[pool] ?? '', at: at(pool) },
    advertisement: values[leaseholdKeys.advertisement],
    ipFamily: values[leaseholdKeys.ipFamily] as IPFamily | undefined,
    retentionDays: Number(days),
    sharingKey: sharingKeys.map((key) => values[key]).find((text) => text),
    liveSharingKey: values[leaseholdKeys.liveSharingKey] || undefined,
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
const sharingKeys = [leaseholdKeys.sharingKey, ...planeKeys.map(({ sharingKey }) => sharingKey)];

/** The values that Go's strconv.ParseBool reads as true. */
export const trueText = /^(?:1|t|T|TRUE|true|True)$/;
/** The values that Go's strconv.ParseBool reads as false. */
export const falseText = /^(?:0|f|F|FALSE|false|False)$/;

/** Returns what was expected instead; undefined for a valid value. */
type Check = (text: string) => string | undefined;

const checks: ReadonlyMap<string, Check> = new Map(
  Object.entries({
    [leaseholdKeys.denyExternalCleanup]: (text) =>
      trueText.test(text) || falseText.test(text) ? undefined : 'expected true or false',
    [leaseholdKeys.ipFamily]: (text) =>
      ipFamilies.some((family) => family === text) ? undefined : 'expected ipv4, ipv6 or dual',
    [leaseholdKeys.retentionDays]: (text) =>
      /^(?:0|[1-9]\d?)$/.test(text) && Number(text) <= longestRetention
        ? undefined
        : `expected a whole number of days from 0 to ${longestRetention}, in plain decimal`,
    [leaseholdKeys.secret]: fits(objectName),
    [leaseholdKeys.zone]: fits(dnsLabel),
    [leaseholdKeys.cluster]: fits(dnsLabel),
    [leaseholdKeys.pool]: fits(dnsLabel),
    [leaseholdKeys.advertisement]: fits(dnsLabel),
    [leaseholdKeys.liveSharingKey]: orEmpty(fits(liveSharingKeyText)),
    [leaseholdKeys.signature]: (text) =>
      text.length > 0 && text.length <= 1000 ? undefined : 'expected 1 to 1000 characters',
    [metallbKeys[0].pool]: orEmpty(fits(dnsLabel)),
    [metallbKeys[1].pool]: orEmpty(fits(dnsLabel)),
  }),
);

/** The annotations with valid values, and the problems of the others. */
export interface CheckedAnnotations {
  readonly valid: Annotations;
  readonly problems: readonly Problem[];
}

/**
 * Checks the values of annotations. Problems: FIELD_VALUE for an invalid value, ANNOTATION_CONFLICT
 * for two annotations with different pools or sharing keys.
 */
export function checkAnnotations(annotations: Annotations): CheckedAnnotations {
  const { values, at } = annotations;
  const valid: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const [key, text] of Object.entries(values)) {
    const expected = checks.get(key)?.(text);
    if (expected === undefined) valid[key] = text;
    else {
      const message = `the annotation ${key} is ${valueText(text)}, ${expected}`;
      problems.push({ code: 'FIELD_VALUE', message, at: at(key) });
    }
  }
  problems.push(
    ...disagreements(annotations, poolKeys),
    ...disagreements(annotations, sharingKeys),
  );
  return { valid: { values: valid, at }, problems };
}

function disagreements({ values, at }: Annotations, keys: readonly string[]): Problem[] {
  const [first, ...others] = keys.filter((key) => values[key] !== undefined);
  if (first === undefined) return [];
  return others
    .filter((key) => values[key] !== values[first])
    .map((key) => ({
      code: 'ANNOTATION_CONFLICT',
      message: `the annotations ${first} and ${key} have different values`,
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

/** Kubernetes: apimachinery validation, TotalAnnotationSizeLimitB. */
const largestAnnotations = 256 * 1024;

/** Bytes that leasehold adds at most. */
const addedBytes = 1024;

/** SERVICE_INVALID when the emitted annotations would exceed the limit of the API server. */
export function annotationSizeProblems({ values }: Annotations, document: YamlDocument): Problem[] {
  const sizes = Object.entries(values).map(([key, value]) => byteLength(key) + byteLength(value));
  const size = sizes.reduce((sum, one) => sum + one, addedBytes);
  if (size <= largestAnnotations) return [];
  const message = `the annotations are larger than ${largestAnnotations} bytes in total`;
  return [{ code: 'SERVICE_INVALID', message, at: document.at(['metadata', 'annotations']) }];
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/**
 * The DNS names in the annotation of a Service. Problems: DNS_INVALID for each one that is not
 * valid, FIELD_VALUE for too many.
 */
export function dnsOfService({ values, at }: Annotations): Outcome<readonly DeclaredDnsName[]> {
  const key = leaseholdKeys.dns;
  const text = values[key];
  if (text === undefined) return ok([]);
  const place = at(key);
  const names = text.split(',').map((name) => ({ name: name.trim(), at: place }));
  if (names.length > mostDnsNames) {
    const message = `the annotation ${key} has ${names.length} names, expected at most ${mostDnsNames}`;
    return fail([{ code: 'FIELD_VALUE', message, at: place }]);
  }
  const problems = names.flatMap(({ name }): Problem[] => {
    const refusal = checkDnsName(name);
    if (!refusal) return [];
    const { code, message, hint } = refusal;
    return [{ code, message, at: place, ...(hint !== undefined && { hint }) }];
  });
  return problems.length > 0 ? failSorted(problems) : ok(names);
}
