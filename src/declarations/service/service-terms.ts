import type { Pools } from '../../model/pools.ts';
import { compareProblems, type Outcome, type Problem } from '../../model/problem.ts';
import type { ServiceTerms } from '../../model/service.ts';
import type { Family } from '../../net/address.ts';
import type { YamlDocument } from '../../text/yaml/yaml-document.ts';
import { clusterNamed, clusterUnknown } from '../named-cluster.ts';
import { poolProblems } from '../named-pool.ts';
import { annotationsOf, checkAnnotations, saidTerms } from './service-annotations.ts';
import { familiesOfService } from './service-families.ts';
import { leaseholdKeys } from './service-keys.ts';
import { pinFamilyProblems, pinsOfService } from './service-pins.ts';
import type { WrittenServiceFile } from './service-schema.ts';
import { annotationSizeProblems } from './service-size.ts';

/** What a Service asks of its address, and where it is. */
export interface AskedTerms extends ServiceTerms {
  /** Undefined when the pools are not known. */
  readonly cluster: string | undefined;
  /** The primary family first. */
  readonly familyOrder: readonly Family[];
}

/**
 * What a Service asks for, by its annotations and its spec. Problems: FIELD_VALUE, ANNOTATION_CONFLICT,
 * ADDRESS_INVALID, SERVICE_INVALID, and with the pools CLUSTER_UNKNOWN, ZONE_UNKNOWN and POOL_UNKNOWN.
 */
export function termsOfService(
  written: WrittenServiceFile,
  document: YamlDocument,
  pools: Pools | undefined,
): Outcome<AskedTerms> {
  const { spec } = written;
  const annotations = annotationsOf(written, document);
  const { sound, problems: wrongValues } = checkAnnotations(annotations);
  const { cluster: named, pool, ipFamily, ...terms } = saidTerms(sound);
  const problems = [...wrongValues, ...annotationSizeProblems(annotations, document)];
  const pins = taken(pinsOfService(spec, sound, document), problems) ?? [];
  const asksForFamilies =
    (spec.type === 'LoadBalancer' || ipFamily !== undefined) &&
    annotations.values[leaseholdKeys.ipFamily] === ipFamily;
  const families = asksForFamilies
    ? taken(familiesOfService(ipFamily, spec, document), problems)
    : undefined;
  if (families) {
    problems.push(...pinFamilyProblems(pins, families.ipFamily, leaseholdKeys.ipFamily));
  }
  const cluster = pools && clusterNamed(named, pools);
  if (pools) {
    const at = (field: 'zone' | 'pool') =>
      field === 'pool' && pool ? pool.at : sound.at(leaseholdKeys[field]);
    problems.push(...poolProblems({ zone: terms.zone, pool: pool?.name }, pools, at));
    if (!cluster) {
      problems.push(clusterUnknown(named, pools, () => sound.at(leaseholdKeys.cluster)));
    }
  }
  if (problems.length > 0) return { ok: false, problems: problems.sort(compareProblems) };
  const { ipFamily: family, familyOrder } = families ?? noFamilies;
  const value = { ...terms, pool: pool?.name, ipFamily: family, familyOrder, pins };
  return { ok: true, value: { ...value, cluster: cluster?.name } };
}

/** Of a Service without an address and without the annotation: it comes out with the families that its spec has. */
const noFamilies = { ipFamily: 'ipv4', familyOrder: ['ipv4'] } as const;

/** The value of an outcome; without one, its problems are put to the others. */
function taken<Value>(outcome: Outcome<Value>, problems: Problem[]): Value | undefined {
  if (outcome.ok) return outcome.value;
  problems.push(...outcome.problems);
  return undefined;
}
