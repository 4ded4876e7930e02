import type { Check, Objects } from './facts.ts';
import { unknown } from './facts.ts';

type Asked = readonly (readonly [kind: string, objects: Objects])[];

/** METALLB_KINDS. */
export const checkMetalLBKinds: Check = (facts, { advertises }) => {
  const asked: Asked = [
    ['ipaddresspools', facts.addressPools],
    ['l2advertisements', facts.l2Advertisements],
    ...(advertises.bgp ? ([['bgpadvertisements', facts.bgpAdvertisements]] as const) : []),
  ];
  const code = 'METALLB_KINDS';
  const absent = absentOf(asked);
  if (absent.length > 0) {
    const found = `the cluster does not serve ${absent.join(', ')} of metallb.io/v1beta1`;
    const means = 'the API server refuses the manifests in dist/, and MetalLB is not there, or old';
    const fix = 'install MetalLB 0.13.9 or later, with its CRDs';
    return [{ level: 'problem', code, found, means, fix }];
  }
  const reason = reasonOf(asked);
  if (reason !== undefined) return [unknown(code, reason)];
  const found = `${asked.map(([kind]) => kind).join(', ')} of metallb.io/v1beta1 are served`;
  return [{ level: 'ok', code, found }];
};

/** AKASH_KINDS; nothing when no ProviderLeasedIP is written. */
export const checkAkashKinds: Check = ({ leasedIPs }, expected) => {
  if (!expected.leasedIPs) return [];
  const code = 'AKASH_KINDS';
  if (!leasedIPs.known) return [unknown(code, leasedIPs.reason)];
  if (leasedIPs.value) {
    return [{ level: 'ok', code, found: 'providerleasedips of akash.network/v2beta2 are served' }];
  }
  return [
    {
      level: 'problem',
      code,
      found: 'the cluster does not serve providerleasedips of akash.network/v2beta2',
      means: 'the API server refuses the ProviderLeasedIPs in dist/',
      fix: "install the Akash provider's CRDs, or set emit.providerLeasedIP: false in leases/pools.yaml and run leasehold synth",
    },
  ];
};

function absentOf(asked: Asked): string[] {
  return asked.flatMap(([kind, objects]) =>
    objects.known && objects.value === undefined ? [kind] : [],
  );
}

function reasonOf(asked: Asked): string | undefined {
  return asked.flatMap(([, objects]) => (objects.known ? [] : [objects.reason]))[0];
}
