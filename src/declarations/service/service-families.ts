import type { ProblemCode } from '../../model/codes/problem-codes.ts';
import type { IPFamily } from '../../model/lease.ts';
import type { Outcome, Problem } from '../../model/problem.ts';
import type { Family } from '../../net/address.ts';
import type { YamlDocument } from '../../text/yaml/yaml-document.ts';
import { leaseholdKeys } from './service-keys.ts';
import type { WrittenServiceSpec } from './service-schema.ts';

/** The families that a Service asks for. */
export interface ServiceFamilies {
  readonly ipFamily: IPFamily;
  /** The primary one first. */
  readonly familyOrder: readonly Family[];
}

/**
 * The families of a leased Service by its annotation `ip-family` (`said`) and its spec: ipv4 when neither
 * says one. ANNOTATION_CONFLICT where they contradict each other; FIELD_VALUE for PreferDualStack with
 * nothing beside it, which leaves the number of addresses to the cluster.
 */
export function familiesOfService(
  said: IPFamily | undefined,
  spec: WrittenServiceSpec,
  document: YamlDocument,
): Outcome<ServiceFamilies> {
  const families = (spec.ipFamilies ?? []).map((family) => (family === 'IPv4' ? 'ipv4' : 'ipv6'));
  const allowed = allowedBySpec(families, spec.ipFamilyPolicy);
  const isLeft = spec.ipFamilyPolicy === 'PreferDualStack' && families.length < 2;
  const ipFamily = said ?? (isLeft ? undefined : allowed[0]);
  if (ipFamily === undefined) return { ok: false, problems: [leftToCluster(document)] };
  if (!allowed.includes(ipFamily)) return { ok: false, problems: [conflict(ipFamily, document)] };
  const order = [...new Set<Family>([...families, 'ipv4', 'ipv6'])];
  const familyOrder = order.filter((family) => ipFamily === 'dual' || ipFamily === family);
  return { ok: true, value: { ipFamily, familyOrder } };
}

/** What a spec leaves open, the default first. Kubernetes: one family alone is SingleStack, two are not. */
function allowedBySpec(
  families: readonly Family[],
  policy: WrittenServiceSpec['ipFamilyPolicy'],
): readonly IPFamily[] {
  if (policy === 'RequireDualStack' || policy === 'PreferDualStack' || families.length > 1) {
    return ['dual'];
  }
  if (families.length > 0) return families;
  return policy === 'SingleStack' ? ['ipv4', 'ipv6'] : ['ipv4', 'ipv6', 'dual'];
}

function conflict(ipFamily: IPFamily, document: YamlDocument): Problem {
  const key = leaseholdKeys.ipFamily;
  return problem(document, ['metadata', 'annotations', key], 'ANNOTATION_CONFLICT', [
    `the annotation ${key} is ${ipFamily}, and spec.ipFamilies or spec.ipFamilyPolicy says otherwise`,
    'say the families in one of the two places',
  ]);
}

function leftToCluster(document: YamlDocument): Problem {
  return problem(document, ['spec', 'ipFamilyPolicy'], 'FIELD_VALUE', [
    'PreferDualStack leaves it to the cluster whether the Service has one address or two',
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
