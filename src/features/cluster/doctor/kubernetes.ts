import { hasDeclaredPools } from '../../../core/model/planes.ts';
import { isOn, planeField } from '../../../core/model/pools.ts';
import { type Objects, unknown } from '../../../lib/kubernetes/doctor-checks.ts';
import type { Check } from './facts.ts';

/**
 * The first minor version whose CEL has isIP and cidr (src/core/manifests/objects/admission-policy.ts).
 */
const oldestForPools = 31;

/** KUBERNETES_VERSION. */
export const checkKubernetesVersion: Check = ({ version }, { cluster }) => {
  const code = 'KUBERNETES_VERSION';
  const found = `the cluster runs Kubernetes ${version}`;
  if (!hasDeclaredPools(cluster.plane)) return [{ level: 'ok', code, found }];
  const [, major, minor] = /^v?([1-9]\d{0,3})\.(\d{1,4})\b/.exec(version) ?? [];
  if (minor === undefined) {
    const means = `layout: pool needs 1.${oldestForPools} or later, and this version cannot be parsed`;
    return [{ level: 'unknown', code, found, means }];
  }
  const isOld = Number(major) === 1 && Number(minor) < oldestForPools;
  if (!isOld) return [{ level: 'ok', code, found }];
  return [
    {
      level: 'problem',
      code,
      found: `${found}, but layout: pool needs 1.${oldestForPools} or later`,
      means: 'the API server rejects its ValidatingAdmissionPolicy, which uses isIP and cidr',
      fix: isOn(cluster, 'cilium')
        ? 'upgrade Kubernetes'
        : `upgrade Kubernetes; before the first lease, you can instead set ${planeField(cluster, 'layout')}: lease in leases/pools.yaml and run \`leasehold synth\`, later \`leasehold migrate-layout lease --cluster ${cluster.name}\``,
    },
  ];
};

/** Kinds that were asked for, and what came back. */
export type Asked = readonly (readonly [kind: string, objects: Objects])[];

/** AKASH_KINDS; nothing when leasehold writes none of Akash's objects. */
export const checkAkashKinds: Check = (facts, expected) => {
  const asked: Asked = [
    ...(expected.leasedIPs ? ([['providerleasedips', facts.leasedIPs]] as const) : []),
    ...(expected.providerHosts ? ([['providerhosts', facts.providerHosts]] as const) : []),
  ];
  if (asked.length === 0) return [];
  const code = 'AKASH_KINDS';
  const absent = absentOf(asked);
  if (absent.length > 0) {
    const fields = absent.map((kind) => `${akashFields[kind]}: false`).join(' and ');
    return [
      {
        level: 'problem',
        code,
        found: `the cluster does not serve ${absent.join(', ')} of akash.network/v2beta2`,
        means: 'the API server rejects such objects in dist/',
        fix: `install the Akash provider's CRDs, or set ${fields} in leases/pools.yaml and run \`leasehold synth\``,
      },
    ];
  }
  const reason = reasonOf(asked);
  if (reason !== undefined) return [unknown(code, reason)];
  const found = `${asked.map(([kind]) => kind).join(', ')} of akash.network/v2beta2 are served`;
  return [{ level: 'ok', code, found }];
};

/** The field of the pool file that writes the objects of a kind. */
const akashFields: Readonly<Record<string, string>> = {
  providerleasedips: 'emit.providerLeasedIP',
  providerhosts: 'emit.providerHost',
};

/** The kinds that the cluster does not serve. */
export function absentOf(asked: Asked): string[] {
  return asked.flatMap(([kind, objects]) =>
    objects.known && objects.value === undefined ? [kind] : [],
  );
}

/** Why the answer for one of them is unknown; undefined when all are known. */
export function reasonOf(asked: Asked): string | undefined {
  return asked.flatMap(([, objects]) => (objects.known ? [] : [objects.reason]))[0];
}
