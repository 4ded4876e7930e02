import type { Check } from './facts.ts';

/** The first minor version whose CEL has isIP and cidr (src/manifests/objects/admission-policy.ts). */
const oldestForPools = 31;

/** KUBERNETES_VERSION. */
export const checkKubernetesVersion: Check = ({ version }, { cluster }) => {
  const code = 'KUBERNETES_VERSION';
  const found = `Kubernetes ${version} answers`;
  if (cluster.metallb.layout !== 'pool') return [{ level: 'ok', code, found }];
  const [, major, minor] = /^v?([1-9]\d{0,3})\.(\d{1,4})\b/.exec(version) ?? [];
  if (minor === undefined) {
    const means = `layout: pool needs 1.${oldestForPools} or later, and this says no version`;
    return [{ level: 'unknown', code, found, means }];
  }
  const isOld = Number(major) === 1 && Number(minor) < oldestForPools;
  if (!isOld) return [{ level: 'ok', code, found }];
  return [
    {
      level: 'problem',
      code,
      found: `${found}, and layout: pool needs 1.${oldestForPools} or later`,
      means: 'the API server refuses its ValidatingAdmissionPolicy, which uses isIP and cidr',
      fix: 'upgrade Kubernetes, or set metallb.layout: lease in leases/pools.yaml',
    },
  ];
};
