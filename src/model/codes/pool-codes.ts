/** What is wrong with leases/pools.yaml. */
export const poolCodes = {
  ADDRESS_INVALID: {
    title:
      'A text is not an address, a range or a CIDR block, or MetalLB would read it differently.',
    fix: 'Write 203.0.113.7, 203.0.113.0/28 or 203.0.113.7-203.0.113.9: no spaces, no leading zeros, no host bits.',
  },
  ADDRESS_NOBODYS: {
    title:
      'A pool has addresses that no router passes on: of 0.0.0.0/8, 127.0.0.0/8, 224.0.0.0/4, 240.0.0.0/4, ::, ::1 or ff00::/8.',
    fix: 'Take them out of the pool in leases/pools.yaml: a Service on such an address can be reached by nobody.',
  },
  POOL_OVERLAP: {
    title: 'Two pools, or two entries of one pool, have an address in common.',
    fix: 'Remove the address from one of them: MetalLB refuses its whole configuration otherwise.',
  },
  POOL_DUPLICATE: {
    title: 'Two pools have one name.',
    fix: 'Rename one of them.',
  },
  POOL_EMPTY: {
    title: 'All addresses of a pool are reserved.',
    fix: 'Declare more addresses or reserve fewer.',
  },
  RESERVED_OUTSIDE: {
    title: 'A reserved address is not in its pool.',
    fix: 'Remove it, or correct it: a mistyped gateway is not protected.',
  },
  POOL_UNKNOWN: {
    title: 'A declaration names a pool that is not declared.',
    fix: 'Name a pool from leases/pools.yaml.',
  },
  ZONE_UNKNOWN: {
    title: 'A declaration names a zone that no pool lies in.',
    fix: 'Name a zone that a pool of leases/pools.yaml lies in.',
  },
  ZONE_MISSING: {
    title: 'There is more than one zone and no default.',
    fix: 'Set defaultZone in leases/pools.yaml.',
  },
  ZONE_FAMILY: {
    title: 'A zone or pool has no addresses of the family that a claim asks for.',
    fix: 'Ask for another ipFamily, name a zone or pool that has it, or add addresses of it in leases/pools.yaml. Dual stack takes both addresses from one pool, as MetalLB demands.',
  },
  POOL_CLOSED: {
    title: 'A claim wants an address of a pool or zone that its cluster does not announce.',
    fix: 'Name another pool or zone, or add the cluster to clusters of the pool in leases/pools.yaml.',
  },
  ANYCAST_DUPLICATE: {
    title: 'Two anycast groups have one name, or a Service is a member twice.',
    fix: 'Remove one of the two: a Service stands on the address of one group.',
  },
  ANYCAST_KEY: {
    title: 'A Service of an anycast group has a sharing key of its own.',
    fix: 'Remove the sharing key: the group already says which Services share the address.',
  },
  ANYCAST_NOT_BGP: {
    title:
      'One address is to stand in several clusters, and no pool that may give it is announced by BGP.',
    fix: 'Take the address from a pool with advertise: {bgp: …}. With L2 one node of one cluster answers for an address, so two clusters would fight for it.',
  },
  BGP_AGGREGATION: {
    title:
      'A BGP aggregation length is shorter than a prefix that MetalLB would see, so it would refuse everything.',
    fix: 'Use aggregationLength 32 and aggregationLengthV6 128 with layout: lease, or a length that no part of the pool is longer than.',
  },
  FENCE_LAYOUT: {
    title:
      'A pool has an open fence in a cluster of layout: lease, whose pools are made for the held addresses one by one.',
    fix: 'Leave fence out, or set layout: pool for the clusters that announce the pool. Only a pool that is written whole can be open while a live one of its name is taken over.',
  },
  FENCE_LIVE: {
    title:
      'An imported pool serves everybody where it lives, and is declared here with a closed fence: once it is applied, live Services lose their addresses.',
    fix: 'Write fence: open into the pool in leases/pools.yaml, and import again; take it out in a commit of its own when leasehold verify says that nothing needs it. Where nothing that lives needs the addresses: leasehold import … --allow-closed-fence.',
  },
  METALLB_VERSION: {
    title: 'MetalLB before 0.13.9 is not supported.',
    fix: 'Write the version that runs in the cluster; upgrade MetalLB if it is older.',
  },
} as const;

/** What the policy refuses, and what is written from it. */
export const policyCodes = {
  POLICY_DUPLICATE: {
    title: 'The policy names a tenant or a folder twice.',
    fix: 'Give each folder to one tenant. A folder inside of it may belong to another.',
  },
  POLICY_REFUSED: {
    title: 'A declaration asks for what its folder may not declare.',
    fix: 'Correct it, or have the operators change leases/policy.yaml first: a pull request is also judged by the policy that it starts from.',
  },
  MOVE_UNASKED: {
    title:
      'A pull request moves an address, and neither who declares its holder nor the operators ask for it.',
    fix: 'Change the declaration of the holder in the same pull request: pin the new address there, or say why it moves in a comment, as where an SDL has no field for a pin. Or have the operators reserve the old address in leases/pools.yaml, or drain its pool. Without that, anybody could take an address from another tenant.',
  },
  CODEOWNERS_MARKERS: {
    title: 'A CODEOWNERS file has a marker of leasehold without its counterpart, or twice.',
    fix: 'Remove what is left of the part that leasehold wrote, markers too, and run leasehold codeowners --write again.',
  },
} as const;

/** What `leasehold bootstrap` was asked for and the pool file does not allow. */
export const bootstrapCodes = {
  METALLB_UNFIT: {
    title: 'The declared MetalLB cannot be set up as asked, or has not what was asked for.',
    fix: 'Declare another version or namespace of MetalLB in leases/pools.yaml, if that is what runs, or ask for what the message names.',
  },
  KUBESPRAY_UNSAID: {
    title: "Kubespray's variables cannot say what leases/pools.yaml declares.",
    fix: 'Let Kubespray install MetalLB without pools, as leasehold bootstrap kubespray prints it, and leave the pools to leasehold.',
  },
} as const;
