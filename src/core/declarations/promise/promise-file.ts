import { endpointHolder } from '../../model/claim.ts';
import type { AddressPromise } from '../../model/lease.ts';
import type { Pools } from '../../model/pools.ts';
import { failSorted, type Outcome, ok } from '../../model/problem.ts';
import { readShape } from '../../text/shape.ts';
import type { YamlDocument } from '../../text/yaml/document.ts';
import { clusterNamed, clusterUnknown, poolProblems } from '../references.ts';
import { promiseSchema } from './promise-schema.ts';

/**
 * Reads a `Promise` declaration. The value is undefined when the pools are unknown and everything
 * else is valid. Problems: FIELD_*, OWNER_INVALID, NAME_TOO_LONG, CLUSTER_UNKNOWN, ZONE_UNKNOWN,
 * POOL_UNKNOWN.
 */
export function readPromise(
  document: YamlDocument,
  pools: Pools | undefined,
): Outcome<AddressPromise | undefined> {
  const written = readShape(promiseSchema, document);
  if (!written.ok) return written;
  const { owner, endpoint, until, zone, pool, ipFamily, cluster: named } = written.value.spec;
  if (!pools) return ok(undefined);
  const at = (...path: readonly PropertyKey[]) => document.at(['spec', ...path]);
  const problems = poolProblems({ zone, pool }, pools, at);
  const cluster = clusterNamed(named, pools)?.name;
  if (cluster === undefined) problems.push(clusterUnknown(named, pools, () => at('cluster')));
  if (cluster === undefined || problems.length > 0) return failSorted(problems);
  const holder = endpointHolder(cluster, owner, endpoint);
  const terms = { zone, pool, ipFamily };
  return ok({ kind: 'Promise', cluster, owner, endpoint, holder, ...terms, until, at: at() });
}

/** A promise to write; a missing field keeps its default. */
export interface WrittenPromise {
  readonly kind: 'Promise';
  readonly owner: string;
  readonly endpoint: string;
  /** The last day. */
  readonly until: string;
  readonly cluster?: string | undefined;
  readonly zone?: string | undefined;
  readonly pool?: string | undefined;
  readonly ipFamily?: string | undefined;
}
