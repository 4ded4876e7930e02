/** Problems of the files that operators write: pools, policy, and what is generated from them. */
export const poolCodes = {
  ADDRESS_INVALID: {
    title:
      'A value is not an address, a range or a CIDR block, or MetalLB would read it differently.',
    fix: 'Write 203.0.113.7, 203.0.113.0/28 or 203.0.113.7-203.0.113.9, without spaces, leading zeros and host bits.',
  },
  ADDRESS_NOBODYS: {
    title:
      'A pool has addresses that routers do not forward: 0.0.0.0/8, 127.0.0.0/8, 224.0.0.0/4, 240.0.0.0/4, ::, ::1 or ff00::/8.',
    fix: 'Remove them from the pool in leases/pools.yaml. A Service with such an address is not reachable.',
  },
  POOL_OVERLAP: {
    title: 'Two pools, or two entries of a pool, have an address in common.',
    fix: 'Remove the address from one of them. MetalLB rejects its whole configuration otherwise.',
  },
  POOL_DUPLICATE: {
    title: 'Two pools have the same name.',
    fix: 'Rename one of them.',
  },
  POOL_EMPTY: {
    title: 'All addresses of a pool are reserved.',
    fix: 'Declare more addresses or reserve fewer.',
  },
  RESERVED_OUTSIDE: {
    title: 'A reserved address is not in its pool.',
    fix: 'Correct it or remove it. A gateway with a typo is not protected.',
  },
  NAT_INVALID: {
    title:
      'A NAT rule has inside addresses that are not in its pool or are in another rule, or outside addresses of another family or count, or that a pool or another rule has.',
    fix: 'Write addresses of the pool as inside, and as outside as many public addresses, or one.',
  },
  POOL_UNKNOWN: {
    title: 'A declaration names a pool that is not declared.',
    fix: 'Use a pool from leases/pools.yaml.',
  },
  ZONE_UNKNOWN: {
    title: 'A declaration names a zone without a pool.',
    fix: 'Use a zone of a pool in leases/pools.yaml.',
  },
  ZONE_MISSING: {
    title: 'Several zones are declared, without a default.',
    fix: 'Set defaultZone in leases/pools.yaml.',
  },
  ZONE_FAMILY: {
    title: 'A zone or pool has no addresses of the requested family.',
    fix: 'Request another ipFamily, use a zone or pool that has the family, or add addresses in leases/pools.yaml. Both addresses of a dual-stack claim come from one pool, as MetalLB requires.',
  },
  ADVERTISEMENT_UNKNOWN: {
    title: 'A declaration or the policy names an advertisement that the pool file does not have.',
    fix: 'Name one of advertisements in leases/pools.yaml, or declare it there.',
  },
  ADVERTISEMENT_REFUSED: {
    title:
      'An advertisement cannot apply: the layout of the cluster, or the way in which the pool is announced.',
    fix: 'An advertisement needs layout: lease, where each address has one of its own, and a pool that is announced the same way, by l2 or bgp. With it, MetalLB must accept the advertisements of the pool together: no two may differ only in localPref.',
  },
  ADVERTISEMENT_DUPLICATE: {
    title:
      'Two advertisements of a pool, or of the pools of a cluster, would be one object of MetalLB: they have the same kind and name.',
    fix: 'Give one of them another name. Without a name, an advertisement has that of its pool.',
  },
  POOL_CLOSED: {
    title: 'A claim requests an address from a pool or zone that its cluster does not announce.',
    fix: 'Use another pool or zone, or add the cluster to clusters of the pool in leases/pools.yaml.',
  },
  ANYCAST_DUPLICATE: {
    title: 'Two anycast groups have the same name, or a Service is a member twice.',
    fix: 'Remove one of the two. A Service can be a member of one group only.',
  },
  ANYCAST_KEY: {
    title: 'A Service of an anycast group has a sharing key of its own.',
    fix: 'Remove the sharing key. The group already determines which Services share the address.',
  },
  ANYCAST_NOT_BGP: {
    title:
      'An address is for several clusters, but no pool that can provide it is announced by BGP.',
    fix: 'Use a pool with advertise: {bgp: …}. With L2, a node of one cluster answers for an address, so two clusters would compete for it.',
  },
  BGP_AGGREGATION: {
    title:
      'A BGP aggregation length is shorter than a prefix of the pool, so MetalLB would reject its whole configuration.',
    fix: 'Use aggregationLength 32 and aggregationLengthV6 128 with layout: lease, or a length that is at least as long as every prefix of the pool.',
  },
  BGP_LOCAL_PREF: {
    title:
      'Two BGP advertisements of a pool have different local preferences for the same routes, peers and nodes, so MetalLB would reject its whole configuration.',
    fix: 'Give both the same localPref, or other peers, other nodeSelectors or another aggregationLength. Without localPref it is 0.',
  },
  FENCE_LAYOUT: {
    title:
      'A pool has an open fence in a cluster with layout: lease, which has one pool per held address.',
    fix: 'Remove fence, or set layout: pool for the clusters that announce the pool. Only a pool that is written as a whole can be open while a live pool of the same name is taken over.',
  },
  METALLB_VERSION: {
    title: 'MetalLB before 0.13.9 is not supported, nor are large communities before 0.13.10.',
    fix: 'Write the version that runs in the cluster. Upgrade MetalLB if it is older.',
  },
  CILIUM_VERSION: {
    title:
      'Cilium before 1.18.2 is not supported: it gives Services other addresses when its operator starts again.',
    fix: 'Write the version that runs in the cluster. Upgrade Cilium if it is older.',
  },
  PLANE_UNSUPPORTED: {
    title:
      'The data plane of a cluster cannot safely do what the pool file or a declaration asks for.',
    fix: 'Do as the hint says.',
  },
  // Policy
  POLICY_DUPLICATE: {
    title: 'The policy has the same tenant or folder twice.',
    fix: 'Give each folder to one tenant. A folder inside it can belong to another tenant.',
  },
  POLICY_REFUSED: {
    title: 'A declaration requests something that the policy does not allow in its folder.',
    fix: 'Correct the declaration, or ask the operators to change leases/policy.yaml first. A pull request is also checked against the policy of its target branch.',
  },
  MOVE_UNASKED: {
    title:
      'A pull request moves an address, and neither the owner of the declaration nor the operators requested it.',
    fix: 'Change the declaration of the holder in the same pull request: pin the new address there, or explain the move in a comment where a pin is not possible, as with an SDL. Or ask the operators to reserve the old address or drain its pool in leases/pools.yaml. Without this rule, anyone could take an address from another tenant. A policy without tenants requires no request.',
  },
} as const;
