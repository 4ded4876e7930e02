import type { ProblemCode } from '../../model/codes/problem-codes.ts';
import { type IPFamily, ipFamilies, type Pin } from '../../model/lease.ts';
import { fail, type Outcome, ok, type Position, type Problem } from '../../model/problem.ts';
import {
  bothFamilies,
  type Family,
  formatAddress,
  isAddress,
  parseAddress,
} from '../../net/address.ts';
import type { YamlDocument } from '../../text/yaml/document.ts';
import type { Annotations } from './service-annotations.ts';
import { leaseholdKeys, planeKeys } from './service-metadata.ts';
import type { WrittenServiceSpec } from './service-schema.ts';

/** The IP families that a Service requests. */
export interface ServiceFamilies {
  readonly ipFamily: IPFamily;
  /** The primary one first. */
  readonly familyOrder: readonly Family[];
}

/**
 * The families of a leased Service, from its annotation `ip-family` and its spec; ipv4 when neither
 * sets one. Problems: ANNOTATION_CONFLICT when the two contradict each other, and FIELD_VALUE for
 * PreferDualStack alone, with which the cluster decides on the number of addresses.
 */
export function familiesOfService(
  annotated: IPFamily | undefined,
  spec: WrittenServiceSpec,
  document: YamlDocument,
): Outcome<ServiceFamilies> {
  const families = (spec.ipFamilies ?? []).map((family) => (family === 'IPv4' ? 'ipv4' : 'ipv6'));
  const allowed = allowedBySpec(families, spec.ipFamilyPolicy);
  const isOpen = spec.ipFamilyPolicy === 'PreferDualStack' && families.length < 2;
  const ipFamily = annotated ?? (isOpen ? undefined : allowed[0]);
  if (ipFamily === undefined) return fail([leftToCluster(document)]);
  if (!allowed.includes(ipFamily)) return fail([conflict(ipFamily, document)]);
  const order = [...new Set<Family>([...families, 'ipv4', 'ipv6'])];
  const familyOrder = order.filter((family) => ipFamily === 'dual' || ipFamily === family);
  return ok({ ipFamily, familyOrder });
}

/**
 * The families that a spec permits, the default first. Kubernetes: a list of one family means
 * SingleStack, a list of two does not.
 */
function allowedBySpec(
  families: readonly Family[],
  policy: WrittenServiceSpec['ipFamilyPolicy'],
): readonly IPFamily[] {
  if (policy === 'RequireDualStack' || policy === 'PreferDualStack' || families.length > 1) {
    return ['dual'];
  }
  if (families.length > 0) return families;
  return policy === 'SingleStack' ? bothFamilies : ipFamilies;
}

function conflict(ipFamily: IPFamily, document: YamlDocument): Problem {
  const key = leaseholdKeys.ipFamily;
  return problem(document, ['metadata', 'annotations', key], 'ANNOTATION_CONFLICT', [
    `the annotation ${key} is ${ipFamily}, but spec.ipFamilies or spec.ipFamilyPolicy differs`,
    'set the families in one of the two places',
  ]);
}

function leftToCluster(document: YamlDocument): Problem {
  return problem(document, ['spec', 'ipFamilyPolicy'], 'FIELD_VALUE', [
    'with PreferDualStack the cluster decides whether the Service has one address or two',
    'write SingleStack or RequireDualStack',
  ]);
}

function problem(
  document: YamlDocument,
  path: readonly string[],
  code: ProblemCode,
  [message, hint]: readonly [message: string, hint: string],
): Problem {
  return { code, message, at: document.at(path), hint };
}

/** One of the places in which a Service may pin addresses. */
interface Source {
  /** `the annotation …`, or `spec.loadBalancerIP`. */
  readonly name: string;
  readonly text: string;
  readonly isList: boolean;
  readonly at: Position;
}

/**
 * The addresses that a Service pins: at most one of each family, all in one place. Problems:
 * ADDRESS_INVALID, FIELD_VALUE, ANNOTATION_CONFLICT.
 */
export function pinsOfService(
  spec: WrittenServiceSpec,
  annotations: Annotations,
  document: YamlDocument,
): Outcome<readonly Pin[]> {
  const [first, ...others] = sources(spec, annotations, document);
  if (!first) return ok([]);
  const problems = others.map(
    ({ name, at }): Problem => ({
      code: 'ANNOTATION_CONFLICT',
      message: `${name} pins an address, and so does ${first.name}`,
      at,
      also: [first.at],
      hint: 'keep one of them; leasehold writes the annotations of MetalLB',
    }),
  );
  const read = [first, ...others].map(readPins);
  problems.push(...read.flatMap((one) => (one.ok ? [] : one.problems)));
  if (problems.length > 0) return fail(problems);
  return read[0] ?? ok([]);
}

function sources(
  { loadBalancerIP }: WrittenServiceSpec,
  { values, at }: Annotations,
  document: YamlDocument,
): Source[] {
  const keys = [leaseholdKeys.addresses, ...planeKeys.map(({ addresses }) => addresses)];
  const found = keys.flatMap((key): Source[] => {
    const text = values[key]?.trim();
    return text ? [{ name: `the annotation ${key}`, text, isList: true, at: at(key) }] : [];
  });
  const text = loadBalancerIP?.trim();
  if (text) {
    const at = document.at(['spec', 'loadBalancerIP']);
    found.push({ name: 'spec.loadBalancerIP', text, isList: false, at });
  }
  return found;
}

function readPins({ name, text, isList, at }: Source): Outcome<readonly Pin[]> {
  if (!isList && text.includes(',')) {
    const message = `${name} takes only one address`;
    const hint = `write both in the annotation ${leaseholdKeys.addresses}`;
    return fail([{ code: 'ADDRESS_INVALID', message, at, hint }]);
  }
  const pins: Pin[] = [];
  const problems = new Map<string, Problem>();
  for (const item of isList ? text.split(',') : [text]) {
    const pin = readPin(item.trim(), name, at);
    if ('code' in pin) problems.set(pin.message, pin);
    else if (pins.some(({ address }) => address.family === pin.address.family)) {
      const message = `${name} has two addresses of the family ${pin.address.family}, expected at most one`;
      problems.set(message, { code: 'FIELD_VALUE', message, at });
    } else pins.push(pin);
  }
  return problems.size > 0 ? fail([...problems.values()]) : ok(pins);
}

/** Reads an address, or a prefix of full length, as vitistack's documentation shows it. */
function readPin(item: string, name: string, at: Position): Pin | Problem {
  const [text = '', length, ...more] = item.split('/');
  const address = parseAddress(text);
  if (!isAddress(address)) {
    const message = item === '' ? `${name} has an empty item between commas` : address.reason;
    return { code: 'ADDRESS_INVALID', message, at };
  }
  const whole = address.family === 'ipv4' ? '32' : '128';
  if (length === undefined || (length === whole && more.length === 0)) return { address, at };
  const message = `'${item.slice(0, 60)}' is not one address`;
  return {
    code: 'ADDRESS_INVALID',
    message,
    at,
    hint: `write ${formatAddress(address)} without a prefix length`,
  };
}

/** FIELD_VALUE for each pin of a family that is not requested. `field` names the family's field. */
export function pinFamilyProblems(
  pins: readonly Pin[],
  ipFamily: IPFamily,
  field: string,
): Problem[] {
  return pins
    .filter(({ address }) => ipFamily !== 'dual' && address.family !== ipFamily)
    .map(({ address, at }) => {
      const wanted = pins.length > 1 ? 'dual' : address.family;
      return {
        code: 'FIELD_VALUE',
        message: `the pin ${formatAddress(address)} is not of the family ${ipFamily}`,
        at,
        hint: `write ${field}: ${wanted}, or pin an address of the other family`,
      };
    });
}
