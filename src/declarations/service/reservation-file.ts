import type { Pools } from '../../model/pools.ts';
import { compareProblems, type Outcome } from '../../model/problem.ts';
import type { Reservation } from '../../model/service.ts';
import { readShape } from '../../text/shape.ts';
import type { YamlDocument } from '../../text/yaml/yaml-document.ts';
import { clusterNamed, clusterUnknown } from '../named-cluster.ts';
import { poolProblems } from '../named-pool.ts';
import { substitutionProblems } from '../substitution.ts';
import { reservationSchema } from './reservation-schema.ts';
import { pinFamilyProblems } from './service-pins.ts';

/**
 * A `Reservation` declaration. Undefined when the pools are not known and all that can be told without
 * them is sound. Problems: FIELD_*, ADDRESS_INVALID, SUBSTITUTION, CLUSTER_UNKNOWN, ZONE_UNKNOWN,
 * POOL_UNKNOWN.
 */
export function readReservation(
  document: YamlDocument,
  pools: Pools | undefined,
): Outcome<Reservation | undefined> {
  const written = readShape(reservationSchema, document);
  if (!written.ok) return written;
  const { cluster: named, service, secret, addresses, signature, ...spec } = written.value.spec;
  const at = (...path: readonly PropertyKey[]) => document.at(['spec', ...path]);
  const pins = addresses.map((address, index) => ({ address, at: at('addresses', index) }));
  const problems = [
    ...substitutionProblems(document, 'metadata'),
    ...pinFamilyProblems(pins, spec.ipFamily, 'ipFamily'),
    ...(pools ? poolProblems({ zone: spec.zone, pool: spec.pool }, pools, at) : []),
  ];
  const cluster = pools && clusterNamed(named, pools);
  if (pools && !cluster) problems.push(clusterUnknown(named, pools, () => at('cluster')));
  if (problems.length > 0) return { ok: false, problems: problems.sort(compareProblems) };
  if (!cluster) return { ok: true, value: undefined };
  return {
    ok: true,
    value: {
      kind: 'Reservation',
      ...spec,
      cluster: cluster.name,
      name: service,
      ports: spec.ports.map((port) => ({ ...port, targetPort: undefined })),
      zone: spec.zone,
      pool: spec.pool,
      sharingKey: spec.sharingKey,
      pins,
      secret: secret === 'default' ? undefined : { name: secret, at: at('secret') },
      signature: signature === undefined ? undefined : { text: signature, at: at('signature') },
      at: at(),
    },
  };
}
