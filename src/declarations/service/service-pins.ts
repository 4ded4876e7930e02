import type { IPFamily } from '../../model/lease.ts';
import type { Pin } from '../../model/pin.ts';
import type { Outcome, Position, Problem } from '../../model/problem.ts';
import { formatAddress, isAddress, parseAddress } from '../../net/address.ts';
import type { YamlDocument } from '../../text/yaml/yaml-document.ts';
import type { Annotations } from './service-annotations.ts';
import { leaseholdKeys, metallbKeys } from './service-keys.ts';
import type { WrittenServiceSpec } from './service-schema.ts';

/** One place in which a Service may ask for its addresses. */
interface Source {
  /** `the annotation …`, or `spec.loadBalancerIP`. */
  readonly name: string;
  readonly text: string;
  readonly isList: boolean;
  readonly at: Position;
}

/**
 * The addresses that a Service asks for by name, in whichever of the places: at most one of a family, and
 * all in one place. Problems: ADDRESS_INVALID, FIELD_VALUE, ANNOTATION_CONFLICT.
 */
export function pinsOfService(
  spec: WrittenServiceSpec,
  annotations: Annotations,
  document: YamlDocument,
): Outcome<readonly Pin[]> {
  const [first, ...others] = sources(spec, annotations, document);
  if (!first) return { ok: true, value: [] };
  const problems = others.map(
    ({ name, at }): Problem => ({
      code: 'ANNOTATION_CONFLICT',
      message: `${name} asks for an address, and ${first.name} does too`,
      at,
      also: [first.at],
      hint: `keep one of them; leasehold writes what MetalLB reads`,
    }),
  );
  const read = [first, ...others].map(readPins);
  problems.push(...read.flatMap((one) => (one.ok ? [] : one.problems)));
  if (problems.length > 0) return { ok: false, problems };
  return read[0] ?? { ok: true, value: [] };
}

function sources(
  { loadBalancerIP }: WrittenServiceSpec,
  { values, at }: Annotations,
  document: YamlDocument,
): Source[] {
  const keys = [leaseholdKeys.addresses, ...metallbKeys.map(({ addresses }) => addresses)];
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
    const message = `${name} takes one address`;
    const hint = `write both into the annotation ${leaseholdKeys.addresses}`;
    return { ok: false, problems: [{ code: 'ADDRESS_INVALID', message, at, hint }] };
  }
  const pins: Pin[] = [];
  const problems = new Map<string, Problem>();
  for (const item of isList ? text.split(',') : [text]) {
    const pin = readPin(item.trim(), name, at);
    if ('code' in pin) problems.set(pin.message, pin);
    else if (pins.some(({ address }) => address.family === pin.address.family)) {
      const message = `${name} has two addresses of the family ${pin.address.family}, expected one at most`;
      problems.set(message, { code: 'FIELD_VALUE', message, at });
    } else pins.push(pin);
  }
  return problems.size > 0
    ? { ok: false, problems: [...problems.values()] }
    : { ok: true, value: pins };
}

/** A bare address, or one with the whole length: what vitistack's documentation shows. */
function readPin(item: string, name: string, at: Position): Pin | Problem {
  const [text = '', length, ...more] = item.split('/');
  const address = parseAddress(text);
  if (!isAddress(address)) {
    const message = item === '' ? `${name} has a comma too many` : address.reason;
    return { code: 'ADDRESS_INVALID', message, at };
  }
  const whole = address.family === 'ipv4' ? '32' : '128';
  if (length === undefined || (length === whole && more.length === 0)) return { address, at };
  const message = `'${item.slice(0, 60)}' is not one address`;
  return { code: 'ADDRESS_INVALID', message, at, hint: `write ${formatAddress(address)} alone` };
}

/** FIELD_VALUE for each pin of a family that is not asked for. `field` is how the family is said. */
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
