import type { CodeExplanation } from './code-explanation.ts';

/** What a declaration may not say, whatever it declares: its shape, and who it speaks of. */
export const declarationCodes = {
  // Shape
  KIND_UNKNOWN: {
    title: 'A declaration has an apiVersion or kind that leasehold does not know.',
    fix: 'Write apiVersion: leasehold.dev/v1 with kind: Lease or Reservation, or apiVersion: v1 with kind: Service. Move a file that is no declaration out of leases/.',
  },
  FIELD_UNKNOWN: {
    title: 'A declaration has a field that its kind does not have.',
    fix: 'Correct the spelling or remove the field; docs/schemas/ lists all fields.',
  },
  FIELD_MISSING: {
    title: 'A declaration lacks a field that its kind needs.',
    fix: 'Add the field.',
  },
  FIELD_TYPE: {
    title: 'A field has a value of the wrong type.',
    fix: 'Write the type that the message names. YAML reads unquoted digits as a number and true as a boolean.',
  },
  FIELD_VALUE: {
    title: 'A field has a value that is not allowed.',
    fix: 'Write one of the values that the message names.',
  },
  // Identity
  OWNER_INVALID: {
    title: 'An owner or provider is not a bech32 address of the Akash network.',
    fix: 'Copy the address again: it starts with akash1 and ends in a checksum.',
  },
  DSEQ_INVALID: {
    title:
      'A dseq, gseq or oseq is not a number that Akash could have given, or lost digits on the way.',
    fix: "Write dseq as a quoted string: dseq: '12345678901234567890'.",
  },
  PROVIDER_MISSING: {
    title: 'A lease has no provider, and neither pools.yaml nor its cluster names one.',
    fix: 'Set provider in leases/pools.yaml.',
  },
  CLUSTER_UNKNOWN: {
    title: 'A declaration names a cluster that is not declared.',
    fix: 'Name a cluster from leases/pools.yaml.',
  },
  CLUSTER_MISSING: {
    title: 'There is more than one cluster and no default.',
    fix: 'Set defaultCluster in leases/pools.yaml.',
  },
  CLUSTER_DUPLICATE: {
    title: 'Two clusters have one name or id.',
    fix: 'Rename one of them. A name may not be the id of another either.',
  },
  CLUSTER_HOLDS: {
    title: 'A cluster is no longer declared, and addresses are held in it.',
    fix: 'Put it back into leases/pools.yaml, end its leases with leasehold cleanup --cluster NAME, and remove it once the engine has applied that.',
  },
  LEASE_DUPLICATE: {
    title: 'Two files declare one lease.',
    fix: 'Put all endpoints of a lease in one file.',
  },
  ENDPOINT_DUPLICATE: {
    title: 'A lease declares one endpoint twice.',
    fix: 'Remove one of the two.',
  },
} as const satisfies Record<string, CodeExplanation>;
