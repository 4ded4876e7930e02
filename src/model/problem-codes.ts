/** What `leasehold explain CODE` and docs/problems.md say about a code. */
export interface CodeExplanation {
  /** One sentence: what is wrong. */
  readonly title: string;
  /** What to do about it. */
  readonly fix: string;
}

/**
 * Everything that can be wrong with committed input, by code. The code is the contract: scripts and
 * tests go by it; the wording of messages may change.
 */
export const problemCodes = {
  // Files under leases/
  FILE_UNEXPECTED: {
    title: 'A file or folder stands where leasehold reads or writes, and is none that it knows.',
    fix: 'Move it elsewhere. Declarations end in .yaml; dist/ holds only what leasehold wrote.',
  },
  FILE_NOT_REGULAR: {
    title: 'A symbolic link, socket or device stands under leases/ or dist/.',
    fix: 'Commit the file itself: what a link points at can change without a review.',
  },
  FILE_TOO_LARGE: {
    title: 'A file is larger than leasehold reads: 256 KiB.',
    fix: 'Split the declaration, or remove what is not needed from the SDL.',
  },
  FILE_ENCODING: {
    title: 'A file is not UTF-8 text, or holds characters that YAML does not allow.',
    fix: 'Save it as UTF-8 without a byte order mark or control characters.',
  },
  FILE_LOST: {
    title: 'Git knows a file under leases/ that the working tree lacks.',
    fix: 'Finish the checkout (git sparse-checkout disable, git restore leases), or delete the file with git rm if the lease is to end.',
  },
  FILE_MISSING: {
    title: 'A file that leasehold needs is not there.',
    fix: 'Create it, or correct the path that names it.',
  },
  FILE_UNMERGED: {
    title: 'A merge has left a file that people write with more than one version.',
    fix: 'Write what it should say and git add it, or git rm it if it should go; then run leasehold resolve again.',
  },
  // YAML
  YAML_SYNTAX: {
    title: 'A file is not well-formed YAML.',
    fix: 'Correct the line that is named; an editor with YAML support shows the place.',
  },
  YAML_CONFLICT: {
    title: 'A file holds merge conflict markers.',
    fix: 'In a declaration or the pool file, write what it should say and git add it. For allocations and manifests, run leasehold resolve.',
  },
  YAML_DUPLICATE_KEY: {
    title: 'A mapping has one key twice.',
    fix: 'Keep one of the two.',
  },
  YAML_DOCUMENTS: {
    title: 'A file holds no document, or more than one.',
    fix: 'Write exactly one document in each file.',
  },
  YAML_ALIAS: {
    title:
      'A file uses anchors, aliases or merge keys where they are not allowed, or too many of them.',
    fix: 'Write the value out. Only an SDL may use aliases, up to 100.',
  },
  YAML_TAG: {
    title: 'A file uses a YAML tag such as !!binary or !custom.',
    fix: 'Write plain strings, numbers, lists and mappings.',
  },
  YAML_DEPTH: {
    title: 'A file is nested deeper than leasehold reads: 32 levels.',
    fix: 'No declaration needs that depth; look for a bracket or an indent too many.',
  },
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
  // Services
  SERVICE_DUPLICATE: {
    title: 'Two files declare one Service, or reserve an address for it.',
    fix: 'Keep one declaration of each Service.',
  },
  SERVICE_INVALID: {
    title: 'The API server would refuse a declared Service, or drop a part of it.',
    fix: 'Correct the place that is named. While one object is refused, Flux applies nothing of a commit.',
  },
  SERVICE_FIELD_REFUSED: {
    title:
      'A Service has a field that the cluster sets, or that takes it away from its leased address.',
    fix: 'Remove the field. A Service without an address may be declared outside of leases/.',
  },
  METADATA_REFUSED: {
    title:
      'A Service has a label or annotation that steers Argo CD, Flux, kubectl, Helm or kustomize, that somebody else sets, or that has a new name.',
    fix: 'Remove it. What steers an engine belongs to whoever runs it, not to a declaration.',
  },
  ANNOTATION_UNKNOWN: {
    title:
      'A Service has an annotation of ipam.vitistack.io, leasehold.dev or MetalLB that does not exist.',
    fix: 'Correct the spelling or remove it; docs/services.md lists them all.',
  },
  ANNOTATION_CONFLICT: {
    title: 'An annotation of a Service says something that another one, or its spec, says too.',
    fix: 'Say it in one place. What MetalLB reads, leasehold writes by itself.',
  },
  SUBSTITUTION: {
    title: 'A declaration holds ${, which Flux replaces when it applies what comes out.',
    fix: 'Write the value itself: what is applied is what was reviewed.',
  },
  // Pools
  ADDRESS_INVALID: {
    title:
      'A text is not an address, a range or a CIDR block, or MetalLB would read it differently.',
    fix: 'Write 203.0.113.7, 203.0.113.0/28 or 203.0.113.7-203.0.113.9: no spaces, no leading zeros, no host bits.',
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
  METALLB_VERSION: {
    title: 'MetalLB before 0.13.9 is not supported.',
    fix: 'Write the version that runs in the cluster; upgrade MetalLB if it is older.',
  },
  // SDL
  SDL_INVALID: {
    title: 'An SDL does not have the shape that Akash reads.',
    fix: 'Correct the place that is named; Akash itself would refuse the deployment or drop the endpoint.',
  },
  SDL_VERSION: {
    title: 'An SDL has a version other than 2.0 and 2.1.',
    fix: "Write version: '2.0' or version: '2.1'.",
  },
  SDL_ENDPOINT_NAME: {
    title: 'An IP endpoint of an SDL has a name that Akash refuses.',
    fix: 'Use at least two characters: a lower-case letter, then lower-case letters, digits, - and _.',
  },
  SDL_ENDPOINT_KIND: {
    title: 'An endpoint of an SDL has no kind, or one other than ip.',
    fix: 'Write kind: ip.',
  },
  SDL_ENDPOINT_UNKNOWN: {
    title: 'An expose names an IP endpoint that the SDL does not declare.',
    fix: 'Declare it under endpoints.',
  },
  SDL_ENDPOINT_UNUSED: {
    title: 'An SDL declares an IP endpoint that no deployed service uses.',
    fix: 'Use it or remove it: Akash refuses the deployment.',
  },
  SDL_NOT_GLOBAL: {
    title: 'An expose asks for an IP endpoint without being global.',
    fix: 'Write global: true beside ip.',
  },
  SDL_GROUP_UNKNOWN: {
    title: "The SDL has no placement for the lease's gseq.",
    fix: 'Correct gseq: placements count from 1 in name order.',
  },
  SDL_NO_ENDPOINT: {
    title: "No service of the lease's placement asks for a leased address.",
    fix: 'Remove the declaration: such a lease needs no address.',
  },
  SDL_NOT_EDITED: {
    title:
      "A claim would be added to a lease, or taken from one, whose endpoints stand in the tenant's SDL.",
    fix: 'Change the SDL in a commit of your own, or write the endpoints into the declaration in place of spec.sdl. A lease as a whole can be purged.',
  },
  // Holders and claims
  PORT_TAKEN: {
    title: 'Two claims on one address want the same port and protocol.',
    fix: 'Change the external port of one of them, or give it another endpoint name so that it gets its own address.',
  },
  HOLDER_CONFLICT: {
    title: 'Claims that share an address disagree about its pool, zone, pin or key.',
    fix: 'Say the same in all of them, or in one only.',
  },
  HOLDER_SPLIT: {
    title: 'One holder has two addresses of one family, usually after a merge.',
    fix: 'Run leasehold resolve: the address that is on the target branch stays, and the other one goes.',
  },
  SELECTOR_REQUIRED: {
    title: 'With naming: readable an endpoint needs a selector: no provider labels the pods.',
    fix: 'Add selector to the endpoint.',
  },
  NAME_TAKEN: {
    title: 'Two objects would have one name in the cluster.',
    fix: 'Rename one of the two: a suffix is never added, because it would rename others.',
  },
  NAME_TOO_LONG: {
    title: 'A name or label would be longer than Kubernetes allows.',
    fix: 'Use a shorter name.',
  },
  NAMESPACE_REFUSED: {
    title:
      'A Service is declared in a namespace that leasehold keeps out of: one of Kubernetes itself, that of MetalLB, or lease.',
    fix: 'Put the Service into a namespace of its own.',
  },
  SHARING_CONFLICT: {
    title:
      'Services on one address have different traffic policies, or Local traffic to different pods, which MetalLB refuses.',
    fix: 'Set externalTrafficPolicy: Cluster in all of them, or give one another sharing key so that it gets its own address. A Reservation counts as Cluster.',
  },
  SERVICE_CONFLICT: {
    title: 'Endpoints that end up in one Service disagree about family or selector.',
    fix: 'Say the same in all endpoints of the service.',
  },
  FAMILY_CHANGED: {
    title:
      'A live Service would change its first address family, or a live address its pool, which the cluster refuses.',
    fix: 'Remove the endpoints, or the Service, in one commit and declare them again in the next, once the first is applied.',
  },
  LAYOUT_CHANGED: {
    title: "The layout of MetalLB's pools would change in a cluster that has been synthesized.",
    fix: 'Keep the layout. To change it all the same, with all Services down in between: git rm -r the folder of the cluster under dist/, let the engine prune what it applied, then run leasehold synth.',
  },
  // Ownership
  NOT_PROVEN: {
    title: 'An address has a key, and no signature of that key allows what the declarations ask.',
    fix: 'Undo the change, or let who has the secret sign it: leasehold key sign. A signature counts once, for one repository, address, holder, new key and generation, and stands in the annotation leasehold.dev/signature.',
  },
  KEY_SHARED: {
    title: 'The key of an address would change while more than one Service relies on it.',
    fix: 'Change it while one Service stands on the address alone, and no other was promised to come back to it.',
  },
  REPOSITORY_CHANGED: {
    title: 'The id of the repository, for which signatures are made, changes.',
    fix: 'Restore leases/keys/repository.yaml from the target branch: with another id, signatures of another repository would count here.',
  },
  // Allocation
  ALLOCATION_LOST: {
    title:
      'A committed manifest gives a Service an address that is not recorded for its holder any more.',
    fix: 'Restore leases/allocations/ from the branch that has it. Without the record the tenant would get another address.',
  },
  POOL_EXHAUSTED: {
    title: 'There are not enough free addresses for the claims.',
    fix: 'Widen the pool in leases/pools.yaml, release a lease, or wait for a cooldown to end.',
  },
  POOL_DRAINING: {
    title: 'A claim wants a new address from a pool that is draining.',
    fix: 'Use another pool, or set state: active.',
  },
  PIN_OUTSIDE: {
    title: 'A pinned address is in no pool that its claim may use.',
    fix: 'Pin an address of the pool, or remove the pin.',
  },
  PIN_RESERVED: {
    title: 'A pinned address is reserved, or ends in .0 or .255 in a pool that avoids those.',
    fix: 'Pin another address.',
  },
  PIN_TAKEN: {
    title: 'A pinned address is held by someone else, or pinned twice.',
    fix: 'Pin another address, or wait until it is released.',
  },
  PIN_RETAINED: {
    title: 'A pinned address was released and is still kept for its last holder.',
    fix: 'Pin another address, or wait until the day that the message names.',
  },
  PIN_MOVED: {
    title: 'A pin differs from the address that the holder has, or from the one it is to go to.',
    fix: 'An address never moves by an edit. To move it, pin the new address and run leasehold move; to keep it, remove the pin or pin the address held.',
  },
  ADDRESS_STRANDED: {
    title:
      'A held address is no longer one that its claims may have: the pool shrank, or the zone, pool or reservation changed.',
    fix: 'Undo the change, or give all holders concerned other addresses in one run: leasehold move ADDRESS... An address never moves by itself.',
  },
  MOVE_REFUSED: {
    title: 'A holder cannot be moved as asked.',
    fix: 'Do what the hint says first, then run leasehold move again. Nothing was written.',
  },
  QUOTA_EXCEEDED: {
    title: 'An owner needs more addresses, held or kept after release, than its quota allows.',
    fix: 'Release one of its leases, wait until what it released is free, or raise its number under quotas in leases/pools.yaml.',
  },
  ALLOCATION_INVALID: {
    title: 'An allocation file contradicts itself, its path or another file.',
    fix: 'Restore it from the target branch: git checkout <branch> -- <file>. Only leasehold writes these files.',
  },
  DATE_EARLIER: {
    title: 'Today is earlier than a day that is already recorded.',
    fix: "Correct the machine's clock or --today.",
  },
  MASS_RELEASE: {
    title: 'The run would release an unusual number of addresses.',
    fix: 'If it is meant, run leasehold synth --allow-release N with the number that the message names.',
  },
  ALLOCATION_FORGED: {
    title: 'An allocation file changes in a way that no run of leasehold gives.',
    fix: 'Restore the file from the target branch and run leasehold synth: git restore --source=BRANCH --staged --worktree leases/allocations. Nobody edits these files by hand.',
  },
  DATE_AHEAD: {
    title: 'An allocation records a day that is later than the day after the commit.',
    fix: "Restore the file from the target branch, correct the machine's clock, and run leasehold synth.",
  },
  MERGE_BLENDED: {
    title:
      'A merge holds a claim that neither of its sides declares: git has put an edit of one lease into the file of another.',
    fix: 'Merge again without a look for renames: git merge -X find-renames=100%. If the claim is meant, change the declaration in a commit of its own.',
  },
  // The policy
  POLICY_DUPLICATE: {
    title: 'The policy names a tenant or a folder twice.',
    fix: 'Give each folder to one tenant. A folder inside of it may belong to another.',
  },
  POLICY_REFUSED: {
    title: 'A declaration asks for what its folder may not declare.',
    fix: 'Correct it, or have the operators change leases/policy.yaml first: a pull request is also judged by the policy that it starts from.',
  },
  CODEOWNERS_MARKERS: {
    title: 'A CODEOWNERS file has a marker of leasehold without its counterpart, or twice.',
    fix: 'Remove what is left of the part that leasehold wrote, markers too, and run leasehold codeowners --write again.',
  },
  STALE: {
    title: 'What is committed is not what synth gives.',
    fix: 'Run leasehold synth and commit what it writes.',
  },
} as const satisfies Record<string, CodeExplanation>;

/** A stable code of a problem. */
export type ProblemCode = keyof typeof problemCodes;
