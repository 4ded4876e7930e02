import { accountOf } from './lease-text.ts';

/** A pool file with these fields, as lines of YAML below `kind`. */
export function poolsText(fields: string): string {
  return `apiVersion: leasehold.dev/v1\nkind: Pools\n${fields}`;
}

/** A {@link poolsText} of the account `provider`, which leases need. */
export function providerPoolsText(fields: string): string {
  return poolsText(`provider: ${accountOf('provider')}\n${fields}`);
}

/** The pool `default` of the zone `inet`, of an Akash provider. */
export function defaultPoolText(addresses = '203.0.113.0/28'): string {
  return providerPoolsText(`pools:
  - { name: default, zone: inet, addresses: [${addresses}] }
`);
}

/** One pool that is announced by L2, without a provider. */
export const l2PoolText = poolsText(`pools:
  - { name: p, zone: z, addresses: [203.0.113.0/28], advertise: { l2: {} } }
`);
