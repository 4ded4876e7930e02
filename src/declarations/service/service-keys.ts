/** The annotations that leasehold reads from a Service, by what they say. */
export const leaseholdKeys = {
  addresses: 'ipam.vitistack.io/addresses',
  sharingKey: 'ipam.vitistack.io/allow-local-shared-ip',
  denyExternalCleanup: 'ipam.vitistack.io/deny-external-cleanup',
  ipFamily: 'ipam.vitistack.io/ip-family',
  retentionPeriodDays: 'ipam.vitistack.io/retention-period-days',
  secret: 'ipam.vitistack.io/secret',
  zone: 'ipam.vitistack.io/zone',
  cluster: 'leasehold.dev/cluster',
  pool: 'leasehold.dev/pool',
  signature: 'leasehold.dev/signature',
} as const;

/** MetalLB's own annotations, by what they say: as they are called now, and before 0.14.9 (controller/service.go). */
export const metallbKeys = [keysOf('metallb.io'), keysOf('metallb.universe.tf')] as const;

function keysOf<Prefix extends string>(prefix: Prefix) {
  return {
    addresses: `${prefix}/loadBalancerIPs`,
    pool: `${prefix}/address-pool`,
    sharingKey: `${prefix}/allow-shared-ip`,
  } as const;
}

/** Every annotation that leasehold fills in, and takes out of what an author wrote. */
export const filledIn: ReadonlySet<string> = new Set(
  metallbKeys.flatMap((keys) => Object.values(keys)),
);

/** Every annotation that leasehold reads. */
export const readKeys: readonly string[] = [...Object.values(leaseholdKeys), ...filledIn];
